"""A claim spelled for another package manager: its commands, its lock file, and no other use of the name."""

from __future__ import annotations

import re

from memaudit.grounding.ground import Ground
from memaudit.grounding.manager import LOCKS, in_use

_ECOSYSTEM = {manager: ecosystem for manager, _, ecosystem in LOCKS}
_ALIKE = frozenset({"install", "add", "remove", "run", "test", "start"})
"""Sub-commands that every manager of one ecosystem has by the same name."""

_FROZEN = {
    "npm": "npm ci",
    "pnpm": "pnpm install --frozen-lockfile",
    "yarn": "yarn install --frozen-lockfile",
    "bun": "bun install --frozen-lockfile",
}
_SYNCED = {"uv": "uv sync", "poetry": "poetry install", "pdm": "pdm install", "pipenv": "pipenv sync"}
"""How each installs what the lock file says."""


def successor(text: str, ground: Ground) -> tuple[str, str] | None:
    """A manager that a command of the text calls, that base used and head does not, and the one head uses."""
    for name in dict.fromkeys(re.findall(r"(?<![\w./-])(npm|pnpm|yarn|bun)(?=\s+[a-z])", text)):
        if in_use(name, ground.base) is None or in_use(name, ground.head) is not None:
            continue
        others = [
            other
            for other in dict.fromkeys(lock[0] for lock in LOCKS if lock[2] == _ECOSYSTEM[name])
            if other != name and in_use(other, ground.head)
        ]
        if len(others) == 1:
            return name, others[0]
    return None


def swapped(text: str, old: str, new: str, *, whole: bool) -> tuple[str, bool]:
    """The text for the new manager, and whether every command in it is spelled alike for both.

    Commands are looked for in code, or with ``whole`` in all of the text up to a comment.
    """
    sure = True

    def command(match: re.Match[str]) -> str:
        nonlocal sure
        word = match[1]
        for spelled in (_FROZEN, _SYNCED):
            if f"{old} {word}" == spelled.get(old) and new in spelled:
                sure = sure and spelled is _FROZEN
                return spelled[new]
        sure = sure and word in _ALIKE
        return f"{new} {word}"

    pattern = re.compile(rf"(?<![\w./@-]){re.escape(old)}\s+([a-z][\w:-]*)")
    if whole:
        code, mark, comment = text.partition(" #")
        text = pattern.sub(command, code) + mark + comment
    else:
        text = re.sub(r"`[^`]*`", lambda match: pattern.sub(command, match[0]), text)
    lock = next(name for manager, name, _ in LOCKS if manager == new)
    for manager, name, _ in LOCKS:
        if manager == old:
            text = re.sub(rf"(?<![\w/.-]){re.escape(name)}(?![\w-])", lock, text)
    return text, sure

"""Memory folders: a MEMORY.md index with one line a memory, and a topic file for each."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence

from memaudit.domain import Folder
from memaudit.stores.family import Family, Found, top_first

FORMAT = "memory-dir"
INDEX = "MEMORY.md"
_AGENTS = ("agent-memory", "agent-memory-local")


def _find(folder: Folder, paths: Sequence[str]) -> Iterable[Found]:
    inside: dict[str, list[str]] = {}
    for path in paths:
        if path.endswith(".md") and (home := _home(path)):
            inside.setdefault(home, []).append(path)
    for home in sorted(inside, key=top_first):
        if "/.claude/" in f"/{home}/" or f"{home}/{INDEX}" in inside[home]:
            yield from files_of(home, inside[home])


def files_of(home: str, paths: Iterable[str]) -> Iterable[Found]:
    """The documents of the memory folder ``home``: its index first, then the topics."""
    index = posixpath.join(home, INDEX)
    for path in sorted(paths, key=lambda one: (one != index, top_first(one))):
        name = "claude-auto-memory-index" if path == index else "claude-auto-memory-topic"
        yield Found(path, home, name)


def _home(path: str) -> str:
    """The memory folder that a file is in, or an empty string."""
    parts = path.split("/")
    for at, part in enumerate(parts[:-1]):
        in_claude = at > 0 and parts[at - 1] == ".claude"
        if part == "memory":
            return "/".join(parts[: at + 1])
        if part in _AGENTS and in_claude and at + 2 < len(parts):
            return "/".join(parts[: at + 2])
    return ""


FAMILY = Family(FORMAT, _find, folders=("memory", ".claude/memory", *(f".claude/{name}" for name in _AGENTS)))

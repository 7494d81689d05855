"""Modules by dotted name: ``desk.cli``, ``from desk.config import PORT``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memaudit.grounding.ground import Ground, Side, is_test, is_vendored
from memaudit.grounding.language import Polarity, polarity
from memaudit.grounding.reference import Mention, Outcome, broken, supported
from memaudit.grounding.words import ClaimText, Form, is_placeholder

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Test through `desk.cli`.", ("desk.cli",)),
    ("❌ `from desk.net.client import client`", ("desk.net.client",)),
    ("Run `python -m desk.cli check`.", ("desk.cli",)),
    ("Call `Session.commit`.", ()),
    ("Edit `app.py`.", ()),
)
"""Claim text and the modules read from it."""

_MODULE = re.compile(r"[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)+\Z")
_IMPORT = re.compile(r"(?:\bfrom\s+|\bimport\s+|-m\s+)([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)+)")
_FILE = re.compile(
    r"\.(?:py|js|ts|rs|go|rb|md|json|toml|yml|yaml|sh|txt|lock|cfg|ini|env|com|dev|io|org|net|ai)\Z"
)
_SUFFIXES = (".py", "/__init__.py")


class ModuleKind:
    """Python modules of this repository."""

    name = "module"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """Dotted lower-case names in code spans, imports and ``-m`` arguments."""
        seen: set[str] = set()
        for word in text.of(Form.CODE, Form.COMMAND):
            if _MODULE.match(word.text) and not _FILE.search(word.text):
                names = [word.text]
            else:
                names = _IMPORT.findall(word.text)
            for name in names:
                if name not in seen and not is_placeholder(name):
                    seen.add(name)
                    said = polarity(text, word.start, word.end)
                    yield Mention("module", name, name, word.start, word.end, word.form, said)

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Modules are found in the tree. Nothing to search for."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Stale when the module's file stood at base and none of its name does at head."""
        base, head = module_file(mention.target, ground.base), module_file(mention.target, ground.head)
        if head:
            return supported(
                mention,
                f"{mention.target} is {head}",
                head=head,
                head_at=ground.head.place(head),
            )
        if base is None or mention.polarity not in (Polarity.ASSERTED, Polarity.EXAMPLE):
            return None
        return broken(
            mention,
            "path-gone",
            f"{mention.target} was {base} at base and is not at head",
            base=base,
            base_at=ground.base.place(base),
            commit=ground.removed_by(base),
            confidence=0.88,
        )


def module_file(name: str, side: Side) -> str | None:
    """The file of a dotted module, or of the module that its last part is a member of."""
    for parts in (name.split("."), name.split(".")[:-1]):
        if len(parts) < 2 and parts != name.split("."):
            continue
        for suffix in _SUFFIXES:
            found = [
                path
                for path in side.snapshot.by_suffix("/".join(parts) + suffix)
                if not is_test(path) and not is_vendored(path)
            ]
            if found:
                return found[0]
        folder = [
            path for path in side.snapshot.by_suffix("/".join(parts)) if side.snapshot.kind(path) == "folder"
        ]
        if folder:
            return folder[0]
    return None

"""Programs that the repository itself installs, by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memaudit.domain import Location
from memaudit.grounding.causes import defines, in_manifest
from memaudit.grounding.ground import Ground
from memaudit.grounding.language import Polarity, polarity
from memaudit.grounding.module import module_file
from memaudit.grounding.pathwords import FOLDER_NOUNS
from memaudit.grounding.reference import Mention, Outcome, Replacement, broken, supported
from memaudit.grounding.shellwords import programs_of, segments
from memaudit.grounding.words import ClaimText, Form
from memaudit.patterns import lazy_regex

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("`acme-admin` is the command line.", ("acme-admin",)),
    ("`acme sync --now`", ("acme",)),
    ("`uv run acme-index`", ("uv", "acme-index")),
    ("The `acme` package holds it.", ()),
    ("Located in the `acme` directory", ()),
    ("The `acme` command starts it.", ("acme",)),
    ("Edit `src/app.py`.", ()),
)
"""Claim text and what may be a program of the repository (the manifests decide)."""

_PROGRAM = lazy_regex(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*\Z")


_OTHER_THINGS = FOLDER_NOUNS | frozenset(
    "package packages module modules branch tag table field column class function hook label group repository"
    " repo namespace schema type parameter argument option key".split()
)
"""What a name is said to be when it is no program."""


class ProgramKind:
    """Entry points declared in manifests."""

    name = "program"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """One-word code spans and the programs of commands."""
        seen: set[str] = set()
        for word in text.of(Form.CODE, Form.COMMAND):
            called = (name for item in segments(word.text) for name in programs_of(item))
            alone = bool(_PROGRAM.match(word.text))
            if alone and text.noun_after(word.end) in _OTHER_THINGS:
                continue
            for name in [word.text] if alone else called:
                if _PROGRAM.match(name) and name not in seen:
                    seen.add(name)
                    said = polarity(text, word.start, word.end)
                    yield Mention("program", name, name, word.start, word.end, word.form, said)

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Programs are declared in manifests. Nothing to search for."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Stale when a manifest declared the program at base and none does at head."""
        base, head = ground.base.programs, ground.head.programs
        name = mention.target
        if name in head:
            manifest, pin = head[name]
            at = ground.head.at(manifest.path, pin.line)
            lost = _target_gone(pin.spec, ground)
            if lost and mention.polarity is Polarity.ASSERTED:
                return broken(
                    mention,
                    "command-gone",
                    f"{manifest.path} declares {name} as {pin.spec}, and that is no longer defined",
                    base=pin.spec,
                    base_at=lost,
                    head_at=at,
                    commit=ground.broken_at(
                        lost.path, defines(pin.spec.rpartition(":")[2].partition(".")[0], lost.path)
                    ),
                    confidence=0.85,
                )
            return supported(
                mention,
                f"{manifest.path} declares {name}",
                head=pin.spec,
                head_at=at,
            )
        if name not in base or mention.polarity not in (Polarity.ASSERTED, Polarity.EXAMPLE):
            return None
        alone = mention.form is Form.CODE and mention.end - mention.start == len(name)
        if alone and ground.head.snapshot.kind(name) == "folder":
            return None  # A folder of that name is there, and may be what is meant.
        manifest, pin = base[name]
        twins = [other for other, (_, now) in head.items() if now.spec == pin.spec and other not in base]
        new = head[twins[0]] if len(twins) == 1 else None
        return broken(
            mention,
            "command-renamed" if new else "command-gone",
            f"{manifest.path} declared {name} at base"
            + (f"; it is {twins[0]} at head" if new else "; none does at head"),
            base=pin.spec,
            head=twins[0] if new else None,
            base_at=ground.base.at(manifest.path, pin.line),
            head_at=ground.head.at(new[0].path, new[1].line) if new else None,
            commit=ground.broken_at(
                manifest.path, in_manifest(manifest.path, name, lambda item: name in item.programs)
            ),
            confidence=0.93,
            replacements=(Replacement(name, twins[0], True, f"same entry point {pin.spec}"),) if new else (),
        )


def _target_gone(spec: str, ground: Ground) -> Location | None:
    """Where a Python entry point ``module:name`` was defined at base, if its module has lost the name."""
    module, _, name = spec.partition(":")
    name = name.partition(".")[0]
    was, now = module_file(module, ground.base), module_file(module, ground.head)
    if not name or was is None or now is None:
        return None
    if any(re.search(rf"\b{re.escape(name)}\b", line) for line in ground.head.lines(now)):
        return None
    found = next((item for item in ground.base.definitions(was) if item.name == name), None)
    return ground.base.at(was, found.line_start) if found else None

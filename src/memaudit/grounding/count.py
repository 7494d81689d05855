"""Counts of what a folder holds: "four reports in `desk/reports/`", "`tools/` # 19 tool modules".

What exactly is counted is not said, so several readings are tried; only one that was right at base
can be contradicted at head.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial

from memaudit.domain import Block, CommitInfo, Location
from memaudit.grounding.ground import Ground, Side
from memaudit.grounding.language import Polarity, polarity
from memaudit.grounding.path import PathKind
from memaudit.grounding.places import resolve
from memaudit.grounding.reference import Mention, Outcome, Replacement, Status, broken, supported
from memaudit.grounding.words import ClaimText, Form
from memaudit.patterns import lazy_regex

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("There are four reports in `desk/reports/`.", ("4 desk/reports",)),
    ("`crates/` holds 12 crates.", ("12 crates",)),
    ("Over 100 modules in `src/`.", ("100+ src",)),
    ("Parts of the desk (~40 components) are in `desk/parts/`.", ("40~ desk/parts",)),
    ("Up to 20 workflows in `ci/`.", ("20- ci",)),
    ("`src/app.py` has 3 classes.", ()),
    ("Keep 2 spaces in `web/`.", ()),
)
"""Claim text, and count and folder read from it; ``+`` or ``-`` for a bound, ``~`` for a rough count."""

_WORDS = {
    name: value
    for value, name in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
_NUMBER = rf"(?P<number>\d{{1,4}}|{'|'.join(list(_WORDS)[2:])})(?P<more>\+)?"
_THINGS = (
    r"(?:files?|modules?|packages?|crates?|reports?|tools?|components?|commands?|services?|apps?|plugins?|tests?|suites?|skills?"
    r"|agents?|examples?|workflows?|scripts?|migrations?|handlers?|adapters?|providers?|pages?|routes?|schemas?|models?"
    r"|folders?|director(?:y|ies)|libraries|projects?|rules?|templates?|hooks?|stores?|widgets?|views?)"
)
_COUNT = lazy_regex(rf"\b{_NUMBER}\s+(?:[a-z][\w-]*\s+){{0,2}}?{_THINGS}\b", re.IGNORECASE)
_BEFORE = lazy_regex(
    r"(?:(?P<least>\b(?:over|more than|at least)|>=?|≥)|(?P<most>\b(?:up to|at most|no more than)|<=?|≤)"
    r"|(?P<about>\b(?:some|about|around|roughly|nearly|almost|approx(?:imately|\.)?|circa|ca\.)|[~≈]))\s*$",
    re.IGNORECASE,
)
_SIGNS = {"least": "+", "most": "-", "about": "~"}
_ABOUT = 0.3
"""Share by which a rough count may differ."""

_PLUMBING = lazy_regex(
    r"^(?:__\w+__|index|mod|lib|main|_.*|\..*|readme|common|base|utils?|types?)(?:\.|$)", re.IGNORECASE
)


class CountKind:
    """A number of things together with the folder that holds them."""

    name = "count"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """A number with a countable noun, in a claim that names exactly one folder-like path."""
        counts = list(_COUNT.finditer(text.text))
        paths = [mention for mention in PathKind().mentions(text) if mention.kind == "path"]
        if len(counts) != 1 or len(paths) != 1 or re.search(r"\.\w{1,5}$", paths[0].target):
            return
        match, path = counts[0], paths[0]
        if text.claim.block is not Block.TREE and path.form is Form.PLAIN:
            return
        number = _WORDS.get(match["number"].lower()) or int(match["number"])
        before = _BEFORE.search(text.text[: match.start()])
        bound = "+" if match["more"] else _SIGNS[str(before.lastgroup)] if before else ""
        said = polarity(text, match.start(), match.end())
        target = f"{number}{bound} {path.target.strip('/')}"
        yield Mention(
            "count",
            match[0],
            target,
            match.start(),
            match.end(),
            path.form,
            said,
            (match["number"], path.target),
        )

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Counts are read from the tree. Nothing to search for."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Stale when every reading that gave the number at base gives another at head."""
        wanted = mention.target.partition(" ")[0]
        number = wanted.rstrip("+-~")
        before, after = (_readings(_folder(mention), text, side) for side in (ground.base, ground.head))
        if not after or mention.polarity is not Polarity.ASSERTED:
            return None
        at, counts = after
        fits = partial(_fits, wanted)
        was_right = [reading for reading, value in before[1].items() if fits(value)] if before else []
        if any(fits(value) for reading, value in counts.items() if reading in was_right or not was_right):
            return supported(mention, f"{at.path} holds {number}", head=number, head_at=at)
        if before is None or not was_right:
            return None
        matching = was_right
        now = counts.get(matching[0], 0)
        words = list(_WORDS)
        spelled = words[now] if not mention.extra[0].isdigit() and now < len(words) else str(now)
        return broken(
            mention,
            "count-changed",
            f"{at.path} held {number} {matching[0]} at base and holds {now} at head",
            base=number,
            head=str(now),
            base_at=before[0],
            head_at=at,
            commit=_changed_by(at.path, ground),
            confidence=0.85,
            replacements=(
                Replacement(
                    mention.extra[0],
                    spelled,
                    wanted == number and len({counts.get(item) for item in matching}) == 1,
                    "count",
                ),
            ),
        )


def recount(old: Mention, new: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
    """Judge a count of the same folder that is written in an old one's place.

    What is counted is what the old words were right about at base; None where they were not right.
    """
    was, wanted = (mention.target.partition(" ")[0] for mention in (old, new))
    before, after = (_readings(_folder(new), text, side) for side in (ground.base, ground.head))
    if not before or not after or old.extra[1] != new.extra[1] or new.polarity is not Polarity.ASSERTED:
        return None
    at, counts = after
    meant = [reading for reading, value in before[1].items() if _fits(was, value)]
    if not meant:
        return None
    number = wanted.rstrip("+-~")
    if any(_fits(wanted, counts[reading]) for reading in meant):
        return supported(new, f"{at.path} holds {number} {meant[0]}", head=number, head_at=at)
    now = counts[meant[0]]
    return Outcome(
        new,
        Status.CONTRADICTED,
        "count-changed",
        f"{at.path} holds {now} {meant[0]} at head, not {number}",
        head=str(now),
        head_at=at,
        confidence=0.85,
    )


def _fits(wanted: str, value: int) -> bool:
    number = int(wanted.rstrip("+-~"))
    match wanted[-1]:
        case "+":
            return value >= number
        case "-":
            return 0 < value <= number
        case "~":
            return abs(value - number) <= max(1, number * _ABOUT)
    return value == number


def _folder(count: Mention) -> Mention:
    """The folder of a count as a mention of its own."""
    return Mention("path", count.text, count.extra[1], count.start, count.end, count.form, count.polarity)


def _readings(folder: Mention, text: ClaimText, side: Side) -> tuple[Location, dict[str, int]] | None:
    """What may be meant by the number of things in a folder."""
    found = resolve(folder, text, side)
    path = next((item.path for item in found if side.snapshot.kind(item.path) == "folder"), None)
    if path is None:
        return None
    names = side.snapshot.children(path)
    folders = [name for name in names if side.snapshot.kind(f"{path}/{name}") == "folder"]
    files = [name for name in names if name not in set(folders)]
    proper = [
        name for name in files if not _PLUMBING.match(name) and not re.search(r"[._](?:test|spec)\b", name)
    ]
    return side.place(path), {
        "files": len(proper),
        "files in all": len(files),
        "folders": len(folders),
        "entries": len(names),
        "files and folders": len(proper) + len(folders),
    }


def _changed_by(folder: str, ground: Ground) -> CommitInfo | None:
    start = folder.rstrip("/") + "/"
    touched = [path for path in ground.changes.added | ground.changes.deleted if path.startswith(start)]
    return ground.last_of(touched)

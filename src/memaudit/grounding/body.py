"""Bodies of the functions that behavioural claims are about: did what the claim speaks of change?

Code that a claim places in a function is not there any more when the function only forwards to another.
Any other change of the lines that the claim speaks of is a reason to look, and no more.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import islice

from memaudit.grounding.bodied import of_kinds
from memaudit.grounding.ground import Ground, Side
from memaudit.grounding.language import Polarity
from memaudit.grounding.reach import FUNCTIONS, body
from memaudit.grounding.reference import Mention, Outcome, Replacement, Status, broken
from memaudit.grounding.words import ClaimText, Form
from memaudit.patterns import lazy_regex
from memaudit.repo.symbols import Definition

_WORD = lazy_regex(r"[A-Za-z]{4,}")
_COMMON = frozenset(
    "with from that this then when where which while into onto over only each every must should".split()
)
_PLACED = lazy_regex(
    r"\b(?:in|inside|within|part of|belongs to|(?:implemented|done) by)\s+(?:the\s+)?[`*]*$",
    re.IGNORECASE,
)
_FORWARDS = lazy_regex(
    r"(?:return\s+|await\s+|=>\s*)*(?:[\w$]+(?:\.|::|->))*([A-Za-z_$][\w$]*)\s*\([^;{}]*\)(?:\.await)?\??;?"
)
_OPENS = lazy_regex(r"(?:[:{]|=>)\s*$|^\s*def \w+[^#]*$|\{\s*$")
_SHORTEST_MOVED = 3
_MOVED_SHARE = 0.6
"""The share of the lines of the old body that stand in the function forwarded to."""


def forwards(mention: Mention, name: str, text: ClaimText, ground: Ground) -> Outcome | None:
    """Stale when what the claim places in a function has moved out: at head its whole body is a call of
    another function, which now has the lines that it had.
    """
    if mention.polarity is not Polarity.ASSERTED or not _PLACED.search(text.text[: mention.start]):
        return None
    before = _function(name, ground.base)
    after = _function(name, ground.head) if before else None
    if before is None or after is None:
        return None
    (was_path, was), (path, now) = before, after
    old = _inner(was_path, was, ground.base)
    new = _inner(path, now, ground.head)
    if len(old) < _SHORTEST_MOVED or len(new) != 1:
        return None
    match = _FORWARDS.fullmatch(new[0][1])
    target = _function(match[1], ground.head) if match and match[1] != name else None
    if match is None or target is None:
        return None
    there = {_plain(line) for _, line in _inner(*target, ground.head)}
    if sum(_plain(line) in there for _, line in old) < _MOVED_SHARE * len(old):
        return None
    return broken(
        mention,
        "body-changed",
        f"{name} only calls {match[1]} at head, which has the code that it had at base",
        base=old[0][1],
        head=new[0][1],
        base_at=ground.base.at(was_path, old[0][0]),
        head_at=ground.head.at(path, new[0][0]),
        commit=ground.line_change(path, new[0][1], vanished=False),
        confidence=0.88,
        replacements=(Replacement(name, match[1], False, f"{name} only calls it"),),
    )


def _inner(path: str, definition: Definition, side: Side) -> list[tuple[int, str]]:
    """The lines of code between header and end, brackets alone left out."""
    code = body(path, definition).lines(side)
    start = next((index for index, (_, line) in enumerate(code) if _OPENS.search(line)), 0) + 1
    lines = [(number, line.strip()) for number, line in code[start:]]
    return [(number, line) for number, line in lines if line and line not in ("}", "end", "};", ")", "{")]


_ALIKE = 70
"""From here on, of 100, two lines count as one that was edited."""


def body_touched(mention: Mention, name: str, text: ClaimText, ground: Ground) -> Outcome | None:
    """Undecided when lines of the body that have the claim's own words are no longer in the file at head, or
    most of its lines are not.

    Lines that only moved, or changed in spacing, still count as there.
    """
    if (
        mention.polarity is not Polarity.ASSERTED
        or mention.form is not Form.CODE
        or not text.leads(mention.start)
    ):
        return None
    before = _function(name, ground.base)
    if before is None or ground.base.snapshot.blob_id(before[0]) == ground.head.snapshot.blob_id(before[0]):
        return None
    path, definition = before
    words = {word for word in _stems(text.prose) if word not in name.lower()}
    after = ground.head.defined_in(path, name) if words and path in ground.head.defining_files(name) else []
    if not after:
        return None
    now = {_plain(line) for line in ground.head.lines(path)}
    lines = ground.base.lines(path)[definition.line_start : definition.line_end]
    code = [line for line in lines if line.strip() and not _is_comment(line)]
    about = [line for line in code if any(word in line.lower() for word in words)]
    lost = [line for line in code if _plain(line) not in now]
    gone = next((line for line in about if line in lost), None)
    # Where parameters are shown the claim is of the header, which is compared by itself.
    if gone is None and len(lost) * 2 > len(code) and not mention.extra[1:]:
        gone = _rewritten(lost, len(code), now)
    if gone is None:
        return None
    number = definition.line_start + 1 + lines.index(gone)
    return Outcome(
        mention,
        Status.TOUCHED,
        "touched",
        f"the code of {name} that the claim speaks of changed in the range",
        base_at=ground.base.at(path, number),
        head_at=ground.head.at(path, min(after, key=_is_guessed).line_start),
        commit=ground.line_change(path, gone.strip()),
        confidence=0.5,
    )


def _rewritten(lost: Sequence[str], of: int, now: Collection[str]) -> str | None:
    """The first line that has nothing like it at head, where that is true of most lines of a body."""
    from rapidfuzz import fuzz, process

    unlike = [
        line
        for line in lost
        if not process.extractOne(_plain(line), now, scorer=fuzz.ratio, score_cutoff=_ALIKE)
    ]
    return unlike[0] if len(unlike) * 2 > of else None


def _function(name: str, side: Side) -> tuple[str, Definition] | None:
    found = list(islice(of_kinds(name, FUNCTIONS, side), 2))
    return found[0] if len(found) == 1 else None


def _is_guessed(definition: Definition) -> bool:
    return definition.kind.endswith("?")


def _stems(prose: str) -> set[str]:
    words = (word.lower() for word in _WORD.findall(prose))
    return {word[:-1] if word.endswith("s") else word for word in words if word not in _COMMON}


def _plain(line: str) -> str:
    return re.sub(r"\s+", "", line)


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith(("#", "//", "*", "/*", '"""', "'''"))

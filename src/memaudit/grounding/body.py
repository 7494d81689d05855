"""Bodies of the functions that behavioural claims are about: did what the claim speaks of change?"""

from __future__ import annotations

import re

from memaudit.grounding.ground import Ground, Side, is_test
from memaudit.grounding.language import Polarity
from memaudit.grounding.reference import Mention, Outcome, Status
from memaudit.grounding.words import ClaimText, Form
from memaudit.repo.symbols import Definition

_WORD = re.compile(r"[A-Za-z]{4,}")
_COMMON = frozenset(
    "with from that this then when where which while into onto over only each every must should".split()
)
_FUNCTIONS = frozenset({"function", "method"})


def body_touched(mention: Mention, name: str, text: ClaimText, ground: Ground) -> Outcome | None:
    """Undecided when lines of the body that have the claim's own words are no longer in the file at head.

    Lines that only moved, or changed in spacing, still count as there; a body without any of the
    claim's words decides nothing.
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
    after = next((pair for pair in ground.head.defined(name) if pair[0] == path), None)
    words = {word for word in _stems(text.prose) if word not in name.lower()}
    if after is None or not words:
        return None
    now = {_plain(line) for line in ground.head.lines(path)}
    lines = ground.base.lines(path)[definition.line_start : definition.line_end]
    about = [line for line in lines if any(word in line.lower() for word in words) and not _is_comment(line)]
    gone = next((line for line in about if _plain(line) not in now), None)
    if gone is None:
        return None
    number = definition.line_start + 1 + lines.index(gone)
    return Outcome(
        mention,
        Status.TOUCHED,
        "touched",
        f"the code of {name} that the claim speaks of changed in the range",
        base_at=ground.base.at(path, number),
        head_at=ground.head.at(path, after[1].line_start),
        commit=ground.line_change(path, gone.strip()),
        confidence=0.5,
    )


def _function(name: str, side: Side) -> tuple[str, Definition] | None:
    found = [pair for pair in side.defined(name) if pair[1].kind in _FUNCTIONS and not is_test(pair[0])]
    return found[0] if len(found) == 1 else None


def _stems(prose: str) -> set[str]:
    words = (word.lower() for word in _WORD.findall(prose))
    return {word[:-1] if word.endswith("s") else word for word in words if word not in _COMMON}


def _plain(line: str) -> str:
    return re.sub(r"\s+", "", line)


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith(("#", "//", "*", "/*", '"""', "'''"))

"""Which claim is which: ids that survive moved lines, and a second look where wording changed."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence

from memaudit.domain import Claim
from memaudit.patterns import lazy_regex

SAME_HEADING = 90.0
"""Least likeness, in percent, of two wordings of one claim under the same heading."""

SAME_FILE = 85.0
"""Least likeness, in percent, of two wordings of one claim elsewhere in the same file."""

_ID_LENGTH = 12
_CANDIDATES = 5
_MARKER = lazy_regex(r"^(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")
_CODE_OR_EMPHASIS = lazy_regex(r"(?P<code>`[^`]*`)|\*{1,3}|_{1,3}|~~")


def normalise(text: str) -> str:
    """A claim's wording without what may change while it says the same: NFC, no list marker, no
    emphasis, single spaces, no closing full stop.
    """
    text = " ".join(unicodedata.normalize("NFC", text).split())
    text = _CODE_OR_EMPHASIS.sub(_unless_inner, _MARKER.sub("", text, count=1))
    return text.removesuffix(".").removesuffix("。").strip()


def _unless_inner(mark: re.Match[str]) -> str:
    """Nothing for a mark at the edge of a word; in code, in a word or between spaces it is no emphasis."""
    if mark["code"]:
        return mark.group()
    text, (start, end) = mark.string, mark.span()
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    opens = not _in_word(before) and not after.isspace()
    closes = not before.isspace() and not _in_word(after)
    return "" if opens or closes else mark.group()


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def claim_id(format: str, path: str, heading: Sequence[str], text: str, occurrence: int = 0) -> str:
    """The id of a claim: the same while format, file, headings and wording are.

    ``occurrence`` counts earlier claims that agree in all of these.
    """
    return _digest(format, path, tuple(map(normalise, heading)), normalise(text), occurrence)


def _digest(format: str, path: str, heading: tuple[str, ...], text: str, occurrence: int) -> str:
    parts = [format, path, *heading, text]
    if occurrence:
        parts.append(str(occurrence))
    digest = hashlib.sha1("\0".join(parts).encode("utf-8", "surrogatepass"), usedforsecurity=False)
    return digest.hexdigest()[:_ID_LENGTH]


class IdMaker:
    """Gives the claims of one document their ids, in document order."""

    def __init__(self, format: str, path: str) -> None:
        self._format = format
        self._path = path
        self._headings: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._seen: dict[tuple[tuple[str, ...], str], int] = {}

    def next(self, heading: tuple[str, ...], text: str) -> str:
        """The id of the next claim with this heading path and wording."""
        if heading not in self._headings:
            self._headings[heading] = tuple(map(normalise, heading))
        key = (self._headings[heading], normalise(text))
        occurrence = self._seen.get(key, 0)
        self._seen[key] = occurrence + 1
        return _digest(self._format, self._path, *key, occurrence)


def rematch(old: Sequence[Claim], new: Sequence[Claim]) -> dict[str, Claim | None]:
    """Find claims again after their file was edited: old id to new claim, or None where it is gone.

    In this order: the same id; the likest wording under the same heading; the likest wording in the
    same file. No new claim is given to two old ones, and one whose id is known is given to no other.
    """
    by_id = {claim.id: claim for claim in new}
    found: dict[str, Claim | None] = {claim.id: by_id.get(claim.id) for claim in old}
    taken = {claim.id for claim in found.values() if claim is not None}
    for same_heading, least in ((True, SAME_HEADING), (False, SAME_FILE)):
        lost = [claim for claim in old if found[claim.id] is None]
        free = [claim for claim in new if claim.id not in taken]
        for _, claim, candidate in _candidates(lost, free, same_heading, least):
            if found[claim.id] is None and candidate.id not in taken:
                found[claim.id] = candidate
                taken.add(candidate.id)
    return found


def _candidates(
    lost: Iterable[Claim], free: Iterable[Claim], same_heading: bool, least: float
) -> list[tuple[float, Claim, Claim]]:
    """Pairs alike enough, best first."""
    from rapidfuzz import fuzz, process

    groups: dict[tuple[str, ...], dict[int, str]] = {}
    candidates = list(free)
    for at, claim in enumerate(candidates):
        groups.setdefault(_group(claim, same_heading), {})[at] = normalise(claim.text)
    pairs: list[tuple[float, Claim, Claim]] = []
    for claim in lost:
        group = groups.get(_group(claim, same_heading), {})
        matches = process.extract(
            normalise(claim.text), group, scorer=fuzz.ratio, score_cutoff=least, limit=_CANDIDATES
        )
        pairs.extend((score, claim, candidates[at]) for _, score, at in matches)
    return sorted(pairs, key=lambda pair: -pair[0])


def _group(claim: Claim, same_heading: bool) -> tuple[str, ...]:
    return (claim.document, *claim.heading) if same_heading else (claim.document,)

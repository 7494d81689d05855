"""Search over claims: as written first; where nothing is, near matches; and what to highlight.

A claim is found when every word of the query is. Near matches are looked for only where no claim
holds the words as they were typed: what is listed is what a decision for all of it would go to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import NamedTuple

from memaudit.domain import Claim, Judgement

NEAR_FROM = 4
"""Letters a word needs before something near it is looked for."""

_NEAR_TO = 64
"""Letters beyond which a word is no word; it is also what the matcher compares in one machine word."""

_PLAIN_CHUNK = 2_000
_NEAR_CHUNK = 500
_NAME = re.compile(r"[\w./\-]{0,200}")
_JOINT = re.compile(r"[/._\-]")
_JUST = 100.0

OWN_PHRASE, OWN_WORDS, ANYWHERE, NEAR = range(4)
"""How good a match is: the query as it stands in the claim's words, all its words in them, or also in
file and reason; from ``NEAR`` on they are only similar."""

Spans = list[tuple[int, int]]


class Found(NamedTuple):
    """How good each match is, by the claim's index, the smaller the better; and whether all are near only."""

    tiers: dict[int, int]
    near: bool = False


class Terms(NamedTuple):
    """What was searched for, as far as rows show it; ``near`` if nothing holds it as it was typed."""

    words: tuple[str, ...] = ()
    near: bool = False


Matcher = Callable[[str, Sequence[str]], list[float]]
"""Says how well each text holds a word: from 0 for not at all to 100 for as it is."""

Search = Generator[None, None, Found]
"""A search under way: it stops for breath after every few milliseconds of work."""


class Haystacks:
    """What is searched of each claim: its words, new ones too, file with line, and reason, in one case.

    They are made when first asked for. Plain strings, so that a hundred thousand of them give Python's
    garbage collector nothing to walk through.
    """

    def __init__(self, claims: Sequence[Claim], judgements: Sequence[Judgement | None]) -> None:
        self._claims = claims
        self._judgements = judgements
        self._texts: list[str | None] | None = None
        self._reworded: dict[int, str] = {}

    def of(self, indices: Iterable[int]) -> list[str]:
        """What is searched of some claims, in the same order."""
        texts = self._texts
        if texts is None:
            texts = self._texts = [None] * len(self._claims)
        found = []
        for index in indices:
            text = texts[index]
            if text is None:
                text = texts[index] = self._make(index)
            found.append(text)
        return found

    def own(self, index: int) -> int:
        """How much of the text, from its start, are the claim's own words."""
        return len(self._words(index))

    def reword(self, index: int, text: str | None) -> None:
        """The claim is to have other words, or its own again."""
        self._reworded.pop(index, None)
        if text is not None:
            self._reworded[index] = text
        self.forget(index)

    def _words(self, index: int) -> str:
        text, new = self._claims[index].text, self._reworded.get(index)
        return text if new is None else f"{text}\n{new}"

    def _make(self, index: int) -> str:
        claim, judgement = self._claims[index], self._judgements[index]
        reason = judgement.reason if judgement else ""
        return f"{self._words(index)}\n{claim.document}:{claim.line_start}\n{reason}".casefold()

    def forget(self, index: int) -> None:
        """The claim's reason changed."""
        if self._texts is not None:
            self._texts[index] = None


def search(query: str, indices: Iterable[int], haystacks: Haystacks) -> Search:
    """Find what matches ``query``, best first, among the claims of ``indices``."""
    words = query.casefold().split()
    candidates = list(indices)
    phrase = " ".join(words)
    found: dict[int, int] = {}
    for chunk in chunks(candidates, _PLAIN_CHUNK):
        found |= plain(words, phrase, chunk, haystacks)
        yield
    if found or not candidates:
        return Found(found)
    for matcher in (_misspelt, _abbreviated):
        for chunk in chunks(candidates, _NEAR_CHUNK):
            found |= _near(words, chunk, haystacks, matcher)
            yield
        if found:
            return Found(found, near=True)
    return Found({})


def plain(words: Sequence[str], phrase: str, indices: Iterable[int], haystacks: Haystacks) -> dict[int, int]:
    """Claims that hold all words as they are."""
    indices = list(indices)
    held = list(zip(indices, haystacks.of(indices), strict=True))
    for word in words:
        held = [one for one in held if word in one[1]]
    own = haystacks.own
    found = dict.fromkeys((index for index, _ in held), ANYWHERE)
    for word in words:
        held = [one for one in held if one[1].find(word) < own(one[0])]
    found |= dict.fromkeys((index for index, _ in held), OWN_WORDS)
    if len(words) > 1:
        held = [one for one in held if 0 <= one[1].find(phrase) < own(one[0])]
    return found | dict.fromkeys((index for index, _ in held), OWN_PHRASE)


def chunks(indices: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """``indices`` in pieces of at most ``size``."""
    for start in range(0, len(indices), size):
        yield indices[start : start + size]


def _near(
    words: Sequence[str], indices: Sequence[int], haystacks: Haystacks, matcher: Matcher
) -> dict[int, int]:
    """Claims that hold every word or something like it; the more alike, the better."""
    scores = dict.fromkeys(indices, 0.0)
    for word in words:
        alike = matcher(word, haystacks.of(scores))
        scores = {
            index: score + fit for (index, score), fit in zip(scores.items(), alike, strict=True) if fit
        }
    return {index: NEAR + round(_JUST - score / len(words)) for index, score in scores.items()}


def _misspelt(word: str, texts: Sequence[str]) -> list[float]:
    """How well each text holds the word with a letter or two wrong, 0 for not at all, 100 for as it is."""
    alike = [_JUST if word in text else 0.0 for text in texts]
    cutoff = _cutoff(word)
    if cutoff:
        from rapidfuzz import fuzz, process

        for _, score, place in process.extract(
            word, texts, scorer=fuzz.partial_ratio, score_cutoff=cutoff, limit=None
        ):
            alike[place] = max(alike[place], score)
    return alike


def _abbreviated(word: str, texts: Sequence[str]) -> list[float]:
    """Also finds a name of code by letters of it in order, as ``clmlist`` finds ``claim_list``."""
    alike = _misspelt(word, texts)
    if NEAR_FROM <= len(word) <= _NEAR_TO:
        for place, text in enumerate(texts):
            if not alike[place] and _letters(word, text) is not None:
                alike[place] = _JUST / 2
    return alike


def _cutoff(word: str) -> float:
    """The least likeness that counts: one letter wrong, two in a long word; 0 for a word too short."""
    if not NEAR_FROM <= len(word) <= _NEAR_TO:
        return 0.0
    wrong = 1 if len(word) < 8 else 2
    return 100.0 * (1 - wrong / len(word)) - 0.1


def _letters(word: str, text: str) -> Spans | None:
    """Where the letters of a word stand in order within one name of code; None where there is no such.

    The name has a joint, as paths and most symbols have, and a part of it begins with the first letter.
    """
    if not _in_order(word, text, 0, len(text)):
        return None
    for first in re.finditer(rf"(?<![^\W_]){re.escape(word[0])}", text):
        start = first.start()
        name = _NAME.match(text, start)
        end = name.end() if name else start
        if not (_JOINT.search(text, start, end) or _JOINT.match(text, max(start - 1, 0))):
            continue
        if places := _in_order(word, text, start, end):
            return [(place, place + 1) for place in places]
    return None


def _in_order(word: str, text: str, start: int, end: int) -> list[int]:
    places = []
    for letter in word:
        start = text.find(letter, start, end)
        if start < 0:
            return []
        places.append(start)
        start += 1
    return places


def spans(text: str, terms: Terms) -> Spans:
    """Where to highlight ``text`` as shown, sorted, without overlaps."""
    found: Spans = []
    low = ""
    for word in terms.words:
        hits = [one.span() for one in re.finditer(re.escape(word), text, re.IGNORECASE)]
        if not hits and terms.near:
            low = low or text.lower()
            hits = _near_spans(word, low) if len(low) == len(text) else []
        found += hits
    merged: Spans = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _near_spans(word: str, text: str) -> Spans:
    if cutoff := _cutoff(word):
        from rapidfuzz import fuzz

        alike = fuzz.partial_ratio_alignment(word, text, score_cutoff=cutoff)
        if alike is not None and alike.dest_end > alike.dest_start:
            return [(alike.dest_start, alike.dest_end)]
    return _letters(word, text) or [] if len(word) >= NEAR_FROM else []

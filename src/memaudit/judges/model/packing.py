"""Which pieces of a change a claim is shown: those that have to do with what it names, up to a budget.

Where the whole change fits, every claim is shown all of it in the same order: the model's server then has
to read it only once. Else the pieces are ranked claim by claim, by the words that both have, rare ones first.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memaudit.domain import Claim, Judgement
from memaudit.grounding.code import subwords
from memaudit.grounding.ground import Ground
from memaudit.grounding.words import is_compound
from memaudit.judges.model.hunks import Diff, Hunk
from memaudit.patterns import lazy_regex

BUDGET = 12_000
"""Characters of evidence in one question."""

_FEW, _SMALL = 80, 3_000_000
"""Files and bytes up to which a change is read whole; of larger ones only what holds a name of the claim."""
_MOST_FILES = 60
_NAME, _WORD, _ASIDE = 3.0, 0.5, 1.0
_NEW = 0.5
"""What a match in a new file counts: it says less of what was there before."""

_SPAN = lazy_regex(r"`+([^`\n]+)`+")
_TOKEN = lazy_regex(r"[A-Za-z_$][\w$]*(?:-[A-Za-z0-9_]+)*|\d+(?:\.\d+)*")
_PLAIN = lazy_regex(r"[A-Za-z]{4,}")
_LITTLE = frozenset(
    "that this with from have will would should must when then than they them these those which while into "
    "only also each every some such been being does done were what where there their over under after before "
    "between uses used using make made never always because about more most other same".split()
)


@dataclass(frozen=True, slots=True)
class Selection:
    """What a claim is shown: ``hunks`` in the order of the prompt, and the ``relevant`` of these, best first.

    ``risk`` grows with how much of what the claim names was taken out; it orders, and means nothing else.
    """

    hunks: tuple[Hunk, ...]
    relevant: tuple[Hunk, ...]
    risk: float

    @property
    def text(self) -> str:
        """The pieces as the model reads them."""
        return "\n".join(hunk.rendered() for hunk in self.hunks)


class Packer:
    """Packs the evidence of claims that were judged on one ground."""

    def __init__(self, ground: Ground, diff: Diff) -> None:
        self._ground = ground
        self._diff = diff
        self._read: dict[Hunk, _Words] = {}
        self._whole = self._all() if diff.is_within(_FEW, _SMALL) else None
        self._whole_frequency = self._frequency(self._whole or ())
        self._fits = self._whole is not None and sum(map(_size, self._whole)) <= BUDGET

    def pack(self, claim: Claim, judgement: Judgement) -> Selection | None:
        """The evidence for a claim; None where nothing of the change has to do with it."""
        names = _names(claim, judgement)
        hunks, frequency = self._whole, self._whole_frequency
        if hunks is None:
            hunks = self._candidates(names, judgement)
            frequency = self._frequency(hunks)
        rarity = {token: 1 + math.log((1 + len(hunks)) / (1 + frequency[token])) for token in names.weights}
        ranked = sorted(
            ((self._score(hunk, names, rarity, judgement), place, hunk) for place, hunk in enumerate(hunks)),
            key=lambda item: (-item[0].nearness, -item[0].total, item[1]),
        )
        relevant = [(score, hunk) for score, _, hunk in ranked if score.total > 0]
        if not relevant:
            return None
        risk = max(score.gone for score, _ in relevant)
        if self._fits and self._whole is not None:
            return Selection(tuple(self._whole), tuple(hunk for _, hunk in relevant), risk)
        chosen: list[Hunk] = []
        left = BUDGET
        for _, hunk in relevant:
            if _size(hunk) <= left:
                chosen.append(hunk)
                left -= _size(hunk)
        return Selection(tuple(chosen), tuple(chosen), risk) if chosen else None

    def _all(self) -> list[Hunk]:
        return [hunk for path in sorted(self._diff.paths) for hunk in self._diff.hunks(path)]

    def _frequency(self, hunks: Iterable[Hunk]) -> Counter[str]:
        """In how many of these pieces each word stands."""
        return Counter(token for hunk in hunks for token in self._words(hunk).all)

    def _words(self, hunk: Hunk) -> _Words:
        if hunk not in self._read:
            self._read[hunk] = _Words(hunk)
        return self._read[hunk]

    def _candidates(self, names: _Names, judgement: Judgement) -> list[Hunk]:
        """Of a change of many files, the pieces of those that hold, or are called, what the claim names."""
        evident = {at.path for item in judgement.evidence for at in (item.base, item.head) if at}
        paths = {path for path in self._diff.paths if names.is_path(path) or path in evident}
        for token in sorted(names.searchable):
            with_it = {*self._ground.base.files_with(token), *self._ground.head.files_with(token)}
            paths |= with_it & self._diff.paths
        nearest = sorted(
            paths,
            key=lambda path: (path not in evident, not names.is_path(path), path.count("/"), path),
        )
        return [hunk for path in nearest[:_MOST_FILES] for hunk in self._diff.hunks(path)]

    def _score(self, hunk: Hunk, names: _Names, rarity: Mapping[str, float], judgement: Judgement) -> _Score:
        """How much a piece has to do with the claim."""
        words = self._words(hunk)
        total = gone = 0.0
        strong = changed = False
        weak = 0
        for token, weight in names.weights.items():
            factor = words.weight(token)
            if not factor:
                continue
            strong = strong or weight >= _ASIDE
            changed = changed or (weight >= _NAME and (token in words.gone or token in words.come))
            weak += weight < _ASIDE
            total += weight * factor * rarity[token]
            gone += weight * rarity[token] * (token in words.gone)
        at_path = names.is_path(hunk.path)
        if _holds_evidence(hunk, judgement) or hunk.inside & names.searchable:
            nearness = 3
        else:
            nearness = 2 if at_path else int(changed)
        if not (strong or nearness or weak > 1):
            return _Score(0, 0.0, 0.0)
        return _Score(nearness, (1 + total) * (_NEW if hunk.state == "new" else 1.0), gone)


class _Score(NamedTuple):
    """``nearness`` 3: in a definition that the claim names, or where the offline judge saw a change; 2: in a
    file that it names; 1: a name of it was taken out or put in. Then how many of its words are there, and
    how many of these were taken out.
    """

    nearness: int
    total: float
    gone: float


class _Words:
    """The words of a piece, in lower case: taken out, put in, around these, and naming where it is."""

    def __init__(self, hunk: Hunk) -> None:
        signs = {"-": "", "+": "", " ": ""}
        for line in hunk.lines:
            signs[line[0]] += f"{line[1:]}\n"
        self.gone, self.come, self.around = (_tokens(text) for text in signs.values())
        unchanged = self.gone & self.come
        self.around |= unchanged
        self.gone, self.come = self.gone - unchanged, self.come - unchanged
        self.place = _tokens(f"{hunk.path} {hunk.header} {hunk.state}")
        self.all = self.gone | self.come | self.around | self.place

    def weight(self, token: str) -> float:
        """How much it tells that a word stands where it does in this piece; 0 where it stands nowhere."""
        if token in self.gone:
            return 3.0
        if token in self.come or token in self.place:
            return 2.0
        return 1.0 if token in self.around else 0.0


class _Names:
    """What a claim names, by weight, and the paths among it."""

    def __init__(self) -> None:
        self.weights: dict[str, float] = {}
        self.paths: set[str] = set()
        self.searchable: set[str] = set()

    def add(self, text: str, weight: float) -> None:
        phrase = " " in text.strip()
        for token in _TOKEN.findall(text):
            # Of several words, only those that no sentence has are names.
            if len(token) < 2 or (phrase and token.isalpha() and not is_compound(token)):
                continue
            self._weigh(token.lower(), weight)
            if weight >= _NAME and not token[0].isdigit() and len(token) > 2:
                self.searchable.add(token)
        for word in subwords(text):
            if len(word) > 3 and word not in _LITTLE:
                self._weigh(word, _WORD)

    def _weigh(self, token: str, weight: float) -> None:
        self.weights[token] = max(weight, self.weights.get(token, 0.0))

    def is_path(self, path: str) -> bool:
        """Whether a file is one that the claim names, by its whole path or by the end of it."""
        return any(path == one or path.endswith(f"/{one}") for one in self.paths)


def _names(claim: Claim, judgement: Judgement) -> _Names:
    names = _Names()
    spans = _SPAN.findall(claim.text) + [reference.text for reference in judgement.references]
    for span in spans:
        names.add(span, _NAME)
        names.paths.update(
            part.strip("./:") for part in re.split(r"[\s:#]+", span) if "." in part or "/" in part
        )
    if claim.path is not None:
        names.paths.add(claim.path.strip("/"))
        names.add(claim.path, _NAME)
    for token in _TOKEN.findall(claim.text):
        if is_compound(token) or token[0].isdigit():
            names.add(token, _NAME)
    for word in _PLAIN.findall(claim.text):
        names.add(word, _WORD)
    for lead in (*claim.context, *claim.heading[-1:]):
        for span in _SPAN.findall(lead):
            names.add(span, _ASIDE)
    names.paths.discard("")
    return names


def _tokens(text: str) -> frozenset[str]:
    found = {token.lower() for token in _TOKEN.findall(text)}
    return frozenset(found | {word for word in subwords(text) if len(word) > 3})


def _holds_evidence(hunk: Hunk, judgement: Judgement) -> bool:
    base_last = hunk.base_line + sum(line[0] != "+" for line in hunk.lines)
    head_last = hunk.head_line + sum(line[0] != "-" for line in hunk.lines)
    return any(
        at is not None and at.path == hunk.path and first <= at.line < last
        for item in judgement.evidence
        for at, first, last in (
            (item.base, hunk.base_line, base_last),
            (item.head, hunk.head_line, head_last),
        )
    )


def shared(texts: Sequence[str]) -> set[str]:
    """The texts that occur more than once."""
    return {text for text, count in Counter(texts).items() if count > 1}


def _size(hunk: Hunk) -> int:
    return len(hunk.rendered()) + 1

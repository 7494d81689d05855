"""How alike two names are, by the words they are made of."""

from __future__ import annotations

import re

_WEAK = frozenset("new get set is has error test tests type handler create make run to from of the".split())
"""Words of names that many unlike names share."""


def likeness(one: str, other: str) -> float:
    """How alike two names are by their words, from 0 to 100; one may have words that the other lacks."""
    from rapidfuzz import fuzz

    left, right = (" ".join(words(name)) for name in (one, other))
    return 0.5 * fuzz.token_set_ratio(left, right) + 0.5 * fuzz.token_sort_ratio(left, right)


def related(one: str, other: str) -> bool:
    """Whether two names share half of their words, or one has all words of the other and not much more."""
    left, right = (set(words(name)) - _WEAK or set(words(name)) for name in (one, other))
    common, both = len(left & right), len(left | right)
    return 2 * common >= both or (common == min(len(left), len(right)) and 3 * common > both)


def words(name: str) -> list[str]:
    """The words of a name in lower case: parts between signs, and the humps of camel case."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return [word.lower() for word in re.split(r"[^A-Za-z0-9]+", spaced) if word]

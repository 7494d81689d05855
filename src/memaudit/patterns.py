"""Regular expressions that are compiled when they are first used."""

from __future__ import annotations

import re
import sys
from typing import Any, AnyStr, cast

FAULTY = sys.version_info < (3, 11, 5)
"""Whether Python's own expressions lose matches in possessive and atomic groups (CPython issue 106052)."""

_POSSESSIVE = re.compile(r"[*+?}]\+|\(\?>")


def lazy_regex(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As ``re.compile``, but compiled when first asked: of our hundreds most runs ask only some.

    A mistake in ``source`` shows only then. It is no instance of ``re.Pattern``: ``match.re`` is another
    object, and the functions of ``re`` do not take it.
    """
    return cast("re.Pattern[AnyStr]", _Unmade(source, flags))


class _Unmade:
    """Stands for a pattern; what is asked of it is asked of the pattern, which is made for that."""

    __slots__ = ("_flags", "_source", "findall", "finditer", "fullmatch", "match", "search", "split", "sub")

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        made = _compiled(self._source, self._flags)
        # From now on these are found without coming here.
        self.findall, self.finditer, self.split, self.sub = made.findall, made.finditer, made.split, made.sub
        self.fullmatch, self.match, self.search = made.fullmatch, made.match, made.search
        return getattr(made, name)


def _compiled(source: str | bytes, flags: int) -> Any:
    """By a library that has these groups right where Python has not, else by Python."""
    shown = source if isinstance(source, str) else source.decode("latin-1")
    if not FAULTY or not _POSSESSIVE.search(shown):
        return re.compile(source, flags)
    import regex  # type: ignore[import-not-found,import-untyped,unused-ignore]

    same = ("IGNORECASE", "MULTILINE", "DOTALL", "VERBOSE")
    return regex.compile(source, sum(getattr(regex, name) for name in same if flags & getattr(re, name)))

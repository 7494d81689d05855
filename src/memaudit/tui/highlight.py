"""Syntax colour for the lines in view, lexed in the background and kept.

Short files are lexed whole; of long ones only the stretch around the lines asked for, so that a
multi-line string that began further up may be coloured wrongly: colour is a help here, no verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

WHOLE = 1_500
"""Lines up to which a file is lexed from its beginning."""

_STRETCH = 300
_LEAD = 40
_MAX_LINE = 2_000


class Coloured(NamedTuple):
    """A stretch of one line and the kind of token it holds: keyword, string, comment …"""

    start: int
    end: int
    kind: str


Line = tuple[Coloured, ...]


class Highlighter:
    """Token kinds of one text's lines.

    ``lines`` are the lines as they are shown, offsets count their characters. :meth:`missing` and
    :meth:`put` belong to the thread of the screen, :meth:`lex` may run in any.
    """

    def __init__(self, path: str, count: int) -> None:
        self.path = path
        self._count = count
        self._known: dict[int, Line] = {}
        self._asked: set[int] = set()

    def line(self, index: int) -> Line | None:
        """The tokens of one line, None while they are not known."""
        return self._known.get(index)

    def missing(self, index: int) -> tuple[int, int, int] | None:
        """The stretch to lex for a line, as (first line read, first line wanted, end), once each."""
        number = 0 if self._count <= WHOLE else index // _STRETCH
        if number in self._asked:
            return None
        self._asked.add(number)
        if self._count <= WHOLE:
            return 0, 0, self._count
        start = number * _STRETCH
        return max(start - _LEAD, 0), start, min(start + _STRETCH, self._count)

    def put(self, first: int, lines: Sequence[Line]) -> None:
        """Take in what :meth:`lex` found, from line ``first`` on."""
        self._known.update(enumerate(lines, first))


def lex(path: str, lines: Sequence[str]) -> list[Line]:
    """The tokens of consecutive lines of a file with this name; nothing for an unknown language."""
    from pygments import lex as pygments_lex  # type: ignore[import-untyped]
    from pygments.lexers import get_lexer_for_filename  # type: ignore[import-untyped]
    from pygments.util import ClassNotFound  # type: ignore[import-untyped]

    try:
        lexer = get_lexer_for_filename(path.rsplit("/", 1)[-1], ensurenl=False, stripnl=False)
    except ClassNotFound:
        return [()] * len(lines)
    text = "\n".join(line[:_MAX_LINE] for line in lines)
    found: list[Line] = []
    current: list[Coloured] = []
    column = 0
    for token, value in pygments_lex(text, lexer):
        kind = _kind(str(token))
        for number, piece in enumerate(value.split("\n")):
            if number:
                found.append(tuple(current))
                current, column = [], 0
            if piece and kind:
                current.append(Coloured(column, column + len(piece), kind))
            column += len(piece)
    found.append(tuple(current))
    return found[: len(lines)] + [()] * (len(lines) - len(found))


_KINDS = (
    ("Token.Comment", "comment"),
    ("Token.Keyword.Type", "type"),
    ("Token.Keyword", "keyword"),
    ("Token.Operator.Word", "keyword"),
    ("Token.Literal.String", "string"),
    ("Token.Literal.Number", "number"),
    ("Token.Literal.Date", "number"),
    ("Token.Name.Function", "name"),
    ("Token.Name.Class", "type"),
    ("Token.Name.Decorator", "type"),
    ("Token.Name.Tag", "keyword"),
    ("Token.Name.Attribute", "name"),
    ("Token.Generic.Heading", "keyword"),
    ("Token.Generic.Subheading", "keyword"),
)


def _kind(token: str) -> str:
    return next((kind for prefix, kind in _KINDS if token.startswith(prefix)), "")

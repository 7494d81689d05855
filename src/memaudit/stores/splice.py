"""Bytes with parts replaced or taken out, and where each kept byte went."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import dataclass

from memaudit.domain import Span
from memaudit.patterns import lazy_regex
from memaudit.stores.source import BOM

_EMPTY = lazy_regex(rb"[ \t>]*\r?\n?\Z")


@dataclass(frozen=True, slots=True)
class Change:
    """Bytes to be replaced; ``text`` None takes them out."""

    span: Span
    text: bytes | None


class Splice:
    """``raw`` with ``changes``, which come in order and do not overlap, carried out.

    ``after`` are the new bytes, ``rewritten`` the places of the new texts in them. Where a removal
    leaves a line empty the line goes; where it brings two blank lines together one goes; no trailing
    blanks are left behind, and a file without a final line end keeps none. With ``leave_blank`` a
    blank line is put where lines were taken out between others.
    """

    def __init__(self, raw: bytes, changes: Sequence[Change], *, leave_blank: bool = False) -> None:
        self._raw = raw
        self._out = bytearray()
        self._kept: list[tuple[int, int, int]] = []
        self.rewritten: list[Span] = []
        at = 0
        for change in changes:
            self._keep(at, change.span.start)
            if change.text is None:
                at = self._close_gap(change.span.end, leave_blank=leave_blank)
            else:
                self.rewritten.append(Span(len(self._out), len(self._out) + len(change.text)))
                self._out += change.text
                at = change.span.end
        self._keep(at, len(raw))
        self.after = bytes(self._out)
        self._starts = [start for start, _, _ in self._kept]

    def moved(self, span: Span) -> Span | None:
        """Where kept bytes stand now; None if they were not kept whole."""
        at = bisect.bisect_right(self._starts, span.start) - 1
        if at < 0 or span.end > self._kept[at][1]:
            return None
        start, _, position = self._kept[at]
        shift = position - start
        return Span(span.start + shift, span.end + shift)

    def _keep(self, start: int, end: int) -> None:
        if end > start:
            self._kept.append((start, end, len(self._out)))
            self._out += self._raw[start:end]

    def _cut(self, length: int) -> None:
        """Take back what was put out last."""
        del self._out[length:]
        while self._kept and self._kept[-1][2] >= length:
            self._kept.pop()
        if self._kept:
            start, end, position = self._kept[-1]
            self._kept[-1] = (start, min(end, start + length - position), position)

    def _close_gap(self, end: int, *, leave_blank: bool) -> int:
        """Tidy the seam after a removal up to ``end``; returns where to go on."""
        head, rest = _last_line(self._out), _line_at(self._raw, end)
        if head or self._raw[end - 1 : end] != b"\n":
            if rest.strip():
                return end
            if not _EMPTY.match(head):
                self._cut(len(self._out.rstrip(b" \t")))
                return end
            self._cut(len(self._out) - len(head))
            end += len(rest)
        above = _last_line(self._out[:-1]) + b"\n" if self._out.strip(BOM) else b""
        below = _line_at(self._raw, end)
        if leave_blank:
            if above and below and not _EMPTY.match(above) and not _EMPTY.match(below):
                self._out += b"\r\n" if self._out.endswith(b"\r\n") else b"\n"
        elif _EMPTY.match(above) and below and _EMPTY.match(below):
            end += len(below)
        elif _EMPTY.match(above) and above and not below:
            self._cut(len(self._out) - len(above))
        if end >= len(self._raw) and not self._raw.endswith(b"\n"):
            self._cut(len(self._out.rstrip(b"\r\n")))
        return end


def _last_line(out: bytes | bytearray) -> bytes:
    """What stands after the last line end, without a byte order mark."""
    return bytes(out[out.rfind(b"\n") + 1 :]).removeprefix(BOM)


def _line_at(raw: bytes, at: int) -> bytes:
    """The rest of a line, its line end included."""
    end = raw.find(b"\n", at)
    return raw[at:] if end < 0 else raw[at : end + 1]

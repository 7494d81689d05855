"""Claims in the making: what the splitter cuts out before ids, locks and children are known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memaudit.domain import Block, Claim, ClaimKind, Span
from memaudit.patterns import lazy_regex
from memaudit.stores.blocks import Piece
from memaudit.stores.generated import Region
from memaudit.stores.identity import IdMaker
from memaudit.stores.source import Source

_IMAGES = lazy_regex(r"\[?!\[[^\]]{0,200}\](?:\([^)]{0,300}\)|\[[^\]]{0,200}\])(?:\]\([^)]{0,300}\))?")
_JOIN = lazy_regex(r"(?<![ \t])[ \t]*\\?\n\s*")
_ATTACHED = lazy_regex(r"[\s*_]*(?:why|how to apply)\b[^:：\n]{0,20}[:：]", re.IGNORECASE)


@dataclass(slots=True)
class Draft:
    """A claim without id; lines count from 0 and ``last`` is included."""

    text: str
    block: Block
    kind: ClaimKind
    span: Span
    item_span: Span
    first: int
    last: int
    heading: tuple[str, ...]
    context: tuple[str, ...]
    columns: tuple[str, ...] = ()
    path: str | None = None
    task: bool | None = None
    below: int = 0
    """How many entries of a tree stand below this one."""


class Passage:
    """The prose of one or more blocks, lines joined by ``\\n``, and where each character stands."""

    def __init__(self, source: Source, pieces: Sequence[Piece]) -> None:
        self._source = source
        self._pieces = list(pieces)
        parts = [source.lines[piece.line][piece.start : piece.end] for piece in pieces]
        self.text = "\n".join(parts)
        self._offsets: list[int] = []
        offset = 0
        for part in parts:
            self._offsets.append(offset)
            offset += len(part) + 1

    def _place(self, at: int) -> tuple[int, int]:
        """Line and column of a position."""
        low, high = 0, len(self._offsets) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self._offsets[middle] <= at:
                low = middle
            else:
                high = middle - 1
        piece = self._pieces[low]
        return piece.line, piece.start + at - self._offsets[low]

    def line(self, at: int) -> int:
        """The line on which a position stands."""
        return self._place(at)[0]

    def byte(self, at: int) -> int:
        """The byte offset of a position."""
        return self._source.byte(*self._place(at))

    def span(self, start: int, end: int) -> Span:
        """The bytes from ``start`` to ``end``, which is not before it."""
        first = self.byte(start)
        line, column = self._place(end - 1) if end > start else self._place(start)
        return Span(first, self._source.byte(line, column + 1) if end > start else first)

    def trim(self, start: int, end: int) -> tuple[int, int]:
        """The part of a range that is left without white space and comments at its ends."""
        while True:
            before = (start, end)
            while start < end and self.text[start].isspace():
                start += 1
            while end > start and self.text[end - 1].isspace():
                end -= 1
            if self.text.startswith("<!--", start):
                close = self.text.find("-->", start, end)
                start = close + 3 if close >= 0 else end
            elif self.text.endswith("-->", start, end):
                opening = self.text.rfind("<!--", start, end)
                end = opening if opening >= 0 else end
            if (start, end) == before:
                return start, end


def claim_text(text: str) -> str:
    """A claim's words: lines joined by one space, comments left out."""
    return _JOIN.sub(" ", _without_comments(text)).strip()


def _without_comments(text: str) -> str:
    kept = []
    start = 0
    while (opening := text.find("<!--", start)) >= 0 and (close := text.find("-->", opening)) >= 0:
        kept.append(text[start:opening])
        start = close + 3
    return "".join([*kept, text[start:]])


def says_something(text: str) -> bool:
    """Whether a text has any words in it beside images and badges."""
    return any(char.isalnum() for char in (_IMAGES.sub("", text) if "![" in text else text))


def is_attached(text: str) -> bool:
    """Whether a claim is the "Why: …" or "How to apply: …" of the one before or above it.

    Such a claim goes when the one it belongs to goes.
    """
    return bool(_ATTACHED.match(text))


def finish(
    drafts: Sequence[Draft],
    *,
    store: str,
    document: str,
    format: str,
    scope: tuple[str, ...],
    regions: Sequence[Region],
) -> tuple[Claim, ...]:
    """The claims of a document, in its order, with ids, children counted and generated ones locked."""
    ordered = sorted(drafts, key=lambda draft: (draft.span.start, -draft.item_span.end))
    children = _count_children(ordered)
    ids = IdMaker(format, document)
    locks = list(regions)
    claims = []
    for draft, count in zip(ordered, children, strict=True):
        while locks and locks[0].end <= draft.first:
            locks.pop(0)
        locked = locks[0].reason if locks and locks[0].start <= draft.last else ""
        claims.append(
            Claim(
                id=ids.next(draft.heading, draft.text),
                store=store,
                document=document,
                text=draft.text,
                kind=draft.kind,
                block=draft.block,
                span=draft.span,
                item_span=draft.item_span,
                line_start=draft.first + 1,
                line_end=draft.last + 1,
                heading=draft.heading,
                context=draft.context,
                columns=draft.columns,
                scope=scope,
                path=draft.path,
                task=draft.task,
                children=count,
                locked=locked,
            )
        )
    return tuple(claims)


def _count_children(ordered: Sequence[Draft]) -> list[int]:
    """For each draft the number of claims inside its item that would be lost with it."""
    counts = [draft.below for draft in ordered]
    open_items: list[int] = []
    for at, draft in enumerate(ordered):
        while open_items and ordered[open_items[-1]].item_span.end <= draft.span.start:
            open_items.pop()
        if not is_attached(draft.text):
            for parent in open_items:
                counts[parent] += 1
        if draft.block is Block.ITEM:
            open_items.append(at)
    return counts

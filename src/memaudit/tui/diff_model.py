"""Two texts as rows of aligned lines, with word-level changes found on demand. No terminal needed.

Lines are matched by longest common subsequence, in blocks small enough to stay fast; inside a
changed block, lines are put beside each other when their words are alike. Line indices count from
0, emphasis offsets are characters of :meth:`LineDiff.shown`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from memaudit.patterns import lazy_regex
from memaudit.text import visible

MAX_LINES = 60_000
"""Lines of one side that are compared; what follows is left out with a note."""

MAX_LINE_CHARS = 8_000
"""Characters of one line that are shown; the rest is counted and left out."""

PAIRED = 0.4
"""Share of common words from which two lines are taken for one line that was edited."""

_MAX_MATRIX = 64_000_000
"""Largest product of line counts that is matched in one go: 8 MB of bit matrix, some milliseconds."""

_WINDOW = 6_000
"""Lines of the window that slides along an area too large to be matched in one go."""

_MAX_PAIRING = 2_500
"""Largest product of line counts for which the best pairing of a changed block is searched."""

_TAB = 4

_WORD = lazy_regex(r"[^\W_\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff]+|\s+|.", re.DOTALL)

Spans = tuple[tuple[int, int], ...]


class Row(NamedTuple):
    """One line of the comparison: indices of the lines that stand beside each other, -1 for none."""

    before: int
    after: int
    changed: bool


class Block(NamedTuple):
    """A run of lines, equal on both sides or replaced."""

    before: int
    before_end: int
    after: int
    after_end: int
    equal: bool


class LineDiff:
    """The comparison of two texts.

    ``rows`` are in reading order. ``notes`` say in plain words what was not compared or would not be
    seen. A side that does not exist at all is None, which is not the same as an empty file.
    """

    def __init__(self, before: str | None, after: str | None) -> None:
        notes: list[str] = []
        self.before, before_last = _lines(before, "before", notes)
        self.after, after_last = _lines(after, "after", notes)
        if before is not None and after is not None and before_last != after_last:
            notes.append(f"only the {'before' if before_last else 'after'} side ends with a line feed")
        self.has_before = before is not None
        self.has_after = after is not None
        self.rows: list[Row] = []
        for block in _blocks(self.before, self.after):
            self.rows.extend(_rows(block, self.before, self.after))
        self.notes = tuple(notes)
        self._shown: tuple[dict[int, str], dict[int, str]] = ({}, {})
        self._emphasis: dict[tuple[int, int], tuple[Spans, Spans]] = {}

    @property
    def changed(self) -> bool:
        """Whether any line differs."""
        return any(row.changed for row in self.rows)

    def counts(self) -> tuple[int, int]:
        """Lines removed and lines added."""
        removed = sum(1 for row in self.rows if row.changed and row.before >= 0)
        added = sum(1 for row in self.rows if row.changed and row.after >= 0)
        return removed, added

    def shown(self, side: int, index: int) -> str:
        """The line as it may be put on a terminal: side 0 is before, 1 after; tabs expanded."""
        cache = self._shown[side]
        text = cache.get(index)
        if text is None:
            text = cache[index] = showable((self.after if side else self.before)[index])
        return text

    def emphasis(self, row: Row) -> tuple[Spans, Spans]:
        """The words that differ between the two lines of ``row``, on either side."""
        if not row.changed or row.before < 0 or row.after < 0:
            return (), ()
        key = (row.before, row.after)
        spans = self._emphasis.get(key)
        if spans is None:
            spans = word_changes(self.shown(0, row.before), self.shown(1, row.after))
            self._emphasis[key] = spans
        return spans


def showable(line: str) -> str:
    """One line of a file made safe to show, tabs expanded, cut where it gets absurdly long."""
    cut = len(line) - MAX_LINE_CHARS
    if cut > 0:
        line = line[:MAX_LINE_CHARS]
    if "\t" in line:
        line = line.expandtabs(_TAB)
    line = visible(line)
    return f"{line} … {cut:,} more characters" if cut > 0 else line


def word_changes(before: str, after: str) -> tuple[Spans, Spans]:
    """Character spans of the words that differ; nothing where the lines have too little in common."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    if similarity(old, new) < PAIRED:
        return (), ()
    old_spans: list[tuple[int, int]] = []
    new_spans: list[tuple[int, int]] = []
    old_at, new_at = _offsets(old), _offsets(new)
    for operation, i1, i2, j1, j2 in _opcodes(old, new):
        if operation == "equal":
            continue
        if i1 < i2:
            _extend(old_spans, old_at[i1], old_at[i2], before)
        if j1 < j2:
            _extend(new_spans, new_at[j1], new_at[j2], after)
    return tuple(old_spans), tuple(new_spans)


def similarity(old: Sequence[str], new: Sequence[str]) -> float:
    """Share of common words of two lines, from 0 to 1; white space counts for nothing."""
    from rapidfuzz.distance import Indel

    left = [token for token in old if not token.isspace()]
    right = [token for token in new if not token.isspace()]
    if not left and not right:
        return 1.0
    return float(Indel.normalized_similarity(left, right))


def _opcodes(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[tuple[str, int, int, int, int]]:
    from rapidfuzz.distance import Indel

    for code in Indel.opcodes(old, new):
        yield code.tag, code.src_start, code.src_end, code.dest_start, code.dest_end


def _offsets(tokens: Sequence[str]) -> list[int]:
    offsets = [0]
    for token in tokens:
        offsets.append(offsets[-1] + len(token))
    return offsets


def _extend(spans: list[tuple[int, int]], start: int, end: int, text: str) -> None:
    """Add a span, joined to the one before it when only a blank or one sign lies between them."""
    if spans:
        gap = text[spans[-1][1] : start]
        if not gap.strip() or (len(gap) == 1 and not gap.isalnum()):
            spans[-1] = (spans[-1][0], end)
            return
    spans.append((start, end))


def _lines(text: str | None, name: str, notes: list[str]) -> tuple[list[str], bool]:
    if not text:
        return [], True
    lines = text.split("\n")
    ended = not lines[-1]
    if ended:
        lines.pop()
    if len(lines) > MAX_LINES:
        notes.append(f"{len(lines) - MAX_LINES:,} lines at the end of the {name} side are not shown")
        del lines[MAX_LINES:]
    returns = sum(1 for line in lines if line.endswith("\r"))
    if returns and returns >= len(lines) - 1:
        lines = [line.removesuffix("\r") for line in lines]
        notes.append(f"the {name} side has CRLF line ends")
    return lines, ended


def _blocks(before: Sequence[str], after: Sequence[str]) -> Iterator[Block]:
    numbers: dict[str, int] = {}
    old = [numbers.setdefault(line, len(numbers)) for line in before]
    new = [numbers.setdefault(line, len(numbers)) for line in after]
    pending: Block | None = None
    for block in _matches(old, new):
        if pending and pending.equal == block.equal:
            pending = Block(pending.before, block.before_end, pending.after, block.after_end, block.equal)
            continue
        if pending:
            yield pending
        pending = block
    if pending:
        yield pending


def _matches(old: list[int], new: list[int]) -> Iterator[Block]:
    start = 0
    shortest = min(len(old), len(new))
    while start < shortest and old[start] == new[start]:
        start += 1
    end = 0
    while end < shortest - start and old[-1 - end] == new[-1 - end]:
        end += 1
    if start:
        yield Block(0, start, 0, start, True)
    old_end, new_end = len(old) - end, len(new) - end
    i, j = start, start
    for anchor_old, anchor_new in [*_anchors(old, new, start, old_end, new_end), (old_end, new_end)]:
        yield from _match(old, new, (i, anchor_old, j, anchor_new))
        i, j = anchor_old, anchor_new
    if end:
        yield Block(old_end, len(old), new_end, len(new), True)


def _match(old: list[int], new: list[int], area: tuple[int, int, int, int]) -> Iterator[Block]:
    """Match one area; a large one through a window that slides along both sides."""
    i, i_end, j, j_end = area
    while i < i_end or j < j_end:
        whole = (i_end - i) * (j_end - j) <= _MAX_MATRIX
        i_stop, j_stop = (i_end, j_end) if whole else (min(i + _WINDOW, i_end), min(j + _WINDOW, j_end))
        next_i, next_j = i_stop, j_stop
        for operation, i1, i2, j1, j2 in _opcodes(old[i:i_stop], new[j:j_stop]):
            if not whole and operation == "equal" and max(i1, j1) > _WINDOW // 2:
                # The far half of a window was matched without knowing what follows: match it again.
                next_i, next_j = i + i1, j + j1
                break
            yield Block(i + i1, i + i2, j + j1, j + j2, operation == "equal")
        i, j = next_i, next_j


def _anchors(old: list[int], new: list[int], start: int, old_end: int, new_end: int) -> list[tuple[int, int]]:
    """Lines that stand exactly once on each side, in the longest common order: they cut large inputs up.

    Small inputs need none and get none.
    """
    if (old_end - start) * (new_end - start) <= _MAX_MATRIX:
        return []
    once_old = {line for line, count in Counter(old[start:old_end]).items() if count == 1}
    once_new = {line for line, count in Counter(new[start:new_end]).items() if count == 1}
    where = {line: index for index, line in enumerate(new[start:new_end], start) if line in once_new}
    pairs = [
        (index, where[line])
        for index, line in enumerate(old[start:old_end], start)
        if line in once_old and line in where
    ]
    return _longest_increasing(pairs)


def _longest_increasing(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    ends: list[int] = []
    at: list[int] = []
    previous = [-1] * len(pairs)
    for number, (_, value) in enumerate(pairs):
        place = bisect_left(ends, value)
        previous[number] = at[place - 1] if place else -1
        if place == len(ends):
            ends.append(value)
            at.append(number)
        else:
            ends[place], at[place] = value, number
    chain: list[tuple[int, int]] = []
    number = at[-1] if at else -1
    while number >= 0:
        chain.append(pairs[number])
        number = previous[number]
    return chain[::-1]


def _rows(block: Block, before: Sequence[str], after: Sequence[str]) -> Iterator[Row]:
    if block.equal:
        shift = block.after - block.before
        for index in range(block.before, block.before_end):
            yield Row(index, index + shift, False)
        return
    i, j = block.before, block.after
    for old, new in [*_pairs(block, before, after), (block.before_end, block.after_end)]:
        # What lies between two pairs has no partner of its own; it is put side by side to save height.
        while i < old or j < new:
            yield Row(i if i < old else -1, j if j < new else -1, True)
            i += i < old
            j += j < new
        if old < block.before_end and new < block.after_end:
            yield Row(old, new, before[old] != after[new])
            i, j = old + 1, new + 1


def _pairs(block: Block, before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Lines of a changed block that are versions of one another, in order."""
    rows, columns = block.before_end - block.before, block.after_end - block.after
    if not rows or not columns:
        return []
    old = [_WORD.findall(line[:400]) for line in before[block.before : block.before_end]]
    new = [_WORD.findall(line[:400]) for line in after[block.after : block.after_end]]
    found = _best_pairs(old, new) if rows * columns <= _MAX_PAIRING else _near_pairs(old, new)
    return [(block.before + i, block.after + j) for i, j in found]


def _best_pairs(old: list[list[str]], new: list[list[str]]) -> list[tuple[int, int]]:
    """The pairing in order with the largest sum of similarities (dynamic programme over the block)."""
    rows, columns = len(old), len(new)
    alike = [[similarity(left, right) for right in new] for left in old]
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            score = max(best[i + 1][j], best[i][j + 1])
            if alike[i][j] >= PAIRED:
                score = max(score, best[i + 1][j + 1] + alike[i][j])
            best[i][j] = score
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < rows and j < columns:
        if alike[i][j] >= PAIRED and best[i][j] == best[i + 1][j + 1] + alike[i][j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _near_pairs(old: list[list[str]], new: list[list[str]]) -> list[tuple[int, int]]:
    """For large blocks: the first similar line among the next few, else the line at the same place."""
    pairs: list[tuple[int, int]] = []
    j = 0
    for i, left in enumerate(old):
        for candidate in range(j, min(j + 8, len(new))):
            if similarity(left, new[candidate]) >= PAIRED:
                pairs.append((i, candidate))
                j = candidate + 1
                break
    return pairs

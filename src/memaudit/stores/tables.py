"""Tables cut into claims: one a row, its cells joined by bars, the column names beside it."""

from __future__ import annotations

from collections.abc import Sequence

from memaudit.domain import Block, Span
from memaudit.patterns import lazy_regex
from memaudit.stores.blocks import Node
from memaudit.stores.drafts import Draft, says_something
from memaudit.stores.kinds import classify
from memaudit.stores.source import Source
from memaudit.stores.tree import read_tree

_ROW_START = lazy_regex(r"[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?\|?\s*")
_PIPE = lazy_regex(r"(?<!\\)\|")


def table_drafts(
    source: Source, table: Node, heading: tuple[str, ...], context: tuple[str, ...]
) -> list[Draft]:
    """The claims of a table. Where its first column draws a directory tree, rows carry the full paths."""
    header, rows = table.children[0], table.children[1:]
    ranges = [_content(source.lines[row.start]) for row in rows]
    cells = [
        [cell.strip() for cell in _PIPE.split(source.lines[row.start][start:end])]
        for row, (start, end) in zip(rows, ranges, strict=True)
    ]
    paths = _tree_paths([row[0] for row in cells])
    drafts = []
    for at, (row, (start, end)) in enumerate(zip(rows, ranges, strict=True)):
        text = " | ".join(cells[at])
        if end <= start or not says_something(text):
            continue
        drafts.append(
            Draft(
                text,
                Block.ROW,
                classify(text, Block.ROW, context=context, heading=heading),
                Span(source.byte(row.start, start), source.byte(row.start, end)),
                source.whole_lines(row.start, row.start + 1),
                row.start,
                row.start,
                heading,
                context,
                columns=tuple(header.cells),
                path=paths.get(at),
            )
        )
    return drafts


def _content(line: str) -> tuple[int, int]:
    """The columns of a row between its outer bars."""
    match = _ROW_START.match(line)
    start = match.end() if match else 0
    end = len(line.rstrip())
    if line[start:end].endswith("|") and not line[start:end].endswith("\\|"):
        end = start + len(line[start : end - 1].rstrip())
    return start, end


def _tree_paths(names: Sequence[str]) -> dict[int, str]:
    entries = read_tree([name.strip("`") for name in names], drawn_only=True) or []
    return {entry.index: entry.path for entry in entries if entry.path}

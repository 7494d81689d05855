"""The block structure of a Markdown text, from markdown-it, with the column of every word kept.

markdown-it tells lines, not columns. Each line of a block's content is however the tail of its source
line, so its length gives the column; :func:`parse_blocks` prepares the text so that this always holds.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from memaudit.patterns import lazy_regex

MAX_NESTING = 100
"""Lists, items and quotes are looked into this deep; each counts."""

_ODD_SPACES = "\r\0\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
# CommonMark counts spaces and tabs only; Python's strip() counts these too. Written as a letter of
# the same width they leave columns alone, and the words are taken from the source line anyway.
_PLAIN = str.maketrans(dict.fromkeys(_ODD_SPACES, "\ufffd"))

_RAW_TAGS = r"(?:pre|script|style|textarea|table|svg)\b"
_TAG = rf"</?(?!{_RAW_TAGS})[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>"
_TAG_LINE = lazy_regex(rf"\s*(?:(?:<summary>[^<]*</summary>|{_TAG})\s*)+$", re.IGNORECASE)
_FENCE = lazy_regex(r"[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,}(?=[^`]*$)|~{3,})")
_OPAQUE_HTML = lazy_regex(r"\s*<(?:table|pre|script|style|textarea|svg|\?|!\[CDATA|![A-Za-z])", re.IGNORECASE)
_COMMENT_OR_TAG = lazy_regex(r"<!--.*?(?:-->|\Z)|<summary>.{0,400}?</summary>|</?[A-Za-z][^<>]*>", re.DOTALL)


class Piece(NamedTuple):
    """A part of one source line: ``start`` and ``end`` are columns in characters."""

    line: int
    start: int
    end: int


class CodeLine(NamedTuple):
    """A line of code without its container's indentation.

    ``text[i]`` stands at column ``column + i`` of the source line for every ``i`` past the leading
    white space.
    """

    line: int
    text: str
    column: int


@dataclass(slots=True)
class Node:
    """One block: ``kind``, the lines it spans (``end`` excluded) and what it holds.

    Kinds: list, item, quote, paragraph, heading, table, row, fence, code, rule. ``level`` is that of a
    heading, of other blocks how deep they are nested. ``info`` is what a fence says of its language,
    or how a heading is marked; ``closed`` whether a fence has an end.
    """

    kind: str
    start: int
    end: int
    children: list[Node] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    code: list[CodeLine] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    info: str = ""
    level: int = 0
    closed: bool = True

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in document order."""
        yield self
        for child in self.children:
            yield from child.walk()


_KINDS = {
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "item",
    "blockquote_open": "quote",
    "paragraph_open": "paragraph",
    "heading_open": "heading",
    "table_open": "table",
    "tr_open": "row",
    "hr": "rule",
}


@functools.cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable("table")
    return parser.disable(["inline", "text_join"])


def parse_blocks(lines: Sequence[str], skip: int = 0) -> list[Node]:
    """The blocks of a text whose lines carry no line end; the first ``skip`` lines count as blank."""
    plain = [line.translate(_PLAIN) for line in lines]
    fed = plain[:]
    for at in (*range(skip), *_tag_lines(plain, skip)):
        fed[at] = ""
    return _parse(lines, plain, fed, 0)


def _tag_lines(plain: Sequence[str], skip: int) -> Iterator[int]:
    """Lines outside of fences that hold nothing but tags: their content is Markdown all the same."""
    fence = ""
    for at in range(skip, len(plain)):
        line = plain[at]
        if fence:
            words = line.strip(" \t>")
            if words.startswith(fence) and not words.strip(fence[0]):
                fence = ""
        elif match := _FENCE.match(line):
            fence = match[1]
        elif "<" in line and _TAG_LINE.match(line):
            yield at


def parse_code_again(node: Node) -> list[Node]:
    """The blocks of an indented code block read as Markdown: a list indented too far looks like code."""
    indent = min(len(line.text) - len(line.text.lstrip()) for line in node.code if line.text.strip())
    nodes = parse_blocks([line.text[indent:] for line in node.code])
    columns = [line.column + indent for line in node.code]
    for inner in (one for root in nodes for one in root.walk()):
        inner.start += node.start
        inner.end += node.start
        inner.pieces = [
            Piece(piece.line + node.start, piece.start + columns[piece.line], piece.end + columns[piece.line])
            for piece in inner.pieces
        ]
        inner.code = [
            CodeLine(line.line + node.start, line.text, line.column + columns[line.line])
            for line in inner.code
        ]
    return nodes


def _parse(lines: Sequence[str], plain: list[str], fed: Sequence[str], first: int) -> list[Node]:
    """Parse ``fed``, whose lines are tails of ``plain`` (as wide as ``lines``) from line ``first`` on."""
    root = Node("root", first, first + len(fed))
    open_nodes = [root]
    for token in _parser().parse("\n".join(fed)):
        if token.type == "inline":
            _take_inline(open_nodes[-1], token, lines, plain)
        elif token.nesting < 0:
            if token.type.replace("_close", "_open") in _KINDS:
                open_nodes.pop()
        elif token.type == "html_block":
            open_nodes[-1].children.extend(_inside_html(lines, token, plain, first))
        elif token.map and (node := _node(token, lines, plain, first)):
            open_nodes[-1].children.append(node)
            if token.nesting > 0:
                open_nodes.append(node)
    return root.children


def _node(token: Token, lines: Sequence[str], plain: list[str], first: int) -> Node | None:
    assert token.map is not None
    start, end = token.map[0] + first, token.map[1] + first
    if token.type in ("fence", "code_block"):
        return _code_node(token, lines, plain, start, end)
    kind = _KINDS.get(token.type)
    if kind is None:
        return None
    node = Node(kind, start, end, level=token.level)
    if kind == "heading":
        node.level = int(token.tag[1:])
        node.info = token.markup
    return node


def _take_inline(node: Node, token: Token, lines: Sequence[str], plain: list[str]) -> None:
    if node.kind == "row":
        node.cells.append(token.content.strip())
        return
    if node.kind == "heading" and node.info.startswith("#"):
        column = plain[node.start].find(token.content, plain[node.start].find("#"))
        node.pieces.append(Piece(node.start, column, column + len(token.content)))
        return
    for line, content in enumerate(token.content.split("\n"), start=node.start):
        end = len(plain[line].rstrip(" \t"))
        start = end - len(content.strip(" \t"))
        # White space at the end is kept: two blanks there end a line for good.
        while lines[line][end : end + 1] in (" ", "\t"):
            end += 1
        node.pieces.append(Piece(line, start, end))


def _code_node(token: Token, lines: Sequence[str], plain: list[str], start: int, end: int) -> Node:
    fenced = token.type == "fence"
    body = token.content.split("\n")
    if body[-1] == "":
        body.pop()
    node = Node("fence" if fenced else "code", start, end)
    first = start + 1 if fenced else start
    for offset, content in enumerate(body):
        line = first + offset
        words = content.lstrip(" \t") or plain[line].lstrip(" \t>")
        column = len(plain[line]) - len(words)
        indent = content[: len(content) - len(words)]
        node.code.append(CodeLine(line, indent + lines[line][column:], column - len(indent)))
    if fenced:
        node.info = token.info.strip()
        node.closed = end - start >= len(body) + 2
    return node


def _inside_html(lines: Sequence[str], token: Token, plain: list[str], first: int) -> list[Node]:
    """The Markdown that stands in an HTML block beside its tags and comments."""
    assert token.map is not None
    start, end = token.map[0] + first, token.map[1] + first
    if _OPAQUE_HTML.match(plain[start]):
        return []
    masked = _COMMENT_OR_TAG.sub(_as_spaces, "\n".join(plain[start:end])).split("\n")
    fed = [line.strip(" \t") for line in masked]
    if not any(fed) or any(line.startswith("<") for line in fed):
        return []
    plain[start:end] = masked
    return _parse(lines, plain, fed, start)


def _as_spaces(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())

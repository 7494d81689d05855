"""What the query of a language finds in the syntax tree of a file, faults and all."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from memaudit.patterns import lazy_regex
from memaudit.repo import grammars
from memaudit.repo.languages.named import Named

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

_LONGEST_RUN_OF_SIGNS = 2000
_LONGEST_SIGNATURE = 240
_PIECE = 64 * 1024
_WORD = 256
"""Bytes that a node is given of its text at a time, mostly a name."""

_SECONDS = 0.5
_SECONDS_A_BYTE = 2.5 / 2**20

_TYPE_NAME = lazy_regex(r"[A-Za-z_]\w*")
_ARGUMENTS = lazy_regex(r"<[^<>]*>")
_BETWEEN_OWNERS = lazy_regex(r"::|\\|\.")
_REMARK_LINE = lazy_regex(r"\n[ \t]*(?:#|//)[^\n]*")

# Nodes of annotations, which stand inside the definition that they are written before.
_BEFORE_DEFINITIONS = frozenset(
    {"modifiers", "annotation", "marker_annotation", "attribute_list", "attribute", "line_comment"}
    | {"block_comment", "comment", "multiline_comment"}
)
# Names with their owners before them, and such as no text can name.
_PATHS = frozenset(
    {"scope_resolution", "qualified_identifier", "nested_namespace_specifier", "qualified_name"}
    | {"namespace_name", "user_type"}
)
_NO_NAMES = frozenset({"operator"})
_BODIES = frozenset({"function_body", "class_body", "enum_class_body"})


@dataclass(slots=True)
class Found:
    """A match: its kind and what stands behind the kind's dot, its name, the owners that the name gives.

    Bytes ``[start, end)`` are what it encloses; ``line_start`` and ``line_end`` count from 1 and leave
    annotations out, as ``signature`` does, the header on one line.
    """

    kind: str
    flag: str
    name: str
    owners: tuple[str, ...]
    start: int
    end: int
    line_start: int
    line_end: int
    signature: str
    qualified: str = ""


class Parse(NamedTuple):
    """The matches in the order of the text, outer ones first, and the rows (from 0) of faulty code."""

    found: list[Found]
    faulty: list[range]


def parse(language: str, data: bytes) -> Parse:
    """Match the query of a language against a file; all of a file that takes too long is faulty."""
    from tree_sitter import QueryCursor

    grammar = grammars.grammar(language)
    tree = _tree(grammar, data)
    faulty = list(_faults(tree.root_node)) if tree else [None]
    if tree is None or None in faulty:
        return Parse([], [range(data.count(b"\n") + 1)])
    best: dict[int, tuple[int, Named, Node | None]] = {}
    for pattern, captures in QueryCursor(grammar.query).matches(tree.root_node):
        receiver = captures.get("receiver")
        for item in _named(captures, grammar.named):
            at = item.name.start_byte
            if at not in best or best[at][0] > pattern:
                best[at] = pattern, item, receiver[0] if receiver else None
    ordered = sorted(best.values(), key=lambda entry: _position(entry[1].node))
    found = (_found(item, receiver, data) for _, item, receiver in ordered if item.kind != "nothing")
    return Parse([item for item in found if item.name], [rows for rows in faulty if rows is not None])


def _tree(grammar: grammars.Grammar, data: bytes) -> Tree | None:
    """The syntax tree of a file; None after ten times the processor time that honest code takes."""
    code = grammar.prepared(data) if grammar.prepared else data
    allowed = _SECONDS + len(code) * _SECONDS_A_BYTE
    started, began = time.perf_counter(), time.thread_time()
    read = _Code(code)

    def is_over(_offset: int, _has_error: bool) -> bool:
        # No thread takes more time than goes by, which costs less to ask for; this is asked all the time.
        return time.perf_counter() - started > allowed and time.thread_time() - began > allowed

    try:
        return grammar.parser.parse(read, progress_callback=is_over)
    except ValueError:
        grammar.parser.reset()
        return None
    finally:
        read.parsed()


class _Code:
    """The code of a file, as the parser and then the nodes of its tree read it.

    The parser never lets go of what it was given, which would keep every file in memory: it gets views,
    which are emptied when it is done. Nodes take nothing but bytes.
    """

    def __init__(self, code: bytes) -> None:
        self._code = code
        self._lent: list[memoryview] | None = []

    def __call__(self, offset: int, _: object) -> bytes | memoryview:
        if self._lent is None:
            return self._code[offset : offset + _WORD]
        view = memoryview(self._code)[offset : offset + _PIECE]
        self._lent.append(view)
        return view

    def parsed(self) -> None:
        """Take back what the parser was given."""
        for view in self._lent or ():
            view.release()
        self._lent = None


def _named(
    captures: dict[str, list[Node]], by_kind: Callable[[str, Node], Iterator[Named]]
) -> Iterator[Named]:
    names = captures.get("name")
    for kind, nodes in captures.items():
        if kind in ("name", "receiver") or kind[0] == "_":
            continue
        if kind == "body":
            yield Named(kind, nodes[0], nodes[0])
        elif names is None:
            yield from by_kind(kind, nodes[0])
        else:
            for name in names:
                yield Named(kind, nodes[0], name)


def _position(node: Node) -> tuple[int, int]:
    return node.start_byte, -node.end_byte


def _parts(path: str) -> list[str]:
    """The parts of ``ns::Store<T>::load``, without their type arguments."""
    before = None
    while before != path:
        before, path = path, _ARGUMENTS.sub("", path)
    return [part.strip() for part in _BETWEEN_OWNERS.split(path) if part.strip()] or [""]


def _faults(root: Node) -> Iterator[range | None]:
    """The rows of code that could not be parsed; None where thousands of signs stand in a row.

    Over such a run a query takes quadratic time.
    """
    pending = [root] if root.has_error else []
    while pending:
        node = pending.pop()
        run = 0
        for child in node.children:
            run = 0 if child.is_named else run + 1
            if run > _LONGEST_RUN_OF_SIGNS:
                yield None
                return
            if child.has_error:
                pending.append(child)
        if node.is_error:
            yield range(node.start_point.row, node.end_point.row + 1)


def _found(item: Named, receiver: Node | None, data: bytes) -> Found:
    kind, _, flag = item.kind.partition(".")
    node, first = item.node, _first(item.node)
    owners, name = _name(kind, item.name, receiver, data)
    return Found(
        kind,
        flag,
        name,
        owners,
        node.start_byte,
        node.end_byte,
        first.start_point.row + 1,
        _last_row(node) + 1,
        "" if kind in ("impl", "body") else _signature(node, first.start_byte, data),
    )


def _name(kind: str, node: Node, receiver: Node | None, data: bytes) -> tuple[tuple[str, ...], str]:
    """The owners that a name gives, and the name; the latter empty for an operator and its like."""
    if kind == "body":
        return (), kind
    text = text_of(node, data)
    if node.type == "user_type" and kind != "impl":
        return (), ""
    if node.type in _PATHS:
        *before, name = _parts(text)
        return tuple(before), name
    owner = _TYPE_NAME.search(text_of(receiver, data)) if receiver else None
    if kind == "impl":
        found = _TYPE_NAME.search(text)
        text = found[0] if found else text
    elif node.type == "simple_symbol":
        text = text.removeprefix(":").strip("\"'")
    return ((owner[0],) if owner else ()), "" if node.type in _NO_NAMES else text


def _last_row(node: Node) -> int:
    """The row of the last sign: what ends with a line break reaches no further than its line."""
    start, end = node.start_point.row, node.end_point
    return end.row - 1 if end.column == 0 and end.row > start else end.row


def _first(node: Node) -> Node:
    """The first part of a definition that is no annotation."""
    first = node.child(0) if node.child_count else None
    if first is None or first.type not in _BEFORE_DEFINITIONS:
        return node
    for child in node.children:
        if child.type == "modifiers":
            inner = next((part for part in child.children if part.type not in _BEFORE_DEFINITIONS), None)
            if inner is not None:
                return inner
        elif child.type not in _BEFORE_DEFINITIONS:
            return child
    return node


def _signature(node: Node, first: int, data: bytes) -> str:
    """The header: from the start of its line to the body, or to the end of the line without one."""
    start = data.rfind(b"\n", 0, first) + 1
    if any(sign in data[start:first] for sign in (b"{", b";", b"(")):
        start = first
    body = node.child_by_field_name("body")
    if body is None and (value := node.child_by_field_name("value")) is not None:
        body = value.child_by_field_name("body")
    if body is None:
        body = next((child for child in node.children if child.type in _BODIES), None)
    if body is not None:
        end = body.start_byte
    else:
        end = data.find(b"\n", first)
        end = len(data) if end < 0 else end
        if start == first:
            end = min(end, node.end_byte)
    header = data[start : min(end, start + 4 * _LONGEST_SIGNATURE)].decode("utf-8", "replace")
    return one_line(_REMARK_LINE.sub("", header)).rstrip("{:;, ").removesuffix(" =")


def one_line(text: str) -> str:
    """A header on one line, of 240 characters at most."""
    return " ".join(text.split())[:_LONGEST_SIGNATURE]


def text_of(node: Node, data: bytes) -> str:
    """The source text of a node. It is cut out here: a node would have whole pieces of the file copied."""
    return data[node.start_byte : node.end_byte].decode("utf-8", "replace")

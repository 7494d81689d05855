"""The definitions of a source file: what it names, where, and with which header."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memaudit.repo import grammars

if TYPE_CHECKING:
    from tree_sitter import Node

_LANGUAGES = {
    ".py": "python",
    ".pyi": "python",
    ".js": "javascript",
    ".jsx": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "tsx",
    ".go": "go",
    ".rs": "rust",
    ".rb": "ruby",
    ".rake": "ruby",
    ".java": "java",
    ".kt": "kotlin",
    ".kts": "kotlin",
    ".cs": "csharp",
    ".php": "php",
    ".swift": "swift",
    ".c": "c",
    ".h": "c",
    ".cc": "cpp",
    ".cpp": "cpp",
    ".cxx": "cpp",
    ".hpp": "cpp",
    ".hh": "cpp",
    ".sh": "bash",
    ".bash": "bash",
    ".zsh": "bash",
}

_LONGEST_PARSED = 1024 * 1024
_MOST_DEFINITIONS = 20_000
_LONGEST_SIGNATURE = 240
_DEEPEST = 50
_MOST_REMEMBERED = 50_000
_LONGEST_RUN_OF_SIGNS = 2000

_FUNCTIONS = frozenset({"function", "method"})
_TYPES = frozenset({"class", "interface", "struct", "trait", "impl", "enum", "type"})
# Inside a function these are locals, which no other file can see.
_LOCAL_IN_FUNCTIONS = frozenset({"variable", "constant", "attribute", "key"})
_TYPE_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Definition:
    """A name that a file defines.

    ``qualified`` puts the names of what it stands in before it (``Class.method``, ``mod::fn``).
    ``kind`` is one of function, method, class, interface, struct, trait, enum, member (of an enum),
    type, constant, variable, attribute (of a class or struct), key (of an object literal), macro,
    module, namespace; with ``?`` at its end it comes from the look of a line in a language that is
    not parsed. Lines count from 1. ``signature`` is the header on one line.
    """

    name: str
    qualified: str
    kind: str
    line_start: int
    line_end: int
    signature: str


def language(path: str) -> str | None:
    """The language of a file by its extension, None for one whose definitions are not known."""
    return _LANGUAGES.get(posixpath.splitext(path)[1].lower())


def definitions(path: str, text: str) -> list[Definition]:
    """The definitions in a file, in the order of the text; none for an unknown language.

    Broken code gives what can be made out around the faults. Files over 1 MiB are not parsed; at most
    20,000 definitions, and none inside more than 50 others, are returned.
    """
    known = language(path)
    if known is None:
        return []
    if known in grammars.PARSED:
        data = text.encode("utf-8", "replace")
        return _remembered.definitions(known, data) if len(data) <= _LONGEST_PARSED else []
    from memaudit.repo.headers import headers

    return [
        Definition(
            header.name.rpartition("::")[2] or header.name,
            header.name,
            header.kind + "?",
            header.line,
            header.line,
            _one_line(header.text),
        )
        for _, header in zip(range(_MOST_DEFINITIONS), headers(known, text), strict=False)
    ]


class _Remembered:
    """The definitions of the files parsed last: two revisions share most of their files."""

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, tuple[Definition, ...]] = OrderedDict()
        self._size = 0

    def definitions(self, known: str, data: bytes) -> list[Definition]:
        key = hashlib.sha1(known.encode() + b"\0" + data, usedforsecurity=False).digest()
        found = self._known.pop(key, None)
        if found is None:
            found = tuple(_parsed(known, data))
            self._size += len(found) + 1
        self._known[key] = found
        while self._size > _MOST_REMEMBERED:
            _, oldest = self._known.popitem(last=False)
            self._size -= len(oldest) + 1
        return list(found)


_remembered = _Remembered()


def _is_hostile(root: Node) -> bool:
    """Whether faulty code holds thousands of signs in a row, over which a query takes quadratic time."""
    if not root.has_error:
        return False
    pending = [root]
    while pending:
        node = pending.pop()
        run = 0
        for child in node.children:
            run = 0 if child.is_named else run + 1
            if run > _LONGEST_RUN_OF_SIGNS:
                return True
            if child.has_error:
                pending.append(child)
    return False


@dataclass(slots=True)
class _Found:
    kind: str
    name: str
    node: Node
    receiver: str | None
    qualified: str = ""


def _parsed(known: str, data: bytes) -> Iterator[Definition]:
    from tree_sitter import QueryCursor

    grammar = grammars.grammar(known)
    root = grammar.parser.parse(data).root_node
    if _is_hostile(root):
        return
    best: dict[int, tuple[int, _Found]] = {}
    for pattern, captures in QueryCursor(grammar.query).matches(root):
        name_nodes = captures.pop("name")
        receiver = captures.pop("receiver", None)
        captures.pop("self", None)
        captures.pop("object", None)
        kind, nodes = next(iter(captures.items()))
        for name_node in name_nodes:
            name = _text(name_node)
            if not name or (name_node.start_byte in best and best[name_node.start_byte][0] <= pattern):
                continue
            owner = _TYPE_NAME.search(_text(receiver[0])) if receiver else None
            best[name_node.start_byte] = pattern, _Found(kind, name, nodes[0], owner[0] if owner else None)
    found = sorted((entry for _, entry in best.values()), key=_position)
    yield from _qualified(found[:_MOST_DEFINITIONS], data, grammar.separator)


def _position(found: _Found) -> tuple[int, int]:
    return found.node.start_byte, -found.node.end_byte


def _qualified(found: list[_Found], data: bytes, separator: str) -> Iterator[Definition]:
    """Give each definition the scopes it stands in, which are those that began before and go on."""
    scopes: list[_Found] = []
    for entry in found:
        while scopes and not _encloses(scopes[-1].node, entry.node):
            scopes.pop()
        if len(scopes) > _DEEPEST:
            continue
        definition = _definition(entry, scopes, data, separator)
        if definition is not None:
            entry.qualified = definition.qualified
            scopes.append(entry)
            if entry.kind != "impl":
                yield definition


def _encloses(outer: Node, inner: Node) -> bool:
    return outer.end_byte >= inner.end_byte and (outer.start_byte, outer.end_byte) != (
        inner.start_byte,
        inner.end_byte,
    )


def _definition(entry: _Found, scopes: list[_Found], data: bytes, separator: str) -> Definition | None:
    scope = scopes[-1] if scopes else None
    name, kind = entry.name, entry.kind
    if kind == "own":
        scope = next((outer for outer in reversed(scopes) if outer.kind not in _FUNCTIONS), None)
        if scope is None or scope.kind not in _TYPES:
            return None
        kind = "attribute"
    elif scope is not None and scope.kind in _FUNCTIONS and kind in _LOCAL_IN_FUNCTIONS:
        return None
    elif kind == "impl":
        owner = _TYPE_NAME.search(name)
        name = owner[0] if owner else name
    elif kind == "function" and scope is not None and scope.kind in _TYPES:
        kind = "method"
    elif kind == "variable" and scope is not None and scope.kind in _TYPES:
        kind = "attribute"
    elif kind == "variable" and name.isupper():
        kind = "constant"
    parts = [scope.qualified] if scope is not None else []
    if entry.receiver is not None:
        parts.append(entry.receiver)
    start, end = entry.node.start_point.row + 1, entry.node.end_point.row + 1
    return Definition(name, separator.join([*parts, name]), kind, start, end, _signature(entry.node, data))


def _signature(node: Node, data: bytes) -> str:
    """The header: from the start of its line to the body, or to the end of the line without one."""
    start = data.rfind(b"\n", 0, node.start_byte) + 1
    if any(sign in data[start : node.start_byte] for sign in (b"{", b";", b"(")):
        start = node.start_byte
    value = node.child_by_field_name("value")
    body = node.child_by_field_name("body") or (value and value.child_by_field_name("body"))
    if body is not None:
        end = body.start_byte
    else:
        end = data.find(b"\n", node.start_byte)
        end = len(data) if end < 0 else end
    header = data[start : min(end, start + 4 * _LONGEST_SIGNATURE)].decode("utf-8", "replace")
    return _one_line(header).rstrip("{:;, ")


def _one_line(text: str) -> str:
    return " ".join(text.split())[:_LONGEST_SIGNATURE]


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")

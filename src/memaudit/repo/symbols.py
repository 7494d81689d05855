"""The definitions of a source file: what it names, where, and with which header."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections import OrderedDict
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from memaudit.patterns import lazy_regex
from memaudit.repo import grammars
from memaudit.repo.headers import KNOWN, headers
from memaudit.repo.matches import Found, one_line, parse

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
    ".h": "header",
    ".cc": "cpp",
    ".cpp": "cpp",
    ".cxx": "cpp",
    ".hpp": "cpp",
    ".hh": "cpp",
    ".hxx": "cpp",
    ".sh": "bash",
    ".bash": "bash",
    ".zsh": "bash",
    ".scala": "scala",
    ".dart": "dart",
    ".zig": "zig",
    ".ex": "elixir",
    ".exs": "elixir",
    ".lua": "lua",
}

_LONGEST_PARSED = 1024 * 1024
_MOST_DEFINITIONS = 20_000
_DEEPEST = 50
_MOST_REMEMBERED = 50_000

_FUNCTIONS = frozenset({"function", "method", "constructor", "body"})
_TYPES = frozenset({"class", "interface", "struct", "trait", "impl", "enum", "record", "type"})
# Inside a function these are locals, which no other file can see.
_LOCAL_IN_FUNCTIONS = frozenset({"variable", "constant", "attribute", "key"})
_CPP = lazy_regex(
    rb"^[ \t]*(?:(?:class|using|namespace) [A-Za-z_]|namespace \{|template ?<|(?:public|private|protected):)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Definition:
    """A name that a file defines.

    ``qualified`` puts the names of what it stands in before it (``Class.method``, ``mod::fn``).
    ``kind`` is one of function, method, constructor (named like its class), class, interface, struct,
    record, trait, enum, member (of an enum), type, constant, variable, attribute (of a class or struct),
    key (of an object literal), macro, module, namespace; with ``?`` at its end it comes from the look of
    a line, where the code could not be parsed. Lines count from 1. ``signature`` is the header on one
    line.
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
    data = text.encode("utf-8", "replace")
    return _remembered.definitions(known, data) if len(data) <= _LONGEST_PARSED else []


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


def _dialect(known: str, data: bytes) -> str:
    """The grammar to read a file with: headers of C and C++ tell apart only by what stands in them."""
    if known != "header":
        return known
    return "cpp" if _CPP.search(data) else "c"


def _parsed(known: str, data: bytes) -> list[Definition]:
    """The definitions in the syntax tree; in its faulty parts and without a grammar what lines look like."""
    read = _dialect(known, data)
    if read not in grammars.PARSED:
        return list(_by_header(read, data.decode("utf-8", "replace")))[:_MOST_DEFINITIONS]
    found, faulty = parse(read, data)
    separator = grammars.grammar(read).separator
    definitions = list(_qualified(found[:_MOST_DEFINITIONS], separator, len(data)))
    if faulty and read in KNOWN:
        names = {definition.name for definition in definitions}
        rows = {row for part in faulty for row in part}
        definitions += (
            definition
            for definition in _by_header(read, data.decode("utf-8", "replace"), rows)
            if definition.name not in names
        )
        definitions.sort(key=lambda definition: definition.line_start)
    return definitions[:_MOST_DEFINITIONS]


def _by_header(known: str, text: str, rows: Collection[int] | None = None) -> Iterator[Definition]:
    for header in headers(known, text, rows):
        name = header.name.replace("::", ".").rpartition(".")[2] or header.name
        yield Definition(
            name, header.name, header.kind + "?", header.line, header.line, one_line(header.text)
        )


def _qualified(found: list[Found], separator: str, size: int) -> Iterator[Definition]:
    """Give each definition the scopes it stands in, which are those that began before and go on."""
    scopes: list[Found] = []
    for entry in found:
        if entry.flag == "rest":
            scopes.clear()
            entry.end = size
        while scopes and scopes[-1].end < entry.end:
            scopes.pop()
        # Several names of one statement stand beside each other.
        while entry.flag != "leaf" and scopes and _same(scopes[-1], entry):
            scopes.pop()
        if len(scopes) > _DEEPEST:
            continue
        around = [scope for scope in scopes if not _same(scope, entry)]
        definition = _definition(entry, around, separator) if entry.kind != "body" else None
        if definition is not None:
            entry.qualified = definition.qualified
            if entry.flag != "leaf":
                scopes.append(entry)
            if entry.kind != "impl":
                yield definition
        elif entry.kind in ("body", "constructor"):
            entry.kind, entry.qualified = "body", around[-1].qualified if around else ""
            scopes.append(entry)


def _same(one: Found, other: Found) -> bool:
    return (one.start, one.end) == (other.start, other.end)


def _definition(entry: Found, scopes: list[Found], separator: str) -> Definition | None:
    scope = scopes[-1] if scopes else None
    in_type = scope is not None and scope.kind in _TYPES
    kind = entry.kind
    if kind == "own":
        scope = next((outer for outer in reversed(scopes) if outer.kind not in _FUNCTIONS), None)
        if scope is None or scope.kind not in _TYPES:
            return None
        kind = "attribute"
    elif _is_local(entry, scope) or (
        kind == "constructor" and not in_type and entry.owners[-1:] != (entry.name,)
    ):
        return None
    elif kind == "function" and in_type:
        kind = "method"
    elif kind == "variable" and in_type:
        kind = "attribute"
    elif kind == "variable" and entry.name.isupper():
        kind = "constant"
    parts = [scope.qualified] if scope is not None and scope.qualified else []
    qualified = separator.join([*parts, *entry.owners, entry.name])
    return Definition(entry.name, qualified, kind, entry.line_start, entry.line_end, entry.signature)


def _is_local(entry: Found, scope: Found | None) -> bool:
    in_function = scope is not None and scope.kind in _FUNCTIONS
    return in_function and (entry.kind in _LOCAL_IN_FUNCTIONS or entry.flag == "outer")

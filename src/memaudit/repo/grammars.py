"""The grammars of the languages that tree-sitter parses, each loaded when it is first needed."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from memaudit.repo.languages import c_family, managed, native, ruby, scripts, web
from memaudit.repo.languages.named import Named, by_field

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query


class _Source(NamedTuple):
    """The package and function that give a grammar; the rest is as in :class:`Grammar`."""

    package: str
    entry: str
    query: str
    separator: str = "."
    named: Callable[[str, Node], Iterator[Named]] = by_field
    prepared: Callable[[bytes], bytes] | None = None


_C_FAMILY = (c_family.named, c_family.without_macros)
_SOURCES = {
    "python": _Source("tree_sitter_python", "language", scripts.PYTHON),
    "ruby": _Source("tree_sitter_ruby", "language", ruby.QUERY, "::", ruby.named),
    "php": _Source("tree_sitter_php", "language_php", scripts.PHP, "::"),
    "bash": _Source("tree_sitter_bash", "language", scripts.BASH),
    "javascript": _Source("tree_sitter_javascript", "language", web.JAVASCRIPT),
    "typescript": _Source("tree_sitter_typescript", "language_typescript", web.TYPESCRIPT),
    "tsx": _Source("tree_sitter_typescript", "language_tsx", web.TYPESCRIPT),
    "go": _Source("tree_sitter_go", "language", native.GO),
    "rust": _Source("tree_sitter_rust", "language", native.RUST, "::"),
    "c": _Source("tree_sitter_c", "language", c_family.C, ".", *_C_FAMILY),
    "cpp": _Source("tree_sitter_cpp", "language", c_family.CPP, "::", *_C_FAMILY),
    "swift": _Source("tree_sitter_swift", "language", native.SWIFT),
    "java": _Source("tree_sitter_java", "language", managed.JAVA),
    "kotlin": _Source("tree_sitter_kotlin", "language", managed.KOTLIN),
    "csharp": _Source("tree_sitter_c_sharp", "language", managed.CSHARP),
}

PARSED = frozenset(_SOURCES)
"""The languages that are parsed."""


class Grammar(NamedTuple):
    """How a language is read.

    ``query`` finds definitions; where it captures no name, ``named`` tells the names of a match.
    ``separator`` joins the parts of a qualified name. ``prepared`` gives the code that is parsed in place
    of a file's, with every byte in its place.
    """

    parser: Parser
    query: Query
    separator: str
    named: Callable[[str, Node], Iterator[Named]]
    prepared: Callable[[bytes], bytes] | None


@cache
def grammar(language: str) -> Grammar:
    """The grammar of one of :data:`PARSED`."""
    from tree_sitter import Language, Parser, Query

    source = _SOURCES[language]
    loaded = Language(getattr(importlib.import_module(source.package), source.entry)())
    query = Query(loaded, source.query)
    return Grammar(Parser(loaded), query, source.separator, source.named, source.prepared)

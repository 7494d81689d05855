"""Definitions in C and C++, where a name stands inside its declarator."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memaudit.patterns import lazy_regex
from memaudit.repo.languages.named import Named, by_field

if TYPE_CHECKING:
    from tree_sitter import Node

C = """
(preproc_def) @macro
(preproc_function_def) @macro
(function_definition) @function
(declaration) @variable
(field_declaration) @attribute
(type_definition) @type
(struct_specifier) @struct
(union_specifier) @struct
(enum_specifier) @enum
(enumerator) @member
"""

CPP = (
    """
(friend_declaration (declaration) @nothing)
"""
    + C
    + """
(class_specifier) @class
(namespace_definition) @namespace
(alias_declaration) @type
(concept_definition) @type
"""
)

_WITH_BODY = frozenset({"struct_specifier", "union_specifier", "enum_specifier", "class_specifier"})
_ANONYMOUS = {"struct_specifier": "struct", "union_specifier": "struct", "enum_specifier": "enum"}
_NAMES = frozenset({"identifier", "field_identifier", "type_identifier", "qualified_identifier"})
_WRAPPERS = frozenset(
    {"pointer_declarator", "reference_declarator", "array_declarator", "function_declarator"}
    | {"parenthesized_declarator", "init_declarator", "attributed_declarator"}
)
_CONSTANT = frozenset({b"const", b"constexpr", b"constinit"})

# Macros that stand where the grammar expects none, and say nothing of what is defined: "class API Store"
# would be a function called Store, "API int run();" a mistake.
_MACRO_BEFORE_TYPE_NAME = lazy_regex(
    rb"\b(?:class|struct|union|enum)[ \t]+([A-Z][A-Z0-9_]{2,80})[ \t]+(?=[A-Za-z_]\w*\s*(?:final\s*)?[:{])"
)
_MACRO_BEFORE_FUNCTION = lazy_regex(
    rb"^(?:extern[ \t]+|static[ \t]+|inline[ \t]+)?([A-Z][A-Z0-9_]{2,80})[ \t]+"
    rb"(?=(?:[a-z_][\w:]*[ \t]+)*[A-Za-z_][\w:]*[ \t*&]+[A-Za-z_]\w*[ \t]*\()",
    re.MULTILINE,
)


def without_macros(data: bytes) -> bytes:
    """The code with export macros blanked out, every byte in its place."""
    for pattern in (_MACRO_BEFORE_TYPE_NAME, _MACRO_BEFORE_FUNCTION):
        data = pattern.sub(_blanked, data)
    return data


def _blanked(match: re.Match[bytes]) -> bytes:
    start, end = match.start(1) - match.start(), match.end(1) - match.start()
    return match[0][:start] + b" " * (end - start) + match[0][end:]


def named(kind: str, node: Node) -> Iterator[Named]:
    """The names that a match defines; none for a type that is only mentioned."""
    if node.type in ("function_definition", "declaration", "field_declaration", "type_definition"):
        yield from _declared(kind, node)
    elif node.type not in _WITH_BODY or node.child_by_field_name("body") is not None:
        yield from by_field(kind, node)


def _declared(kind: str, node: Node) -> Iterator[Named]:
    if kind in ("variable", "attribute") and any(
        child.type == "type_qualifier" and child.text in _CONSTANT for child in node.children
    ):
        kind = "constant" if _has_value(node) else kind
    type_node = node.child_by_field_name("type")
    for place, declarator in enumerate(node.children_by_field_name("declarator")):
        name, called = _innermost(declarator)
        if name is None:
            continue
        if kind == "nothing":
            yield Named(kind, node, name)
        elif called and node.type != "type_definition":
            made = "method" if name.type == "qualified_identifier" else "function"
            made = "constructor" if type_node is None else made
            yield Named(made if node.type == "function_definition" else made + ".outer", node, name)
        elif node.type == "type_definition" and place == 0 and _is_anonymous(type_node):
            yield Named(_ANONYMOUS[type_node.type] if type_node else kind, node, name)
        elif node.type != "function_definition" or not called:
            yield Named(kind + ".leaf", node, name)


def _innermost(declarator: Node) -> tuple[Node | None, bool]:
    """The name in a declarator, and whether it is called as it stands: not that of a function pointer."""
    node: Node | None = declarator
    called = False
    while node is not None and node.type in _WRAPPERS:
        called = node.type == "function_declarator"
        inner = node.child_by_field_name("declarator")
        if inner is None:
            inner = next((child for child in node.named_children if child.type in _WRAPPERS | _NAMES), None)
        node = inner
    return (node if node is not None and node.type in _NAMES else None), called


def _is_anonymous(type_node: Node | None) -> bool:
    return (
        type_node is not None
        and type_node.type in _ANONYMOUS
        and type_node.child_by_field_name("name") is None
        and type_node.child_by_field_name("body") is not None
    )


def _has_value(node: Node) -> bool:
    return node.child_by_field_name("default_value") is not None or any(
        child.type == "init_declarator" for child in node.children
    )

"""What counts as a definition in each language that tree-sitter parses, as queries over its syntax.

In every query ``@name`` is the defined name and the other capture is both the defining node and the
kind of the definition. Where two patterns match the same name the one that stands first counts.
Three kinds only help to qualify names: ``impl`` opens a scope without defining anything, ``own`` is an
attribute set on the object inside a method, ``receiver`` the type a Go method belongs to.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Parser, Query

_PYTHON = """
(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(type_alias_statement left: (type (identifier) @name)) @type
(assignment left: (identifier) @name) @variable
(assignment left: (pattern_list (identifier) @name)) @variable
((assignment left: (attribute object: (identifier) @self attribute: (identifier) @name)) @own
  (#eq? @self "self"))
"""

_JAVASCRIPT = """
(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(method_definition name: (property_identifier) @name) @method
(method_definition name: (private_property_identifier) @name) @method
(variable_declarator name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)]) @function
(variable_declarator name: (identifier) @name value: (class)) @class
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant)
(variable_declarator name: (identifier) @name) @variable
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method
(pair key: (property_identifier) @name) @key
(pair key: (string (string_fragment) @name)) @key
((assignment_expression left: (member_expression object: (_) @object property: (property_identifier) @name)
  right: [(arrow_function) (function_expression)]) @function
  (#match? @object "^(module[.])?exports$"))
((assignment_expression
  left: (member_expression object: (_) @object property: (property_identifier) @name)) @constant
  (#match? @object "^(module[.])?exports$"))
(assignment_expression left: (member_expression object: (this) property: (property_identifier) @name)) @own
"""

_ONLY_JAVASCRIPT = """
(class_declaration name: (identifier) @name) @class
(field_definition property: (property_identifier) @name
  value: [(arrow_function) (function_expression)]) @method
(field_definition property: [(property_identifier) (private_property_identifier)] @name) @attribute
"""

_ONLY_TYPESCRIPT = """
(class_declaration name: (type_identifier) @name) @class
(abstract_class_declaration name: (type_identifier) @name) @class
(interface_declaration name: (type_identifier) @name) @interface
(type_alias_declaration name: (type_identifier) @name) @type
(enum_declaration name: (identifier) @name) @enum
(enum_body name: (property_identifier) @name @member)
(enum_assignment name: (property_identifier) @name) @member
(internal_module name: (identifier) @name) @namespace
(module name: (identifier) @name) @namespace
(function_signature name: (identifier) @name) @function
(method_signature name: (property_identifier) @name) @method
(abstract_method_signature name: (property_identifier) @name) @method
(property_signature name: (property_identifier) @name) @attribute
(public_field_definition name: (property_identifier) @name
  value: [(arrow_function) (function_expression)]) @method
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name) @attribute
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @own
"""

_GO = """
(function_declaration name: (identifier) @name) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @receiver))
  name: (field_identifier) @name) @method
(type_spec name: (type_identifier) @name type: (struct_type)) @struct
(type_spec name: (type_identifier) @name type: (interface_type)) @interface
(type_spec name: (type_identifier) @name) @type
(type_alias name: (type_identifier) @name) @type
(field_declaration name: (field_identifier) @name) @attribute
(method_elem name: (field_identifier) @name) @method
(const_spec name: (identifier) @name) @constant
(var_spec name: (identifier) @name) @variable
"""

_RUST = """
(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @struct
(union_item name: (type_identifier) @name) @struct
(enum_item name: (type_identifier) @name) @enum
(enum_variant name: (identifier) @name) @member
(trait_item name: (type_identifier) @name) @trait
(impl_item type: (_) @name) @impl
(mod_item name: (identifier) @name) @module
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @constant
(type_item name: (type_identifier) @name) @type
(associated_type name: (type_identifier) @name) @type
(macro_definition name: (identifier) @name) @macro
(field_declaration name: (field_identifier) @name) @attribute
"""

_QUERIES = {
    "python": _PYTHON,
    "javascript": _JAVASCRIPT + _ONLY_JAVASCRIPT,
    "typescript": _JAVASCRIPT + _ONLY_TYPESCRIPT,
    "tsx": _JAVASCRIPT + _ONLY_TYPESCRIPT,
    "go": _GO,
    "rust": _RUST,
}

PARSED = frozenset(_QUERIES)
"""The languages that are parsed."""


class Grammar(NamedTuple):
    """A parser with the query that finds definitions, and what joins the parts of a qualified name."""

    parser: Parser
    query: Query
    separator: str


@cache
def grammar(language: str) -> Grammar:
    """The grammar of one of :data:`PARSED`; each is loaded when it is first needed."""
    from tree_sitter import Language, Parser, Query

    loaded = Language(_load(language))
    return Grammar(Parser(loaded), Query(loaded, _QUERIES[language]), "::" if language == "rust" else ".")


def _load(language: str) -> object:
    match language:
        case "python":
            import tree_sitter_python

            return tree_sitter_python.language()
        case "javascript":
            import tree_sitter_javascript

            return tree_sitter_javascript.language()
        case "typescript":
            import tree_sitter_typescript

            return tree_sitter_typescript.language_typescript()
        case "tsx":
            import tree_sitter_typescript

            return tree_sitter_typescript.language_tsx()
        case "go":
            import tree_sitter_go

            return tree_sitter_go.language()
        case _:
            import tree_sitter_rust

            return tree_sitter_rust.language()

"""Definitions in Ruby, with those that a call in a class body makes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memaudit.repo.languages.named import Named, by_field

if TYPE_CHECKING:
    from tree_sitter import Node

QUERY = """
(module body: (body_statement (method) @method))
(method) @function
(singleton_method) @function
(class) @class
(module) @module
(alias) @function
(assignment left: (constant)) @assignment
(call method: (identifier)) @call
"""

_ACCESSORS = (
    "attr_reader attr_writer attr_accessor cattr_reader cattr_accessor mattr_reader mattr_accessor"
    " thread_mattr_accessor class_attribute store_accessor"
)
_ASSOCIATIONS = (
    "has_many has_one belongs_to has_and_belongs_to_many has_one_attached has_many_attached has_rich_text"
    " attribute"
)
_ALL = dict.fromkeys(_ACCESSORS.split(), "attribute") | {"delegate": "function", "def_delegators": "function"}
"""What each symbol among the arguments of a call is."""

_FIRST = dict.fromkeys(_ASSOCIATIONS.split(), "attribute") | dict.fromkeys(
    ("define_method", "define_singleton_method", "alias_method", "scope"), "function"
)
"""What the first argument of a call is."""

_MADE = {
    ("Struct", "new"): "class",
    ("Data", "define"): "class",
    ("Class", "new"): "class",
    ("Module", "new"): "module",
}
_KEY = "hash_key_symbol"
_SYMBOLS = frozenset({"simple_symbol", "bare_symbol", "bare_string", _KEY})
_LISTS = frozenset({"hash", "array", "symbol_array", "string_array"})


def named(kind: str, node: Node) -> Iterator[Named]:
    """The names that a match defines: by its name, its arguments, or what is assigned."""
    if kind == "call":
        yield from _called(node)
    elif kind == "assignment":
        yield from _assigned(node)
    else:
        yield from by_field(kind, node)


def _called(node: Node) -> Iterator[Named]:
    method, arguments = node.child_by_field_name("method"), node.child_by_field_name("arguments")
    if method is None or arguments is None or node.child_by_field_name("receiver") is not None:
        return
    called = _text(method)
    if called in _ALL:
        for argument in arguments.named_children:
            yield from _symbol(_ALL[called], node, argument)
    elif called in _FIRST:
        yield from _symbol(_FIRST[called], node, arguments.named_child(0))
    elif called == "enum":
        yield from _enum(node, arguments.named_children)


def _symbol(kind: str, node: Node, argument: Node | None) -> Iterator[Named]:
    if argument is not None and argument.type == "string":
        argument = argument.named_child(0) if argument.named_child_count else None
    if argument is not None and argument.type in ("simple_symbol", "string_content"):
        yield Named(kind, node, argument)


def _enum(node: Node, arguments: list[Node]) -> Iterator[Named]:
    """An enum of Rails: ``enum :status, { open: 0 }``, ``enum status: %i[ open closed ]``."""
    for place, argument in enumerate(arguments):
        values: Node | None = argument
        if argument.type == "simple_symbol" and place == 0:
            yield Named("attribute", node, argument)
        elif argument.type == "pair":
            key, values = argument.child_by_field_name("key"), argument.child_by_field_name("value")
            if key is not None and key.type == _KEY and values is not None and values.type in _LISTS:
                yield Named("attribute", node, key)
        if values is not None and values.type in _LISTS:
            for value in values.named_children:
                member = value.child_by_field_name("key") if value.type == "pair" else value
                if member is not None and member.type in _SYMBOLS:
                    yield Named("member", member, member)


def _assigned(node: Node) -> Iterator[Named]:
    """A constant, or the class that ``Struct.new`` and its like put into it."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None:
        return
    maker = ("", "")
    if right is not None and right.type == "call":
        receiver, method = right.child_by_field_name("receiver"), right.child_by_field_name("method")
        maker = (_text(receiver) if receiver else "", _text(method) if method else "")
    yield Named(_MADE.get(maker, "constant"), node, left)
    if right is not None and maker in (("Struct", "new"), ("Data", "define")):
        arguments = right.child_by_field_name("arguments")
        for argument in arguments.named_children if arguments else []:
            if argument.type == "simple_symbol":
                yield Named("attribute", argument, argument)


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")

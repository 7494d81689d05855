"""YAML read as a tree of nodes that know their lines. Safe loader, nothing constructed, bounded walks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import yaml

_MOST_ENTRIES = 2000
_MOST_PARTS = 400
"""Entries of one mapping or list that are looked at, and nodes that one body is made of.

Aliases let a short text stand for endless ones, so every walk is bounded.
"""


def load(text: str) -> yaml.Node | None:
    """The first document of a text as nodes; ValueError where it is no YAML."""
    import yaml

    try:
        return next(iter(yaml.compose_all(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))), None)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


def pairs(node: yaml.Node | None) -> Iterator[tuple[str, int, yaml.Node]]:
    """The entries of a mapping: key, line of the key from 1, value. Merged mappings (``<<``) come last."""
    import yaml

    if not isinstance(node, yaml.MappingNode):
        return
    merged: list[yaml.Node] = []
    for key, value in node.value[:_MOST_ENTRIES]:
        if not isinstance(key, yaml.ScalarNode):
            continue
        if key.value == "<<":
            merged += items(value) or [value]
        else:
            yield str(key.value), key.start_mark.line + 1, value
    for other in merged:
        if isinstance(other, yaml.MappingNode):
            for key, value in other.value[:_MOST_ENTRIES]:
                if isinstance(key, yaml.ScalarNode):
                    yield str(key.value), key.start_mark.line + 1, value


def child(node: yaml.Node | None, *keys: str) -> yaml.Node | None:
    """The value under a path of keys, None where one of them is missing."""
    for wanted in keys:
        node = next((value for key, _, value in pairs(node) if key == wanted), None)
    return node


def items(node: yaml.Node | None) -> list[yaml.Node]:
    """The items of a list; nothing for any other node."""
    import yaml

    return node.value[:_MOST_ENTRIES] if isinstance(node, yaml.SequenceNode) else []


def scalar(node: yaml.Node | None) -> str:
    """A scalar as it is written, ``""`` for any other node."""
    import yaml

    return str(node.value) if isinstance(node, yaml.ScalarNode) else ""


def scalars(node: yaml.Node | None) -> list[str]:
    """A scalar, or the scalars of a list."""
    return [value for value in [scalar(node), *map(scalar, items(node))] if value]


def line(node: yaml.Node) -> int:
    """The line a node begins on, from 1."""
    return int(node.start_mark.line) + 1


def body(node: yaml.Node | None, *, only: tuple[str, ...] = ()) -> str:
    """The scalars below a node, a line each with its key: equal for equal content, whatever the layout.

    With ``only``, of mappings no other keys are followed and keys are left out.
    """
    import yaml

    lines: list[str] = []
    todo: list[tuple[str, yaml.Node | None]] = [("", node)]
    for _ in range(_MOST_PARTS):
        if not todo:
            break
        label, part = todo.pop()
        if isinstance(part, yaml.ScalarNode):
            lines.append(f"{label}{part.value}")
        elif isinstance(part, yaml.SequenceNode):
            todo.extend((label, item) for item in reversed(items(part)[:_MOST_PARTS]))
        elif isinstance(part, yaml.MappingNode):
            entries = list(pairs(part))[:_MOST_PARTS]
            if only:
                todo.extend(("", value) for key, _, value in reversed(entries) if key in only)
            else:
                todo.extend((f"{key}: ", value) for key, _, value in reversed(entries))
    return "\n".join(lines)

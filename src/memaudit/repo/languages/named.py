"""How the name that a match defines is found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node


class Named(NamedTuple):
    """The kind of a definition (see :mod:`memaudit.repo.languages`), its node and the node of its name."""

    kind: str
    node: Node
    name: Node


def by_field(kind: str, node: Node) -> Iterator[Named]:
    """The name that the grammar itself calls so."""
    name = node.child_by_field_name("name")
    if name is not None:
        yield Named(kind, node, name)

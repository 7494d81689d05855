"""Members by their owner: which files define one, and whether an owner may have it from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from memaudit.grounding.ground import Side
from memaudit.patterns import lazy_regex
from memaudit.repo.symbols import Definition
from memaudit.repo.textsearch import MOST_HITS
from memaudit.repo.tokens import defined_of

_MIXIN = lazy_regex(r"\s*(?:include|prepend|extend|use)\s+[\\A-Z]")


def members(owner: str, member: str, side: Side) -> list[tuple[str, Definition]]:
    """The definitions of a member by path, sure ones first."""
    return sorted(
        _found(owner, member, side, _seeming(owner, member, side)),
        key=lambda pair: pair[1].kind.endswith("?"),
    )


def has_member(owner: str, member: str, side: Side) -> bool:
    """Whether an owner has a member, in any file that speaks of both."""
    paths = chain(_seeming(owner, member, side), _speaking(owner, member, side))
    return any(_found(owner, member, side, paths))


def may_inherit(side: Side, path: str, owner: Definition) -> bool:
    """Whether a type may have members from elsewhere: a parent, an interface, a mixin, a trait."""
    parents = rf"{re.escape(owner.name)}\s*(?:\(\s*\w|extends\b|implements\b|:\s*\w|<)"
    inside = side.lines(path)[owner.line_start : owner.line_end]
    return bool(re.search(parents, owner.signature)) or any(_MIXIN.match(line) for line in inside)


def _found(owner: str, member: str, side: Side, paths: Iterable[str]) -> Iterator[tuple[str, Definition]]:
    """The definitions of a member of an owner in files, one after the other."""
    for path in paths:
        for item in side.defined_in(path, member):
            if ("." + re.sub(r"::|#", ".", item.qualified)).endswith(f".{owner}.{member}"):
                yield path, item


def _seeming(owner: str, member: str, side: Side) -> list[str]:
    """The files that speak of an owner and seem to define a member. A common name has more than are found
    by its hits.
    """
    known = [path for path in side.defining_files(member) if owner.encode() in _content(side, path)]
    if len(side.hits(member)) < MOST_HITS:
        return known
    token = member.encode()
    more = (
        path for path in _speaking(owner, member, side) if defined_of(_content(side, path), [token], path)
    )
    return list(dict.fromkeys([*known, *more]))


def _speaking(owner: str, member: str, side: Side) -> list[str]:
    """The files that speak of both, when the member's name is a common one; of others the hits say all."""
    if len(side.hits(member)) < MOST_HITS:
        return []
    owned = set(side.files_with(owner))
    return [path for path in side.files_with(member) if path in owned]


def _content(side: Side, path: str) -> bytes:
    return side.snapshot.read(path) or b""

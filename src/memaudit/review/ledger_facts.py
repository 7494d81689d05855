"""What an audit saw, reduced to facts: (subject, relation) and the object found at base and at head.

The table of relations below is the only place that knows kinds of reference. A kind that is not in
it is recorded by the place it was found in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from memaudit.domain import CommitInfo, Location
from memaudit.grounding.reference import Mention, Outcome, Status
from memaudit.review.ledger_entries import State

_LONGEST = 500
"""Characters of a subject or object that are kept."""


class Fact(NamedTuple):
    """One key with what was found at base and at head; None where that side was not looked at.

    ``commit`` is the one that made the difference, ``deciding`` whether the fact contradicts the claim.
    """

    kind: str
    subject: str
    relation: str
    base: State | None
    head: State | None
    commit: CommitInfo | None = None
    deciding: bool = False


Reader = Callable[[Mention, str | None, Location | None], str | None]
"""Makes a subject or an object from a mention, a rendering of what was found, and its place."""


def _named(mention: Mention, found: str | None, at: Location | None) -> str:
    return mention.target.strip()


def _in_file(mention: Mention, found: str | None, at: Location | None) -> str:
    """The name with the file that declares it: other files may declare the same name otherwise."""
    return f"{mention.target.strip()} in {at.path}" if at else mention.target.strip()


def _first_in_file(mention: Mention, found: str | None, at: Location | None) -> str:
    """The part of the target that is no claimed value: ``python`` of ``python 3.11``."""
    name = (mention.extra[0] if mention.extra else "").lstrip("=") or "project"
    return f"{name} in {at.path}" if at else name


def _versions(mention: Mention, found: str | None, at: Location | None) -> str:
    return f"{mention.extra[0]} versions in {at.path}" if at else f"{mention.extra[0]} versions"


def _package(mention: Mention, found: str | None, at: Location | None) -> str:
    name = found.partition(" ")[0] if found else mention.target.strip()
    return f"{name} in {at.path}" if at else name


def _packages_of(mention: Mention, found: str | None, at: Location | None) -> str:
    from memaudit.grounding.manager import LOCKS

    ecosystems = {manager: ecosystem for manager, _, ecosystem in LOCKS}
    folder = at.path.rpartition("/")[0] if at else ""
    return f"{ecosystems.get(mention.target, mention.target)} packages in {folder or '.'}"


def _things(mention: Mention, found: str | None, at: Location | None) -> str:
    noun = mention.text.partition(" ")[2]
    return f"{noun} in {at.path}" if at else noun


def _list_in(mention: Mention, found: str | None, at: Location | None) -> str:
    name = f"list from {mention.extra[1]}" if len(mention.extra) > 1 else "list"
    return f"{name} in {at.path}" if at else name


def _file(mention: Mention, found: str | None, at: Location | None) -> str:
    return at.path if at else mention.target.strip()


def _line_without_number(mention: Mention, found: str | None, at: Location | None) -> str:
    before, number, after = (found or "").partition(_number(mention, found))
    shown = f"{before}…{after}" if number else "port"
    return f"{shown} in {at.path}" if at else shown


def _number(mention: Mention, found: str | None) -> str:
    """The port a line gives: the claimed one, or the number that stands in its place."""
    if found is None or mention.target in found:
        return mention.target
    return max((part for part in _digits(found) if len(part) > 1), key=len, default=mention.target)


def _digits(text: str) -> list[str]:
    return "".join(char if char.isdigit() else " " for char in text).split()


def _port(mention: Mention, found: str | None, at: Location | None) -> str | None:
    return None if found is None else _number(mention, found)


def _path(mention: Mention, found: str | None, at: Location | None) -> str | None:
    """The file or folder itself."""
    return found or (at.path.rstrip("/") if at else None)


def _place(mention: Mention, found: str | None, at: Location | None) -> str | None:
    """The file that has it: the line may read otherwise and still say the same."""
    return at.path if at else None


def _shown(mention: Mention, found: str | None, at: Location | None) -> str | None:
    """What it is there."""
    return found


def _line(mention: Mention, found: str | None, at: Location | None) -> str | None:
    """The words of the line, wherever it moved."""
    return at.text if at else None


def _kept(mention: Mention, found: str | None, at: Location | None) -> str | None:
    return found or ("tracked" if at else None)


def _percent(mention: Mention, found: str | None, at: Location | None) -> str | None:
    return found or (f"{mention.target} %" if at else None)


def _items(mention: Mention, found: str | None, at: Location | None) -> str | None:
    """The items: where a list supports a claim, those that the claim gives."""
    return found or (mention.target if at else None)


class Relation(NamedTuple):
    """How outcomes of one kind become facts.

    ``movable``: one key holds both sides even where they lie in different files. ``pinned``: what the
    claim says is counted from the base (line numbers), so that it cannot be judged from another one.
    """

    word: str
    subject: Reader
    object: Reader
    movable: bool = False
    pinned: bool = False


RELATIONS: dict[str, Relation] = {
    "path": Relation("is at", _path, _path, movable=True),
    "glob": Relation("matches", _named, _shown),
    "citation": Relation("points at", _named, _line, pinned=True),
    "command": Relation("runs", _in_file, _shown),
    "task": Relation("is declared in", _named, _place),
    "program": Relation("starts", _in_file, _shown),
    "subcommand": Relation("is registered in", _named, _place),
    "module": Relation("is at", _named, _path),
    "package": Relation("is at", _named, _path),
    "symbol": Relation("is in", _named, _place),
    "membership": Relation("stands in", _named, _place),
    "route": Relation("is registered in", _named, _place),
    "value": Relation("value is", _first_in_file, _shown),
    "port": Relation("port is", _line_without_number, _port),
    "count": Relation("count is", _things, _shown),
    "listing": Relation("holds", _list_in, _items),
    "census": Relation("count is", _named, _shown),
    "size": Relation("size is", _file, _shown),
    "schedule": Relation("runs on schedule", _file, _shown),
    "tracked": Relation("is kept by git as", _named, _kept),
    "literal": Relation("stands in", _named, _place),
    "coverage": Relation("has threshold", _file, _percent),
    "behaviour": Relation("does", _named, _shown),
    "condition": Relation("stands in", _named, _place),
    "datafile": Relation("stands in", _named, _place),
    "extra": Relation("is listed in", _named, _place),
    "flag": Relation("is declared in", _named, _place),
    "image": Relation("uses", _first_in_file, _shown),
    "stage": Relation("version is", _first_in_file, _shown),
    "practice": Relation("is set up by", _named, _place),
    "spelling": Relation("is at", _named, _path),
    "version": Relation("version is", _first_in_file, _shown),
    "matrix": Relation("are", _versions, _shown),
    "manager": Relation("are managed by", _packages_of, _shown, movable=True),
    "dependency": Relation("is declared as", _package, _shown),
    "ref": Relation("is known to git as", _named, _shown),
    "tool": Relation("is shown by", _named, _place),
}
"""Each kind of reference with its relation word and with what is kept of it."""

SIGNATURE = Relation("is called as", _named, _shown)
"""What a call shows of a symbol; it stands beside the place of the symbol."""

_OTHERWISE = Relation("is found in", _named, _place)
_GONE = ("-gone", "-renamed", "-empty", "not-in-file")


def relation_of(kind: str) -> Relation:
    """The relation of a kind."""
    return RELATIONS.get(kind, _OTHERWISE)


def facts_of(outcome: Outcome) -> list[Fact]:
    """The facts of one outcome: none where it proves nothing, two where base and head have other keys."""
    if outcome.status in (Status.OPEN, Status.OUTSIDE):
        return []
    mention, against = outcome.mention, outcome.status is Status.CONTRADICTED
    signature = outcome.reason == "signature-changed"
    relation = SIGNATURE if signature else relation_of(mention.kind)
    gone = against and outcome.reason.endswith(_GONE)
    base = _found(relation, mention, outcome.base, outcome.base_at)
    head = None if gone else _found(relation, mention, outcome.head, outcome.head_at)
    if gone:
        at = outcome.head_at if outcome.head and outcome.reason.endswith("-renamed") else None
        absent = _state(None, at, instead=outcome.head if at else None)
    else:
        absent = State(None)
    if against and base is None:
        base = State(None)
    if head is None and (against or _is_absence(outcome)):
        head = absent
    key = _key(relation, mention, outcome)
    make: dict[str, Any] = {
        "kind": mention.kind,
        "relation": relation.word,
        "commit": outcome.commit,
        "deciding": against,
    }
    if key[0] == key[1]:
        found = [Fact(subject=key[0], base=base, head=head, **make)] if base or head else []
    else:
        # Gone from where it was, and there under another key.
        found = [Fact(subject=key[0], base=base, head=absent if against else None, **make)] if base else []
        if head is not None:
            found.append(Fact(subject=key[1], base=None, head=head, **make))
    return found


def _is_absence(outcome: Outcome) -> bool:
    """Whether an outcome that supports the claim found nothing, as the claim says."""
    return outcome.status is Status.SUPPORTED and outcome.head is None and outcome.head_at is None


def is_pinned(outcome: Outcome) -> bool:
    """Whether the claim names a line of the base that stands at another line of head."""
    places = outcome.base_at, outcome.head_at
    moved = None in places or len({place.line for place in places if place}) > 1
    return relation_of(outcome.mention.kind).pinned and moved


def _found(relation: Relation, mention: Mention, found: str | None, at: Location | None) -> State | None:
    if found is None and at is None:
        return None
    value = relation.object(mention, found, at)
    return None if value is None else _state(value, at)


def _state(value: str | None, at: Location | None, instead: str | None = None) -> State:
    cut = None if value is None else " ".join(value.split())[:_LONGEST]
    shown = (instead or "")[:_LONGEST]
    return State(cut, at.path, at.line, at.text, shown) if at else State(cut, instead=shown)


def _key(relation: Relation, mention: Mention, outcome: Outcome) -> tuple[str, str]:
    """The subjects at base and at head; a side on which nothing was found has the other's."""
    sides = ((outcome.base, outcome.base_at), (outcome.head, outcome.head_at))
    present = [(found, at) for found, at in sides if found is not None or at is not None]
    if not present:
        present = [(None, None)]
    gone = outcome.status is Status.CONTRADICTED and outcome.reason.endswith(_GONE)
    if relation.movable or gone or len(present) == 1:
        present = present[:1]
    subjects = [(relation.subject(mention, *side) or mention.target).strip()[:_LONGEST] for side in present]
    return subjects[0], subjects[-1]

"""Parameters that a claim shows a function with: "`write_note(title, folder)`"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from memaudit.grounding.bodied import certain, certain_in, files_with
from memaudit.grounding.ground import Ground, Side
from memaudit.grounding.parameters import IMPLIED, parameters
from memaudit.grounding.reference import Mention, Outcome, Replacement, broken
from memaudit.repo.symbols import Definition


def signature_changed(mention: Mention, name: str, home: str | None, ground: Ground) -> Outcome | None:
    """Stale when all parameters shown were the definition's at base and are not at head.

    A list that named every required parameter at base is also stale when head requires another.
    """
    claimed = mention.extra[1:] if mention.extra[:1] == ("call",) else ()
    before = _with_parameters(name, claimed, home, ground.base) if claimed else None
    if before is None:
        return None
    path, was = before
    same = []
    if path in ground.head.defining_files(name):
        same = [(path, item) for item in certain_in(path, name, ground.head)]
    same = same or list(islice(certain(name, ground.head), 2))
    if len(same) != 1:
        return None
    where, definition = same[0]
    old, new = parameters(ground.base, path, was), parameters(ground.head, where, definition)
    if old is None or new is None:
        return None
    names = [item.name for item in new]
    if any(item.rest for item in new) and not set(claimed) <= set(names):
        return None  # What is not named may be handed over all the same.
    lost = [item for item in claimed if item not in names]
    fresh = [item.name for item in new if item.name not in {one.name for one in old}]
    added = [item.name for item in new if item.required and item.name in fresh]
    complete = [item.name for item in old if item.required and item.name not in IMPLIED] == list(claimed)
    if not lost and not (complete and added):
        return None
    owner = re.split(r"\.|::|#|->", mention.target)[-2:-1]
    proved = len(lost) == 1 and len(fresh) == 1 and (not owner or owner[0] in was.qualified)
    replacements: tuple[Replacement, ...] = (
        (Replacement(lost[0], fresh[0], proved, "parameter"),) if lost and fresh else ()
    )
    if not lost:
        replacements = (Replacement(claimed[-1], f"{claimed[-1]}, {', '.join(added)}", True, "parameter"),)
    return broken(
        mention,
        "signature-changed",
        f"{name} no longer takes {', '.join(lost)}" if lost else f"{name} also needs {', '.join(added)}",
        base=was.signature,
        head=definition.signature,
        base_at=ground.base.at(path, was.line_start),
        head_at=ground.head.at(where, definition.line_start),
        commit=ground.line_change(path, lost[0])
        if lost
        else ground.line_change(where, added[0], vanished=False),
        confidence=0.9 if lost else 0.85,
        replacements=replacements,
    )


def _with_parameters(
    name: str, claimed: Sequence[str], home: str | None, side: Side
) -> tuple[str, Definition] | None:
    """The definition that takes all claimed parameters; the one where the claim's neighbours are, if any."""
    for path in sorted(files_with(name, side), key=lambda path: path.rpartition("/")[0] != home):
        for definition in certain_in(path, name, side):
            if set(claimed) <= {item.name for item in parameters(side, path, definition) or ()}:
                return path, definition
    return None

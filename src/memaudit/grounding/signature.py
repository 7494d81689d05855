"""Parameters that a claim shows a function with: "`write_note(title, folder)`"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from memaudit.grounding.bodied import certain, certain_in, files_with
from memaudit.grounding.code import subwords
from memaudit.grounding.ground import Ground, Side
from memaudit.grounding.parameters import IMPLIED, Parameter, parameters
from memaudit.grounding.reference import Mention, Outcome, Replacement, broken
from memaudit.repo.symbols import Definition, language


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
    example = language(where) in _BY_PLACE and _is_example(mention.text, claimed)
    if lost and example and _is_same_but_for_a_name(old, new):
        return None
    fresh = [item.name for item in new if item.name not in {one.name for one in old}]
    added = [item.name for item in new if item.required and item.name in fresh]
    if not lost and not (_complete(claimed, old) and added):
        return None
    owner = re.split(r"\.|::|#|->", mention.target)[-2:-1]
    call = _call_at_head(mention.text, claimed, old, new)
    if call and lost and owner and owner[0] not in was.qualified:
        call = replace(call, proved=False)
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
        replacements=(call,) if call else (),
    )


_BY_PLACE = frozenset({"rust", "go", "c", "cpp", "header", "java", "javascript", "typescript", "tsx", "bash"})
"""Languages whose calls name no parameter: one that is called otherwise takes what it took."""


def _is_example(shown: str, claimed: Sequence[str]) -> bool:
    """Whether a call is shown with something that is no parameter's name: a value, a closure, dots."""
    return shown.count(",") + 1 > len(claimed)


def _is_same_but_for_a_name(old: Sequence[Parameter], new: Sequence[Parameter]) -> bool:
    if len(old) != len(new):
        return False
    other = [pair for pair in zip(old, new, strict=True) if pair[0].name != pair[1].name]
    return len(other) == 1 and other[0][0].required == other[0][1].required


def not_taken(mention: Mention, name: str, side: Side) -> tuple[str, bool] | None:
    """In words, that no definition takes all parameters a call is shown with, and whether one takes some.

    None where one takes all, or may take any, or where what they take cannot be read.
    """
    claimed = mention.extra[1:] if mention.extra[:1] == ("call",) else ()
    found = [(path, item) for path, item in certain(name, side)] if claimed else []
    taken: list[set[str]] = []
    for path, item in found:
        read = parameters(side, path, item)
        if read is None or any(one.rest for one in read):
            return None
        taken.append({one.name for one in read})
    if not taken or any(set(claimed) <= names for names in taken):
        return None
    nearest = max(taken, key=lambda names: len(names & set(claimed)))
    beyond = ", ".join(item for item in claimed if item not in nearest)
    return f"{name} takes no {beyond} at head", bool(nearest & set(claimed))


def _call_at_head(
    shown: str, claimed: Sequence[str], old: Sequence[Parameter], new: Sequence[Parameter]
) -> Replacement | None:
    """The call as it may be shown at head, with no parameter that head does not take; None where unclear.

    One that is gone gives way to its one successor. Several are left out, with what is required now added.
    """
    names, before = [item.name for item in new], [item.name for item in old]
    lost = [item for item in claimed if item not in names]
    fresh = [item.name for item in new if item.name not in before and item.name not in claimed]
    start, end = shown.find("("), shown.rfind(")")
    parts = [part.strip() for part in shown[start + 1 : end].split(",")]
    if start < 0 or end < start or len(parts) != len(claimed):
        return None
    later = _successor(lost[0], before, names, fresh) if len(lost) == 1 else None
    if later:
        word = re.compile(rf"(?<![\w$]){re.escape(lost[0])}(?![\w$])")
        kept = [word.sub(later, part, count=1) for part in parts]
        told = [later if item == lost[0] else item for item in claimed]
    else:
        pairs = [pair for pair in zip(parts, claimed, strict=True) if pair[1] in names]
        kept, told = [part for part, _ in pairs], [item for _, item in pairs]
        if lost and not told:
            return None
    needed = [item.name for item in new if item.required and item.name in fresh and item.name not in told]
    if _complete(claimed, old):
        kept, told = [*kept, *needed], [*told, *needed]
        if needed:
            kept = [part for _, part in sorted(zip(map(names.index, told), kept, strict=True))]
    gone = [item for item in before if item not in names]
    proved = not lost or (later is not None and gone == lost and fresh == [later])
    return Replacement(shown, f"{shown[: start + 1]}{', '.join(kept)}{shown[end:]}", proved, "parameter")


def _complete(claimed: Iterable[str], old: Sequence[Parameter]) -> bool:
    """Whether a claim named all that a caller had to give, and nothing else."""
    return [item.name for item in old if item.required and item.name not in IMPLIED] == list(claimed)


def _successor(lost: str, before: Sequence[str], names: Sequence[str], fresh: Sequence[str]) -> str | None:
    """The one new parameter that a lost one became: by its words, or as the one change of the list."""
    words = set(subwords(lost))
    alike = [
        item for item in fresh if words and (words <= set(subwords(item)) or set(subwords(item)) <= words)
    ]
    if len(alike) == 1:
        return alike[0]
    gone = [item for item in before if item not in names]
    only = not alike and gone == [lost] and len(fresh) == 1
    return fresh[0] if only and before.index(lost) == names.index(fresh[0]) else None


def _with_parameters(
    name: str, claimed: Sequence[str], home: str | None, side: Side
) -> tuple[str, Definition] | None:
    """The definition that takes all claimed parameters; the one where the claim's neighbours are, if any."""
    for path in sorted(files_with(name, side), key=lambda path: path.rpartition("/")[0] != home):
        for definition in certain_in(path, name, side):
            if set(claimed) <= {item.name for item in parameters(side, path, definition) or ()}:
                return path, definition
    return None

"""What stands beside a path that moved: a line that lists more than what moved may not be true of the
new place, however sure the move is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memaudit.domain import Claim
from memaudit.grounding.ground import Ground
from memaudit.grounding.path import PathKind
from memaudit.grounding.pathwords import EXTENSION
from memaudit.grounding.places import resolve
from memaudit.grounding.reference import Mention, Outcome, Status
from memaudit.grounding.words import ClaimText, Form
from memaudit.patterns import lazy_regex

_NAME = lazy_regex(r"[\w-]+\Z")


def leaves_the_rest(claim: Claim, outcomes: Sequence[Outcome], ground: Ground) -> bool:
    """Whether a path of the claim moved while something else that the line names did not come along.

    That is so where the line tells of the folder that the path left, where another path of the line is
    not found at head, or where what it lists of a moved folder is not in the new one.
    """
    moves = [
        (item.base.rstrip("/"), item.head.rstrip("/"))
        for item in outcomes
        if item.reason == "path-moved" and item.base and item.head
    ]
    if not moves:
        return False
    text = ClaimText(claim)
    kept = [
        item.head.rstrip("/")
        for item in outcomes
        if item.status is Status.SUPPORTED and item.mention.kind == "path" and item.head
    ]
    if any(_left(old, new, folder) for old, new in moves for folder in kept):
        return True
    gone = {item.mention.target for item in outcomes if item.status is Status.CONTRADICTED}
    others = [
        mention
        for mention in PathKind().mentions(text)
        if mention.kind == "path" and mention.target not in gone and _is_meant(mention)
    ]
    return any(not _is_found(mention, text, moves, ground) for mention in others) or any(
        _stayed(word.text, old, new, ground) for word in text.of(Form.CODE) for old, new in moves
    )


def _left(old: str, new: str, folder: str) -> bool:
    return old.startswith(f"{folder}/") and not new.startswith(f"{folder}/")


def _is_meant(mention: Mention) -> bool:
    """Whether a path is one by more than a slash between two words."""
    plain = mention.form is Form.PLAIN
    return not plain or mention.target.endswith("/") or bool(EXTENSION.search(mention.target))


def _is_found(mention: Mention, text: ClaimText, moves: Sequence[tuple[str, str]], ground: Ground) -> bool:
    """Whether another path of the line is at head; what lay in a moved folder has to be in the new one."""
    head = [item.path for item in resolve(mention, text, ground.head)]
    for was in resolve(mention, text, ground.base)[:1]:
        for old, new in moves:
            if was.path.startswith(f"{old}/") and not any(path.startswith(f"{new}/") for path in head):
                return ground.head.snapshot.exists(new + was.path[len(old) :])
    return bool(head)


def _stayed(name: str, old: str, new: str, ground: Ground) -> bool:
    """Whether a moved folder had something of that name, with whatever ending, and the new one has not."""
    if not _NAME.match(name):
        return False
    spelled = re.compile(rf"{re.escape(name)}(?:\.\w+)?\Z")
    was, now = ground.base.snapshot.children(old), ground.head.snapshot.children(new)
    return any(map(spelled.match, was)) and not any(map(spelled.match, now))

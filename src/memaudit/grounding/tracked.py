"""Files that a claim says are kept in git: "Always commit `data/seed.json`", "`x.lock` is tracked".

A file that is still made but now ignored is not gone from anybody's disk; the claim that it is
committed is false all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memaudit.grounding.ground import Ground
from memaudit.grounding.language import Polarity, polarity
from memaudit.grounding.path import PathKind
from memaudit.grounding.places import resolve
from memaudit.grounding.reference import Mention, Outcome, broken, supported
from memaudit.grounding.words import ClaimText, Form
from memaudit.patterns import lazy_regex

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Always commit `data/seed.json` with the code.", ("data/seed.json",)),
    ("`api/schema.json` is checked in.", ("api/schema.json",)),
    ("`data/desk.jsonl` # git-tracked store", ("data/desk.jsonl",)),
    ("Never commit `data/seed.json`.", ()),
    ("`data/seed.json` is not tracked by git.", ()),
    ("Commit messages follow `docs/commits.md`.", ()),
    ("`data/seed.json` holds the seed.", ()),
)
"""Claim text, and the files read from it that it says are kept in git."""

_KEPT_BEFORE = lazy_regex(
    r"\b(?:commit|track|check in|stage)\s+(?:(?:both|the|updated|your)\s+)*[`*\"(]*\Z", re.IGNORECASE
)
_KEPT_AFTER = lazy_regex(
    r"\A[`*)]*[^.;]{0,40}?\b(?:(?:is|are|gets?|stays?)\s+(?:committed|tracked|checked in|versioned)"
    r"|git[- ](?:tracked|synced|versioned)|version[- ]controlled"
    r"|(?:tracked|committed|kept) (?:in|by|to|with) git)\b",
    re.IGNORECASE,
)
_DENIED = lazy_regex(r"\b(?:not|never|don't|don’t|do not|n't|avoid|without|stop|before)\b", re.IGNORECASE)


class TrackedKind:
    """Files said to be kept in git."""

    name = "tracked"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """Paths right behind "commit", or followed by a word that says git keeps them."""
        for path in PathKind().mentions(text):
            before, after = text.text[: path.start], text.text[path.end :]
            if path.form is Form.TREE:
                before, after = "", re.split(r"\s", text.text, maxsplit=1)[-1]
            sentence = re.split(r"[.!?]\s", before)[-1] + re.split(r"[.!?](?:\s|\Z)", after)[0]
            if path.kind != "path" or _DENIED.search(sentence):
                continue
            if _KEPT_BEFORE.search(before) or _KEPT_AFTER.search(after):
                said = polarity(text, path.start, path.end)
                yield Mention("tracked", path.text, path.target, path.start, path.end, path.form, said)

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """The trees and the ignore rules are asked. Nothing to search for."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Stale when the tree had the file at base and at head lacks it because git ignores it."""
        if mention.polarity is not Polarity.ASSERTED:
            return None
        base, head = (next(iter(resolve(mention, text, side)), None) for side in (ground.base, ground.head))
        if head:
            return supported(mention, f"git tracks {head.path}", head_at=ground.head.place(head.path))
        if base is None or not ground.head.snapshot.ignored(base.path):
            return None
        return broken(
            mention,
            "not-tracked",
            f"git tracked {base.path} at base; at head it is ignored",
            base="tracked",
            head="ignored",
            base_at=ground.base.place(base.path),
            commit=ground.removed_by(base.path),
            confidence=0.9,
        )

"""Rules for a time: "leave it alone until the migration is over".

Whether such a time is over no file shows. What the rule names may be there and the rule be spent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memaudit.domain import Block
from memaudit.grounding.ground import Ground
from memaudit.grounding.language import Polarity
from memaudit.grounding.reference import Mention, Outcome, Status
from memaudit.grounding.words import ClaimText, Form
from memaudit.patterns import lazy_regex

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Leave `a.py` alone until the migration is over.", ("until the migration is over",)),
    ("Do not touch `a.py` until further notice.", ("until further notice",)),
    ("Leave `a.py` alone as long as `MOVE` is in it.", ()),
    ("It waits until the server is ready.", ()),
    ("Do not push until all tests pass.", ()),
)
"""Claim text and the condition read from it."""

_UNTIL = lazy_regex(
    r"\b(?:until|till|as long as)\s+(?:further notice|[^.;,`#\d]{0,40}\b(?:migrat\w+|move|rewrite|cutover"
    r"|roll-?out|transition|freeze|launch|upgrade|switch(?:-?over)?|handover)\b[^.;,`#\d]{0,40})",
    re.IGNORECASE,
)


class ConditionKind:
    """Conditions of time that only people know of."""

    name = "condition"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """An end in time that is named in words alone."""
        match = _UNTIL.search(text.text) if text.claim.block not in (Block.COMMAND, Block.FENCE) else None
        if match and text.text[match.end() : match.end() + 1] not in ("`", "#"):
            said = match[0].rstrip()
            end = match.start() + len(said)
            yield Mention("condition", said, said, match.start(), end, Form.PLAIN, Polarity.ASSERTED)

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Nothing can be looked up."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Undecided, whatever else the claim names is there."""
        return Outcome(
            mention,
            Status.UNSETTLED,
            "ambiguous",
            f"it holds {mention.text}, and no file tells whether that time is over",
            confidence=0.5,
        )

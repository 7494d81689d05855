"""Code samples in a memory document: what they make up themselves is no name of the repository."""

from __future__ import annotations

import re

from memaudit.domain import Block
from memaudit.grounding.reference import Mention
from memaudit.grounding.words import ClaimText


def shown_in(name: str, text: ClaimText) -> bool:
    """Whether a code sample of the same document defines the name."""
    defined = re.compile(rf"\b(?:fn|def|func|fun|function|class|void)\s+{re.escape(name)}\b")
    return any(defined.search(claim.text) for claim in text.document if claim.block is Block.FENCE)


def is_bound(mention: Mention, text: ClaimText) -> bool:
    """Whether the owner of a member in a code sample is a variable of that sample, and no module."""
    owner = re.split(r"\.|::", mention.target)[0]
    if mention.extra[:1] != ("sample",) or "::" in mention.target:
        return False
    name = re.escape(owner)
    ways = (
        rf"(?<![\w.]){name}\s*(?::\s*[\w<>\[\], &|.]+?)?\s*(?::=|=(?!=))",
        rf"[(,|]\s*{name}\s*[:)|]",
        rf"\b(?:as|for)\s+\(?(?:const\s+|let\s+|var\s+)?{name}\b",
    )
    return any(re.search(way, text.text) for way in ways)

"""Branches, tags and pull requests: what git itself answers, without a network."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memaudit.grounding.ground import Ground
from memaudit.grounding.language import polarity
from memaudit.grounding.reference import Mention, Outcome, broken, supported
from memaudit.grounding.words import ClaimText, Form
from memaudit.patterns import lazy_regex

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Fixes go to the `release/3.x` branch.", ("release/3.x",)),
    ("Tags look like `v3.2.0`.", ("v3.2.0",)),
    ("PR #14 is still open.", ("#14",)),
    ("Use the `fast` path.", ()),
    ("See PR #14.", ()),
)
"""Claim text and the branches, tags and open pull requests read from it."""

_NEAR = lazy_regex(r"\b(?:branch(?:es)?|tags?|tagged|released?)\b", re.IGNORECASE)
_NAME = lazy_regex(r"[\w.-]+(?:/[\w.-]+)*\Z")
_OPEN = lazy_regex(
    r"\b(?:PR|pull request|MR)\s*#?(\d+)\b[^.;]{0,30}"
    r"\b(?:open|pending|unmerged|not (?:yet )?merged|in review|waiting)\b"
    r"|\b(?:until|once|when)\s+(?:PR|pull request|MR)\s*#?(\d+)\b",
    re.IGNORECASE,
)


class RefKind:
    """Names that git keeps: branches and tags, and pull requests that a claim calls open."""

    name = "ref"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """Code spans in claims that speak of branches or tags; numbers of open pull requests."""
        if _NEAR.search(text.prose):
            for word in text.of(Form.CODE):
                if _NAME.match(word.text):
                    said = polarity(text, word.start, word.end)
                    yield Mention("ref", word.text, word.text, word.start, word.end, word.form, said)
        for match in _OPEN.finditer(text.text):
            number = match[1] or match[2]
            said = polarity(text, match.start(), match.end())
            yield Mention("ref", match[0], f"#{number}", match.start(), match.end(), Form.PLAIN, said)

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Refs are known; merged numbers are read in one walk when first asked for."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """A ref that exists supports; a pull request merged in the range contradicts "still open"."""
        if not mention.target.startswith("#"):
            if mention.target not in ground.refs:
                return None
            why = f"{mention.target} is the name of a branch or tag"
            return supported(mention, why, head=mention.target)
        commit = ground.merged.get(int(mention.target[1:]))
        if commit is None:
            return None
        return broken(
            mention,
            "pull-request-merged",
            f"{mention.target} was merged in the range",
            commit=commit,
            head=commit.summary,
            confidence=0.85,
        )

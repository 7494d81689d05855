"""Which of many tokens a text holds."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memaudit.repo.tokens import words_of

_WORD = rb"A-Za-z0-9_"
_FEW = 20
"""Up to so many tokens are looked for one by one; taking a text apart into words costs about as much."""


class Scanner:
    """Looks for the same tokens in text after text."""

    def __init__(self, tokens: Iterable[str]) -> None:
        sought = {token.encode(): token for token in tokens}
        plain = {token: name for token, name in sought.items() if not re.search(rb"[-$]", token)}
        self._words = plain if len(plain) > _FEW else {}
        self._patterns = [
            (token, _whole(token), name) for token, name in sought.items() if token not in self._words
        ]
        self._wanted = frozenset(self._words)

    def held(self, data: bytes) -> list[str]:
        """The tokens that stand in a text as whole words, as :func:`memaudit.repo.tokens.lines_with` does."""
        found = [name for token, whole, name in self._patterns if token in data and whole.search(data)]
        if self._wanted:
            found += [self._words[token] for token in self._wanted.intersection(words_of(data))]
        return found


def _whole(token: bytes) -> re.Pattern[bytes]:
    # The token comes first, as what a pattern begins with is sought faster than what it may not follow.
    word, literal = _WORD, re.escape(token)
    if b"-" not in token:
        return re.compile(rb"%b(?<![%b]%b)(?![%b])" % (literal, word, literal, word))
    return re.compile(
        rb"%b(?<![%b]%b)(?<![%b]-%b)(?![%b]|-[%b])" % (literal, word, literal, word, literal, word, word)
    )

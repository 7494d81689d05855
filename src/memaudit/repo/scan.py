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
        self._names = {token.encode(): token for token in tokens}
        self._with: dict[bytes, list[bytes]] = {}
        """The tokens by their longest word; "$" has none."""
        for token in self._names:
            self._with.setdefault(max(words_of(token), key=len, default=b""), []).append(token)
        self._words = frozenset(self._with) if len(self._with) > _FEW else frozenset()
        self._whole: dict[bytes, re.Pattern[bytes]] = {}

    def held(self, data: bytes) -> list[str]:
        """The tokens that stand in a text as whole words, as :func:`memaudit.repo.tokens.lines_with` does."""
        if not self._words:
            return [
                name for token, name in self._names.items() if token in data and self._stands(token, data)
            ]
        words = words_of(data)
        words.append(b"")
        return [
            self._names[token]
            for word in self._words.intersection(words)
            for token in self._with[word]
            if token == word or (token in data and self._stands(token, data))
        ]

    def _stands(self, token: bytes, data: bytes) -> bool:
        whole = self._whole.get(token)
        if whole is None:
            whole = self._whole[token] = _whole(token)
        return whole.search(data) is not None


def _whole(token: bytes) -> re.Pattern[bytes]:
    # The token comes first, as what a pattern begins with is sought faster than what it may not follow.
    word, literal = _WORD, re.escape(token)
    if b"-" not in token:
        return re.compile(rb"%b(?<![%b]%b)(?![%b])" % (literal, word, literal, word))
    return re.compile(
        rb"%b(?<![%b]%b)(?<![%b]-%b)(?![%b]|-[%b])" % (literal, word, literal, word, literal, word, word)
    )

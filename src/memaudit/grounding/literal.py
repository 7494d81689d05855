"""Addresses that stand in code as they are: e-mail addresses and host names of the project's own.

They are rarely wrong to begin with: only one that code had at base and no file has at head is stale.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memaudit.domain import Location
from memaudit.grounding.ground import Ground, Side, is_test
from memaudit.grounding.language import Polarity, polarity
from memaudit.grounding.reference import Mention, Outcome, Replacement, broken, supported
from memaudit.grounding.words import ClaimText, Form
from memaudit.patterns import lazy_regex

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Log in as dora@desk.test (seed data).", ("dora@desk.test",)),
    ("The site runs on `http://admin.desk.localhost:3000`.", ("admin.desk.localhost",)),
    ("Write to security@example.com.", ("security@example.com",)),
    ("See https://docs.python.org/3/.", ()),
    ("Use `user@host` with ssh.", ()),
    ("Import `@desk/core`.", ()),
)
"""Claim text and the addresses read from it."""

_EMAIL = lazy_regex(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b")
_HOST = lazy_regex(r"(?<![\w.@-])(?:[\w-]+\.)+(?:localhost|test|local|internal)\b(?![\w.-])")


class LiteralKind:
    """E-mail addresses and local host names."""

    name = "literal"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """Every address of the claim, in code or in prose."""
        for pattern in (_EMAIL, _HOST):
            for match in pattern.finditer(text.text):
                said = polarity(text, match.start(), match.end())
                yield Mention("literal", match[0], match[0], match.start(), match.end(), Form.PLAIN, said)

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Search at both ends for the rarest part of every address."""
        tokens = {_token(mention.target) for mention, _ in mentions}
        ground.head.look_up(tokens)
        ground.base.look_up(tokens)

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Stale when a line of code had the address at base and none has it at head.

        Fixtures of tests may keep it where the very line that had it now has another.
        """
        if mention.polarity not in (Polarity.ASSERTED, Polarity.EXAMPLE):
            return None
        head, base = _place(mention.target, ground.head), _place(mention.target, ground.base)
        now = _successor(base, mention.target, ground) if base and not is_test(base.path) else None
        if head and not (now and is_test(head.path)):
            return supported(mention, f"{head.path} has {mention.target}", head_at=head)
        if base is None or is_test(base.path):
            return None
        return broken(
            mention,
            "literal-gone",
            f"{base.path} had {mention.target} at base and no code has it at head",
            base=mention.target,
            head=now[0] if now else None,
            base_at=base,
            head_at=now[1] if now else None,
            commit=ground.line_change(base.path, mention.target),
            confidence=0.88,
            replacements=(Replacement(mention.target, now[0], False, "in the same line"),) if now else (),
        )


def _token(address: str) -> str:
    """The longest part of an address: the fewest lines have it."""
    return max(re.findall(r"\b[A-Za-z]\w*", address), key=len, default=address)


def _place(address: str, side: Side) -> Location | None:
    """The first line with the address, code before tests."""
    whole = re.compile(rf"(?<![\w.+-]){re.escape(address)}(?![\w-])")
    hits = sorted(side.hits(_token(address)), key=lambda hit: is_test(hit.path))
    return next((side.at_hit(hit) for hit in hits if whole.search(hit.text)), None)


def _successor(base: Location, address: str, ground: Ground) -> tuple[str, Location] | None:
    """The address of the same sort in the line of the same file that is otherwise as it was."""
    pattern = _EMAIL if "@" in address else _HOST
    before, _, after = base.text.partition(address)
    for number, line in enumerate(ground.head.lines(base.path), 1):
        words = line.strip()
        middle = words[len(before) : len(words) - len(after)]
        if words == before + middle + after and pattern.fullmatch(middle):
            return middle, ground.head.at(base.path, number)
    return None

"""Port numbers: "the service listens on port 8080"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memaudit.grounding.ground import Ground, Side, is_prose, is_test
from memaudit.grounding.language import Polarity, polarity
from memaudit.grounding.path import PathKind
from memaudit.grounding.places import resolve
from memaudit.grounding.reference import Mention, Outcome, Replacement, broken, supported
from memaudit.grounding.words import ClaimText, Form
from memaudit.patterns import lazy_regex

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("The service listens on port 8080.", ("8080",)),
    ("Open http://localhost:5173/ to see it.", ("5173",)),
    ("Port: 3000", ("3000",)),
    ("It has 8080 users.", ()),
)
"""Claim text and the ports read from it."""

_SAID = lazy_regex(
    r"\bports?\b\W{0,3}(?:is\s+|number\s+)?(\d{2,5})\b|\blocalhost:(\d{2,5})\b|\b127\.0\.0\.1:(\d{2,5})\b",
    re.IGNORECASE,
)
_TOKENS = (
    "port",
    "PORT",
    "Port",
    "DEFAULT_PORT",
    "default_port",
    "defaultPort",
    "ports",
    "EXPOSE",
    "localhost",
    "listen",
)


class PortKind:
    """Ports that claims give, found in lines that speak of ports."""

    name = "port"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """Numbers behind the word port or a local host."""
        seen: set[str] = set()
        for match in _SAID.finditer(text.text):
            number = match[1] or match[2] or match[3]
            if number not in seen:
                seen.add(number)
                said = polarity(text, match.start(), match.end())
                yield Mention("port", match[0], number, match.start(), match.end(), Form.PLAIN, said)

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Search for the words that stand beside ports, if any claim gives one."""
        if mentions:
            ground.head.look_up(_TOKENS)

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Stale when the one line that had the port at base has another number at head."""
        number = mention.target
        if mention.polarity is not Polarity.ASSERTED:
            return None
        head = _lines_of_named(number, text, ground.head) or _lines(number, ground.head)
        if head:
            at = ground.head.at(*head[0])
            return supported(
                mention,
                f"port {number} stands in {at.path}",
                head=at.text,
                head_at=at,
            )
        base = _lines(number, ground.base)
        if not base:
            return None
        path, line = base[0]
        was = ground.base.at(path, line)
        pattern = re.compile(re.escape(was.text).replace(number, r"(\d{2,5})"))
        here = [
            (place, content, match)
            for place, content in enumerate(ground.head.lines(path), 1)
            if (match := pattern.fullmatch(content.strip()))
        ]
        # The words beside a port may stand in more lines than are looked at.
        same = next((place for place, _, match in here if match[1] == number), None)
        if same is not None:
            at = ground.head.at(path, same)
            return supported(mention, f"port {number} stands in {path}", head=at.text, head_at=at)
        if not here:
            return None
        place, content, match = here[0]
        return broken(
            mention,
            "value-changed",
            f"the port in {path} was {number} at base and is {match[1]} at head",
            base=was.text,
            head=content.strip(),
            base_at=was,
            head_at=ground.head.at(path, place),
            commit=ground.line_change(path, was.text),
            confidence=0.9,
            replacements=(Replacement(number, match[1], len(base) == 1, "port"),),
        )


def _lines_of_named(number: str, text: ClaimText, side: Side) -> list[tuple[str, int]]:
    """Lines with the number in files that the claim itself names, tests or not."""
    whole = re.compile(rf"(?<![\d.]){number}(?![\d.])")
    files = [item for item in PathKind().mentions(text) if item.kind == "path"]
    found = [place for file in files for place in resolve(file, text, side)[:1]]
    return [
        (place.path, line)
        for place in found
        for line, content in enumerate(side.lines(place.path), 1)
        if whole.search(content)
    ]


def _lines(number: str, side: Side) -> list[tuple[str, int]]:
    """Lines of code or settings that speak of ports and hold the number."""
    whole = re.compile(rf"(?<![\d.]){number}(?![\d.])")
    found = {
        (hit.path, hit.line)
        for token in _TOKENS
        for hit in side.hits(token)
        if whole.search(hit.text) and not is_test(hit.path) and not is_prose(hit.path)
    }
    return sorted(found)

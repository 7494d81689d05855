"""Citations of lines: "`src/net/retry.py:40`", "Release profile (Cargo.toml:31-36)".

The text that stood at the cited lines at base is what the citation means. One line that merely moved
is still the line meant; a range of lines whose text begins elsewhere at head covers the wrong ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memaudit.domain import Block
from memaudit.grounding.causes import has_lines_at
from memaudit.grounding.ground import Ground
from memaudit.grounding.language import Polarity, polarity
from memaudit.grounding.places import resolve
from memaudit.grounding.reference import Mention, Outcome, Replacement, broken, supported
from memaudit.grounding.words import ClaimText, Form
from memaudit.patterns import lazy_regex

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("The loop is at `src/net/retry.py:40`.", ("src/net/retry.py:40",)),
    ("Release profile (Cargo.toml:31-36):", ("Cargo.toml:31-36",)),
    ("See src/a.py#L7-L9 for it.", ("src/a.py:7-9",)),
    ("Listen on localhost:8080.", ()),
    ("At 12:30 it runs.", ()),
)
"""Claim text, and file and lines read from it."""

_CITED = lazy_regex(
    r"(?<![\w/.:-])([\w./@-]*[\w-]\.[A-Za-z]{1,6})(?::|#L)(\d{1,6})(?:-L?(\d{1,6}))?(?![\w.])"
)
_HOSTS = lazy_regex(r"\.(?:com|org|net|io|dev|local|localhost|example)$|^[\d.]+$")


class CitationKind:
    """A file with a line or a range of lines."""

    name = "citation"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """File names followed by line numbers, anywhere in the text."""
        if text.claim.block is Block.FENCE:
            return
        for match in _CITED.finditer(text.text):
            if _HOSTS.search(match[1]):
                continue
            lines = match[2] + (f"-{match[3]}" if match[3] else "")
            said = polarity(text, match.start(), match.end())
            extra = (match[1], match[2], match[3] or match[2])
            target = f"{match[1]}:{lines}"
            yield Mention("citation", match[0], target, match.start(), match.end(), Form.CODE, said, extra)

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """The cited files are read. Nothing to search for."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Compare the first cited line that says something at base with the same place at head."""
        name, start, end = mention.extra[0], int(mention.extra[1]), int(mention.extra[2])
        file = Mention("path", name, name, mention.start, mention.end, Form.CODE, mention.polarity)
        base, head = (next(iter(resolve(file, text, side)), None) for side in (ground.base, ground.head))
        if base is None or head is None or mention.polarity is not Polarity.ASSERTED or end < start:
            return None
        before, after = ground.base.lines(base.path), ground.head.lines(head.path)
        cited = [(number, before[number - 1].strip()) for number in range(start, min(end, len(before)) + 1)]
        told = next(((number, line) for number, line in cited if len(line) > 3), None)
        if told is None:
            return None
        number, line = told
        at = ground.base.at(base.path, number)
        if number <= len(after) and after[number - 1].strip() == line:
            why, here = f"{mention.target} still reads the same", ground.head.at(head.path, number)
            return supported(mention, why, base_at=at, head_at=here)
        places = [place for place, content in enumerate(after, 1) if content.strip() == line]
        if len(places) != 1:
            return None
        shift = places[0] - number
        first = places[0] if start < end else start + shift
        here = ground.head.at(head.path, places[0])
        if start == end:
            why = f"the line that {mention.target} points at is now line {places[0]}"
            return supported(mention, why, base_at=at, head_at=here, confidence=0.7)
        proved = _moved_whole(before[start - 1 : end], after, first) and _is_about(mention, text, cited)
        new = re.sub(rf"{start}(-L?){end}\Z", rf"{first}\g<1>{first + end - start}", mention.text)
        return broken(
            mention,
            "citation-moved",
            f"what stood at {mention.target} is now at line {places[0]}",
            base=line,
            base_at=at,
            head_at=here,
            commit=ground.broken_at(base.path, has_lines_at(number, line)),
            confidence=0.8,
            replacements=(Replacement(mention.text, new, proved, f"the lines moved by {first - start:+d}"),),
        )


def _moved_whole(cited: Sequence[str], after: Sequence[str], first: int) -> bool:
    """Whether the cited lines stand in the same order from another line on, counted from 1."""
    return [line.strip() for line in cited] == [
        line.strip() for line in after[first - 1 : first - 1 + len(cited)]
    ]


def _is_about(mention: Mention, text: ClaimText, cited: Sequence[tuple[int, str]]) -> bool:
    """Whether the cited lines have any word of the claim: else they were others when it was written."""
    words = text.text[: mention.start] + text.text[mention.end :]
    said = {word.lower() for word in re.findall(r"[A-Za-z]{4,}", words)}
    found = {word.lower() for _, line in cited for word in re.findall(r"[A-Za-z]{4,}", line)}
    return bool(said & found)

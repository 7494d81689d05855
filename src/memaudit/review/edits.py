"""Edits of a claim's text: a name put in place of another, and a dead part taken out with its punctuation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memaudit.grounding.reference import Replacement
from memaudit.patterns import lazy_regex

_SEPARATOR = lazy_regex(
    r"\s*[,;]\s+(?:(?P<conj>and|or)\s+)?|\s+(?:(?P<bare>and|or)|&|\+|plus)\s+|(?<=[\w`)])/(?=[\w`(])|\s*,\s*$"
)
_CONJUNCTION = lazy_regex(r"\b(?:and|or)\b")
_BOUNDARY = lazy_regex(r"[.:!?]\s+|\s[—–-]\s|\s\|\s|\s→\s|\n|(?<=\w)\*\*\s|\s#\s")
_MARKS = "`*_\"'"
_DECORATION = lazy_regex(r"(?:\s*(?:optional|optionally|the|an?|our|also|even|plus)\b)*\W*", re.IGNORECASE)
_LEAD = 2
"""Words that go with an alternative, or with an item in parentheses: "… or rely on X", "(lint, some X)"."""
_TAIL = 8


def rewritten(text: str, replacements: list[tuple[Replacement, bool]]) -> str | None:
    """The text with each old name replaced wherever it stands whole, for names in code only inside code.

    None when there is nothing to replace, or a name does not stand in the text.
    """
    if not replacements:
        return None
    for item, in_code in replacements:
        if not item.old:
            return None
        pattern = re.compile(rf"(?<![\w-])(?<!\w/)(?<!\.\./){re.escape(item.old)}(?![\w-])")
        whole = (
            re.compile(r"`[^`]*`") if in_code and _in_code(item.old, text) else re.compile(r".+", re.DOTALL)
        )
        done = whole.sub(lambda match, new=item.new, old=pattern: old.sub(lambda _: new, match[0]), text)  # type: ignore[misc]
        if done == text and item.old != item.new:
            return None
        text = done
    return text


def renumbered(text: str, old: str, new: str, near: int) -> tuple[str, bool] | None:
    """The text with a bare number or version replaced once, where it stands nearest to a place, and whether
    the old one stands nowhere else: the same figure may mean another thing. None where it does not stand.
    """
    places = list(re.finditer(rf"(?<![\w.-]){re.escape(old)}(?![\w-]|\.\d)", text))
    if not places:
        return None
    place = min(places, key=lambda match: abs(match.start() - near))
    return text[: place.start()] + new + text[place.end() :], len(places) == 1


def is_number(name: str) -> bool:
    """Whether a name is a bare number or version, which says nothing of what it counts."""
    return re.fullmatch(r"v?\d[\d_,.]*", name) is not None


def _in_code(name: str, text: str) -> bool:
    return any(name in span for span in re.findall(r"`[^`]*`", text))


class _Item(NamedTuple):
    """One item of a list in the text, and the separator behind it."""

    start: int
    end: int
    behind: str


def without(text: str, start: int, end: int, *, alone: bool = True) -> str | None:
    """The text without what stands at ``[start, end)``: as an item of a list, or with its parentheses.

    The list keeps its conjunction; parentheses with nothing else in them go when ``alone`` allows it.
    None where more than that would have to be reworded: the part leads the sentence, is all that is
    said, or carries other names in code.
    """
    start, end = _marked(text, start, end)
    opened, closed = _parentheses(text, start, end)
    left, right = (opened + 1, closed) if opened >= 0 else _clause(text, start, end)
    if text[right : right + 1] == ":":
        return None
    items = list(_items(text, left, right))
    at = next((index for index, item in enumerate(items) if item.start <= start and end <= item.end), None)
    if at is None or "`" in text[items[at].start : start] + text[end : items[at].end]:
        return None
    if len(items) == 1:
        return _mended(text[:opened], text[closed + 1 :]) if alone and opened >= 0 else None
    item = items[at]
    before, after = text[item.start : start], text[end : item.end]
    if len(items) == 2 and re.search(
        r"[`\w]\s+(?:are|have|were|share)\b", text[items[1].start : items[1].end]
    ):
        return None
    if at == 0:
        if after.strip() or (
            before.strip() and not _is_parallel(text[start:end], text[items[1].start : right])
        ):
            return None
        kept = text[:start] + text[items[1].start :]
        return _conjoined(kept, items, at, len(text) - len(kept))
    led = (opened >= 0 or items[at - 1].behind.strip() == "or") and len(before.split()) <= _LEAD
    if not (led or _DECORATION.fullmatch(before)) or len(after.split()) > _TAIL:
        return None
    shared = after.strip() and not before.strip() and (at + 1 < len(items) or len(items) == 2)
    if shared and opened < 0:
        return text[: items[at - 1].end] + text[end:]
    following = text[item.end :] if at + 1 < len(items) else text[right:]
    return _conjoined(text[: items[at - 1].end] + following, items, at, 0)


def _is_parallel(name: str, rest: str) -> bool:
    """Whether what follows the first item of a list may stand behind the words before it: a name like it."""
    marked = name[:1] in _MARKS
    return rest[:1] == name[:1] if marked else len(_SEPARATOR.split(rest, maxsplit=1)[0].split()) <= _LEAD


def _conjoined(text: str, items: list[_Item], at: int, shift: int) -> str:
    """The conjunction of a list that has lost one item put where it belongs: "a, b, and c" → "a and b".

    ``shift`` characters were taken out before the first item that is left.
    """
    word = next((found for item in reversed(items[:-1]) if (found := _CONJUNCTION.search(item.behind))), None)
    left = len(items) - 1
    if word is None or left < 2 or (left > 2 and at + 1 < len(items)):
        return text
    end = [item for index, item in enumerate(items) if index != at][-2].end - shift
    separator = _SEPARATOR.match(text[end:])
    if separator is None:
        return text
    comma = "," if left > 2 and "," in items[-2].behind else ""
    return f"{text[:end]}{comma} {word[0]} {text[end + separator.end() :]}"


def _marked(text: str, start: int, end: int) -> tuple[int, int]:
    """The span with the link, the quotes, the emphasis and the import sign around it."""
    span = next(
        (match for match in re.finditer(r"`[^`]*`", text) if match.start() < end and start < match.end()),
        None,
    )
    if span:
        start, end = span.span()
    link = next(
        (m for m in re.finditer(r"\[[^\]]*\]\([^)]*\)", text) if m.start() <= start and end <= m.end()), None
    )
    if link:
        start, end = link.span()
    while start and end < len(text) and text[start - 1] in _MARKS and text[end] == text[start - 1]:
        start, end = start - 1, end + 1
    return (start - 1, end) if start and text[start - 1] == "@" else (start, end)


def _parentheses(text: str, start: int, end: int) -> tuple[int, int]:
    """The places of the innermost parentheses around a span, code and links left alone; -1 without."""
    flat = re.sub(r"`[^`]*`|\]\([^)]*\)", lambda match: " " * len(match[0]), text)
    depth, opened = 0, -1
    for index in range(start - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(flat[index], 0)
        if depth < 0:
            opened = index
            break
    if opened < 0:
        return -1, -1
    depth = 0
    for index in range(end, len(flat)):
        depth += {"(": 1, ")": -1}.get(flat[index], 0)
        if depth < 0:
            return opened, index
    return -1, -1


def _clause(text: str, start: int, end: int) -> tuple[int, int]:
    left = max((match.end() for match in _BOUNDARY.finditer(text, 0, start)), default=0)
    after = _BOUNDARY.search(text, end)
    right = after.start() if after else len(text)
    return left, right - (1 if right == len(text) and text.endswith((".", ":", "!", "?")) else 0)


def _items(text: str, left: int, right: int) -> Iterator[_Item]:
    """The items of a list between two places; separators in code or parentheses do not count."""
    flat = re.sub(r"`[^`]*`|\([^()]*\)", lambda match: "x" * len(match[0]), text[left:right])
    at = 0
    for match in _SEPARATOR.finditer(flat):
        yield _Item(left + at, left + match.start(), match[0])
        at = match.end()
    if at < len(flat):
        yield _Item(left + at, right, "")


def _mended(before: str, after: str) -> str:
    """Two parts put together without the blank or mark that stood for what was between them."""
    before = before.rstrip()
    return before + (after if not after or after[0] in " .,;:|)" else f" {after}")

"""Regions that a tool writes into a memory file: their claims are shown and judged, never edited."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from memaudit.patterns import lazy_regex

_COMMENT = lazy_regex(r"\s*<!--+\s*(?P<words>[^<>]{1,200}?)\s*--+>\s*$")
_BEGIN = lazy_regex(r"(?:BEGIN|START)\b[\s:_-]*(?P<name>.*)|(?P<name2>.*?)[\s:_-]*\b(?:BEGIN|START)$", re.I)
_END = lazy_regex(r"(?:END|STOP)\b[\s:_-]*(?P<name>.*)|(?P<name2>.*?)[\s:_-]*\b(?:END|STOP)$", re.I)
_TAG = lazy_regex(r"\s*<(?P<close>/?)(?P<name>[a-z]\w*(?:-\w+)*-(?:guidelines|context))>\s*$")
_RULES = lazy_regex(r"\s*={3,}\s*(?P<name>\S.{0,80}?\brules)\s*={3,}\s*$", re.I)
_NOTICE = lazy_regex(
    r"\b(?:auto-?generated|automatically generated|generated (?:by|from|file)\b.*\bdo not edit"
    r"|do not edit\b.*\b(?:generated|by hand|manually))\b",
    re.I,
)
_HEADING = lazy_regex(
    r"#{1,6}\s+\W*auto-?generated(?:\s+(?:content|section|block)|\W*\bdo not edit\b.*)?\W*$", re.I
)


class Region(NamedTuple):
    """Generated lines ``start`` to ``end``, the latter excluded; ``reason`` says so to a reader."""

    start: int
    end: int
    reason: str
    paired: bool


class _Marker(NamedTuple):
    """``kind`` is open (promises an end), mark (opens only if an end turns up), close or notice."""

    line: int
    name: str
    kind: str


def generated_regions(
    lines: Sequence[str], code_lines: Collection[int], headings: Iterable[tuple[int, int]]
) -> list[Region]:
    """The generated regions of a text, outermost only.

    ``code_lines`` are lines inside code blocks, where markers mean nothing; ``headings`` are the line
    and level of each heading. A marker without its partner reaches to the end of its section.
    """
    sections = sorted(headings)
    regions = []
    waiting: list[_Marker] = []
    for line, text in enumerate(lines):
        marker = _marker(line, text) if line not in code_lines else None
        if marker is None:
            continue
        if marker.kind == "notice":
            regions.append(_to_section_end(marker, sections, len(lines)))
        elif marker.kind != "close":
            waiting.append(marker)
        elif opener := next((one for one in reversed(waiting[-50:]) if _same(one.name, marker.name)), None):
            del waiting[waiting.index(opener) :]
            regions.append(Region(opener.line, line + 1, f"generated ({opener.name})", True))
    regions.extend(
        _to_section_end(marker, sections, len(lines)) for marker in waiting if marker.kind == "open"
    )
    return _outermost(regions)


def is_rules_marker(text: str) -> bool:
    """Whether a line of text only says that generated rules begin: ``=== kit rules ===``."""
    return "===" in text and bool(_RULES.match(text))


def _marker(line: int, text: str) -> _Marker | None:
    if "<!--" in text and (match := _COMMENT.match(text)):
        return _comment_marker(line, match["words"])
    if "<" in text and (match := _TAG.match(text)):
        return _Marker(line, match["name"], "close" if match["close"] else "open")
    if "===" in text and (match := _RULES.match(text)):
        return _Marker(line, match["name"], "open")
    if text.startswith("#") and _HEADING.match(text):
        return _Marker(line, "auto-generated", "notice")
    return None


def _comment_marker(line: int, words: str) -> _Marker | None:
    if match := _BEGIN.match(words):
        return _Marker(line, match["name"] or match["name2"] or "block", "open")
    if match := _END.match(words):
        return _Marker(line, match["name"] or match["name2"] or "block", "close")
    if words.startswith("/"):
        return _Marker(line, words[1:].strip(), "close")
    if _NOTICE.search(words):
        return _Marker(line, words, "notice")
    return _Marker(line, words, "mark")


def _same(opened: str, closed: str) -> bool:
    """Whether an end marker belongs to a begin marker: versions often stand in the begin only."""
    one, other = opened.casefold(), closed.casefold()
    return one == other or one.startswith(f"{other} ") or other == "block"


def _to_section_end(marker: _Marker, sections: Sequence[tuple[int, int]], last: int) -> Region:
    """From a marker to the next heading; where one follows at once, to the end of that section."""
    reason = f"generated ({marker.name})"
    level = 0
    for at, depth in sections:
        if level == 0 and marker.line <= at <= marker.line + 2:
            level = depth
        elif at > marker.line and (level == 0 or depth <= level):
            return Region(marker.line, at, reason, False)
    return Region(marker.line, last, reason, False)


def _outermost(regions: Iterable[Region]) -> list[Region]:
    kept: list[Region] = []
    for region in sorted(regions, key=lambda one: (one.start, -one.end)):
        if not kept or region.end > kept[-1].end:
            kept.append(region)
    return kept

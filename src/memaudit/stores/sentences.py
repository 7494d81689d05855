"""Prose cut into sentences, by position.

A sentence ends at a full stop, question or exclamation mark before white space and what looks like a
beginning; never inside code spans, brackets or emphasis, nor after an abbreviation or a list number.
It also ends at a line end that the author chose: one after which the next word would still have fitted.
"""

from __future__ import annotations

import itertools
import re
import unicodedata

from memaudit.stores.vocabulary import ABBREVIATIONS, DANGLING

_MIN_WRAP = 60

_STOP = re.compile(r"(?P<stop>[.!?…]+)[\"'”’»)\]*_`]*(?=\s|\Z)|(?P<wide>[。！？｡]+)[\"'”’」』）】》)\]*_`]*")
_LINE_END = re.compile(r"[ \t]*\n[ \t]*")
_TICKS = re.compile(r"`+")
_WORD_BEFORE = re.compile(r"[^\s(\[{\"'“‘*_`]*\Z")
_IDENTIFIER = re.compile(r"[a-z]+[\w-]*(?:[A-Z(/_]|\.[A-Za-z])")
_OPENERS = frozenset("\"'“‘([{`*_<@#$~/.-–—→✓✗✅❌⚠️")
_CONTINUES = tuple(",;:([{-–—/&+=|")
# These also end sentences, so they are abbreviations only before a word that starts none.
_MAY_END = frozenset({"etc", "al", "no", "max", "min"})


def split_sentences(text: str) -> list[tuple[int, int]]:
    """The start and end of each sentence of ``text``, whose lines are joined by ``\\n``."""
    cuts = _sentence_ends(text) | set(_chosen_line_ends(text))
    spans = []
    start = 0
    for end in [*sorted(cuts), len(text)]:
        left, right = start, end
        while left < right and text[left].isspace():
            left += 1
        while right > left and text[right - 1].isspace():
            right -= 1
        if left < right:
            spans.append((left, right))
        start = end
    return spans


def code_spans(text: str) -> list[tuple[int, int]]:
    """The ranges of inline code, backticks included, in order."""
    runs = [(match.start(), match.end()) for match in _TICKS.finditer(text)]
    by_width: dict[int, list[int]] = {}
    for at, (start, end) in enumerate(runs):
        by_width.setdefault(end - start, []).append(at)
    for waiting in by_width.values():
        waiting.reverse()
    spans: list[tuple[int, int]] = []
    at = 0
    while at < len(runs):
        start, end = runs[at]
        waiting = by_width[end - start]
        while waiting and waiting[-1] <= at:
            waiting.pop()
        if waiting:
            closing = waiting.pop()
            spans.append((start, runs[closing][1]))
            at = closing
        at += 1
    return spans


def _guarded(text: str) -> bytearray:
    """For each character whether it stands inside code (2) or brackets or emphasis (1)."""
    guard = bytearray(len(text) + 1)
    for start, end in code_spans(text):
        guard[start:end] = b"\x02" * (end - start)
    outer: list[tuple[int, int]] = []
    stack: list[tuple[str, int]] = []
    closing = {")": "(", "]": "[", "）": "（"}
    for at, char in enumerate(text):
        if guard[at] == 2:
            continue
        if char in "([（":
            stack.append((char, at))
        elif char in closing and any(opener == closing[char] for opener, _ in stack[-8:]):
            while stack[-1][0] != closing[char]:
                stack.pop()
            outer.append((stack.pop()[1], at + 1))
    outer.extend(_emphasis(text, guard))
    # Ranges are marked once from the outside in, so nesting costs nothing.
    marked = 0
    for start, end in sorted(outer):
        for at in range(max(start, marked), end - 1):
            guard[at] = guard[at] or 1
        marked = max(marked, end - 1)
    return guard


def _emphasis(text: str, guard: bytearray) -> list[tuple[int, int]]:
    ranges = []
    opened: dict[str, int] = {}
    for match in re.finditer(r"\*+|(?<!\w)_+|_+(?!\w)", text):
        start, end = match.span()
        if guard[start] == 2:
            continue
        mark = match.group()
        before = text[start - 1] if start else " "
        after = text[end] if end < len(text) else " "
        if mark in opened and not before.isspace():
            ranges.append((opened.pop(mark), end))
        elif not after.isspace() and not before.isalnum():
            opened[mark] = start
    return ranges


def _sentence_ends(text: str) -> set[int]:
    ends: set[int] = set()
    guard = _guarded(text)
    start, expected = 0, 1
    for match in _STOP.finditer(text):
        end = match.end()
        if guard[match.start()] == 2 or guard[end - 1] or not text[end:].strip()[:1]:
            continue
        if match["stop"]:
            word = _WORD_BEFORE.search(text, max(start, match.start() - 40), match.start())
            before = word.group() if word else ""
            if before == str(expected) and _introduces_number(
                text[start : match.start() - len(before)], expected
            ):
                expected += 1
                continue
            if not _starts_sentence(text, end) or _is_abbreviation(before, match["stop"], text, end):
                continue
        ends.add(end)
        start = end
    return ends


def _introduces_number(before: str, expected: int) -> bool:
    return expected > 1 or not before.strip() or before.rstrip().endswith((":", "："))


def _starts_sentence(text: str, end: int) -> bool:
    at = end
    while at < len(text) and text[at].isspace():
        at += 1
    char = text[at]
    if (
        char.isupper()
        or char.isdigit()
        or char in _OPENERS
        or unicodedata.category(char) in ("Lo", "Lt", "So")
    ):
        return True
    return bool(_IDENTIFIER.match(text, at))


def _is_abbreviation(word: str, stop: str, text: str, end: int) -> bool:
    if stop != ".":
        return False
    plain = word.lower()
    if len(plain) == 1 and plain.isalpha():
        return True
    if plain not in ABBREVIATIONS:
        return False
    following = text[end : end + 40].lstrip()
    return plain not in _MAY_END or following[:1].isdigit()


def _chosen_line_ends(text: str) -> list[int]:
    lines = text.split("\n")
    if len(lines) == 1:
        return []
    width = max(_MIN_WRAP, *map(len, lines))
    guard = _guarded(text)
    ends = []
    at = 0
    for line, following in itertools.pairwise(lines):
        at += len(line)
        if not guard[at] and _is_chosen(line, following.lstrip(), width):
            ends.append(at)
        at += 1
    return ends


def _is_chosen(line: str, following: str, width: int) -> bool:
    if line.endswith(("  ", "\\")):
        return True
    line = line.rstrip()
    if not line or not following or line.endswith(_CONTINUES):
        return False
    if line.rsplit(None, 1)[-1].lower() in DANGLING or not _starts_sentence(following, 0):
        return False
    return len(line) + 1 + len(following.split(None, 1)[0]) <= width

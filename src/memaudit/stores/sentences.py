"""Prose cut into sentences, by position.

A sentence ends at a full stop, question or exclamation mark before white space and what looks like a
beginning; never inside code spans, brackets or emphasis, nor after an abbreviation or a list number.
It also ends at a line end that the author chose: one after which the next word would still have fitted.
"""

from __future__ import annotations

import itertools
import unicodedata

from memaudit.patterns import lazy_regex
from memaudit.stores.vocabulary import ABBREVIATIONS, DANGLING, STARTERS

_MIN_WRAP = 60

_STOP = lazy_regex(r"(?P<stop>[.!?…]+)[\"'”’»)\]*_`]*(?=\s|\Z)|(?P<wide>[。！？｡]+)[\"'”’」』）】》)\]*_`]*")
_CLOSED = lazy_regex(r"[.!?…。！？][\"'”’»)\]*_`]*\s*\Z")
_BOLD_LABEL = lazy_regex(r"(?:\*\*|__)[^*_\n]{1,60}(?::(?:\*\*|__)|(?:\*\*|__):)")
_LABELLED_CODE = lazy_regex(r"[A-Za-z][\w /+-]{0,30}:[ \t]+`[^`\n]+`")
_INNER = bytes([1, *range(1, 256)])
_BRACKET = lazy_regex(r"[()\[\]（）]")
_OPENED_BY = {")": "(", "]": "[", "）": "（"}
_EMPHASIS = lazy_regex(r"\*+|(?<!\w)_+|_+(?!\w)")
_TICKS = lazy_regex(r"`+")
_WORD_BEFORE = lazy_regex(r"[^\s(\[{\"'“‘*_`]*\Z")
_IDENTIFIER = lazy_regex(r"[a-z]+[\w-]*(?:[A-Z(/_]|\.[A-Za-z])")
_OPENERS = frozenset("\"'“‘([{`*_<@#$~/.-–—→✓✗✅❌⚠️")
_CONTINUES = tuple(",;:([{-–—/&+=|")
# These also end sentences, so they are abbreviations only before a word that starts none.
_MAY_END = frozenset({"etc", "al", "no", "max", "min"})


def split_sentences(text: str) -> list[tuple[int, int]]:
    """The start and end of each sentence of ``text``, whose lines are joined by ``\\n``."""
    guard = _guarded(text)
    cuts = {*_sentence_ends(text, guard), *_chosen_line_ends(text, guard)}
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
    marked = 0
    for start, end in sorted([*_brackets(text, guard), *_emphasis(text, guard)]):
        # The last character stays free: a sentence may end with a bracket or emphasis.
        start = max(start, marked)
        if end - 1 > start:
            guard[start : end - 1] = guard[start : end - 1].translate(_INNER)
            marked = end - 1
    return guard


def _brackets(text: str, guard: bytearray) -> list[tuple[int, int]]:
    ranges = []
    stack: list[tuple[str, int]] = []
    for match in _BRACKET.finditer(text):
        char, at = match.group(), match.start()
        if guard[at] == 2:
            continue
        opener = _OPENED_BY.get(char)
        if opener is None:
            stack.append((char, at))
        elif any(one == opener for one, _ in stack[-8:]):
            while stack[-1][0] != opener:
                stack.pop()
            ranges.append((stack.pop()[1], at + 1))
    return ranges


def _emphasis(text: str, guard: bytearray) -> list[tuple[int, int]]:
    ranges = []
    opened: dict[str, int] = {}
    for match in _EMPHASIS.finditer(text):
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


def _sentence_ends(text: str, guard: bytearray) -> list[int]:
    ends: list[int] = []
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
        ends.append(end)
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


def _chosen_line_ends(text: str, guard: bytearray) -> list[int]:
    lines = text.split("\n")
    if len(lines) == 1:
        return []
    # A low estimate of the width the author wraps at: one long line more must not change it.
    lengths = sorted(map(len, lines[:-1]))
    width = max(_MIN_WRAP, lengths[(len(lengths) - 1) // 2])
    a_line_each = len(lines) > 2 and all(map(_opens_statement, lines)) and not any(map(_goes_on, lines[:-1]))
    marked, possible, all_possible = [], [], True
    at = 0
    for line, following in itertools.pairwise(lines):
        at += len(line)
        following = following.lstrip()
        if not guard[at] and _is_marked(line, following):
            marked.append(at)
        elif not guard[at] and (a_line_each or _may_end(line, following, width)):
            possible.append(at)
        elif not _CLOSED.search(line):
            all_possible = False
        at += 1
    # One short line does not make a habit: it may be what an edit left of a longer one.
    return [*marked, *(possible if all_possible else [])]


def _is_marked(line: str, following: str) -> bool:
    """Whether the text itself shows that a line ends there for good."""
    if line.endswith(("  ", "\\")) or _BOLD_LABEL.match(following) or _LABELLED_CODE.match(following):
        return True
    first = following.split(None, 1)[0].rstrip(",:").replace("’", "'") if following else ""
    return first[:1].isupper() and first.lower() in STARTERS and not _goes_on(line)


def _may_end(line: str, following: str, width: int) -> bool:
    """Whether a line ends where its author could have gone on with the next word."""
    if _goes_on(line) or not following or not _starts_sentence(following, 0):
        return False
    return len(line.rstrip()) + 1 + len(following.split(None, 1)[0]) <= width


def _goes_on(line: str) -> bool:
    """Whether a line ends in the middle of a sentence."""
    line = line.rstrip()
    return not line or line.endswith(_CONTINUES) or line.rsplit(None, 1)[-1].lower() in DANGLING


def _opens_statement(line: str) -> bool:
    """Whether a line starts as wrapped text rarely does: with a capital, emphasis or a symbol."""
    char = line.lstrip()[:1]
    return char.isupper() or char in ("*", "_") or unicodedata.category(char or " ") in ("Lo", "So")

"""Lists as code writes them: arrays, enums, unions, YAML and word lists, found around one of their members.

What a list is called is read from the words before it opens; nothing is executed or fully parsed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from memaudit.patterns import lazy_regex

_REACH = 80
"""How many lines above and below a member its list may begin and end."""

_MOST = 200
"""Members of a list that are read; longer ones are tables of data."""

_PAIRS = {"[": "]", "{": "}", "(": ")"}
_SIGNS = lazy_regex(r"[\"'`\[\](){},\n]")
_CLOSING = frozenset(_PAIRS.values())
_BRACKETS = lazy_regex(
    r"[\[\](){}]|\"(?:[^\"\n]|(?<=\\)\")*+[\"\n]?|'(?:[^'\n]|(?<=\\)')*+['\n]?|`(?:[^`\n]|(?<=\\)`)*+[`\n]?"
)
"""Brackets, and what is quoted, which hides those in it: up to the end of its line at most."""

_NAME = lazy_regex(r"[A-Za-z_][\w-]*")
_STRING = lazy_regex(r"\"([^\"\n]*)\"|'([^'\n]*)'|`([^`\n]*)`")
_DASH = lazy_regex(r"^(\s*)-\s+[\"']?([^\"'#:\n]+?)[\"']?\s*(?:#.*)?$")
_MEMBER = lazy_regex(
    r"^(\s+)([A-Z][A-Z0-9_]*|[A-Z]\w*)\s*=\s*(?:[\"']([^\"']*)[\"']|auto\(\)|\d+)\s*,?\s*(?:#.*)?$"
)
_UNION = lazy_regex(r"[\"']([\w.-]+)[\"'](?:\s*\|\s*[\"'][\w.-]+[\"'])+")
_WORDS = lazy_regex(r"%[wi][\[({]([^\])}]*)[\])}]")


class CodeList(NamedTuple):
    """A list in code: what names it, the lines it takes, and its members, each by every name it goes by."""

    label: str
    start: int
    end: int
    members: tuple[frozenset[str], ...]


def key(word: str) -> str:
    """A member's name as it is compared: case, dots, hyphens, underscores and spaces aside."""
    return word.lower().encode("ascii", "ignore").translate(None, _NO_LETTERS).decode()


_NO_LETTERS = bytes(sign for sign in range(128) if not (chr(sign).islower() or chr(sign).isdigit()))


def lists_at(lines: Sequence[str], number: int, column: int, wanted: Collection[str] = ()) -> list[CodeList]:
    """The lists that hold what stands at a line (from 1) and column, the innermost first.

    Those that cannot have all of ``wanted``, by their :func:`key`, may be left out.
    """
    found = [
        item for item in (_union(lines, number, column), _dashed(lines, number), _enum(lines, number)) if item
    ]
    return found + _bracketed(lines, number, column, wanted)


def _union(lines: Sequence[str], number: int, column: int) -> CodeList | None:
    """``'a' | 'b'`` and ``%w[a b]`` on one line."""
    line = lines[number - 1]
    for match in _UNION.finditer(line):
        if match.start() <= column < match.end():
            members = list(re.findall(r"[\"']([\w.-]+)[\"']", match[0]))
            return _made(line[: match.start()], number, number, members)
    for match in _WORDS.finditer(line):
        if match.start() <= column < match.end():
            return _made(line[: match.start()], number, number, match[1].split())
    return None


def _made(label: str, start: int, end: int, words: Sequence[str]) -> CodeList | None:
    if not 1 < len(words) <= _MOST:
        return None
    return CodeList(_label(label), start, end, tuple(frozenset({key(word)}) for word in words))


def _label(text: str) -> str:
    """The last names before a list opens: "plugins" of ``"plugins": [``."""
    return " ".join(_NAME.findall(text)[-4:])


def _dashed(lines: Sequence[str], number: int) -> CodeList | None:
    """A YAML list of scalars."""
    here = _DASH.match(lines[number - 1])
    if here is None:
        return None
    first = last = number
    while first > 1 and (item := _DASH.match(lines[first - 2])) and item[1] == here[1]:
        first -= 1
    while last < len(lines) and (item := _DASH.match(lines[last])) and item[1] == here[1]:
        last += 1
    words = [item[2].strip() for line in lines[first - 1 : last] if (item := _DASH.match(line))]
    return _made(lines[first - 2] if first > 1 else "", first, last, words)


def _enum(lines: Sequence[str], number: int) -> CodeList | None:
    """Members of a class that are constants, one a line, as enums of Python and constants of Go are."""
    here = _MEMBER.match(lines[number - 1])
    if here is None:
        return None

    def at(index: int) -> re.Match[str] | None:
        item = _MEMBER.match(lines[index - 1]) if 0 < index <= len(lines) else None
        return item if item and here and item[1] == here[1] else None

    first = last = number
    while at(first - 1):
        first -= 1
    while at(last + 1):
        last += 1
    head = next(
        (
            line
            for line in reversed(lines[max(0, first - 12) : first - 1])
            if re.match(r"\s*(?:class|enum|const|type)\b", line)
        ),
        "",
    )
    items = [item for index in range(first, last + 1) if (item := at(index))]
    members = tuple(frozenset(key(name) for name in (item[2], item[3]) if name) for item in items)
    return CodeList(_label(head), first, last, members) if 1 < len(members) <= _MOST else None


def _bracketed(lines: Sequence[str], number: int, column: int, wanted: Collection[str]) -> list[CodeList]:
    """Bracketed lists around a place, the innermost first."""
    first = max(0, number - 1 - _REACH)
    window = lines[first : number + _REACH]
    text = "\n".join(window)
    letters = key(text) if wanted else ""
    if not all(item in letters for item in wanted):
        return []
    place = sum(len(line) + 1 for line in window[: number - 1 - first]) + column
    opened: list[int] = []
    spans: list[tuple[int, int]] = []
    for sign in _BRACKETS.finditer(text):
        index, char = sign.start(), sign[0]
        if char in _PAIRS:
            opened.append(index)
        elif opened and char in _CLOSING:
            start = opened.pop() if _PAIRS[text[opened[-1]]] == char else -1
            if 0 <= start <= place <= index:
                spans.append((start, index))
    spans.sort(key=lambda span: span[1] - span[0])
    found = []
    for start, end in spans[:3]:
        members = _members(text[start + 1 : end])
        if 1 < len(members) <= _MOST:
            line = text.rfind("\n", 0, start) + 1
            numbers = [first + 1 + text.count("\n", 0, index) for index in (start, end)]
            label = text[line:start] if text[line:start].strip() else text[max(0, line - 200) : start]
            found.append(CodeList(_label(label), numbers[0], numbers[1], members))
    return found


@lru_cache(maxsize=256)
def _members(inside: str) -> tuple[frozenset[str], ...]:
    """What stands between the separators of a list, nested lists left out."""
    flat: list[str] = []
    done, depth, quote = 0, 0, ""
    for sign in _SIGNS.finditer(inside):
        index, char = sign.start(), sign[0]
        flat.append(inside[done:index] if not depth else " " * (index - done))
        done = index + 1
        if quote:
            flat.append(char if not depth else " ")
            if (char == quote and inside[index - 1] != "\\") or char == "\n":
                quote = ""
            continue
        if char in "\"'`":
            quote = char
        if char in _PAIRS:
            depth += 1
        if char in _PAIRS.values():
            depth -= 1
        flat.append(char if not depth or (char in ",\n" and depth < 1) else " ")
    flat.append(inside[done:] if not depth else " " * (len(inside) - done))
    text = re.sub(r"(?m)(?://|#(?!\[)|--).*$", "", "".join(flat))
    separator = "," if "," in text else r"\||\n"
    members = []
    for part in re.split(separator, text):
        names = [key("".join(groups)) for groups in _STRING.findall(part)]
        bare = _NAME.search(_STRING.sub(" ", part))
        if bare and not re.match(r"\s*[\"'`]", part):
            names.append(key(bare[0]))
        if not names and (bare or re.search(r"\d", part)):
            names = [key(part)]
        if names:
            members.append(frozenset(name for name in names if name))
    return tuple(member for member in members if member)

"""Directory trees drawn in a code block: each entry is a claim that its path exists.

Recognised by box-drawing glyphs, or by indentation alone when the entries look like paths.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memaudit.stores.blocks import CodeLine
from memaudit.stores.vocabulary import FILE_NAMES

_GLYPHS = re.compile(r"[│┃|├└┣┗╰╭┬─━\s`+\\-]*?(?:[├└┣┗╰]|[|`+\\](?=--))[─━-]*\s*|[│┃|\s]+(?=\S)")
_BOX = re.compile(r"[├└┣┗╰]|^\s*[|`+\\]-- ", re.MULTILINE)
_NAME = re.compile(r"(?:`(?P<quoted>[^`]+)`|(?P<bare>[\w.@~$%(\[{<*+][^\s#│]*))")
_REMARK = re.compile(r"\s{2,}\S|\t\S|\s+(?:#|//|--|<-|<!--|[-–—←→:=(|*•·…])|\s*[:,](?:\s|$)|\s*$")
_EXTENSION = re.compile(r"\.[A-Za-z][\w-]{0,11}$|^\.[a-z][\w.-]*$")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a tree: its line's index in the code, its columns, full path and depth.

    ``path`` is None where the entry names several things or none that can be told.
    """

    index: int
    start: int
    end: int
    path: str | None
    depth: int


@dataclass(slots=True)
class _Line:
    index: int
    start: int
    end: int
    name: str | None
    path_like: bool
    remark: bool


def read_tree(code: Sequence[CodeLine]) -> list[Entry] | None:
    """The entries of a directory tree, or None where the code is no tree."""
    texts = [line.text for line in code]
    drawn = sum(bool(_BOX.search(text)) for text in texts)
    lines = [_read_line(index, text) for index, text in enumerate(texts) if text.strip(" \t│┃|")]
    if not lines or not (drawn or _is_indented_tree(lines)):
        return None
    if drawn and drawn * 2 < len([line for line in lines if line.name]) - 1:
        return None
    return _entries(texts, [line for line in lines if line.name is not None])


def _read_line(index: int, text: str) -> _Line:
    glyphs = _GLYPHS.match(text)
    start = glyphs.end() if glyphs else 0
    end = len(text.rstrip())
    match = _NAME.match(text, start)
    if match is None:
        return _Line(index, start, end, None, False, False)
    name = match["quoted"] or match["bare"]
    stop = match.end()
    while name.endswith((",", ":", ";")):
        name, stop = name[:-1], stop - 1
    if not name or (set(name) <= {"."} and len(name) > 2):
        return _Line(index, start, end, None, False, False)
    path_like = "/" in name or bool(_EXTENSION.search(name)) or name.lower() in FILE_NAMES
    return _Line(index, start, end, name, path_like, bool(_REMARK.match(text, stop)))


def _is_indented_tree(lines: Sequence[_Line]) -> bool:
    """Whether lines without glyphs are a tree: all of them paths, or folders of the lines below."""
    if len(lines) < 2:
        return False
    for line, following in zip(lines, [*lines[1:], None], strict=True):
        if line.name is None or not line.remark:
            return False
        if not line.path_like and (following is None or following.start <= line.start):
            return False
        if line.name.startswith(("./", "<", "(", "{", "--", "-", "$", "@")) or "://" in line.name:
            return False
    return any(line.name and ("/" in line.name) for line in lines) or lines[1].start > lines[0].start


def _entries(texts: Sequence[str], lines: Sequence[_Line]) -> list[Entry]:
    entries = []
    above: list[tuple[int, str]] = []
    for at, line in enumerate(lines):
        while above and above[-1][0] >= line.start:
            above.pop()
        name = line.name or ""
        parent = above[-1][1] if above else ""
        has_children = at + 1 < len(lines) and lines[at + 1].start > line.start
        path = _join(parent, name)
        if has_children and path and not path.endswith("/"):
            path += "/"
        single = not re.search(r"[,|]\s*\S|\s", name) and not re.match(
            r"\s*[,/|+&]\s*\S", texts[line.index][_after(texts, line) :]
        )
        entries.append(Entry(line.index, line.start, line.end, path if single and path else None, len(above)))
        above.append((line.start, path))
    return entries


def _after(texts: Sequence[str], line: _Line) -> int:
    return texts[line.index].index(line.name or "", line.start) + len(line.name or "")


def _join(parent: str, name: str) -> str:
    while name.startswith("./"):
        name = name[2:]
    if name == ".":
        return ""
    return f"{parent}{name}" if not parent or parent.endswith("/") else f"{parent}/{name}"

"""Directory trees drawn in a code block: each entry is a claim that its path exists.

Recognised by box-drawing glyphs, or by indentation alone when the entries look like paths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memaudit.patterns import lazy_regex
from memaudit.stores.vocabulary import FILE_NAMES

_BRANCH = lazy_regex(r"[\s│┃|]*(?:[├└┣┗╰][─━-]*|[|+`\\]-{1,3}(?=[\s\w.]))\s*")
_STEM = lazy_regex(r"[\s│┃|]*")
_DIAGRAM = lazy_regex(r"[┌┐┘╭╮╯▶▼►▲◀]|──+>|<──+")
_NAME = lazy_regex(r"`(?P<quoted>[^`]+)`|(?P<bare>(?=[\w.@~$%(\[{<*+/])(?:\{[^{}\s]*\}|[^\s#│,;])+)")
_REMARK = lazy_regex(r"\s{2,}\S|\t\S|\s+(?:#|//|--|<-|<!--|[-–—←→:=(|*•·…])|\s*[:,](?:\s|$)|\s*$")
_MORE_NAMES = lazy_regex(
    r"\s*[,/|+&]\s*\S|(?: [\w.-]+(?:/|\.\w+))+(?=\s*$|\s{2,}|\s[#.…])|:\s+[\w.-]+(?:,\s*[\w.-]+)+\s*$"
)
"""What makes a name one of several: more beside it, or behind it as a label, as in "Readers: CSV, JSON"."""

_ARROW = lazy_regex(r"[^#]*?\s(?:→|⇒|->|=>)\s+\w")
_ELLIPSIS = lazy_regex(r"(?:\.{2,}|…)(?=\s|$)|#")
_EXTENSION = lazy_regex(r"\.[A-Za-z][\w-]{0,11}$|^\.[a-z][\w.-]*$")
_PATH = lazy_regex(r"(?![-<({$@]|\./)[\w.@~$%*+\[\]{}<>!/-]+$")


@dataclass(slots=True)
class Entry:
    """One entry of a tree: the index of its line, its columns and its full path.

    ``path`` is None where the entry names several things or none that can be told. ``below`` counts
    the entries inside it.
    """

    index: int
    start: int
    end: int
    path: str | None
    below: int = 0


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that may be an entry: its name, empty if it has none, and what speaks for its being one."""

    index: int
    start: int
    end: int
    name: str
    branch: bool
    remark: bool
    several: bool

    @property
    def path_like(self) -> bool:
        if self.name.startswith("/"):
            return False
        return "/" in self.name or bool(_EXTENSION.search(self.name)) or self.name.lower() in FILE_NAMES


def read_tree(texts: Sequence[str], *, drawn_only: bool = False) -> list[Entry] | None:
    """The entries of a directory tree, or None where the texts are no tree.

    With ``drawn_only`` indentation alone makes no tree.
    """
    lines = [
        _read_line(index, text)
        for index, text in enumerate(texts)
        if (words := _STEM.sub("", text, count=1)) and not _ELLIPSIS.match(words)
    ]
    if not (_is_drawn(texts, lines) or (not drawn_only and _is_indented(lines))):
        return None
    return _entries([line for line in lines if line.name])


def _read_line(index: int, text: str) -> _Line:
    branch = _BRANCH.match(text)
    glyphs = branch or _STEM.match(text)
    start = glyphs.end() if glyphs else 0
    match = _NAME.match(text, start)
    name = (match["quoted"] or match["bare"]).rstrip(":") if match else ""
    if set(name) <= {"."} and name not in (".", ".."):
        name = ""
    stop = text.find(name, start) + len(name) + (1 if match and match["quoted"] else 0)
    several = bool(_MORE_NAMES.match(text, stop)) or " " in name
    remark = several or bool(_REMARK.match(text, stop))
    return _Line(index, start, len(text.rstrip()), name, bool(branch), remark, several)


def _is_drawn(texts: Sequence[str], lines: Sequence[_Line]) -> bool:
    """Whether most lines hang on drawn branches and are files, not the boxes or parts of a diagram."""
    branches = sum(line.branch for line in lines)
    if not branches or branches * 2 < len(lines) - 1 or any(map(_DIAGRAM.search, texts)):
        return False
    if any(map(_ARROW.match, texts)) and not any("/" in line.name for line in lines):
        # What depends on what: such names may have dots as files do, and none is a folder.
        return False
    paths = sum(line.path_like for line in lines)
    return paths * 3 >= len(lines) or all(
        line.remark and line.name.islower() and line.name[0] != "/" for line in lines
    )


def _is_indented(lines: Sequence[_Line]) -> bool:
    """Whether lines without branches are a tree: all of them paths, or folders of the lines below."""
    if len(lines) < 2:
        return False
    for line, following in zip(lines, [*lines[1:], None], strict=True):
        if not line.remark or not _PATH.match(line.name):
            return False
        if not line.path_like and (following is None or following.start <= line.start):
            return False
    return any("/" in line.name for line in lines) or lines[1].start > lines[0].start


def _entries(lines: Sequence[_Line]) -> list[Entry]:
    entries: list[Entry] = []
    above: list[tuple[int, str, Entry]] = []
    for at, line in enumerate(lines):
        while above and above[-1][0] >= line.start:
            above.pop()
        path = _join(above[-1][1] if above else "", line.name)
        if path and not path.endswith("/") and at + 1 < len(lines) and lines[at + 1].start > line.start:
            path += "/"
        known = line.remark and not line.several and not line.name.startswith("/")
        entry = Entry(line.index, line.start, line.end, path or None if known else None)
        for _, _, parent in above:
            parent.below += 1
        entries.append(entry)
        above.append((line.start, path, entry))
    return entries


def _join(parent: str, name: str) -> str:
    name = "" if name == "." else name.removeprefix("./")
    return f"{parent}{name}" if not parent or parent.endswith("/") else f"{parent}/{name}"

"""A review as a patch: what a save would change, in the form that ``git apply`` takes."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from memaudit.review.session import FileChange

_CONTEXT = 3
_ESCAPES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}


def patch(changes: Sequence[FileChange]) -> tuple[bytes, list[str]]:
    """The patch of some changes, and the files that no patch of the repository can hold.

    Those lie outside its root. Lines are taken as bytes: line ends, missing ones and bytes that are no
    text stay as they are. A file that a link names is patched under its own name. To be applied from
    the root of the working tree.
    """
    parts: list[bytes] = []
    outside: list[str] = []
    for change in changes:
        name = _name(change)
        if name is None:
            outside.append(change.document.path)
        else:
            parts += _file(name, change.before, change.after)
    return b"".join(parts), outside


def _name(change: FileChange) -> bytes | None:
    """The path from the root, links followed, as git stores it."""
    path = change.document.path
    if Path(path).is_absolute():
        return None
    depth = len(Path(path).parts)
    root = change.target.parents[depth - 1] if depth <= len(change.target.parents) else Path()
    real = os.path.realpath(change.target)
    top = os.path.realpath(root)
    if not Path(real).is_relative_to(top):
        return None
    return os.fsencode(Path(real).relative_to(top).as_posix())


def _file(name: bytes, before: bytes, after: bytes) -> Iterator[bytes]:
    old, new = _lines(before), _lines(after)
    yield b"diff --git " + _quoted(b"a/" + name) + b" " + _quoted(b"b/" + name) + b"\n"
    yield b"--- " + _header(b"a/" + name) + b"\n"
    yield b"+++ " + _header(b"b/" + name) + b"\n"
    for group in difflib.SequenceMatcher(None, old, new).get_grouped_opcodes(_CONTEXT):
        first, last = group[0], group[-1]
        spans = _span(first[1], last[2]), _span(first[3], last[4])
        yield f"@@ -{spans[0]} +{spans[1]} @@\n".encode()
        for tag, old_from, old_to, new_from, new_to in group:
            if tag == "equal":
                yield from _marked(b" ", old[old_from:old_to])
            else:
                yield from _marked(b"-", old[old_from:old_to])
                yield from _marked(b"+", new[new_from:new_to])


def _lines(raw: bytes) -> list[bytes]:
    """Lines as git counts them: a line feed ends one, nothing else does."""
    pieces = raw.split(b"\n")
    lines = [piece + b"\n" for piece in pieces[:-1]]
    return lines + ([pieces[-1]] if pieces[-1] else [])


def _marked(sign: bytes, lines: Iterable[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield sign + line
        if not line.endswith(b"\n"):
            yield b"\n\\ No newline at end of file\n"


def _span(start: int, end: int) -> str:
    length = end - start
    first = start + 1 if length else start
    return f"{first}" if length == 1 else f"{first},{length}"


def _header(name: bytes) -> bytes:
    """A name behind ``---``: where it holds a blank, a tab shows where it ends."""
    return _quoted(name) + (b"\t" if b" " in name else b"")


def _quoted(name: bytes) -> bytes:
    """A name as git writes it: in quotes, with escapes, if it holds anything unusual."""
    if all(32 <= byte < 127 and byte not in b'"\\' for byte in name):
        return name
    out = "".join(
        f"\\{_ESCAPES[byte]}" if byte in _ESCAPES else chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"
        for byte in name
    )
    return f'"{out}"'.encode("ascii")

"""Git's index, read directly: what is tracked, and how each file looked when git last saw it.

libgit2 hides the recorded sizes and times, refuses sparse indexes and takes files outside a sparse
checkout for deleted; all of it stands in plain fields of the file (gitformat-index, versions 2 to 4).
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from memaudit.errors import RepositoryError
from memaudit.repo.names import normal_path
from memaudit.repo.objects import MODE_TREE
from memaudit.repo.tree import Entry, Listings

# Per entry: mtime (seconds, nanoseconds), mode, size, id, flags; ctime, device, inode and owner skipped.
_FIXED = struct.Struct(">8xII8xI8xI20sH")
_HEADER = struct.Struct(">4sII")
_EXTENSION = struct.Struct(">4sI")
_CHECKSUM = 20

_EXTENDED = 0x4000
_SKIP_WORKTREE = 0x4000


class IndexUnreadableError(Exception):
    """The index is absent, damaged, or split over two files, which is not read here."""


class IndexEntry(NamedTuple):
    """A tracked path. ``size`` and ``mtime_ns`` are those of the file when it last equalled ``entry``.

    Both are zero where it never did: an unmerged path, or one only announced by ``git add -N``.
    ``left_out`` marks a file that a sparse checkout leaves out.
    """

    path: str
    entry: Entry
    size: int
    mtime_ns: int
    left_out: bool


class Index(NamedTuple):
    """The tracked paths that are UTF-8, and the time and size of the file they were read from."""

    entries: list[IndexEntry]
    written_ns: int
    size: int


def read_index(file: Path, listings: Listings, known: Index | None = None) -> Index:
    """The index in ``file``, or ``known`` if that is still what stands there.

    Raises IndexUnreadableError when the caller has to do without.
    """
    try:
        found = file.stat()
        if known is not None and (known.written_ns, known.size) == (found.st_mtime_ns, found.st_size):
            return known
        return Index(list(_parse(file.read_bytes(), listings)), found.st_mtime_ns, found.st_size)
    except (OSError, struct.error, ValueError, IndexError, RepositoryError) as error:
        raise IndexUnreadableError(os.fspath(file)) from error


def _parse(data: bytes, listings: Listings) -> Iterator[IndexEntry]:
    signature, version, count = _HEADER.unpack_from(data)
    if signature != b"DIRC" or version not in (2, 3, 4):
        raise ValueError("not an index of a known version")
    at = _HEADER.size
    raw_path = b""
    for _ in range(count):
        start = at
        seconds, nanoseconds, mode, size, raw_id, flags = _FIXED.unpack_from(data, at)
        at += _FIXED.size
        extended = 0
        if flags & _EXTENDED:
            extended = int.from_bytes(data[at : at + 2], "big")
            at += 2
        if version == 4:
            cut, at = _varint(data, at)
            end = data.index(b"\0", at)
            raw_path = raw_path[: len(raw_path) - cut] + data[at:end]
            at = end + 1
        else:
            end = data.index(b"\0", at)
            raw_path = data[at:end]
            at = start + ((end - start) // 8 + 1) * 8
        try:
            path = raw_path.decode("utf-8")
        except UnicodeDecodeError:
            continue
        if ".." in path and normal_path(path) != path:
            continue
        if mode == MODE_TREE:
            # A folder outside the sparse checkout, folded up by a sparse index.
            for inner, entry in listings.list(raw_id.hex(), path.rstrip("/")).items():
                yield IndexEntry(inner, entry, 0, 0, left_out=True)
            continue
        yield IndexEntry(
            path,
            Entry(mode, raw_id.hex()),
            size,
            seconds * 1_000_000_000 + nanoseconds,
            bool(extended & _SKIP_WORKTREE),
        )
    while at + _EXTENSION.size <= len(data) - _CHECKSUM:
        name, size = _EXTENSION.unpack_from(data, at)
        if name == b"link":
            raise ValueError("split index")
        at += _EXTENSION.size + size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """The offset encoding of pack files: seven bits a byte, each continuation adding one."""
    byte = data[at]
    at += 1
    value = byte & 0x7F
    while byte & 0x80:
        byte = data[at]
        at += 1
        value = ((value + 1) << 7) | (byte & 0x7F)
    return value, at

"""Raw git objects with bounded caches: trees as the bytes git stores, blobs as file contents.

Trees are kept unparsed. Finding one name in them is a byte search, which is what walks over
thousands of commits do; only a snapshot lists them whole.
"""

from __future__ import annotations

import os
import re
import zlib
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pygit2

from memaudit.errors import RepositoryError
from memaudit.patterns import lazy_regex
from memaudit.repo.faults import GIT_FAULTS

MODE_TREE = 0o040000
MODE_FILE = 0o100644
MODE_LINK = 0o120000
MODE_SUBMODULE = 0o160000

_ENTRY = lazy_regex(rb"([0-7]{5,6}) ([^\0]+)\0(.{20})", re.DOTALL)
_MODES = frozenset((b"40000", b"100644", b"100755", b"120000", b"160000", b"100664"))
_CACHED_TREES = 16 * 1024 * 1024
_CACHED_BLOBS = 32 * 1024 * 1024


class TreeEntry(NamedTuple):
    """One line of a tree object: file mode, name as stored, object id in hex."""

    mode: int
    name: bytes
    id: str


class _BytesCache:
    """The most recently used values by key, up to a total of ``limit`` bytes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._values: OrderedDict[str, bytes] = OrderedDict()

    def get(self, key: str) -> bytes | None:
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def put(self, key: str, value: bytes) -> None:
        if len(value) > self._limit // 4:
            return
        self._values[key] = value
        self._size += len(value)
        while self._size > self._limit:
            _, oldest = self._values.popitem(last=False)
            self._size -= len(oldest)


class Objects:
    """Reads the object database of one repository. Nothing is ever fetched from a remote."""

    def __init__(self, git: pygit2.Repository, common_dir: Path) -> None:
        self._odb = git.odb
        self._folder = common_dir / "objects"
        self._loose: dict[str, set[str]] = {}
        self._where = git.path
        self._trees = _BytesCache(_CACHED_TREES)
        self._blobs = _BytesCache(_CACHED_BLOBS)
        self.missing: set[str] = set()
        """The objects that were asked for and could not be read."""

    def tree(self, tree_id: str) -> bytes:
        """The raw tree object; RepositoryError when it is missing or damaged."""
        raw = self._trees.get(tree_id)
        if raw is None:
            try:
                _, raw = self._read(tree_id)
            except GIT_FAULTS as error:
                self.missing.add(tree_id)
                raise RepositoryError(
                    f"the tree {tree_id[:12]} is missing or damaged",
                    self._where,
                    "a partial or damaged clone: run git fsck, or clone again without --filter",
                ) from error
            self._trees.put(tree_id, raw)
        return raw

    def entries(self, tree_id: str) -> Iterator[TreeEntry]:
        """All entries of a tree in stored order."""
        for mode, name, raw_id in self.stored_entries(tree_id):
            yield TreeEntry(int(mode, 8), name, raw_id.hex())

    def stored_entries(self, tree_id: str) -> list[tuple[bytes, bytes, bytes]]:
        """As :meth:`entries`, each as it is stored: mode in octal digits, name, object id in 20 bytes."""
        return _ENTRY.findall(self.tree(tree_id))

    def entry(self, tree_id: str, path: str) -> TreeEntry | None:
        """The entry at ``path`` below a tree, or None where there is none."""
        found: TreeEntry | None = None
        for name in path.encode().split(b"/"):
            if found is not None:
                if found.mode != MODE_TREE:
                    return None
                tree_id = found.id
            found = find_entry(self.tree(tree_id), name)
            if found is None:
                return None
        return found

    def commit(self, commit_id: str) -> bytes | None:
        """The raw commit object, or None when it is not in this clone."""
        try:
            return self._read(commit_id)[1]
        except GIT_FAULTS:
            self.missing.add(commit_id)
            return None

    def _read(self, object_id: str) -> tuple[int, bytes]:
        """An object from the database. One whose loose file was cut off is refused: libgit2 waits for
        the rest of it for ever.
        """
        folder, name = object_id[:2], object_id[2:]
        loose = self._loose.get(folder)
        if loose is None:
            loose = self._loose[folder] = _names_in(self._folder / folder)
        if name in loose:
            stream = zlib.decompressobj()
            try:
                stream.decompress((self._folder / folder / name).read_bytes())
            except FileNotFoundError:
                pass  # Packed since the folder was listed.
            except (zlib.error, OSError):
                raise KeyError(object_id) from None
            else:
                if not stream.eof:
                    raise KeyError(object_id)
            loose.discard(name)
        return self._odb.read(object_id)

    def blob(self, blob_id: str, limit: int | None = None, *, keep: bool = True) -> bytes | None:
        """The contents of a file; None when the object is not in this clone or over ``limit`` bytes.

        Contents are kept for the next time unless ``keep`` is False, as for a pass over every file.
        """
        data = self._blobs.get(blob_id)
        if data is None:
            if limit is not None:
                size = self.size(blob_id)
                if size is None or size > limit:
                    return None
            try:
                _, data = self._read(blob_id)
            except GIT_FAULTS:
                self.missing.add(blob_id)
                return None
            if keep:
                self._blobs.put(blob_id, data)
        return data if limit is None or len(data) <= limit else None

    def size(self, blob_id: str) -> int | None:
        """The length of a file in bytes without reading it, or None when it is not in this clone."""
        try:
            return self._odb.read_header(blob_id)[1]
        except GIT_FAULTS:
            self.missing.add(blob_id)
            return None

    def is_still_missing(self, object_id: str) -> bool:
        """Whether an object that could not be read is not in this clone now either."""
        try:
            return object_id not in self._odb
        except GIT_FAULTS:
            return False


def _names_in(folder: Path) -> set[str]:
    try:
        with os.scandir(folder) as listing:
            return {item.name for item in listing}
    except OSError:
        return set()


def find_entry(raw: bytes, name: bytes) -> TreeEntry | None:
    """Find one name in a raw tree object."""
    needle = b" " + name + b"\0"
    at = raw.find(needle)
    while at >= 0:
        # The bytes before the name must be a mode, else the match lies inside an object id.
        for width in (6, 5):
            mode = raw[at - width : at] if at >= width else b""
            if mode in _MODES:
                start = at + len(needle)
                return TreeEntry(int(mode, 8), name, raw[start : start + 20].hex())
        at = raw.find(needle, at + 1)
    return None

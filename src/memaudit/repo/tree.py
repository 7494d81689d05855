"""A whole tree as a flat listing."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from memaudit.repo.objects import Objects

_KEPT = 250_000
_DEEPEST = 200
_FOLDERS = frozenset((b"40000", b"040000"))
_NO_NAMES = frozenset((b".", b"..", b".git"))


class Entry(NamedTuple):
    """What stands at a path: git's file mode, and the object id (``""``: only on disk so far)."""

    mode: int
    id: str


class Listings:
    """Lists trees, remembering folders: revisions of one repository share most of them.

    What is remembered is bounded to a quarter of a million entries.
    """

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._known: OrderedDict[tuple[str, str], dict[str, Entry]] = OrderedDict()
        self._size = 0

    def list(self, tree_id: str, folder: str = "") -> dict[str, Entry]:
        """Every file, link and submodule of a tree by its path, ``/`` between parts, below ``folder``.

        Names that are not UTF-8 are left out: no claim can name them and JSON cannot carry them. So is
        what only a repository made to do harm has: names that lead elsewhere, and what lies more than
        200 folders deep.
        """
        found: dict[str, Entry] = {}
        above = f"{folder}/" if folder else ""
        for mode, raw_name, entry_id in self._objects.stored_entries(tree_id):
            if raw_name in _NO_NAMES or b"/" in raw_name:
                continue
            try:
                path = above + raw_name.decode("utf-8")
            except UnicodeDecodeError:
                continue
            if mode in _FOLDERS:
                found.update(self._folder(entry_id.hex(), path))
            else:
                found[path] = Entry(int(mode, 8), entry_id.hex())
        return found

    def _folder(self, tree_id: str, folder: str) -> dict[str, Entry]:
        key = (tree_id, folder)
        if folder.count("/") > _DEEPEST:
            return {}
        known = self._known.get(key)
        if known is not None:
            self._known.move_to_end(key)
            return known
        found = self.list(tree_id, folder)
        self._known[key] = found
        self._size += len(found)
        while self._size > _KEPT and self._known:
            _, oldest = self._known.popitem(last=False)
            self._size -= len(oldest)
        return found

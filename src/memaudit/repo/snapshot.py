"""The files of one revision: read from the object database, or for the working tree from disk."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Literal

from memaudit.domain import WORKTREE
from memaudit.errors import RepositoryError
from memaudit.repo.ignore import IgnoreRules
from memaudit.repo.names import normal_path
from memaudit.repo.objects import MODE_LINK, MODE_SUBMODULE, Objects
from memaudit.repo.repository import Repository
from memaudit.repo.tree import Entry
from memaudit.repo.worktree import Disk, blob_id, working_tree

Kind = Literal["file", "folder", "link", "submodule"]

LONGEST_TEXT = 2 * 1024 * 1024
"""Files over this many bytes have no text."""

_MOST_LINKS = 40
_PROBED_FOR_NUL = 8000


def snapshot(repository: Repository, rev: str) -> Snapshot:
    """The snapshot of a commit, or of the working tree for :data:`memaudit.domain.WORKTREE`.

    Raises RangeError for a revision that does not resolve, RepositoryError for one that cannot be
    read and for the working tree of a repository without one.
    """
    if rev == WORKTREE:
        if repository.root is None:
            raise RepositoryError(
                "a bare repository has no working tree", repository.name, "name a commit with --head"
            )
        return Snapshot(rev, working_tree(repository), repository.objects, Disk(repository.root))
    commit = repository.resolve(rev)
    return Snapshot(commit, repository.listings.list(repository.tree_id(commit)), repository.objects)


class Snapshot:
    """A read-only tree of files at one revision; implements :class:`memaudit.domain.Folder`.

    Paths are relative to the top of the repository, ``/`` between parts, case-sensitive on every
    machine; a leading ``./`` and a trailing ``/`` are ignored. None leads out of the repository. A file
    whose contents a partial or damaged clone lacks reads as none, and is :meth:`lacking` from then on.
    The working tree counts as git would commit it: untracked files are in, ignored ones are not.
    """

    def __init__(
        self, rev: str, entries: dict[str, Entry], objects: Objects, disk: Disk | _Laid | None = None
    ) -> None:
        self.rev = rev
        self._entries = entries
        self._objects = objects
        self._disk = disk
        self._ignore = IgnoreRules(self._ignore_file)

    def files(self) -> Sequence[str]:
        """Every file and symbolic link, sorted."""
        return self._files

    @cached_property
    def _files(self) -> list[str]:
        return sorted(path for path, entry in self._entries.items() if entry.mode != MODE_SUBMODULE)

    @cached_property
    def _links(self) -> frozenset[str]:
        return frozenset(path for path, entry in self._entries.items() if entry.mode == MODE_LINK)

    @cached_property
    def _children(self) -> dict[str, set[str]]:
        children: dict[str, set[str]] = {"": set()}
        for path in self._entries:
            folder, _, name = path.rpartition("/")
            known = folder in children
            children.setdefault(folder, set()).add(name)
            while not known and folder:
                folder, _, name = folder.rpartition("/")
                known = folder in children
                children.setdefault(folder, set()).add(name)
        return children

    @cached_property
    def _folders(self) -> frozenset[str]:
        return frozenset(self._children) - {""}

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        names: dict[str, list[str]] = {}
        for path in sorted([*self._entries, *self._folders]):
            names.setdefault(path.rpartition("/")[2], []).append(path)
        return names

    def entries(self) -> Mapping[str, Entry]:
        """Every file, link and submodule by its path, with its mode and object id (``""``: on disk only)."""
        return self._entries

    def differing(self, other: Snapshot) -> frozenset[str]:
        """Every path that the two snapshots do not have alike; one only on disk counts as changed."""
        return frozenset(path for path, _ in self._entries.items() ^ other._entries.items())

    def _plain(self, path: str) -> str | None:
        return path if path in self._entries else normal_path(path)

    def with_files(self, files: Mapping[str, bytes]) -> Snapshot:
        """This snapshot with other contents of some of its files."""
        entries = {**self._entries, **{path: Entry(self._entries[path].mode, "") for path in files}}
        return Snapshot(self.rev, entries, self._objects, _Laid(files, self._disk))

    def folders(self) -> frozenset[str]:
        """Every folder that holds a file, however deep."""
        return self._folders

    def kind(self, path: str) -> Kind | None:
        """What stands at a path, or None; links in the folders above it are followed."""
        plain = self._plain(path)
        if plain is None:
            return None
        entry = self._entries.get(plain)
        if entry is None:
            if plain in self._children:
                return "folder"
            folder, _, name = plain.rpartition("/")
            real = self._real(folder) if folder and self._links else None
            if real is None or real == folder:
                return None
            return self.kind(f"{real}/{name}" if real else name)
        if entry.mode == MODE_LINK:
            return "link"
        return "submodule" if entry.mode == MODE_SUBMODULE else "file"

    def exists(self, path: str) -> bool:
        """Whether anything stands at a path: a file, a folder, a link or a submodule."""
        return self.kind(path) is not None

    def in_submodule(self, path: str) -> bool:
        """Whether a path lies inside a submodule, whose files this repository does not hold."""
        folder = (normal_path(path) or "").rpartition("/")[0]
        while folder:
            entry = self._entries.get(folder)
            if entry is not None:
                return entry.mode == MODE_SUBMODULE
            folder = folder.rpartition("/")[0]
        return False

    def children(self, folder: str) -> list[str]:
        """The names directly inside a folder (``""`` is the top), sorted; empty if there is none."""
        real = self._real(folder)
        return sorted(self._children.get(real, ())) if real is not None else []

    def by_name(self, basename: str) -> list[str]:
        """The paths of every file and folder of that name, sorted."""
        return list(self._by_name.get(basename, ()))

    def by_suffix(self, suffix: str) -> list[str]:
        """The paths of files and folders that end in these whole parts: ``a/b.py`` finds ``x/a/b.py``."""
        plain = normal_path(suffix)
        if not plain:
            return []
        ending = f"/{plain}"
        return [
            path
            for path in self._by_name.get(plain.rpartition("/")[2], ())
            if path == plain or path.endswith(ending)
        ]

    def link(self, path: str) -> str | None:
        """Where a symbolic link leads, relative to the top; None if it is no link or leads out."""
        plain = self._plain(path)
        if plain is None or plain not in self._links:
            return None
        target = self._bytes(plain, None)
        if target is None or target.startswith(b"/") or b"\0" in target:
            return None
        try:
            return normal_path(posixpath.join(posixpath.dirname(plain), target.decode("utf-8")))
        except UnicodeDecodeError:
            return None

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, links inside the repository followed; None where there is no file."""
        return self._read(path, None)

    def why_unread(self, path: str) -> str:
        """Why there is nothing to read at a path, to follow its name; empty where nothing stands."""
        if self.kind(path) == "link":
            return "is a link to nothing or out of the repository"
        return "is missing or damaged in this clone" if self.lacks(path) else ""

    def text(self, path: str) -> str | None:
        """The text of a file with ``\\n`` line ends, bytes that are no UTF-8 replaced.

        None where there is no file, and for binary files and those over :data:`LONGEST_TEXT`.
        """
        data = self._read(path, LONGEST_TEXT)
        if data is None or b"\0" in data[:_PROBED_FOR_NUL]:
            return None
        return data.decode("utf-8-sig", "replace").replace("\r\n", "\n")

    def read_once(self, path: str, limit: int) -> bytes | None:
        """As :meth:`read` for a pass over all files: None over ``limit`` bytes, and nothing is kept."""
        plain = self._plain(path)
        if plain is None or not self._is_file(plain):
            return None
        return self._bytes(plain, limit, keep=False)

    def _read(self, path: str, limit: int | None) -> bytes | None:
        real = self._real(path)
        return self._bytes(real, limit) if real is not None and self._is_file(real) else None

    def _is_file(self, path: str) -> bool:
        entry = self._entries.get(path)
        return entry is not None and entry.mode not in (MODE_LINK, MODE_SUBMODULE)

    def _bytes(self, path: str, limit: int | None, *, keep: bool = True) -> bytes | None:
        """What an entry holds: a file's contents, a link's target; None if neither clone nor disk has it."""
        object_id = self._entries[path].id
        if object_id:
            data = self._objects.blob(object_id, limit, keep=keep)
            if data is not None or object_id not in self._objects.missing:
                return data
        return self._disk.read(path, limit) if self._disk is not None else None

    def lacks(self, path: str) -> bool:
        """Whether the contents of a file were asked for, and are missing or damaged in this clone."""
        entry = self._entries.get(path)
        if entry is None or not entry.id or entry.id not in self._objects.missing:
            return False
        return self._disk is None or self._disk.read(path, None) is None

    def lacking(self) -> list[str]:
        """The files whose contents were asked for and are missing or damaged in this clone, sorted."""
        return [path for path in self._files if self.lacks(path)] if self._objects.missing else []

    def blob_id(self, path: str, *, limit: int | None = None) -> str | None:
        """The object id of the file or link at a path, equal for equal contents; None if there is none.

        A file that is only on disk is hashed when it is first asked for; over ``limit`` bytes it has none.
        """
        plain = self._plain(path)
        entry = self._entries.get(plain) if plain is not None else None
        if plain is None or entry is None or entry.mode == MODE_SUBMODULE:
            return None
        if entry.id:
            return entry.id
        known = self._hashed.get(plain)
        if known is None:
            data = self._bytes(plain, limit)
            if data is None:
                return None
            known = self._hashed[plain] = blob_id(data)
        return known

    @cached_property
    def _hashed(self) -> dict[str, str]:
        return {}

    def ignored(self, path: str) -> bool:
        """Whether the snapshot's own ``.gitignore`` files leave a path out.

        A path without a trailing ``/`` counts as ignored when it is so as a file or as a folder:
        what is ignored is seldom there to be looked at.
        """
        plain = normal_path(path)
        if not plain:
            return False
        if not path.endswith("/") and self._ignore.ignored(plain, is_folder=False):
            return True
        return self._ignore.ignored(plain, is_folder=True)

    def _ignore_file(self, folder: str) -> str | None:
        return self.text(f"{folder}/.gitignore" if folder else ".gitignore")

    def _real(self, path: str) -> str | None:
        """The path with every link on the way followed; None when it leads out or in a circle."""
        plain = self._plain(path)
        if plain is None:
            return None
        if not self._links:
            return plain
        pending, done, followed = plain.split("/")[::-1], "", 0
        while pending:
            name = pending.pop()
            done = f"{done}/{name}" if done else name
            if done not in self._links:
                continue
            target = self.link(done)
            followed += 1
            if target is None or followed > _MOST_LINKS:
                return None
            pending.extend(target.split("/")[::-1] if target else ())
            done = ""
        return done


class _Laid:
    """Contents given for some files, those on disk for the others."""

    def __init__(self, files: Mapping[str, bytes], disk: Disk | _Laid | None) -> None:
        self._files = files
        self._disk = disk

    def read(self, path: str, limit: int | None = None) -> bytes | None:
        data = self._files.get(path)
        if data is not None:
            return data if limit is None or len(data) <= limit else None
        return self._disk.read(path, limit) if self._disk is not None else None

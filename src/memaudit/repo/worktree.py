"""The working tree as git would commit it: what is on disk, keyed by object id where git knows it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pygit2

from memaudit.repo.faults import GIT_FAULTS
from memaudit.repo.ignore import IgnoreRules
from memaudit.repo.index import IndexEntry, IndexUnreadableError
from memaudit.repo.objects import MODE_FILE, MODE_LINK, MODE_SUBMODULE
from memaudit.repo.tree import Entry
from memaudit.text import is_text

if TYPE_CHECKING:
    from memaudit.repo.repository import Repository

_MOST_UNTRACKED = 50_000
_LONGEST_COMPARED = 16 * 1024 * 1024


class Disk:
    """Reads files below a folder, never through a symbolic link and never anything but files."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self, path: str, limit: int | None = None) -> bytes | None:
        """The bytes of a file, or of a link's target; None if there is none or it is over ``limit``."""
        full = self._root / path
        try:
            if os.path.realpath(full.parent) != str(full.parent):
                return None
            found = full.lstat()
            if stat.S_ISLNK(found.st_mode):
                return os.fsencode(full.readlink())
            if not stat.S_ISREG(found.st_mode) or (limit is not None and found.st_size > limit):
                return None
            flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
            with os.fdopen(os.open(full, flags), "rb") as file:
                return file.read()
        except (OSError, ValueError):
            return None


def working_tree(repository: Repository) -> dict[str, Entry]:
    """Every tracked or untracked, not ignored, file of the working tree.

    An entry carries the object id when the file still equals what git has under that id, else
    ``""``: its contents are on disk only. Deleted files are left out, files that a sparse checkout
    leaves out are kept. Nested repositories stand as submodules.
    """
    assert repository.root is not None
    try:
        index = repository.index
        tracked: Iterable[IndexEntry] = index.entries
        recorded_ns = index.written_ns
    except IndexUnreadableError:
        tracked, recorded_ns = _from_head(repository), 0
    return _Scan(repository, repository.root, tracked, recorded_ns).entries


def _from_head(repository: Repository) -> Iterator[IndexEntry]:
    """HEAD in the place of an index that cannot be read: every file will be compared by contents."""
    head = repository.find("HEAD")
    if head is None:
        return
    for path, entry in repository.listings.list(repository.tree_id(head)).items():
        yield IndexEntry(path, entry, 0, 0, left_out=False)


class _Scan:
    """One walk over the working tree."""

    def __init__(
        self, repository: Repository, root: Path, tracked: Iterable[IndexEntry], recorded_ns: int
    ) -> None:
        self.entries: dict[str, Entry] = {}
        self._root = os.fspath(root)
        self._disk = Disk(root)
        self._recorded_ns = recorded_ns
        self._tracked = {entry.path: entry for entry in tracked}
        self._tracked_folders = _folders(self._tracked)
        self._ignore = IgnoreRules(self._ignore_file, _outer_ignore_files(repository))
        self._untracked = 0
        self._seen: set[str] = set()
        self._unreadable: list[str] = []
        pending = [""]
        while pending:
            pending.extend(self._folder(pending.pop()))
        self._keep_unseen()

    def _ignore_file(self, folder: str) -> str | None:
        data = self._disk.read(f"{folder}/.gitignore" if folder else ".gitignore", limit=1024 * 1024)
        return None if data is None else data.decode("utf-8", "replace")

    def _folder(self, folder: str) -> list[str]:
        """Take in the files of one folder and return the folders below it to go on with."""
        below: list[str] = []
        try:
            with os.scandir(f"{self._root}/{folder}") as listing:
                found = list(listing)
        except OSError:
            self._unreadable.append(folder)
            return below
        prefix = f"{folder}/" if folder else ""
        for item in found:
            path = prefix + item.name
            tracked = self._tracked.get(path)
            if tracked is not None and tracked.entry.mode != MODE_SUBMODULE:
                if not item.is_dir(follow_symlinks=False):
                    self._tracked_file(tracked, item)
                    continue
                tracked = None
            if item.name == ".git" or not is_text(item.name):
                continue
            if item.is_dir(follow_symlinks=False):
                if tracked is not None:
                    self.entries[path] = tracked.entry
                elif path in self._tracked_folders or self._is_new_folder(path):
                    below.append(path)
            elif self._untracked < _MOST_UNTRACKED and not self._ignore.ignored(path, is_folder=False):
                mode = _mode(item)
                if mode is not None:
                    self._untracked += 1
                    self.entries[path] = Entry(mode, "")
        return below

    def _is_new_folder(self, path: str) -> bool:
        if self._ignore.ignored(path, is_folder=True):
            return False
        if os.path.lexists(f"{self._root}/{path}/.git"):
            self.entries[path] = Entry(MODE_SUBMODULE, "")
            return False
        return True

    def _tracked_file(self, tracked: IndexEntry, item: os.DirEntry[str]) -> None:
        path, entry, size, mtime_ns, _ = tracked
        self._seen.add(path)
        try:
            found = item.stat(follow_symlinks=False)
        except OSError:
            return
        # A file written in the same instant as the index may have changed since without a trace.
        is_dated = mtime_ns == found.st_mtime_ns and mtime_ns < self._recorded_ns
        if (is_dated and size == found.st_size) or self._has_same_contents(tracked):
            self.entries[path] = entry
            return
        mode = _mode(item)
        if mode is not None:
            self.entries[path] = Entry(mode, "")

    def _has_same_contents(self, tracked: IndexEntry) -> bool:
        data = self._disk.read(tracked.path, limit=_LONGEST_COMPARED)
        if data is None:
            return False
        if blob_id(data) == tracked.entry.id:
            return True
        return b"\r\n" in data and blob_id(data.replace(b"\r\n", b"\n")) == tracked.entry.id

    def _keep_unseen(self) -> None:
        """Tracked paths that are not on disk, yet not deleted by anybody."""
        unreadable = tuple(f"{folder}/" if folder else "" for folder in self._unreadable)
        for path, tracked in self._tracked.items():
            if path in self._seen or path in self.entries:
                continue
            if tracked.left_out or tracked.entry.mode == MODE_SUBMODULE or path.startswith(unreadable):
                self.entries[path] = tracked.entry


def blob_id(data: bytes) -> str:
    """The object id git gives to a file of these bytes."""
    return str(pygit2.hash(data))


def _mode(item: os.DirEntry[str]) -> int | None:
    if item.is_symlink():
        return MODE_LINK
    return MODE_FILE if item.is_file(follow_symlinks=False) else None


def _folders(paths: Iterable[str]) -> set[str]:
    """All folders that lie above one of the paths."""
    folders: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return folders


def _outer_ignore_files(repository: Repository) -> Iterator[str]:
    """What this clone and this user leave out of every ``git status``, strongest first."""
    files = [repository.common_dir / "info" / "exclude", _user_ignore_file(repository)]
    for file in files:
        try:
            yield file.read_text(encoding="utf-8", errors="replace")
        except (OSError, ValueError):
            continue


def _user_ignore_file(repository: Repository) -> Path:
    try:
        named = repository.git.config["core.excludesfile"]
    except GIT_FAULTS:
        named = None
    settings = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    file = Path(named) if named else Path(settings) / "git" / "ignore"
    try:
        return file.expanduser()
    except RuntimeError:
        return file

"""The working folder: files on disk that a memory store may be found among, never one outside."""

# ruff: noqa: PTH110, PTH112, PTH113, PTH114, PTH118, PTH123, PTH208
# A large repository means tens of thousands of look-ups; path objects would triple their cost.

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from memaudit.errors import StoreError
from memaudit.stores.document import MAX_BYTES
from memaudit.stores.families import FAMILIES
from memaudit.stores.vocabulary import SKIPPED_FOLDERS

A_FOLDER = "is a folder, not a file"
"""Why a folder under a memory file's name is not read."""

MAX_FILES = 200_000
"""No more files are listed than this."""


class WorkingFolder:
    """A directory on disk as a :class:`memaudit.domain.Folder`.

    ``tracked`` are the paths git knows; without them the directory is walked. Memory files that git
    does not know are found too: they are looked for by name beside the tracked ones. Links are
    followed as long as they stay inside; what lies outside does not exist here.
    """

    def __init__(self, root: Path, tracked: Iterable[str] | None = None) -> None:
        self.root = root
        self._real = os.path.realpath(root)
        self._tracked = None if tracked is None else list(filter(_stays_inside, tracked))

    def files(self) -> Iterable[str]:
        """Tracked files that exist, and untracked memory files; sorted."""
        if self._tracked is None:
            return self.below(".")
        # One listing a folder answers for all its files; asking for each would take far longer.
        listings = {folder: self._names_in(folder) for folder in _folders_of(self._tracked)}
        found = set()
        for path in self._tracked:
            parent, _, name = path.rpartition("/")
            if name in listings[parent]:
                found.add(path)
        for folder, names in listings.items():
            found.update(self._memory_files(folder, names))
        return sorted(found)

    def below(self, path: str) -> Iterable[str]:
        """All files and links below a folder, whether git knows them or not; sorted and bounded."""
        top = self._resolve(path)
        return sorted(self._walk(path, top)) if top is not None else []

    def read(self, path: str) -> bytes | None:
        """The bytes of a regular file. Of one too large to be split only the beginning is read."""
        target = self._resolve(path)
        if target is None:
            return None
        try:
            # Without O_NONBLOCK opening a named pipe would wait for its writer.
            descriptor = os.open(
                target, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
            )
        except OSError:
            return None
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            return None
        with open(descriptor, "rb") as stream:
            try:
                return stream.read(2 * MAX_BYTES)
            except OSError:
                return None

    def why_unread(self, path: str) -> str:
        """Why there is nothing to read at a path, to follow its name; empty where nothing stands."""
        if not _stays_inside(path) or not os.path.lexists(self._join(path)):
            return ""
        target = self._resolve(path)
        if target is None:
            return "is a link out of the repository"
        if not os.path.exists(target):
            return "is a link to nothing"
        if os.path.isdir(target):
            return A_FOLDER
        return "cannot be read" if os.path.isfile(target) else "is no regular file"

    def link(self, path: str) -> str | None:
        """Where a symbolic link ends, relative to the folder; None if it is none or leads out."""
        if not _stays_inside(path) or not os.path.islink(self._join(path)):
            return None
        target = self._resolve(path)
        if target is None or target == self._real:
            return None
        return os.path.relpath(target, self._real).replace(os.sep, "/")

    def disk_path(self, path: str) -> Path:
        """Where a document is on disk. Raises StoreError for a path that leads outside."""
        if self._resolve(path) is None:
            raise StoreError("leads outside the repository", path, "memaudit only touches files inside it")
        return self.root / path

    def _join(self, path: str) -> str:
        return os.path.join(self._real, path)

    def _resolve(self, path: str) -> str | None:
        """The real path on disk, or None if it is outside or could not be meant."""
        if not _stays_inside(path):
            return None
        try:
            target = os.path.realpath(self._join(path))
        except (OSError, ValueError):
            return None
        inside = target == self._real or target.startswith(self._real.rstrip(os.sep) + os.sep)
        return target if inside and not _is_gits(target[len(self._real) :]) else None

    def _names_in(self, folder: str) -> frozenset[str]:
        try:
            return frozenset(os.listdir(self._join(folder)))
        except OSError:
            return frozenset()

    def _memory_files(self, parent: str, present: frozenset[str]) -> Iterator[str]:
        """The memory files in a folder that holds the names ``present``."""
        prefix = f"{parent}/" if parent else ""
        for family in FAMILIES:
            for name in family.names:
                if name.split("/")[0] in present and os.path.lexists(self._join(prefix + name)):
                    yield prefix + name
            for name in family.folders:
                if name.split("/")[0] not in present:
                    continue
                top = self._join(prefix + name)
                if os.path.islink(top):
                    yield prefix + name
                elif os.path.isdir(top):
                    yield from (path for path in self._walk(prefix + name, top) if path.endswith(".md"))

    def _walk(self, path: str, top: str) -> Iterator[str]:
        count = 0
        for folder, folders, names in os.walk(top):
            relative = os.path.relpath(folder, top).replace(os.sep, "/")
            parts = [part for part in (path, relative) if part != "."]
            linked = [name for name in folders if os.path.islink(os.path.join(folder, name))]
            folders[:] = sorted(
                name for name in folders if name not in SKIPPED_FOLDERS and name not in linked
            )
            for name in (*names, *linked):
                yield "/".join((*parts, name))
                count += 1
                if count >= MAX_FILES:
                    return


def _stays_inside(path: str) -> bool:
    return not path.startswith(("/", "~")) and "\0" not in path and ".." not in path.split("/")


def _folders_of(paths: Iterable[str]) -> set[str]:
    """All folders that hold one of the paths, directly or deeper; the top is an empty string."""
    folders = {""}
    for path in paths:
        while "/" in path:
            path = path.rsplit("/", 1)[0]
            if path in folders:
                break
            folders.add(path)
    return folders


def _is_gits(path: str) -> bool:
    """Whether a path leads into a git directory: its files are settings that git acts on, never memory."""
    return any(part.lower() == ".git" for part in re.split(r"[/\\]", path))

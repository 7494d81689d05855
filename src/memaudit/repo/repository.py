"""Opening a git repository for reading, and what can be asked of it as a whole."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import pygit2
from pygit2.enums import ObjectType

from memaudit.errors import RangeError, RepositoryError
from memaudit.repo.faults import GIT_FAULTS, fault_text, reading
from memaudit.repo.index import Index, IndexUnreadableError, read_index
from memaudit.repo.objects import Objects
from memaudit.repo.tree import Listings
from memaudit.repo.walk import MainLine

_CACHED_OBJECTS = 64 * 1024 * 1024


class Movement(NamedTuple):
    """One entry of a reflog: where a reference pointed before and after, and why it moved."""

    old: str
    new: str
    message: str


_LEAST_DIGITS = 4
"""Digits that git takes for an abbreviated id; a shorter word is a name that does not exist."""


class Repository:
    """A git repository opened for reading: nothing is written, run or fetched.

    ``root`` is the top of the working tree, None for a bare repository. ``git_dir`` belongs to this
    worktree alone, ``common_dir`` is shared by all worktrees. ``prefix`` is the sub-folder of the
    working tree that was asked for, relative to ``root`` (``""`` at the top).
    """

    def __init__(self, git: pygit2.Repository, root: Path | None, prefix: str) -> None:
        self.git = git
        self.root = root
        self.prefix = prefix
        self.git_dir = Path(git.path)
        self.common_dir = _common_dir(self.git_dir)
        self._index: Index | None = None

    @property
    def is_bare(self) -> bool:
        """Whether there is no working tree."""
        return self.root is None

    @property
    def is_shallow(self) -> bool:
        """Whether the history was cut off when it was cloned."""
        return bool(self.git.is_shallow)

    @cached_property
    def cut_off(self) -> frozenset[str]:
        """The commits of a shallow clone whose parents were left out."""
        try:
            return frozenset((self.common_dir / "shallow").read_text(encoding="ascii").split())
        except (OSError, ValueError):
            return frozenset()

    @property
    def name(self) -> str:
        """Where the repository is, for messages."""
        return str(self.root or self.git_dir)

    @cached_property
    def objects(self) -> Objects:
        """The object database."""
        return Objects(self.git, self.common_dir)

    @cached_property
    def listings(self) -> Listings:
        """Whole trees as flat listings."""
        return Listings(self.objects)

    @cached_property
    def main_line(self) -> MainLine:
        """HEAD and its first parents."""
        return MainLine(self.objects, self.resolve("HEAD"))

    def resolve(self, rev: str) -> str:
        """The id of the commit that ``rev`` names; RangeError when it names none."""
        try:
            return str(self.git.revparse_single(rev).peel(ObjectType.COMMIT).id)
        except pygit2.AmbiguousError as error:
            if len(rev) < _LEAST_DIGITS:
                raise self._no_revision(rev) from error
            raise RangeError(
                "the abbreviated commit id fits several objects", rev, "write more of its digits"
            ) from error
        except GIT_FAULTS as error:
            raise self._no_revision(rev) from error

    def _no_revision(self, rev: str) -> RangeError:
        if rev in ("HEAD", "@") and self.git.head_is_unborn:
            return RangeError(
                "HEAD stands on a branch without commits",
                self.name,
                "name a revision with --range or --head",
            )
        if self.is_shallow:
            return RangeError(
                "no such revision in this shallow clone", rev, "run git fetch --unshallow and try again"
            )
        return RangeError(
            "no such revision",
            rev,
            "give a commit, branch or tag of this repository: see git log and git tag",
        )

    def tree_id(self, commit: str) -> str:
        """The id of a commit's tree; RepositoryError when the commit cannot be read."""
        with reading(self.name):
            return str(self.git[commit].peel(ObjectType.COMMIT).tree_id)

    @property
    def index(self) -> Index:
        """Git's index as it is now; IndexUnreadableError when the caller has to do without."""
        self._index = read_index(self.git_dir / "index", self.listings, self._index)
        return self._index

    def tracked(self) -> list[str]:
        """The paths that git knows: those of the index, or of HEAD where there is no index."""
        if self.root is not None:
            try:
                return sorted({entry.path for entry in self.index.entries})
            except IndexUnreadableError:
                pass
        if self.git.head_is_unborn:
            return []
        return sorted(self.listings.list(self.tree_id(self.resolve("HEAD"))))

    def refs(self) -> frozenset[str]:
        """Short names of all branches and tags; remote branches with and without their remote."""
        return self._refs

    @cached_property
    def _refs(self) -> frozenset[str]:
        names: set[str] = set()
        with reading(self.name):
            references = self.git.raw_listall_references()
        for raw in references:
            try:
                name = raw.decode("utf-8")
            except UnicodeDecodeError:
                continue
            for namespace in ("refs/heads/", "refs/tags/", "refs/remotes/"):
                if name.startswith(namespace):
                    short = name.removeprefix(namespace)
                    names.add(short)
                    if namespace == "refs/remotes/":
                        names.add(short.partition("/")[2])
        return frozenset(names - {"", "HEAD"})

    def reflog(self) -> list[Movement]:
        """How HEAD has moved in this worktree, newest first; empty where no log is kept."""
        try:
            return [
                Movement(str(entry.oid_old), str(entry.oid_new), entry.message)
                for entry in self.git.lookup_reference("HEAD").log()
            ]
        except GIT_FAULTS:
            return []

    def find(self, rev: str) -> str | None:
        """As :meth:`resolve`, with None instead of an error."""
        try:
            return self.resolve(rev)
        except RangeError:
            return None

    def merge_base(self, one: str, other: str) -> str | None:
        """The best common ancestor of two commits, or None when their histories do not meet."""
        try:
            # Typed as always found, yet None is what comes back when there is none.
            meeting: pygit2.Oid | None = self.git.merge_base(one, other)
        except GIT_FAULTS:
            return None
        return str(meeting) if meeting is not None else None

    def is_ancestor(self, ancestor: str, commit: str) -> bool:
        """Whether ``commit`` descends from ``ancestor`` and is another one; False if one is missing."""
        try:
            return ancestor != commit and self.git.descendant_of(commit, ancestor)
        except GIT_FAULTS:
            return False


def open_repository(path: Path) -> Repository:
    """Open the repository that ``path`` lies in: a working tree, one of its folders, or a git directory.

    Raises RepositoryError with the reason and the next step when there is none, when it belongs to
    another user, when it uses a format that libgit2 cannot read, or when it has no commit at all.
    """
    real = Path(os.path.realpath(path))
    folder = real.parent if real.is_file() else real
    if not folder.is_dir():
        raise RepositoryError("no such folder", str(path), "give the path of a git repository")
    try:
        git = pygit2.Repository(str(folder))  # Looks in the folders above too, as git does.
        _settle()
        if git.head_is_unborn and not git.raw_listall_references():
            raise RepositoryError(
                "the repository has no commit yet", str(path), "commit something first: git commit"
            )
    except GIT_FAULTS as error:
        raise _cannot_open(path, folder, error) from error
    root = _work_tree(git)
    prefix = ""
    if root is not None and folder.is_relative_to(root) and not folder.is_relative_to(git.path):
        relative = folder.relative_to(root).as_posix()
        prefix = "" if relative == "." else relative
    return Repository(git, root, prefix)


def _work_tree(git: pygit2.Repository) -> Path | None:
    if git.is_bare or git.workdir is None:
        return None
    root = Path(os.path.realpath(git.workdir))
    # A git directory of any name without a core.bare setting counts as bare for git, while libgit2
    # takes the folder around it for the working tree.
    if not (root / ".git").exists() and "core.worktree" not in git.config:
        return None
    return root


def _common_dir(git_dir: Path) -> Path:
    try:
        pointer = (git_dir / "commondir").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return git_dir
    return Path(os.path.realpath(git_dir / pointer))


def _settle() -> None:
    """Settings of libgit2, which hold for the whole process."""
    pygit2.settings.cache_max_size(_CACHED_OBJECTS)
    # As git does: damage is found by the checksums of compression, without hashing each object anew.
    pygit2.settings.enable_strict_hash_verification(False)


def _cannot_open(path: Path, folder: Path, error: BaseException) -> RepositoryError:
    message = fault_text(error)
    where = str(path)
    if "repository not found" in message.lower():
        return RepositoryError("not a git repository", where, "run memaudit inside one, or give its path")
    if "not owned by current user" in message:
        owned = message.split("'")[1] if message.count("'") >= 2 else str(folder)
        return RepositoryError(
            "the repository belongs to another user",
            where,
            f"if you trust it, run: git config --global --add safe.directory {owned.rstrip('/')}",
        )
    if "object format" in message or "objectformat" in message.lower():
        return RepositoryError(
            "the repository uses an object format (sha256) that libgit2 cannot read",
            where,
            "audit a clone that uses sha1",
        )
    if "refstorage" in message.lower():
        return RepositoryError(
            "the repository keeps its references in a format (reftable) that libgit2 cannot read",
            where,
            "convert it with: git refs migrate --ref-format=files",
        )
    if "unsupported extension" in message:
        return RepositoryError(
            f"the repository uses a git extension that libgit2 cannot read ({message})", where
        )
    return RepositoryError(f"the repository cannot be opened: {message}", where, "run git status there")

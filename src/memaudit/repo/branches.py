"""The names that git keeps, and which branches have a file: claims may speak of work that is elsewhere."""

from __future__ import annotations

from functools import cached_property

from memaudit.errors import RepositoryError
from memaudit.repo.faults import GIT_FAULTS
from memaudit.repo.names import normal_path
from memaudit.repo.repository import Repository
from memaudit.repo.walk import read_commit

_MOST_BRANCHES = 500
"""Branches whose tips are looked at, local ones first."""


class Branches:
    """The branches and tags of one repository. Tips are read when first asked about."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    @property
    def names(self) -> frozenset[str]:
        """Short names of all branches and tags, see :meth:`Repository.refs`."""
        return self._repository.refs()

    def holding(self, path: str) -> str | None:
        """The first branch whose tip has a file or folder at ``path``, the checked out one left aside."""
        plain = normal_path(path)
        if not plain:
            return None
        return next((name for name, tree in self._tips if self._has(tree, plain)), None)

    def _has(self, tree: str, path: str) -> bool:
        try:
            return self._repository.objects.entry(tree, path) is not None
        except RepositoryError:
            return False  # A partial clone: what it does not have cannot be looked at.

    @cached_property
    def _tips(self) -> list[tuple[str, str]]:
        """Short name and tree of each branch."""
        git = self._repository.git
        found: list[tuple[str, str]] = []
        try:
            current = "" if git.head_is_detached else git.head.shorthand
            names = [*sorted(git.branches.local), *sorted(git.branches.remote)]
        except GIT_FAULTS:
            return []
        for name in names:
            if current in (name, name.partition("/")[2]) or name.endswith("/HEAD"):
                continue
            if len(found) == _MOST_BRANCHES:
                break
            try:
                target = git.branches[name].target
            except GIT_FAULTS:
                continue
            commit = read_commit(self._repository, str(target))
            if commit is not None:
                found.append((name, commit.tree))
        return found

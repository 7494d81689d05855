"""One commit in full: its whole message and the files it changed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from pygit2.enums import ObjectType

from memaudit.domain import CommitInfo
from memaudit.repo.faults import reading
from memaudit.repo.history import commit_info_of, message_of
from memaudit.repo.repository import Repository

MOST_FILES = 300
"""At most this many changed files are listed."""

_LONGEST_MESSAGE = 100_000


@dataclass(frozen=True, slots=True)
class CommitText:
    """A commit to be read: ``files`` are pairs of a status letter, as git gives them, and a path.

    ``more_files`` counts those left out. A merge is compared with its first parent.
    """

    info: CommitInfo
    message: str
    files: tuple[tuple[str, str], ...]
    more_files: int
    parents: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """As a JSON value."""
        return asdict(self)


def read_commit(repository: Repository, sha: str) -> CommitText:
    """A commit by its full id. Raises RepositoryError when there is none or it cannot be read."""
    with reading(repository.name):
        commit = repository.git[sha].peel(ObjectType.COMMIT)
        tree = commit.tree
        first = next(iter(commit.parents), None)
        diff = tree.diff_to_tree(first.tree, swap=True) if first else tree.diff_to_tree(swap=True)
        deltas = islice(diff.deltas, MOST_FILES)
        files = tuple((delta.status_char(), delta.new_file.path or delta.old_file.path) for delta in deltas)
        more = max(len(diff) - len(files), 0)
        parents = tuple(str(one) for one in commit.parent_ids)
    message = message_of(commit)[:_LONGEST_MESSAGE]
    return CommitText(commit_info_of(commit), message, files, more, parents)

"""What tells that two clones are of the same repository: the commit that their main line began with."""

from __future__ import annotations

from pygit2.enums import ObjectType

from memaudit.errors import RepositoryError
from memaudit.repo.faults import reading
from memaudit.repo.repository import Repository


def origin(repository: Repository) -> str:
    """The id of the first commit on the first-parent line of HEAD, the same in every whole clone.

    Raises RepositoryError for a shallow clone, whose line is cut off, and RangeError without a commit.
    """
    if repository.is_shallow:
        raise RepositoryError(
            "a review cannot be shared from a shallow clone", repository.name, "run git fetch --unshallow"
        )
    sha = repository.resolve("HEAD")
    with reading(repository.name):
        commit = repository.git[sha].peel(ObjectType.COMMIT)
        while commit.parent_ids:
            commit = repository.git[commit.parent_ids[0]].peel(ObjectType.COMMIT)
        return str(commit.id)

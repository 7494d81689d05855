"""What libgit2 and the file system raise, turned into errors a person can act on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pygit2

from memaudit.errors import RepositoryError

GIT_FAULTS = (pygit2.GitError, KeyError, ValueError, OSError)
"""Everything that reading a damaged, partial or unusual repository can raise."""


@contextmanager
def reading(where: str) -> Iterator[None]:
    """Turn any fault of libgit2 inside the block into a RepositoryError that names ``where``."""
    try:
        yield
    except GIT_FAULTS as error:
        raise RepositoryError(
            f"git data cannot be read: {fault_text(error)}", where, "run git fsck in the repository"
        ) from error


def fault_text(error: BaseException) -> str:
    """What libgit2 says, without the quotes it puts around it."""
    return str(error.args[0] if error.args else error).strip().strip("'\"")

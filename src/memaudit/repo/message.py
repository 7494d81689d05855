"""One commit in full: its whole message, the files it changed, and what it changed in one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

import pygit2
from pygit2.enums import ObjectType

from memaudit.domain import CommitInfo
from memaudit.repo.faults import reading
from memaudit.repo.history import commit_info_of, message_of
from memaudit.repo.repository import Repository

MOST_FILES = 300
"""At most this many changed files are listed."""

MOST_LINES = 500
"""At most this many lines of a change are shown."""

_MOST_MOVED = 100
"""At most so many files that went and that came are compared with each other to see which were moved."""

_LONGEST_LINE = 400
_LONGEST_MESSAGE = 100_000


@dataclass(frozen=True, slots=True)
class CommitText:
    """A commit to be read: ``files`` are pairs of a status letter, as git gives them, and a path.

    ``more_files`` counts those left out; of a file that was moved both paths are told. ``change`` is what it
    did to the file ``changed``: lines as ``diff`` writes them, ``cut`` if there are more. A merge is compared
    with its first parent.
    """

    info: CommitInfo
    message: str
    files: tuple[tuple[str, str], ...]
    more_files: int
    parents: tuple[str, ...]
    changed: str = ""
    change: tuple[str, ...] = ()
    cut: bool = False

    def as_json(self) -> dict[str, Any]:
        """As a JSON value."""
        return asdict(self)


def read_commit(repository: Repository, sha: str, paths: Sequence[str] = ()) -> CommitText:
    """A commit by its full id, with its change to the first of some files that it changed.

    Raises RepositoryError when there is none or it cannot be read.
    """
    with reading(repository.name):
        commit = repository.git[sha].peel(ObjectType.COMMIT)
        tree = commit.tree
        first = next(iter(commit.parents), None)
        diff = tree.diff_to_tree(first.tree, swap=True) if first else tree.diff_to_tree(swap=True)
        _find_moves(diff)
        files = tuple((delta.status_char(), _path(delta)) for delta in islice(diff.deltas, MOST_FILES))
        more = max(len(diff) - len(files), 0)
        parents = tuple(str(one) for one in commit.parent_ids)
        changed, lines = _change(diff, paths)
    message = message_of(commit)[:_LONGEST_MESSAGE]
    return CommitText(
        commit_info_of(commit),
        message,
        files,
        more,
        parents,
        changed,
        lines[:MOST_LINES],
        len(lines) > MOST_LINES,
    )


def _change(diff: pygit2.Diff, paths: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The first of the paths that the diff changes, and at most one line more of that than is shown."""
    places = {
        path: number
        for number, delta in enumerate(diff.deltas)
        for path in (delta.old_file.path, delta.new_file.path)
        if path in paths
    }
    for path in paths:
        patch = diff[places[path]] if path in places else None
        if patch is not None:
            return _path(patch.delta), tuple(islice(_lines(patch), MOST_LINES + 1))
    return "", ()


def _find_moves(diff: pygit2.Diff) -> None:
    """Take files that went and came again elsewhere for moved, where that is soon found out."""
    counts = Counter(delta.status_char() for delta in diff.deltas)
    if 0 < counts["A"] <= _MOST_MOVED and 0 < counts["D"] <= _MOST_MOVED:
        # A partial clone lacks the contents of files.
        with suppress(KeyError, pygit2.GitError):
            diff.find_similar(rename_limit=_MOST_MOVED)


def _path(delta: pygit2.DiffDelta) -> str:
    old, new = delta.old_file.path, delta.new_file.path
    return f"{old} → {new}" if old and new and old != new else new or old


def _lines(patch: pygit2.Patch) -> Iterator[str]:
    if patch.delta.is_binary:
        yield "@@ not text @@"
        return
    for hunk in patch.hunks:
        yield hunk.header.rstrip("\r\n")[:_LONGEST_LINE]
        for line in hunk.lines:
            if line.origin in "+- ":
                content = line.raw_content[: 4 * _LONGEST_LINE].decode("utf-8", "replace")
                yield f"{line.origin}{content.rstrip(chr(10) + chr(13))[:_LONGEST_LINE]}"

"""Which change the claims are judged against, and how it was found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from memaudit.domain import WORKTREE, Range
from memaudit.errors import RangeError

if TYPE_CHECKING:
    from memaudit.repo.repository import Repository

_NOWHERE = "0" * 40


class RangeRequest(NamedTuple):
    """What the user asked for: ``--range``, ``--since``, ``--head``."""

    range: str | None = None
    since: str | None = None
    head: str | None = None


def resolve_range(repository: Repository, request: RangeRequest, memory_paths: Iterable[str]) -> Range:
    """Find the range: as asked for, else what the last pull, merge or rebase brought, else for each claim
    since its line was written.

    ``A..B``, ``A...B`` (from their merge base), ``A..`` and ``..B`` are understood; an end left open
    is the working tree where there is one, else HEAD, and an open start is HEAD. Raises RangeError
    when an end does not resolve or the options contradict each other.
    """
    found = _found(repository, request, memory_paths)
    return replace(found, head_commit=_commit(repository, found.head))


def _found(repository: Repository, request: RangeRequest, memory_paths: Iterable[str]) -> Range:
    if request.range is not None and request.since is not None:
        raise RangeError("a range and a start were both given", "--range, --since", "leave one of them out")
    if request.range is not None:
        return _explicit(repository, request.range, request.head)
    head = _head(repository, request.head)
    if request.since is not None:
        return Range(repository.resolve(request.since), head, f"--since {request.since}")
    return _default(repository, head, memory_paths)


def _explicit(repository: Repository, text: str, head_option: str | None) -> Range:
    dots = "..." if "..." in text else ".."
    start, found, end = text.partition(dots)
    start, end = start.strip(), end.strip()
    if not found or (not start and not end) or ".." in end:
        raise RangeError("not a range", f"--range {text}", "write it as A..B, A...B, A.. or ..B")
    if end and head_option is not None:
        raise RangeError("the head was given twice", f"--range {text}, --head {head_option}", "leave one out")
    head = _head(repository, end or head_option)
    base = repository.resolve(start or "HEAD")
    if dots == "...":
        meeting = repository.merge_base(base, _commit(repository, head))
        if meeting is None:
            raise RangeError("the two ends have no common history", f"--range {text}", "use A..B instead")
        base = meeting
    return Range(base, head, f"--range {text}")


def _head(repository: Repository, head: str | None) -> str:
    if head is None:
        return repository.resolve("HEAD") if repository.is_bare else WORKTREE
    if head != WORKTREE:
        return repository.resolve(head)
    if repository.is_bare:
        raise RangeError("a bare repository has no working tree", f"--head {head}", "name a commit")
    return head


def _commit(repository: Repository, head: str) -> str:
    """The commit that a head stands on."""
    return repository.resolve("HEAD") if head == WORKTREE else head


def _default(repository: Repository, head: str, memory_paths: Iterable[str]) -> Range:
    commit = _commit(repository, head)
    if commit == repository.find("HEAD"):
        pulled = _last_pull(repository, commit) or _before_last_move(repository, commit)
        if pulled is not None:
            base, chosen_by = pulled
            return Range(base, head, chosen_by)
    return _per_claim(repository, head, commit, memory_paths)


def _last_pull(repository: Repository, head: str) -> tuple[str, str] | None:
    """What the newest movement of HEAD brought, when that was a pull, a merge or a rebase onto news."""
    moves = repository.reflog()
    if not moves or moves[0].new != head:
        return None
    verb = moves[0].message.split(" ", 1)[0].rstrip(":")
    if verb not in ("pull", "merge", "rebase"):
        return None
    first = moves[0]
    if "(finish)" in first.message:
        # A rebase moves HEAD in many steps and began where the first of them left. Started from an
        # ancestor it has only rearranged one's own commits.
        first = next((move for move in moves if "(start)" in move.message), first)
        if repository.is_ancestor(first.new, first.old):
            return None
    base = first.old
    if base in (_NOWHERE, head) or repository.find(base) is None:
        return None
    return base, f"last {verb} (reflog: HEAD@{{0}})"


def _before_last_move(repository: Repository, head: str) -> tuple[str, str] | None:
    base = repository.find("ORIG_HEAD")
    if base is None or not repository.is_ancestor(base, head):
        return None
    return base, "last pull or merge (ORIG_HEAD)"


def _per_claim(repository: Repository, head: str, commit: str, memory_paths: Iterable[str]) -> Range:
    from memaudit.repo.history import oldest_author

    oldest = oldest_author(repository, commit, memory_paths)
    return Range(oldest or commit, head, "for each claim, since its line was written", per_claim=True)

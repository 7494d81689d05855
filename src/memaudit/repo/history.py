"""Which commit did it: the commits of a range asked about paths, lines and pull requests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, timezone
from functools import cached_property

import pygit2
from pygit2.enums import ObjectType

from memaudit.domain import WORKTREE, CommitInfo, Range
from memaudit.repo.blame import blame, split_lines, unchanged_lines
from memaudit.repo.repository import Repository, reading
from memaudit.repo.snapshot import Snapshot, normal_path
from memaudit.repo.walk import Commits, PathWalk, Touch
from memaudit.repo.worktree import Disk

_MOST_COMMITS = 50_000
_MOST_COMMITS_BEFORE = 20_000
_NUMBER = re.compile(r"\(#(\d{1,9})\)|^Merge pull request #(\d{1,9})\b|\(!(\d{1,9})\)", re.MULTILINE)


class History:
    """The commits of a range, asked which of them changed something.

    Commits are those reachable from head and not from base, as in ``git log base..head``; for a
    working tree they end at HEAD. Give ``head`` so that what is changed on disk only is not blamed on
    the last commit that touched the same path. Very long histories are looked into for the newest
    50,000 commits of the range, and for 20,000 before it.
    """

    def __init__(self, repository: Repository, range_: Range, head: Snapshot | None = None) -> None:
        self._repository = repository
        self._range = range_
        self._head = head
        self._tip = repository.resolve("HEAD" if range_.head == WORKTREE else range_.head)
        self._walks: list[PathWalk] = []
        self._walks_before: list[PathWalk] = []

    @cached_property
    def _commits(self) -> Commits:
        return Commits(self._repository, self._tip, self._range.base, _MOST_COMMITS)

    @cached_property
    def _commits_before(self) -> Commits:
        return Commits(self._repository, self._range.base, None, _MOST_COMMITS_BEFORE)

    def commit_info(self, sha: str) -> CommitInfo:
        """A commit as it is named in evidence; RepositoryError when it cannot be read."""
        with reading(self._repository.name):
            commit = self._repository.git[sha].peel(ObjectType.COMMIT)
        return _info(commit)

    def last_change(self, paths: Iterable[str]) -> dict[str, CommitInfo]:
        """The commit of the range that gave each path (a file or a folder) its state at head.

        Paths that no commit of the range touched are left out, and those changed on disk since.
        One walk answers for all paths: ask for them together.
        """
        plain = {path: name for path in paths if (name := normal_path(path))}
        walk = self._walk(self._walks, self._commits, plain.values())
        tree = self._repository.tree_id(self._tip)
        changes: dict[str, CommitInfo] = {}
        for path, name in plain.items():
            entry = self._repository.objects.entry(tree, name)
            state = entry.id if entry else None
            if self._changed_on_disk(name, state):
                continue
            for touch in walk[name].touches(name):
                if touch.after == state:
                    changes[path] = self.commit_info(touch.commit)
                    break
        return changes

    def _changed_on_disk(self, path: str, committed: str | None) -> bool:
        if self._head is None or self._range.head != WORKTREE:
            return False
        kind = self._head.kind(path)
        if kind is None or committed is None:
            return (kind is None) != (committed is None)
        return kind == "file" and self._head.blob_id(path) != committed

    def line_change(self, path: str, needle: str, *, vanished: bool) -> CommitInfo | None:
        """The newest commit of the range at which a line with ``needle`` left the file, or came into it.

        A line counts as gone when the commit has fewer lines with the needle than each parent.
        """
        plain = normal_path(path)
        if not plain or not needle:
            return None
        wanted = needle.encode("utf-8", "surrogateescape")
        for touch in self._walk(self._walks, self._commits, [plain])[plain].touches(plain):
            after = self._lines_with(touch.after, wanted)
            before = [self._lines_with(blob, wanted) for blob in touch.before]
            if all(after < count if vanished else after > count for count in before):
                return self.commit_info(touch.commit)
        return None

    def _lines_with(self, blob: str | None, needle: bytes) -> int:
        data = self._repository.objects.blob(blob) if blob else None
        if data is None or needle not in data:
            return 0
        return sum(needle in line for line in split_lines(data))

    def origin_commit(self, path: str) -> CommitInfo | None:
        """The commit before the range that deleted a path which is absent at base; None if none did."""
        return self.origin_commits([path]).get(path)

    def origin_commits(self, paths: Iterable[str]) -> dict[str, CommitInfo]:
        """As :meth:`origin_commit`, for many paths in one walk."""
        plain = {path: name for path in paths if (name := normal_path(path))}
        walks = self._walk(self._walks_before, self._commits_before, plain.values())
        origins: dict[str, CommitInfo] = {}
        for path, name in plain.items():
            newest: Touch | None = next(walks[name].touches(name), None)
            if newest is not None and newest.after is None:
                origins[path] = self.commit_info(newest.commit)
        return origins

    def _walk(self, walks: list[PathWalk], commits: Commits, paths: Iterable[str]) -> dict[str, PathWalk]:
        """A walk for each path: one that has it already, else a new one for all that are left."""
        known = {path: walk for walk in walks for path in walk.paths}
        new = [path for path in paths if path not in known]
        if new:
            walks.append(PathWalk(commits, self._repository.objects, new))
            known.update(dict.fromkeys(new, walks[-1]))
        return known

    def line_authors(self, path: str, rev: str) -> list[str]:
        """The id of the commit that wrote each line of a file at ``rev``; empty where there is no file.

        At :data:`memaudit.domain.WORKTREE` lines that are not committed yet count as HEAD's.
        """
        plain = normal_path(path)
        if not plain:
            return []
        if rev != WORKTREE:
            return blame(self._repository, plain, self._repository.resolve(rev))
        return self._line_authors_on_disk(plain)

    def _line_authors_on_disk(self, path: str) -> list[str]:
        repository = self._repository
        head = repository.resolve("HEAD")
        data = Disk(repository.root).read(path) if repository.root else None
        if data is None:
            return []
        authors = [head] * len(split_lines(data))
        entry = repository.objects.entry(repository.tree_id(head), path)
        committed = repository.objects.blob(entry.id) if entry else None
        if committed is not None:
            earlier = blame(repository, path, head)
            old, new = (text.replace(b"\r\n", b"\n") for text in (committed, data))
            for before, after in unchanged_lines(old, new):
                authors[after] = earlier[before]
        return authors

    def merged_numbers(self, base: str, head: str) -> dict[int, CommitInfo]:
        """The pull or merge requests whose numbers the commits of ``base..head`` carry in their summaries."""
        found: dict[int, CommitInfo] = {}
        repository = self._repository
        start = repository.resolve(base)
        end = repository.resolve("HEAD" if head == WORKTREE else head)
        for commit in Commits(repository, end, start, _MOST_COMMITS):
            with reading(repository.name):
                read = repository.git[commit.id].peel(ObjectType.COMMIT)
            for groups in _NUMBER.findall(_summary(read)):
                number = int(next(filter(None, groups)))
                found.setdefault(number, _info(read))
        return found


def oldest_author(repository: Repository, commit: str, paths: Iterable[str]) -> str | None:
    """The oldest commit that wrote a line of one of the files as they stand at ``commit``."""
    authors = {author for path in paths for author in blame(repository, path, commit)}
    with reading(repository.name):
        times = {sha: repository.git[sha].peel(ObjectType.COMMIT).commit_time for sha in authors}
    return min(authors, key=lambda sha: (times[sha], sha), default=None)


def _summary(commit: pygit2.Commit) -> str:
    encoding = commit.message_encoding or "utf-8"
    try:
        message = commit.raw_message.decode(encoding, "replace")
    except LookupError:
        message = commit.raw_message.decode("utf-8", "replace")
    return message.strip().partition("\n")[0].strip()


def _info(commit: pygit2.Commit) -> CommitInfo:
    author = commit.author
    return CommitInfo(
        sha=str(commit.id),
        summary=_summary(commit),
        author=author.raw_name.decode("utf-8", "replace"),
        date=_iso(author.time, author.offset),
    )


def _iso(seconds: int, offset: int) -> str:
    """ISO 8601; ``offset`` is in minutes. Dates out of Python's reach count as the epoch."""
    try:
        return datetime.fromtimestamp(seconds, timezone(timedelta(minutes=offset))).isoformat()
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC).isoformat()

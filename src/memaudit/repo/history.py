"""Which commit did it: the commits of a range asked about paths, lines and pull requests."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta, timezone
from functools import cached_property
from itertools import islice

import pygit2
from pygit2.enums import DeltaStatus, ObjectType

from memaudit.domain import WORKTREE, CommitInfo, Range
from memaudit.patterns import lazy_regex
from memaudit.repo.blame import blame, count_lines, unchanged_runs, words_of
from memaudit.repo.changes import Changes
from memaudit.repo.faults import reading
from memaudit.repo.names import normal_path
from memaudit.repo.objects import MODE_TREE, TreeEntry, find_entry
from memaudit.repo.repository import Repository
from memaudit.repo.snapshot import LONGEST_TEXT, Snapshot, snapshot
from memaudit.repo.walk import Commits, MainLine, PathWalk
from memaudit.repo.worktree import Disk

_STRIDE = 16
_MOST_ASKED = 10_000
"""First parents before the range that are asked about what a file says."""

_MOST_READ = 5_000
"""Versions of files and folders that are read for one such question."""

_MOST_DELTAS = 1000
"""Files of one commit that are looked into for what it moved."""

Holds = Callable[[str], bool]
"""Whether something holds of the text of a file."""

_NUMBER = lazy_regex(r"\(#(\d{1,9})\)|^Merge pull request #(\d{1,9})\b|\(!(\d{1,9})\)", re.MULTILINE)


class History:
    """The commits of a range, asked which of them changed something.

    Commits are those reachable from head and not from base, as in ``git log base..head``; for a
    working tree they end at HEAD. Give ``head`` so that what is changed on disk only is not blamed on
    the last commit that touched the same path. At most 50,000 commits of the range are looked into, and
    as many on the line of first parents before it.
    """

    def __init__(self, repository: Repository, range_: Range, head: Snapshot | None = None) -> None:
        self._repository = repository
        self._range = range_
        self._head = head
        self._tip = repository.resolve("HEAD" if range_.head == WORKTREE else range_.head)
        self._walks: dict[str, PathWalk] = {}
        self._origins: dict[str, str | None] = {}
        self._inside: dict[tuple[str, str], bool] = {}

    @cached_property
    def _commits(self) -> Commits:
        return Commits(self._repository, self._range.base, self._tip)

    def commit_info(self, sha: str) -> CommitInfo:
        """A commit as it is named in evidence; RepositoryError when it cannot be read."""
        with reading(self._repository.name):
            commit = self._repository.git[sha].peel(ObjectType.COMMIT)
        return commit_info_of(commit)

    def last_change(self, paths: Iterable[str]) -> dict[str, CommitInfo]:
        """The commit of the range that gave each path (a file or a folder) its state at head.

        Paths that no commit of the range touched are left out, and those changed on disk since.
        One walk answers for all paths: ask for them together.
        """
        plain = {path: name for path in paths if (name := normal_path(path))}
        walk = self._walk(plain.values())
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
        wanted = needle.encode("utf-8", "replace")
        for touch in self._walk([plain])[plain].touches(plain):
            after = self._lines_with(touch.after, wanted)
            before = [self._lines_with(blob, wanted) for blob in touch.before]
            if all(after < count if vanished else after > count for count in before):
                return self.commit_info(touch.commit)
        return None

    def _lines_with(self, blob: str | None, needle: bytes) -> int:
        data = self._repository.objects.blob(blob, LONGEST_TEXT) if blob else None
        if data is None or needle not in data:
            return 0
        return sum(needle in line for line in data.split(b"\n"))

    def broken_at(self, path: str, holds: Holds, *, follow: bool = False) -> CommitInfo | None:
        """The newest commit of the range at which ``holds`` stopped being true of a file.

        Nothing holds of a file that is absent. With ``follow`` a commit that moved what held to another
        file of the same extension is no end of it: that file is asked in turn.
        """
        plain = normal_path(path)
        known: dict[str, bool] = {}
        found: str | None = None
        asked: set[str] = set()
        while plain and plain not in asked:
            asked.add(plain)
            ended = self._ended_in(plain, holds, known, until=found)
            if ended is None:
                break
            found = ended
            plain = self._moved_to(found, plain, holds, known) if follow else None
        return self.commit_info(found) if found is not None else None

    def around(self, commit: str, path: str) -> tuple[str | None, str | None]:
        """The text of a file in the first parent of a commit and in the commit; None where it is absent."""
        with reading(self._repository.name):
            read = self._repository.git[commit].peel(ObjectType.COMMIT)
            before = (
                self._repository.git[read.parent_ids[0]].peel(ObjectType.COMMIT) if read.parent_ids else None
            )
        return self._text(before, path), self._text(read, path)

    def _text(self, commit: pygit2.Commit | None, path: str) -> str | None:
        entry = self._repository.objects.entry(str(commit.tree_id), path) if commit else None
        data = self._repository.objects.blob(entry.id, LONGEST_TEXT) if entry else None
        return data.decode("utf-8", "replace") if data is not None else None

    def _ended_in(self, path: str, holds: Holds, known: dict[str, bool], until: str | None) -> str | None:
        """The newest commit, but newer than ``until``, that ended what held of one path."""
        for touch in self._walk([path])[path].touches(path):
            if touch.commit == until:
                return None
            before = [blob for blob in touch.before if self._of_blob(blob, holds, known)]
            if len(before) == len(touch.before) and not self._of_blob(touch.after, holds, known):
                return touch.commit
        return None

    def _of_blob(self, blob: str | None, holds: Holds, known: dict[str, bool]) -> bool:
        if blob is None:
            return False
        if blob not in known:
            data = self._repository.objects.blob(blob, LONGEST_TEXT)
            known[blob] = data is not None and holds(data.decode("utf-8", "replace"))
        return known[blob]

    def _moved_to(self, commit: str, path: str, holds: Holds, known: dict[str, bool]) -> str | None:
        """Another file of the commit of which ``holds`` became true in it."""
        with reading(self._repository.name):
            new = self._repository.git[commit].peel(ObjectType.COMMIT)
            if not new.parent_ids:
                return None
            old = self._repository.git[new.parent_ids[0]].peel(ObjectType.COMMIT)
            deltas = islice(new.tree.diff_to_tree(old.tree, swap=True).deltas, _MOST_DELTAS)
            changed = [
                (delta.status, str(delta.new_file.path), str(delta.old_file.id), str(delta.new_file.id))
                for delta in deltas
            ]
        kept = (DeltaStatus.ADDED, DeltaStatus.MODIFIED)
        extension = posixpath.splitext(path)[1]
        for status, name, before, after in changed:
            if status not in kept or name == path or posixpath.splitext(name)[1] != extension:
                continue
            was = None if status == DeltaStatus.ADDED else before
            if not self._of_blob(was, holds, known) and self._of_blob(after, holds, known):
                return name
        return None

    def moved_in(self, commit: str, path: str) -> str | None:
        """Where a commit took a file or folder that it removed, None where nothing it added resembles it."""
        with reading(self._repository.name):
            new = self._repository.git[commit].peel(ObjectType.COMMIT)
            if not new.parent_ids:
                return None
            parent = str(new.parent_ids[0])
        changes = Changes(snapshot(self._repository, parent), snapshot(self._repository, commit))
        if changes.base.kind(path) == "folder":
            return changes.moved_folder(path)
        rename = changes.renamed(path)
        return rename.new if rename else None

    def origin_of(self, path: str, holds: Holds) -> CommitInfo | None:
        """The commit before the range at which ``holds`` stopped being true of a file; None if none is found.

        For a folder: of every file below it. At most 10,000 first parents are looked at, and about
        5,000 versions of files and folders.
        """
        plain = normal_path(path)
        if not plain:
            return None
        known: dict[str, bool] = {}

        def below(entry: TreeEntry | None) -> bool:
            if entry is None or entry.mode != MODE_TREE:
                return self._of_blob(entry.id if entry else None, holds, known)
            if entry.id not in known:
                inside = list(self._repository.objects.entries(entry.id))
                known[entry.id] = len(known) < _MOST_READ and any(below(item) for item in inside)
            return known[entry.id]

        def held(tree: str) -> bool:
            return below(self._repository.objects.entry(tree, plain))

        sha = self._ended_before(held, stride=1, most=_MOST_ASKED)
        return self.commit_info(sha) if sha is not None else None

    def origin_commit(self, path: str) -> CommitInfo | None:
        """The commit before the range that deleted a path which is absent at base; None if none is found.

        The line of first parents is looked at in steps of 16 commits, so that a path which existed for
        a shorter time only may be missed.
        """
        plain = normal_path(path)
        if not plain:
            return None
        if plain not in self._origins:
            self._origins[plain] = self._ended_before(lambda tree: self._has(tree, plain))
        sha = self._origins[plain]
        return self.commit_info(sha) if sha is not None else None

    def origin_commits(self, paths: Iterable[str]) -> dict[str, CommitInfo]:
        """As :meth:`origin_commit`, for many paths; those without such a commit are left out."""
        found = {path: self.origin_commit(path) for path in paths}
        return {path: commit for path, commit in found.items() if commit is not None}

    def _has(self, tree: str, path: str) -> bool:
        """Whether anything stands at a path. Most folders are the same in one tree after another."""
        objects = self._repository.objects
        name, _, rest = path.partition("/")
        found = find_entry(objects.tree(tree), name.encode())
        if found is None or not rest:
            return found is not None
        inside = (found.id, rest)
        if inside not in self._inside:
            self._inside[inside] = found.mode == MODE_TREE and objects.entry(found.id, rest) is not None
        return self._inside[inside]

    def _ended_before(
        self, held: Callable[[str], bool], stride: int = _STRIDE, most: int | None = None
    ) -> str | None:
        """The commit before the range at which ``held`` stopped being true of the tree.

        Of the line of first parents at most ``most`` commits are looked at, ``stride`` apart.
        """
        line, newer = self._main_line()
        if held(line.tree(newer)):
            return None
        last = newer + most if most is not None else None
        while not held(line.tree(older := line.at(newer + stride))):
            if older < newer + stride or (last is not None and older >= last):
                return None
            newer = older
        while older - newer > 1:
            middle = (older + newer) // 2
            if held(line.tree(middle)):
                older = middle
            else:
                newer = middle
        return self._ended_between(line.commit(older), line.commit(newer), held)

    def _main_line(self) -> tuple[MainLine, int]:
        """A line of first parents that base stands on, and where: HEAD's if it can be, which bases share."""
        line = self._repository.main_line
        place = line.place(self._range.base)
        return (line, place) if place is not None else (self._own_line, 0)

    @cached_property
    def _own_line(self) -> MainLine:
        return MainLine(self._repository.objects, self._range.base)

    def _ended_between(self, before: str, after: str, held: Callable[[str], bool]) -> str:
        """The commit that ended it among those that one step of the main line brought."""
        with reading(self._repository.name):
            merges = len(self._repository.git[after].peel(ObjectType.COMMIT).parent_ids) > 1
        if merges:
            merged = Commits(self._repository, before, after)
            for commit in merged:
                parents = [tree for parent in commit.parents if (tree := merged.tree_of(parent))]
                if parents and not held(commit.tree) and all(held(tree) for tree in parents):
                    return commit.id
        return after

    def _walk(self, paths: Iterable[str]) -> dict[str, PathWalk]:
        """A walk for each path: the one that has it already, else a new one for all that are left."""
        new = [path for path in paths if path not in self._walks]
        if new:
            self._walks.update(dict.fromkeys(new, PathWalk(self._commits, self._repository.objects, new)))
        return self._walks

    def line_authors(self, path: str, rev: str) -> list[str]:
        """The id of the commit that wrote each line of a file at ``rev``; empty where there is no file.

        At :data:`memaudit.domain.WORKTREE` lines that are not committed yet count as HEAD's. A line that
        only got other marks at its end counts as the one it was.
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
        authors = [head] * count_lines(data)
        entry = repository.objects.entry(repository.tree_id(head), path)
        committed = repository.objects.blob(entry.id) if entry else None
        if committed is not None:
            earlier = blame(repository, path, head)
            old, new = (words_of(text) for text in (committed, data))
            for before, after, count in unchanged_runs(old, new):
                authors[after : after + count] = earlier[before : before + count]
        return authors

    def merged_numbers(self, base: str, head: str) -> dict[int, CommitInfo]:
        """The pull or merge requests whose numbers the commits of ``base..head`` carry in their summaries."""
        found: dict[int, CommitInfo] = {}
        repository = self._repository
        start = repository.resolve(base)
        end = repository.resolve("HEAD" if head == WORKTREE else head)
        for commit in Commits(repository, start, end):
            with reading(repository.name):
                read = repository.git[commit.id].peel(ObjectType.COMMIT)
            for groups in _NUMBER.findall(_summary(read)):
                number = int(next(filter(None, groups)))
                found.setdefault(number, commit_info_of(read))
        return found


def oldest_author(repository: Repository, commit: str, paths: Iterable[str]) -> str | None:
    """The oldest commit that wrote a line of one of the files as they stand at ``commit``."""
    authors = {author for path in paths for author in blame(repository, path, commit)}
    with reading(repository.name):
        times = {sha: repository.git[sha].peel(ObjectType.COMMIT).commit_time for sha in authors}
    return min(authors, key=lambda sha: (times[sha], sha), default=None)


def message_of(commit: pygit2.Commit) -> str:
    """The whole message of a commit, in whatever encoding it says."""
    try:
        return commit.raw_message.decode(commit.message_encoding or "utf-8", "replace").strip()
    except LookupError:
        return commit.raw_message.decode("utf-8", "replace").strip()


def _summary(commit: pygit2.Commit) -> str:
    return message_of(commit).partition("\n")[0].strip()


def commit_info_of(commit: pygit2.Commit) -> CommitInfo:
    """A commit as it is named in evidence."""
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

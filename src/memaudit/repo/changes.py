"""What differs between two snapshots, and where vanished files and folders went."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import NamedTuple

from memaudit.repo.names import normal_path
from memaudit.repo.snapshot import Snapshot

_LEAST_SIMILARITY = 0.5
_LEAST_SIMILARITY_OTHER_NAME = 0.6
_MOST_CANDIDATES = 200
_SHORT_TEXT = 4000
_MOVED_SHARE = 0.5


class Rename(NamedTuple):
    """A file that went from ``old`` to ``new``; ``similarity`` of the contents runs from 0 to 1."""

    old: str
    new: str
    similarity: float


class Changes:
    """The difference between two snapshots, by path.

    Renames are looked for only when a path is asked for: by equal object ids first, then by the
    contents of added files of the same name, then of the same extension.
    """

    def __init__(self, base: Snapshot, head: Snapshot) -> None:
        self.base = base
        self.head = head
        before, after = frozenset(base.files()), frozenset(head.files())
        self.deleted = before - after
        self.added = after - before
        self._common = before & after
        self._renames: dict[str, Rename | None] = {}

    @cached_property
    def modified(self) -> frozenset[str]:
        """Paths on both sides whose contents differ, or of which one is a link and the other a file."""
        base, head = self.base, self.head
        return frozenset(
            path
            for path in self._common
            if base.blob_id(path) != head.blob_id(path) or base.kind(path) != head.kind(path)
        )

    @cached_property
    def _added_by_id(self) -> dict[str, list[str]]:
        return _grouped(self.added, self.head.blob_id)

    @cached_property
    def _added_by_name(self) -> dict[str, list[str]]:
        return _grouped(self.added, posixpath.basename)

    @cached_property
    def _added_by_stem(self) -> dict[str, list[str]]:
        return _grouped(self.added, _stem)

    @cached_property
    def _added_by_extension(self) -> dict[str, list[str]]:
        return _grouped(self.added, _extension)

    def namesakes(self, path: str) -> list[str]:
        """The added files of a path's file name, those with its contents first."""
        blob_id = self.base.blob_id(path)
        same = self._added_by_id.get(blob_id, []) if blob_id else []
        return list(dict.fromkeys([*same, *self._added_by_name.get(posixpath.basename(path), [])]))

    def renamed(self, path: str) -> Rename | None:
        """Where a deleted file went, or None when it is still there or nothing resembles it."""
        plain = normal_path(path)
        if plain is None or plain not in self.deleted:
            return None
        if plain not in self._renames:
            self._renames[plain] = self._same_contents(plain) or self._similar_contents(plain)
        return self._renames[plain]

    def _same_contents(self, path: str) -> Rename | None:
        blob_id = self.base.blob_id(path)
        name = posixpath.basename(path)
        candidates = self._added_by_id.get(blob_id, []) if blob_id else []
        if not self.base.read(path):
            # Empty files all have the same contents.
            candidates = [new for new in candidates if posixpath.basename(new) == name]
        if not candidates:
            return None
        return Rename(path, max(candidates, key=lambda new: _closeness(path, new)), 1.0)

    def _similar_contents(self, path: str) -> Rename | None:
        text = self.base.text(path)
        if not text:
            return None
        same_name = self._added_by_name.get(posixpath.basename(path), [])
        found = self._best(path, text, same_name, _LEAST_SIMILARITY)
        if found is None:
            others = self._added_by_stem.get(_stem(path), []) + self._added_by_extension.get(
                _extension(path), []
            )
            found = self._best(path, text, others, _LEAST_SIMILARITY_OTHER_NAME)
        return found

    def _best(self, path: str, text: str, candidates: Iterable[str], least: float) -> Rename | None:
        nearest = sorted(set(candidates), key=lambda new: (_closeness(path, new), new), reverse=True)
        best: Rename | None = None
        for new in nearest[:_MOST_CANDIDATES]:
            other = self.head.text(new)
            if not other:
                continue
            alike = similarity(text, other, max(least, best.similarity if best else 0.0))
            if alike >= least and (best is None or alike > best.similarity):
                best = Rename(path, new, alike)
        return best

    def moved_folder(self, path: str) -> str | None:
        """The folder that most files of a vanished folder went to, or None.

        A file counts for a folder that has it at the same place below; one of them at least must have
        kept its contents or most of them, since ``index.ts`` and its like stand everywhere.
        """
        folder = normal_path(path)
        if not folder or self.head.exists(folder):
            return None
        inside = [old for old in self.base.files() if old.startswith(folder + "/")]
        votes: Counter[str] = Counter()
        for old in inside:
            ending = old[len(folder) :]
            for new in self._added_by_name.get(posixpath.basename(old), ()):
                if new.endswith(ending):
                    votes[new[: -len(ending)]] += 1
        for target, count in sorted(votes.items(), key=lambda vote: (-vote[1], vote[0])):
            if count <= len(inside) * _MOVED_SHARE:
                break
            if any(self._went_along(old, folder, target) for old in inside):
                return target
        return None

    def _went_along(self, old: str, folder: str, target: str) -> bool:
        rename = self.renamed(old) if self.base.read(old) else None
        return rename is not None and rename.new == target + old[len(folder) :]


def _grouped(paths: Iterable[str], key: Callable[[str], str | None]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for path in sorted(paths):
        value = key(path)
        if value is not None:
            groups.setdefault(value, []).append(path)
    return groups


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0]


def _extension(path: str) -> str:
    return posixpath.splitext(path)[1]


def _closeness(old: str, new: str) -> tuple[bool, int]:
    """How near two paths are: same name first, then folders in common at either end."""
    old_parts, new_parts = old.split("/"), new.split("/")
    return old_parts[-1] == new_parts[-1], _common(old_parts[:-1], new_parts[:-1])


def _common(old: list[str], new: list[str]) -> int:
    front = 0
    for left, right in zip(old, new, strict=False):
        if left != right:
            break
        front += 1
    back = 0
    for left, right in zip(reversed(old[front:]), reversed(new[front:]), strict=False):
        if left != right:
            break
        back += 1
    return front + back


def similarity(one: str, other: str, least: float) -> float:
    """How much of two texts is the same, from 0 to 1, by characters or for long texts by lines."""
    from rapidfuzz.distance import Indel

    if 2 * min(len(one), len(other)) < least * (len(one) + len(other)):
        return 0.0
    if len(one) + len(other) <= 2 * _SHORT_TEXT:
        return Indel.normalized_similarity(one, other, score_cutoff=least)
    return Indel.normalized_similarity(one.splitlines(), other.splitlines(), score_cutoff=least)

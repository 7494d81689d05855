"""What files were read into, kept for all revisions of a run and, where there is a cache, for later runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar, cast

from memaudit.repo.snapshot import Snapshot

T = TypeVar("T")


class Shelf:
    """What files were read into, by object id: revisions share most of their files."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, str], Any] = {}

    def get(
        self,
        snapshot: Snapshot,
        path: str,
        what: str,
        make: Callable[[str, str], T],
        empty: T,
        kept: Kept[T] | None = None,
    ) -> T:
        """``make(path, text)`` of a file, made once for all revisions; ``empty`` where there is no text.

        ``kept`` has what earlier runs made.
        """
        blob = snapshot.blob_id(path)
        if blob is None:
            return empty
        key = (f"{what} {path}", blob)
        if key not in self._made:
            known = kept.find(blob, path) if kept else []
            text = None if known else snapshot.text(path)
            self._made[key] = known[0] if known else empty if text is None else make(path, text)
            if kept and text is not None:
                kept.add(blob, path, self._made[key])
        return cast("T", self._made[key])


class Kept(NamedTuple, Generic[T]):
    """What earlier runs made of a file by object id and path, none or one of it, and how more is added."""

    find: Callable[[str, str], Sequence[T]]
    add: Callable[[str, str, T], None]

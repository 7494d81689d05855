"""A revision written out into an empty folder, from its objects: no hook, filter or setting takes part."""

from __future__ import annotations

import contextlib
import os
import posixpath
from pathlib import Path

from memaudit.errors import RepositoryError
from memaudit.repo.objects import MODE_LINK, MODE_SUBMODULE
from memaudit.repo.snapshot import Snapshot

_MOST_FILES = 100_000
_MOST_BYTES = 2 * 1024**3
_RUNNABLE = 0o111


def check_out(snapshot: Snapshot, folder: Path) -> None:
    """Write every file of ``snapshot`` below ``folder``, which must be empty.

    Submodules are left out, and so are links that lead out of the repository. Raises RepositoryError for
    a revision over 100,000 files or 2 GiB or with a file that cannot be read, OSError when the disk does
    not take it.
    """
    entries = snapshot.entries()
    if len(entries) > _MOST_FILES:
        raise RepositoryError(
            f"{len(entries):,} files are too many for a throw-away copy",
            snapshot.rev,
            "run the check by hand",
        )
    left = _MOST_BYTES
    # Links come last: whatever is written before them cannot be led elsewhere by one.
    for path, entry in entries.items():
        if entry.mode in (MODE_LINK, MODE_SUBMODULE):
            continue
        data = snapshot.read_once(path, left)
        if data is None:
            # Without it a check could fail for want of a file that the revision does have.
            raise RepositoryError(
                f"{path} cannot be read, or the revision is over 2 GiB", snapshot.rev, "run the check by hand"
            )
        left -= len(data)
        put(folder, path, data, runnable=bool(entry.mode & _RUNNABLE))
    for path, entry in entries.items():
        target = snapshot.link(path) if entry.mode == MODE_LINK else None
        if target is None:
            continue
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            place.symlink_to(posixpath.relpath(target or ".", posixpath.dirname(path) or "."))


def put(folder: Path, path: str, data: bytes, *, runnable: bool = False) -> None:
    """Write one file below ``folder``, in place of what is there; never through a link."""
    place = folder / path
    place.parent.mkdir(parents=True, exist_ok=True)
    if not place.parent.resolve().is_relative_to(folder.resolve()):
        raise RepositoryError("it would be written outside the throw-away copy", path)
    place.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with open(os.open(place, flags, 0o755 if runnable else 0o644), "wb") as file:  # noqa: PTH123
        file.write(data)

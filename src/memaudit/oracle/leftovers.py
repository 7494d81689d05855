"""The folder of one run of the oracle, and those that runs which were killed have left behind.

Whoever has a folder holds a lock on a file in it for as long as it lives. The system lets go of that with
the process, however it ends: an owner is never mistaken for another one, as it could be by its number.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import tempfile
from pathlib import Path

from memaudit.oracle.removing import remove

_PREFIX = "memaudit-oracle-"
_LOCK = "owner"


class Folder:
    """A new throw-away folder that is known to be in use until :meth:`close`. Raises OSError."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX)).resolve()
        self._lock = -1
        unnamed = self.path / "new"
        # Under its name the file is locked from the start, so nobody takes the folder for a left one. Where
        # no lock can be had, there is none under that name.
        with contextlib.suppress(OSError):
            self._lock = os.open(unnamed, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            unnamed.rename(self.path / _LOCK)

    def close(self) -> str:
        """Remove it; what cannot be removed is told in one line."""
        left = remove(self.path, last=_LOCK)
        lock, self._lock = self._lock, -1
        if lock >= 0:
            os.close(lock)
        return left


def remove_leftovers() -> None:
    """Remove the folders of earlier runs that have nobody any more; those of others are not touched."""
    try:
        found = list(Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"))
    except OSError:
        return
    for folder in found:
        with contextlib.suppress(OSError):
            _remove_if_left(folder)


def _remove_if_left(folder: Path) -> None:
    known = folder.lstat()
    if not stat.S_ISDIR(known.st_mode) or known.st_uid != os.getuid():
        return
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    lock = os.open(folder / _LOCK, flags)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove(folder, last=_LOCK)
    finally:
        os.close(lock)

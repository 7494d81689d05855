"""The journal's file: its tables, how an older one becomes a newer one, and how it is shared.

In a state folder of this machine the file is kept in SQLite's write-ahead mode, in which readers never
wait. That mode needs memory that all processes share, so on a network file system, and in a folder that
several machines share, the file is kept in rollback mode, where the locks of the file system do.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memaudit.errors import JournalBusyError, JournalError
from memaudit.review.database import is_busy, migrate

_FIRST = """
CREATE TABLE documents (name TEXT PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE steps (
    id INTEGER PRIMARY KEY AUTOINCREMENT, place TEXT NOT NULL, range TEXT NOT NULL
);
CREATE TABLE decisions (
    step INTEGER NOT NULL REFERENCES steps, path TEXT NOT NULL, kept TEXT NOT NULL,
    claim TEXT NOT NULL, kind TEXT NOT NULL, text TEXT, author TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (step, path, claim)
);
CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, place TEXT NOT NULL, action TEXT NOT NULL,
    step INTEGER NOT NULL REFERENCES steps
);
CREATE INDEX events_of_place ON events (place, seq);
CREATE TABLE saves (
    id INTEGER PRIMARY KEY AUTOINCREMENT, place TEXT NOT NULL, range TEXT NOT NULL, path TEXT NOT NULL,
    sitting TEXT NOT NULL, kept TEXT NOT NULL, after TEXT NOT NULL, event INTEGER NOT NULL,
    closed TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX saves_of_path ON saves (place, path, id);
CREATE TABLE saved (
    save INTEGER NOT NULL REFERENCES saves, claim TEXT NOT NULL, kind TEXT NOT NULL, text TEXT,
    author TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (save, claim)
);
"""

_TOGETHER = """
ALTER TABLE steps ADD COLUMN author TEXT NOT NULL DEFAULT '';
UPDATE steps SET author = coalesce((SELECT d.author FROM decisions d WHERE d.step = steps.id LIMIT 1), '');
ALTER TABLE events ADD COLUMN seen INTEGER;
ALTER TABLE saves ADD COLUMN author TEXT NOT NULL DEFAULT '';
ALTER TABLE saves ADD COLUMN review TEXT NOT NULL DEFAULT '';
UPDATE saves SET review = place;
ALTER TABLE saves ADD COLUMN base INTEGER NOT NULL DEFAULT 0;
UPDATE saves SET base = coalesce((
    SELECT max(o.id) FROM saves o WHERE o.place = saves.place AND o.path = saves.path AND o.done AND o.id < (
        SELECT min(f.id) FROM saves f
        WHERE f.place = saves.place AND f.path = saves.path AND f.sitting = saves.sitting
    )
), 0);
CREATE INDEX saves_of_review ON saves (review, path, after);
"""

STEPS = (_FIRST, _TOGETHER)
"""What makes each version of the tables of the one before; the version is how many steps were taken."""

AT_ONCE = 0.25
"""Seconds that a lock is waited for before anybody is told: writing takes others milliseconds."""

_NETWORK = frozenset(
    "nfs nfs4 cifs smb smb2 smb3 smbfs ncpfs afs 9p virtiofs ceph glusterfs lustre gpfs beegfs davfs"
    " fuse.sshfs fuse.davfs fuse.davfs2 fuse.rclone fuse.glusterfs fuse.s3fs fuse.vmhgfs-fuse vboxsf"
    " prl_fs vmhgfs drvfs".split()
)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a lock of another program is waited for, in ``seconds``.

    ``told`` is called once, when the wait has become noticeable.
    """

    seconds: float = 10.0
    told: Callable[[str], None] | None = None


def open_file(path: Path, patience: Patience, *, together: bool) -> sqlite3.Connection:
    """The journal in ``path``, made or brought up to date as needed.

    ``together`` says that other users or machines may open it as well. Raises sqlite3.Error, OSError,
    JournalBusyError where another program keeps it locked for too long, and JournalError for a journal
    of a newer memaudit.
    """
    if together:
        _make_like_folder(path)
    database = sqlite3.connect(path, timeout=AT_ONCE, isolation_level=None)
    try:
        wanted = "DELETE" if together or on_network(path.parent) else "WAL"

        def set_up() -> None:
            (mode,) = database.execute("PRAGMA journal_mode").fetchone()
            if mode.upper() != wanted:
                database.execute(f"PRAGMA journal_mode = {wanted}")
            database.execute("PRAGMA synchronous = FULL")
            _refuse_newer(database, path)
            migrate(database, STEPS)

        patiently(set_up, patience, path)
    except BaseException:
        database.close()
        raise
    return database


def patiently(attempt: Callable[[], object], patience: Patience, path: Path) -> None:
    """Do something that a lock of another program may stop, again and again until it is free.

    Raises JournalBusyError when that takes longer than the patience.
    """
    began = time.monotonic()
    told = False
    while True:
        try:
            attempt()
        except sqlite3.OperationalError as error:
            waited = time.monotonic() - began
            if not is_busy(error):
                raise
            if waited >= patience.seconds:
                raise busy(path) from error
            if patience.told is not None and not told and waited >= AT_ONCE:
                patience.told(f"waiting for the review journal, which another program is using: {path}")
                told = True
            time.sleep(0.02)
        else:
            return


def busy(path: Path) -> JournalBusyError:
    """The error of a journal that another program keeps locked."""
    return JournalBusyError(
        "another program keeps the review journal locked", str(path), "end it, or try again when it is done"
    )


def _refuse_newer(database: sqlite3.Connection, path: Path) -> None:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version > len(STEPS):
        raise JournalError(
            f"it was written by a newer memaudit (tables {version}, this one knows {len(STEPS)})",
            str(path),
            "update memaudit",
        )


def _make_like_folder(path: Path) -> None:
    """Make the file for all who may write the folder; SQLite gives what it puts beside it the same mode."""
    mode = stat.S_IMODE(path.parent.stat().st_mode) & 0o666
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode)
    except FileExistsError:
        return
    try:
        if hasattr(os, "fchmod"):
            with contextlib.suppress(PermissionError):
                os.fchmod(descriptor, mode)
    finally:
        os.close(descriptor)


def on_network(folder: Path) -> bool:
    """Whether a folder lies on a network file system, as far as this system tells (Linux)."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return False
    real = os.path.realpath(folder)
    best, kind = "", ""
    for line in mounts.splitlines():
        fields, _, rest = line.partition(" - ")
        parts = fields.split(" ")
        if len(parts) < 5 or not rest:
            continue
        point = parts[4].replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")
        inside = real == point or real.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, rest.split(" ", 1)[0]
    return kind in _NETWORK

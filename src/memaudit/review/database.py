"""What the journal and the ledger do alike with their SQLite files."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager


def _once(attempt: Callable[[], object]) -> None:
    attempt()


@contextmanager
def transaction(
    database: sqlite3.Connection, patiently: Callable[[Callable[[], object]], None] = _once
) -> Iterator[sqlite3.Connection]:
    """All that is written inside, or nothing of it; waits for another writer. Raises sqlite3.Error.

    ``patiently`` does what a lock may stop, and knows how often that is worth trying.
    """
    patiently(lambda: database.execute("BEGIN IMMEDIATE"))
    try:
        yield database
        patiently(lambda: database.execute("COMMIT"))
    finally:
        if database.in_transaction:
            database.execute("ROLLBACK")


def inserted(cursor: sqlite3.Cursor) -> int:
    """The id of the row that a statement has put in."""
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def is_busy(error: sqlite3.Error) -> bool:
    """Whether SQLite says that somebody else holds a lock."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def keep_in_wal(database: sqlite3.Connection, seconds: float) -> None:
    """Keep the file in write-ahead mode, in which readers never wait.

    At this switch SQLite itself does not wait for those who open the file at the same moment. Raises
    sqlite3.OperationalError when a lock stays for longer than ``seconds``.
    """
    ends = time.monotonic() + seconds
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() >= ends:
                raise
            time.sleep(0.02)
        else:
            return


def migrate(database: sqlite3.Connection, steps: Sequence[str]) -> None:
    """Take the steps that are missing, in one transaction; another process may have taken them meanwhile.

    The version of a file, its ``user_version``, is how many of ``steps`` were taken.
    """
    with closing(database.cursor()) as cursor:
        (version,) = cursor.execute("PRAGMA user_version").fetchone()
        if version >= len(steps):
            return
        cursor.execute("BEGIN IMMEDIATE")
        try:
            (version,) = cursor.execute("PRAGMA user_version").fetchone()
            for step in steps[version:]:
                for statement in filter(str.strip, step.split(";")):
                    cursor.execute(statement)
            cursor.execute(f"PRAGMA user_version = {max(version, len(steps))}")
            cursor.execute("COMMIT")
        finally:
            if database.in_transaction:
                cursor.execute("ROLLBACK")

"""What the journal and the ledger do alike with their SQLite files."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager


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

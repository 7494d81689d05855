"""What the journal and the ledger do alike with their SQLite files."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """All that is written inside, or nothing of it; waits for another writer. Raises sqlite3.Error."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield database
        database.execute("COMMIT")
    finally:
        if database.in_transaction:
            database.execute("ROLLBACK")


def inserted(cursor: sqlite3.Cursor) -> int:
    """The id of the row that a statement has put in."""
    assert cursor.lastrowid is not None
    return cursor.lastrowid

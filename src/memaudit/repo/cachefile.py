"""A SQLite file that only saves work: too large, of another version or damaged, it is begun anew."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from memaudit.paths import private_folder


def open_cache(file: Path, schema: int, tables: str, largest: int) -> sqlite3.Connection:
    """The cache in ``file`` with ``tables`` of version ``schema``; above ``largest`` bytes it is emptied.

    Raises OSError, sqlite3.OperationalError where it cannot be used now, and any other
    sqlite3.DatabaseError where it is damaged or of another version.
    """
    private_folder(file.parent)
    if file.exists() and file.stat().st_size > largest:
        file.unlink()
    database = sqlite3.connect(file, timeout=1, isolation_level=None)
    try:
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, schema):
            raise sqlite3.DatabaseError("written by another version")
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        if version != schema:
            database.executescript(f"BEGIN IMMEDIATE;{tables}PRAGMA user_version = {schema};COMMIT;")
    except BaseException:
        database.close()
        raise
    return database

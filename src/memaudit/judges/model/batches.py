"""Batches under way at a server, so that none is paid for twice: kept until their answers were read.

Unlike answers this is no cache: where it cannot be read or written, nothing is sent. Only digests of
questions are kept, no claim, no code, no key.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from memaudit.errors import ModelError
from memaudit.paths import private_folder
from memaudit.settings_model import ModelSettings

FILE = "batches.sqlite"
_SCHEMA = 1
_TABLES = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS batches (
    number INTEGER PRIMARY KEY, url TEXT NOT NULL, model TEXT NOT NULL, batch TEXT NOT NULL,
    asked_at TEXT NOT NULL, worst REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS questions (
    key TEXT PRIMARY KEY, number INTEGER NOT NULL REFERENCES batches ON DELETE CASCADE
);
PRAGMA user_version = {_SCHEMA};
COMMIT;
"""


@dataclass(frozen=True, slots=True)
class Pending:
    """A batch whose answers were not read yet.

    ``batch`` is the server's name for it, empty where the server was asked to make it and nobody knows
    whether it did. ``asked_at`` is ISO 8601 in UTC, ``worst`` what it can cost at most in dollars.
    """

    number: int
    batch: str
    asked_at: str
    worst: float
    keys: frozenset[str]

    @property
    def seconds(self) -> float:
        """How long ago it was asked for."""
        return (datetime.now(UTC) - datetime.fromisoformat(self.asked_at)).total_seconds()


class Batches:
    """The batches of one repository. Every method raises ModelError where the file cannot be used."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE

    def pending(self, settings: ModelSettings) -> list[Pending]:
        """Those at the server of the settings, for its model, oldest first."""
        if not self._file.exists():
            return []
        with self._open() as database:
            rows = database.execute(
                "SELECT number, batch, asked_at, worst FROM batches WHERE url = ? AND model = ?"
                " ORDER BY number",
                (settings.url, settings.name),
            ).fetchall()
            return [
                Pending(number, batch, at, worst, self._keys(database, number))
                for number, batch, at, worst in rows
            ]

    def begin(self, settings: ModelSettings, keys: Sequence[str], worst: float) -> Pending:
        """Note that a batch of these questions is about to be asked for; on disk before this returns.

        Questions that another process put into a batch meanwhile are left out.
        """
        at = datetime.now(UTC).isoformat(timespec="seconds")
        with self._open() as database:
            row = (settings.url, settings.name, "", at, worst)
            number = database.execute(
                "INSERT INTO batches (url, model, batch, asked_at, worst) VALUES (?, ?, ?, ?, ?)", row
            ).lastrowid
            assert number is not None
            database.executemany(
                "INSERT OR IGNORE INTO questions VALUES (?, ?)", [(key, number) for key in keys]
            )
            return Pending(number, "", at, worst, self._keys(database, number))

    def name(self, pending: Pending, batch: str) -> None:
        """Note what the server calls a batch."""
        with self._open() as database:
            database.execute("UPDATE batches SET batch = ? WHERE number = ?", (batch, pending.number))

    def forget(self, pending: Pending) -> None:
        """Take a batch out: its answers were read, or it was never made."""
        with self._open() as database:
            database.execute("DELETE FROM batches WHERE number = ?", (pending.number,))

    def forget_all(self) -> int:
        """Take all batches out, whatever their server; how many questions they had."""
        if not self._file.exists():
            return 0
        with self._open() as database:
            (count,) = database.execute("SELECT count(*) FROM questions").fetchone()
            database.execute("DELETE FROM batches")
            return int(count)

    @staticmethod
    def _keys(database: sqlite3.Connection, number: int) -> frozenset[str]:
        rows = database.execute("SELECT key FROM questions WHERE number = ?", (number,))
        return frozenset(key for (key,) in rows)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            private_folder(self._file.parent)
            with closing(sqlite3.connect(self._file, timeout=10, isolation_level=None)) as database:
                database.execute("PRAGMA foreign_keys = ON")
                (version,) = database.execute("PRAGMA user_version").fetchone()
                if version not in (0, _SCHEMA):
                    raise sqlite3.DatabaseError("written by another version")
                if version != _SCHEMA:
                    database.executescript(_TABLES)
                database.execute("BEGIN IMMEDIATE")
                yield database
                database.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            what = f"the batches under way cannot be looked up: {error}"
            fix = "if it stays so, remove that file: what is under way is then asked and paid for again"
            raise ModelError(what, str(self._file), fix) from error

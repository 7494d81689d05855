"""What is known of file contents from earlier searches, by object id, in one SQLite file."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from dataclasses import astuple
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from memaudit.repo.fingerprint import Fingerprint, FingerprintIndex
from memaudit.repo.symbols import Definition

_SCHEMA = 3
_LARGEST = 256 * 1024 * 1024
_BATCH = 500

Lines = list[tuple[int, str]]


class SearchCache:
    """Fingerprints of files, and the lines on which tokens were found, kept from run to run.

    Contents never change under an object id, so nothing in it can be out of date. It is a cache: a
    file that is damaged or of another version is started anew, one that is locked is done without.
    Without ``file`` it lives in memory as long as the object.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._database = self._open()
        self._lines: dict[str, dict[str, Lines]] = {}
        self._changed: set[str] = set()
        self._new: list[tuple[bytes, bytes, bytes]] = []
        self.index = FingerprintIndex()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Keep what is new and close the file."""
        self.keep()
        self._give_up()

    def keep(self) -> None:
        """Write what is new to the file."""
        self._write_new()
        self._insert(
            "INSERT OR REPLACE INTO hit VALUES (?, ?)",
            ((bytes.fromhex(blob_id), json.dumps(self._lines[blob_id])) for blob_id in self._changed),
        )
        self._changed.clear()
        if self._database is not None:
            with contextlib.suppress(sqlite3.Error):
                self._database.commit()

    def load(self, ids: Collection[str]) -> None:
        """Put the fingerprints known of these files into :attr:`index`."""
        wanted = [bytes.fromhex(blob_id) for blob_id in ids if blob_id not in self.index]
        for start in range(0, len(wanted), _BATCH):
            batch = wanted[start : start + _BATCH]
            marks = ",".join("?" * len(batch))
            for raw_id, tokens, definitions in self._query(
                f"SELECT id, tokens, definitions FROM file WHERE id IN ({marks})",  # noqa: S608 (marks only)
                batch,
            ):
                self.index.add(raw_id.hex(), Fingerprint(tokens, definitions))

    def add(self, blob_id: str, fingerprint: Fingerprint) -> None:
        """Remember a fingerprint."""
        self.index.add(blob_id, fingerprint)
        self._new.append((bytes.fromhex(blob_id), *fingerprint))
        if len(self._new) >= _BATCH:
            self._write_new()

    def _write_new(self) -> None:
        self._insert("INSERT OR REPLACE INTO file VALUES (?, ?, ?)", self._new)
        self._new.clear()

    def lines(self, blob_id: str, token: str) -> Lines | None:
        """The lines of a file that hold a token, None when they were not looked for yet."""
        known = self._lines.get(blob_id)
        if known is None:
            rows = self._query("SELECT lines FROM hit WHERE id = ?", (bytes.fromhex(blob_id),))
            known = self._lines[blob_id] = dict(json.loads(rows[0][0])) if rows else {}
        return known.get(token)

    def add_lines(self, blob_id: str, token: str, lines: Lines) -> None:
        """Remember the lines of a file that hold a token."""
        self._lines.setdefault(blob_id, {})[token] = lines
        self._changed.add(blob_id)

    def definitions(self, blob_id: str, language: str) -> list[Definition] | None:
        """What a file was parsed into, None where it was not parsed yet."""
        rows = self._query(
            "SELECT rows FROM parsed WHERE id = ? AND language = ?", (bytes.fromhex(blob_id), language)
        )
        return [Definition(*row) for row in json.loads(rows[0][0])] if rows else None

    def add_definitions(self, blob_id: str, language: str, found: Sequence[Definition]) -> None:
        """Remember what a file was parsed into."""
        rows = json.dumps([astuple(item) for item in found], ensure_ascii=False)
        self._insert(
            "INSERT OR REPLACE INTO parsed VALUES (?, ?, ?)", [(bytes.fromhex(blob_id), language, rows)]
        )

    def _query(self, statement: str, values: Sequence[object]) -> list[Any]:
        if self._database is None:
            return []
        try:
            return self._database.execute(statement, values).fetchall()
        except sqlite3.Error:
            self._give_up()
            return []

    def _insert(self, statement: str, rows: Iterator[Any] | list[Any]) -> None:
        if self._database is not None:
            try:
                self._database.executemany(statement, rows)
            except sqlite3.Error:
                self._give_up()

    def _give_up(self) -> None:
        """Go on without a file."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def _open(self) -> sqlite3.Connection | None:
        if self._file is None:
            return None
        try:
            return _connect(self._file)
        except sqlite3.OperationalError:
            return None
        except (sqlite3.DatabaseError, OSError):
            pass
        try:
            self._file.unlink(missing_ok=True)
            return _connect(self._file)
        except (sqlite3.Error, OSError):
            return None


def _connect(file: Path) -> sqlite3.Connection:
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.exists() and file.stat().st_size > _LARGEST:
        file.unlink()
    database = sqlite3.connect(file, timeout=1)
    try:
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, _SCHEMA):
            raise sqlite3.DatabaseError("written by another version")
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute(
            "CREATE TABLE IF NOT EXISTS file (id BLOB PRIMARY KEY, tokens BLOB, definitions BLOB)"
        )
        database.execute("CREATE TABLE IF NOT EXISTS hit (id BLOB PRIMARY KEY, lines TEXT)")
        database.execute(
            "CREATE TABLE IF NOT EXISTS parsed"
            " (id BLOB, language TEXT, rows TEXT, PRIMARY KEY (id, language))"
        )
        database.execute(f"PRAGMA user_version = {_SCHEMA}")
    except sqlite3.Error:
        database.close()
        raise
    return database

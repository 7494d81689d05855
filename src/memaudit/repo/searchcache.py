"""What is known of file contents from earlier searches, by object id, in one SQLite file."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from memaudit.paths import private_folder
from memaudit.repo.fingerprint import Fingerprint, FingerprintIndex
from memaudit.repo.symbols import Definition

_SCHEMA = 5
_LARGEST = 160 * 1024 * 1024
_BATCH = 2000
_ID = 20

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
        self._new: list[tuple[str, Fingerprint]] = []
        self._loaded = False
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

    def load(self) -> None:
        """Put all fingerprints known from earlier runs into :attr:`index`, the first time it is called."""
        if self._loaded:
            return
        self._loaded = True
        rows = self._query("SELECT ids, token_sizes, tokens, definition_sizes, definitions FROM files")
        for ids, token_sizes, tokens, definition_sizes, definitions in rows:
            fingerprints = zip(
                _pieces(tokens, token_sizes), _pieces(definitions, definition_sizes), strict=True
            )
            for number, fingerprint in enumerate(fingerprints):
                blob_id = ids[number * _ID : (number + 1) * _ID].hex()
                self.index.add(blob_id, Fingerprint(*fingerprint))

    def add(self, blob_id: str, fingerprint: Fingerprint) -> None:
        """Remember a fingerprint."""
        self.index.add(blob_id, fingerprint)
        self._new.append((blob_id, fingerprint))
        if len(self._new) >= _BATCH:
            self._write_new()

    def _write_new(self) -> None:
        """Write the new fingerprints as one row: thousands of rows would take long to read back."""
        if self._new:
            found = [fingerprint for _, fingerprint in self._new]
            row = (
                b"".join(bytes.fromhex(blob_id) for blob_id, _ in self._new),
                array("I", (len(fingerprint.tokens) for fingerprint in found)).tobytes(),
                b"".join(fingerprint.tokens for fingerprint in found),
                array("I", (len(fingerprint.definitions) for fingerprint in found)).tobytes(),
                b"".join(fingerprint.definitions for fingerprint in found),
            )
            self._insert("INSERT INTO files VALUES (?, ?, ?, ?, ?)", [row])
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

    def _query(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
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


def _pieces(joined: bytes, sizes: bytes) -> Iterator[bytes]:
    start = 0
    for size in memoryview(sizes).cast("I"):
        yield joined[start : start + size]
        start += size


def _connect(file: Path) -> sqlite3.Connection:
    private_folder(file.parent)
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
            "CREATE TABLE IF NOT EXISTS files (ids BLOB, token_sizes BLOB, tokens BLOB,"
            " definition_sizes BLOB, definitions BLOB)"
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

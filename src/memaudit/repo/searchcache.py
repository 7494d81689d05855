"""What is known of file contents from earlier searches, by object id, in one SQLite file."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from memaudit.repo.tokens import Fingerprint

_SCHEMA = 1
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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Keep what is new and close the file."""
        if self._database is not None:
            self.keep()
            self._database.close()
            self._database = None

    def keep(self) -> None:
        """Write what is new to the file."""
        if self._database is not None:
            with contextlib.suppress(sqlite3.Error):
                self._database.commit()

    def fingerprints(self, ids: Iterable[str]) -> dict[str, Fingerprint]:
        """The fingerprints known of these files."""
        wanted = [bytes.fromhex(blob_id) for blob_id in ids]
        found: dict[str, Fingerprint] = {}
        for start in range(0, len(wanted), _BATCH):
            batch = wanted[start : start + _BATCH]
            marks = ",".join("?" * len(batch))
            for raw_id, tokens, definitions in self._query(
                f"SELECT id, tokens, definitions FROM file WHERE id IN ({marks})",  # noqa: S608 (marks only)
                batch,
            ):
                found[raw_id.hex()] = Fingerprint(_unpack(tokens), _unpack(definitions))
        return found

    def add_fingerprint(self, blob_id: str, fingerprint: Fingerprint) -> None:
        """Remember a fingerprint."""
        self._insert(
            "INSERT OR REPLACE INTO file VALUES (?, ?, ?)",
            (bytes.fromhex(blob_id), fingerprint.tokens.tobytes(), fingerprint.definitions.tobytes()),
        )

    def lines(self, blob_id: str) -> dict[str, Lines]:
        """The lines known of a file by token; no lines where a token is known to be absent."""
        rows = self._query("SELECT lines FROM hit WHERE id = ?", (bytes.fromhex(blob_id),))
        return dict(json.loads(rows[0][0])) if rows else {}

    def add_lines(self, blob_id: str, lines: dict[str, Lines]) -> None:
        """Remember all that is known of a file."""
        self._insert("INSERT OR REPLACE INTO hit VALUES (?, ?)", (bytes.fromhex(blob_id), json.dumps(lines)))

    def _query(self, statement: str, values: Sequence[object]) -> list[Any]:
        if self._database is None:
            return []
        try:
            return self._database.execute(statement, values).fetchall()
        except sqlite3.Error:
            self._give_up()
            return []

    def _insert(self, statement: str, values: Sequence[object]) -> None:
        if self._database is not None:
            try:
                self._database.execute(statement, values)
            except sqlite3.Error:
                self._give_up()

    def _give_up(self) -> None:
        """Go on without a cache for the rest of this run."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def _open(self) -> sqlite3.Connection | None:
        try:
            return self._connect()
        except sqlite3.OperationalError:
            return None
        except (sqlite3.DatabaseError, OSError):
            pass
        try:
            if self._file is not None:
                self._file.unlink(missing_ok=True)
            return self._connect()
        except (sqlite3.Error, OSError):
            return None

    def _connect(self) -> sqlite3.Connection:
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            if self._file.exists() and self._file.stat().st_size > _LARGEST:
                self._file.unlink()
        database = sqlite3.connect(self._file or ":memory:", timeout=1)
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
            database.execute(f"PRAGMA user_version = {_SCHEMA}")
        except sqlite3.Error:
            database.close()
            raise
        return database


def _unpack(data: bytes) -> array[int]:
    numbers = array("I")
    numbers.frombytes(data)
    return numbers

"""What is known of file contents from earlier searches, by object id, in one SQLite file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from memaudit.repo.cachefile import open_cache
from memaudit.repo.manifests import Manifest
from memaudit.repo.manifests.kept import read_back, written
from memaudit.repo.symbols import Definition

_SCHEMA = 8
"""To be raised with every change of what a file is parsed or read into."""

_LARGEST = 160 * 1024 * 1024
_ID = 20

Lines = list[tuple[int, str]]
T = TypeVar("T")


@dataclass(slots=True)
class Standing:
    """Where a token stands, as sets of files: bit n of each integer is the file of number n."""

    sought: int = 0
    """The files it was looked for in."""
    held: int = 0
    """Those of them that hold it."""
    unread: int = 0
    """Those that hold it and of which is not known yet whether they seem to define it."""
    defined: int = 0
    """Those that hold it and seem to define it."""


class SearchCache:
    """In which files tokens stand and on which lines, kept from run to run.

    Contents never change under an object id, so nothing in it can be out of date. It is a cache: a
    file that is damaged or of another version is started anew, one that is locked is done without.
    Without ``file`` it lives in memory as long as the object.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._database = self._open()
        self._numbers: dict[str, int] | None = None
        self._stored = 0
        self._standing: dict[str, Standing] = {}
        self._moved: set[str] = set()
        self.lacking = 0
        """Files, as in a :class:`Standing`, that could not be read: a later run may have them."""
        self._lines: dict[str, dict[str, Lines]] = {}
        self._changed: set[str] = set()
        self._parsed: dict[tuple[str, str], Sequence[Definition]] = {}
        self._manifests: dict[tuple[str, str], Manifest | None] = {}

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

    def numbers(self, blob_ids: Iterable[str]) -> list[int]:
        """The numbers that stand for files in a :class:`Standing`; new files get new ones."""
        if self._numbers is None:
            joined = "".join(self._query("SELECT ids FROM files ORDER BY rowid", (), lambda ids: ids.hex()))
            width = 2 * _ID
            known = [joined[at : at + width] for at in range(0, len(joined), width)]
            self._numbers = {blob_id: number for number, blob_id in enumerate(known)}
            self._stored = len(self._numbers)
        numbers = self._numbers
        return [numbers.setdefault(blob_id, len(numbers)) for blob_id in blob_ids]

    def standing(self, token: str) -> Standing:
        """What is known of a token; call :meth:`moved` after changing it."""
        found = self._standing.get(token)
        if found is None:
            self.numbers(())
            # Numbers that another process has given out since stand for other files here.
            known = (1 << self._stored) - 1
            rows = self._query(
                "SELECT files, held, unread, defined FROM token JOIN sought USING (sought) WHERE name = ?",
                (token,),
                lambda *sets: Standing(*(int.from_bytes(value, "little") & known for value in sets)),
            )
            found = self._standing[token] = rows[0] if rows else Standing()
        return found

    def moved(self, tokens: Iterable[str]) -> None:
        """Take note that more is known of these tokens now."""
        self._moved.update(tokens)

    def lines(self, blob_id: str, token: str) -> Lines | None:
        """The lines of a file that hold a token, None when they were not looked for yet."""
        known = self._lines.get(blob_id)
        if known is None:
            where = (bytes.fromhex(blob_id),)
            rows = self._query("SELECT lines FROM hit WHERE id = ?", where, _read_lines)
            known = self._lines[blob_id] = rows[0] if rows else {}
        return known.get(token)

    def add_lines(self, blob_id: str, token: str, lines: Lines) -> None:
        """Remember the lines of a file that hold a token."""
        self._lines.setdefault(blob_id, {})[token] = lines
        self._changed.add(blob_id)

    def definitions(self, blob_id: str, language: str) -> list[Definition] | None:
        """What a file was parsed into, None where it was not parsed yet."""
        rows = self._query(
            "SELECT rows FROM parsed WHERE id = ? AND language = ?",
            (bytes.fromhex(blob_id), language),
            lambda rows: [Definition(*row) for row in json.loads(rows)],
        )
        return rows[0] if rows else None

    def add_definitions(self, blob_id: str, language: str, found: Sequence[Definition]) -> None:
        """Remember what a file was parsed into."""
        self._parsed[blob_id, language] = found

    def manifest(self, blob_id: str, path: str) -> list[Manifest | None]:
        """What the file at a path was read into, None for no manifest; empty where it was not read yet."""
        return self._query(
            "SELECT manifest FROM manifest WHERE id = ? AND path = ?",
            (bytes.fromhex(blob_id), path),
            lambda kept: read_back(path, kept),
        )

    def add_manifest(self, blob_id: str, path: str, found: Manifest | None) -> None:
        """Remember what the file at a path was read into."""
        self._manifests[blob_id, path] = found

    def keep(self) -> None:
        """Write what is new to the file, all of it or nothing."""
        if not (self._moved or self._changed or self._parsed or self._manifests):
            return
        if self._database is not None:
            try:
                self._database.execute("BEGIN IMMEDIATE")
                self._write_standing(self._database)
                self._write_files(self._database)
                self._database.execute("COMMIT")
            except (sqlite3.Error, UnicodeDecodeError):
                self._give_up()
        self._moved.clear()
        self._changed.clear()
        self._parsed.clear()
        self._manifests.clear()

    def _write_standing(self, database: sqlite3.Connection) -> None:
        stored = database.execute("SELECT coalesce(sum(length(ids)), 0) FROM files").fetchone()[0] // _ID
        if self._numbers is None or stored != self._stored:
            # Another process has numbered files since: its numbers stand for others than ours.
            return
        new = list(self._numbers)[stored:]
        if new:
            database.execute("INSERT INTO files VALUES (?)", (bytes.fromhex("".join(new)),))
            self._stored += len(new)
        rows: dict[int, int] = {}
        for token in self._moved:
            found = self._standing[token]
            sought = found.sought & ~self.lacking
            if sought not in rows:
                # Tokens are looked for together: what they were looked for in is written once for all.
                cursor = database.execute("INSERT INTO sought (files) VALUES (?)", (_bytes(sought),))
                rows[sought] = cursor.lastrowid or 0
            database.execute(
                "INSERT OR REPLACE INTO token VALUES (?, ?, ?, ?, ?)",
                (token, rows[sought], *map(_bytes, (found.held, found.unread, found.defined))),
            )
        database.execute("DELETE FROM sought WHERE sought NOT IN (SELECT sought FROM token)")

    def _write_files(self, database: sqlite3.Connection) -> None:
        database.executemany(
            "INSERT OR REPLACE INTO hit VALUES (?, ?)",
            ((bytes.fromhex(blob_id), json.dumps(self._lines[blob_id])) for blob_id in self._changed),
        )
        database.executemany(
            "INSERT OR REPLACE INTO parsed VALUES (?, ?, ?)",
            (
                (
                    bytes.fromhex(blob_id),
                    language,
                    json.dumps([astuple(item) for item in found], ensure_ascii=False),
                )
                for (blob_id, language), found in self._parsed.items()
            ),
        )
        database.executemany(
            "INSERT OR REPLACE INTO manifest VALUES (?, ?, ?)",
            (
                (bytes.fromhex(blob_id), path, written(found))
                for (blob_id, path), found in self._manifests.items()
            ),
        )

    def _query(self, statement: str, values: Sequence[object], read: Callable[..., T]) -> list[T]:
        """The rows of a statement, each as ``read`` understands its columns; none where one is damaged."""
        if self._database is None:
            return []
        try:
            return [read(*row) for row in self._database.execute(statement, values)]
        except sqlite3.OperationalError:
            self._give_up()
        except (sqlite3.DatabaseError, ValueError, TypeError, AttributeError, RecursionError):
            # What SQLite cannot tell from what was written is found out only when it is read.
            self._give_up()
            self._discard()
        return []

    def _discard(self) -> None:
        """Take a damaged file away, so that the next run starts anew."""
        for ending in ("", "-wal", "-shm"):
            if self._file is not None:
                with suppress(OSError):
                    self._file.with_name(self._file.name + ending).unlink(missing_ok=True)

    def _give_up(self) -> None:
        """Go on without a file."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def _open(self) -> sqlite3.Connection | None:
        if self._file is None:
            return None
        try:
            return open_cache(self._file, _SCHEMA, _TABLES, _LARGEST)
        except sqlite3.OperationalError:
            return None
        except (sqlite3.DatabaseError, OSError, UnicodeDecodeError):
            # What SQLite says of a damaged schema quotes it, bytes that are no text included.
            pass
        try:
            self._discard()
            return open_cache(self._file, _SCHEMA, _TABLES, _LARGEST)
        except (sqlite3.Error, OSError, UnicodeDecodeError):
            return None


def _read_lines(kept: str) -> dict[str, Lines]:
    return {
        str(token): [(int(number), str(line)) for number, line in lines]
        for token, lines in json.loads(kept).items()
    }


def _bytes(files: int) -> bytes:
    return files.to_bytes((files.bit_length() + 7) // 8, "little")


_TABLES = """
CREATE TABLE IF NOT EXISTS files (ids BLOB);
CREATE TABLE IF NOT EXISTS sought (sought INTEGER PRIMARY KEY, files BLOB);
CREATE TABLE IF NOT EXISTS token
    (name TEXT PRIMARY KEY, sought INTEGER, held BLOB, unread BLOB, defined BLOB);
CREATE TABLE IF NOT EXISTS hit (id BLOB PRIMARY KEY, lines TEXT);
CREATE TABLE IF NOT EXISTS parsed (id BLOB, language TEXT, rows TEXT, PRIMARY KEY (id, language));
CREATE TABLE IF NOT EXISTS manifest (id BLOB, path TEXT, manifest TEXT, PRIMARY KEY (id, path));
"""

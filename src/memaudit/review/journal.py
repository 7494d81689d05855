"""The journal: every decision written down the moment it is made, in one SQLite file per repository.

It is a log that only grows. A review at the next start reads it, and finds the decisions that never
reached a file, even when the process was killed. What a claim said when it was decided is kept with
the whole document it stood in, so that it can be found again in a file edited meanwhile.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from memaudit.domain import Decision, DecisionKind, Document, Store
from memaudit.errors import JournalError
from memaudit.paths import private_folder
from memaudit.review.database import inserted, transaction
from memaudit.wire import store_from_wire, store_to_wire

SCHEMA = 1
"""The version of the tables; a journal of a newer one is refused, never guessed at."""

_BUSY_SECONDS = 10.0

_TABLES = """
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


class Action(StrEnum):
    """What happened to a step."""

    DECIDE = "decide"
    UNDO = "undo"
    REDO = "redo"


@dataclass(frozen=True, slots=True)
class Entry:
    """One decision of a step, with the kept document in which its claim id is valid."""

    path: str
    kept: str
    decision: Decision


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the log, in the order it happened."""

    seq: int
    action: Action
    step: int


@dataclass(frozen=True, slots=True)
class Save:
    """One write of one document: ``saved`` are the decisions that file then held.

    ``kept`` is the document whose claims the decisions name, ``after`` the fingerprint of the bytes
    written, ``closed`` the steps that the review knew of, ``event`` the last event before the write.
    """

    range: str
    sitting: str
    kept: str
    after: str
    event: int
    closed: frozenset[int]
    saved: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class Log:
    """All that happened in one place: entries by step, and events in order."""

    entries: dict[int, tuple[Entry, ...]]
    events: tuple[Event, ...]


def fingerprint(raw: bytes) -> str:
    """The SHA-256 of a file's bytes, in hex."""
    return hashlib.sha256(raw).hexdigest()


class Journal:
    """The log of decisions at ``path``, made on first use.

    ``place`` in its methods keeps the worktrees of one repository apart. Every method that writes is
    one transaction on disk when it returns. Raises JournalError when the file cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._usable():
            private_folder(path.parent)
            self._database = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
            self._prepare()

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def keep(self, document: Document) -> str:
        """Remember a whole document with its claims; the returned name finds it again."""
        wire = store_to_wire(Store(document.path, document.format, "", (document,)))
        body = json.dumps(wire, sort_keys=True).encode()
        kept = fingerprint(body)
        with self._transaction() as database:
            database.execute("INSERT OR IGNORE INTO documents VALUES (?, ?)", (kept, zlib.compress(body)))
        return kept

    def kept(self, name: str) -> Document:
        """The document that :meth:`keep` remembered under this name."""
        with self._usable():
            row = self._database.execute("SELECT body FROM documents WHERE name = ?", (name,)).fetchone()
            if row is None:
                raise JournalError("a remembered document is missing", str(self.path), _AWAY)
            return store_from_wire(json.loads(zlib.decompress(row[0]))).documents[0]

    def record(self, place: str, range_: str, entries: Iterable[Entry]) -> int:
        """Write one step of decisions down and return its number."""
        with self._transaction() as database:
            step = inserted(
                database.execute("INSERT INTO steps (place, range) VALUES (?, ?)", (place, range_))
            )
            database.executemany(
                "INSERT OR REPLACE INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(step, entry.path, entry.kept, *_columns(entry.decision)) for entry in entries],
            )
            self._event(place, Action.DECIDE, step)
        return step

    def mark(self, place: str, action: Action, step: int) -> None:
        """Write down that a step was undone or done again."""
        with self._transaction():
            self._event(place, action, step)

    def log(self, place: str) -> Log:
        """Everything decided, undone and redone in this place so far."""
        with self._usable():
            entries: dict[int, list[Entry]] = {}
            for step, path, kept, *columns in self._database.execute(
                "SELECT d.* FROM decisions d JOIN steps s ON s.id = d.step"
                " WHERE s.place = ? ORDER BY d.rowid",
                (place,),
            ):
                entries.setdefault(step, []).append(Entry(path, kept, _decision(columns)))
            events = tuple(
                Event(seq, Action(action), step)
                for seq, action, step in self._database.execute(
                    "SELECT seq, action, step FROM events WHERE place = ? ORDER BY seq", (place,)
                )
            )
        return Log({step: tuple(rows) for step, rows in entries.items()}, events)

    def begin_save(
        self,
        place: str,
        range_: str,
        path: str,
        *,
        sitting: str,
        kept: str,
        after: str,
        closed: Sequence[int],
        saved: Iterable[Decision],
    ) -> int:
        """Write down what is about to be written to a file; the returned number finishes it."""
        with self._transaction() as database:
            (event,) = database.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()
            save = inserted(
                database.execute(
                    "INSERT INTO saves (place, range, path, sitting, kept, after, event, closed)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (place, range_, path, sitting, kept, after, event, json.dumps(sorted(closed))),
                )
            )
            database.executemany(
                "INSERT INTO saved VALUES (?, ?, ?, ?, ?, ?)",
                [(save, *_columns(decision)) for decision in saved],
            )
        return save

    def finish_save(self, save: int) -> None:
        """Write down that the file now holds what :meth:`begin_save` announced."""
        with self._transaction() as database:
            database.execute("UPDATE saves SET done = 1 WHERE id = ?", (save,))

    def saves(self, place: str, path: str, on_disk: str) -> list[Save]:
        """The writes of one document, oldest first; ``on_disk`` is the fingerprint of the file now.

        A write that was announced and not finished counts if its result is what is on disk: the
        process ended between the two.
        """
        with self._usable():
            rows = self._database.execute(
                "SELECT id, range, sitting, kept, after, event, closed, done FROM saves"
                " WHERE place = ? AND path = ? ORDER BY id",
                (place, path),
            ).fetchall()
            finished = [row for row in rows if row[7]]
            newest = finished[-1][0] if finished else 0
            landed = [row for row in rows if row[0] > newest and row[4] == on_disk]
            if landed:
                self.finish_save(landed[-1][0])
            return [
                Save(
                    range=row[1],
                    sitting=row[2],
                    kept=row[3],
                    after=row[4],
                    event=row[5],
                    closed=frozenset(json.loads(row[6])),
                    saved=self._saved(row[0]),
                )
                for row in finished + landed[-1:]
            ]

    def _saved(self, save: int) -> tuple[Decision, ...]:
        rows = self._database.execute(
            "SELECT claim, kind, text, author, at FROM saved WHERE save = ? ORDER BY rowid", (save,)
        )
        return tuple(_decision(row) for row in rows)

    def _event(self, place: str, action: Action, step: int) -> None:
        self._database.execute(
            "INSERT INTO events (place, action, step) VALUES (?, ?, ?)", (place, action.value, step)
        )

    def _prepare(self) -> None:
        with closing(self._database.cursor()) as cursor:
            cursor.execute("BEGIN IMMEDIATE")
            (version,) = cursor.execute("PRAGMA user_version").fetchone()
            if version == 0:
                for statement in filter(str.strip, _TABLES.split(";")):
                    cursor.execute(statement)
                cursor.execute(f"PRAGMA user_version = {SCHEMA}")
            cursor.execute("COMMIT")
        if version > SCHEMA:
            self.close()
            raise JournalError(
                f"it was written by a newer memaudit (tables {version}, this one knows {SCHEMA})",
                str(self.path),
                "update memaudit",
            )

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._usable(), transaction(self._database) as database:
            yield database

    @contextmanager
    def _usable(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise JournalError(str(error), str(self.path), _AWAY) from error
        except OSError as error:
            raise JournalError(error.strerror or str(error), str(self.path), _AWAY) from error
        except (KeyError, TypeError, ValueError, zlib.error) as error:
            raise JournalError(
                "it holds something that memaudit did not write", str(self.path), _AWAY
            ) from error


_AWAY = "check the folder's permissions and space, or move the file away to start a new journal"


def _columns(decision: Decision) -> tuple[str, str, str | None, str, str]:
    return decision.claim_id, decision.kind.value, decision.text, decision.by, decision.at


def _decision(columns: Sequence[Any]) -> Decision:
    claim, kind, text, author, at = columns
    return Decision(claim_id=claim, kind=DecisionKind(kind), by=author, at=at, text=text)

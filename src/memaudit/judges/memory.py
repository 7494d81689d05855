"""What earlier audits found, for an audit that asks exactly the same again.

Judgements are kept under a digest of everything they depend on, see :func:`state`. Whatever new thing
judging is made to read belongs in there too.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from memaudit import fingerprint
from memaudit.domain import Claim, Suggestion
from memaudit.judges.result import (
    Grounded,
    Kept,
    grounded_from_json,
    grounded_to_json,
    suggestion_from_json,
    suggestion_to_json,
)
from memaudit.repo.cachefile import open_cache
from memaudit.repo.digest import repository_digest, snapshot_digest
from memaudit.repo.repository import Repository
from memaudit.repo.snapshot import Snapshot

FILE = "judged.sqlite"

_SCHEMA = 1
_LARGEST = 32 * 1024 * 1024
_LARGEST_ENTRY = 8 * 1024 * 1024
_MOST_MISSING = 200
_OTHER_SHAPE = (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)


def state(
    repository: Repository,
    head: str,
    on_disk: Snapshot | None,
    claims: Iterable[Claim],
    memory_paths: Iterable[str],
) -> str | None:
    """A digest of all that the judgement of a claim depends on, but the commit it is judged from.

    That is this program, what git tells of the repository, all that stands at ``head`` (``on_disk`` when it
    is the working tree), and every claim, since a claim is read with those around it. None where one of
    them cannot be told for sure: then nothing may be remembered.
    """
    there = snapshot_digest(on_disk) if on_disk is not None else ""
    if there is None or not fingerprint.PROGRAM:
        return None
    told = [fingerprint.PROGRAM, repository_digest(repository), head, there, sorted(memory_paths)]
    return _digest(told, claims)


class Memory:
    """The judgements of earlier audits of one repository, in one SQLite file.

    With ``state`` None nothing is recalled or kept. It is a cache: a file that is damaged or of another
    version is begun anew, one that is locked is done without. Objects that were not in this clone when a
    judgement was made must be missing still.
    """

    def __init__(self, file: Path, repository: Repository, state: str | None) -> None:
        self._file = file
        self._repository = repository
        self._state = state
        self._database: sqlite3.Connection | None = None
        self._groups: dict[str, tuple[str, Sequence[Claim], Sequence[Grounded]]] = {}
        self._suggestions: dict[tuple[str, str], Suggestion | None] = {}
        self._authors: dict[str, Sequence[str]] = {}

    def judged(self, base: str, claims: Sequence[Claim]) -> list[Grounded] | None:
        """The results for claims that were judged together from ``base``; None when they were not."""
        kept = self._recall(_digest([self._state, "judged", base], claims))
        try:
            if kept is None or len(kept["results"]) != len(claims):
                return None
            results = [grounded_from_json(value) for value in kept["results"]]
            suggestions = {
                (base, claim): suggestion_from_json(value) for claim, value in kept["suggestions"].items()
            }
        except _OTHER_SHAPE:
            return None
        self._suggestions.update(suggestions)
        return results

    def note_judged(self, base: str, claims: Sequence[Claim], results: Sequence[Grounded]) -> None:
        """Take note of the results for claims that were judged together from ``base``."""
        self._groups[_digest([self._state, "judged", base], claims)] = base, claims, results

    def suggestion(self, base: str, claim: Claim, make: Callable[[], Suggestion | None]) -> Suggestion | None:
        """The suggestion for a claim judged from ``base``: the one from then, else what ``make`` gives."""
        key = (base, claim.id)
        if key not in self._suggestions:
            self._suggestions[key] = make()
        return self._suggestions[key]

    def authors(self, path: str, rev: str, make: Callable[[], list[str]]) -> list[str]:
        """The commits that wrote a file's lines at ``rev``: those from then, else what ``make`` gives."""
        key = _digest([self._state, "authors", path, rev])
        kept = self._recall(key)
        if isinstance(kept, list) and all(isinstance(author, str) for author in kept):
            return kept
        found = make()
        self._authors[key] = found
        return found

    def keep(self, state_now: Callable[[], str | None]) -> None:
        """Write what is new to the file, unless something changed since the audit began; close it."""
        missing = sorted(self._repository.objects.missing)
        new = self._groups or self._authors
        if self._state is not None and new and len(missing) <= _MOST_MISSING and self._stands(state_now):
            rows = [
                (key, text, len(text)) for key, text in self._texts(missing) if len(text) <= _LARGEST_ENTRY
            ]
            self._try(lambda database: _write(database, rows))
        self._groups.clear()
        self._authors.clear()
        if self._database is not None:
            self._database.close()
            self._database = None

    def _stands(self, state_now: Callable[[], str | None]) -> bool:
        return state_now() == self._state and fingerprint.is_as_started()

    def _texts(self, missing: Sequence[str]) -> Iterator[tuple[str, str]]:
        for key, (base, claims, results) in self._groups.items():
            value = {
                "results": [grounded_to_json(result) for result in results],
                "suggestions": {
                    claim.id: suggestion_to_json(self._suggestions[base, claim.id])
                    for claim in claims
                    if (base, claim.id) in self._suggestions
                },
            }
            text = json.dumps([missing, value])
            # Never to be recalled as something else than it was.
            if [grounded_from_json(item) for item in json.loads(text)[1]["results"]] == list(results):
                yield key, text
        for key, authors in self._authors.items():
            yield key, json.dumps([missing, authors])

    def _recall(self, key: str) -> Kept:
        if self._state is None or not self._file.exists():
            return None
        return self._try(lambda database: self._read(database, key))

    def _read(self, database: sqlite3.Connection, key: str) -> Kept:
        row = database.execute("SELECT value FROM kept WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        missing, value = json.loads(row[0])
        objects = self._repository.objects
        return value if all(objects.is_still_missing(item) for item in missing) else None

    def _try(self, act: Callable[[sqlite3.Connection], Kept]) -> Kept:
        """What ``act`` makes of the file; None where that fails. A damaged file is taken away."""
        try:
            if self._database is None:
                self._database = open_cache(self._file, _SCHEMA, _TABLES, 2 * _LARGEST)
            return act(self._database)
        except sqlite3.OperationalError:
            self._state = None  # Waiting for it again and again would take longer than judging.
            return None
        except (sqlite3.DatabaseError, OSError, *_OTHER_SHAPE):
            # What SQLite cannot tell from what was written is found out only when it is read.
            self._discard()
            return None

    def _discard(self) -> None:
        """Take a damaged file away, so that the next audit begins it anew."""
        if self._database is not None:
            self._database.close()
            self._database = None
        for ending in ("", "-wal", "-shm"):
            with suppress(OSError):
                self._file.with_name(self._file.name + ending).unlink(missing_ok=True)


def _digest(told: Sequence[object], claims: Iterable[Claim] = ()) -> str:
    digest = hashlib.sha256(repr(told).encode("utf-8", "backslashreplace"))
    for claim in claims:
        digest.update(repr(claim).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()


def _write(database: sqlite3.Connection, rows: Iterable[tuple[str, str, int]]) -> None:
    database.execute("BEGIN IMMEDIATE")
    try:
        database.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", rows)
        database.execute(_LET_GO, (_LARGEST,))
        database.execute("COMMIT")
    finally:
        if database.in_transaction:
            database.execute("ROLLBACK")


_TABLES = """
CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, value TEXT, size INTEGER);
"""

_LET_GO = """
DELETE FROM kept WHERE rowid IN (
    SELECT rowid FROM (SELECT rowid, sum(size) OVER (ORDER BY rowid DESC) AS total FROM kept) WHERE total > ?
)
"""

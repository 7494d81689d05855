"""Answers of earlier runs: the same question to the same model on the same server is not paid for twice.

Only digests and answers are kept: no claim, no code, no key.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from memaudit.judges.model.prompt import ANSWERS, Question
from memaudit.paths import private_folder
from memaudit.settings_model import ModelSettings

T = TypeVar("T")

FILE = "answers.sqlite"
_SCHEMA = 1
_MOST = 100_000
_TABLES = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL);
PRAGMA user_version = {_SCHEMA};
COMMIT;
"""


class Answers:
    """The answers known in one repository. It is a cache: a file that cannot be used is done without."""

    def __init__(self, folder: Path, settings: ModelSettings, file: str = FILE) -> None:
        self._file = folder / file
        self._told = "\0".join((settings.host, settings.name, settings.effort))

    def key(self, asked: Question) -> str:
        """What a question to this model on this server is known by, 64 letters and digits."""
        return hashlib.sha256(f"{self._told}\0{asked.key}".encode("utf-8", "backslashreplace")).hexdigest()

    def is_answer(self, text: str) -> bool:
        """Whether a text that was kept can be one."""
        return text in ANSWERS

    def known(self, key: str) -> str | None:
        """The answer to the question of a key, None where it was never given."""
        if not self._file.exists():
            return None

        def read(database: sqlite3.Connection) -> str | None:
            row = database.execute("SELECT answer FROM answers WHERE key = ?", (key,)).fetchone()
            return row[0] if row and self.is_answer(row[0]) else None

        return self._try(read)

    def keep(self, key: str, answer: str) -> None:
        """Take note of an answer, on disk before this returns."""

        def write(database: sqlite3.Connection) -> None:
            database.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (key, answer))
            database.execute(
                "DELETE FROM answers WHERE rowid <= (SELECT max(rowid) FROM answers) - ?", (_MOST,)
            )

        self._try(write)

    def _try(self, act: Callable[[sqlite3.Connection], T]) -> T | None:
        try:
            with closing(_connect(self._file)) as database:
                return act(database)
        except sqlite3.OperationalError:
            return None
        except (sqlite3.DatabaseError, OSError):
            with suppress(OSError):
                self._file.unlink(missing_ok=True)
            return None


def _connect(file: Path) -> sqlite3.Connection:
    private_folder(file.parent)
    database = sqlite3.connect(file, timeout=2, isolation_level=None)
    try:
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, _SCHEMA):
            raise sqlite3.DatabaseError("written by another version")
        if version != _SCHEMA:
            database.executescript(_TABLES)
    except BaseException:
        database.close()
        raise
    return database

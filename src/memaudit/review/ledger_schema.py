"""The ledger's file: its tables, how an older one becomes a newer one, and what is done with a bad one."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from memaudit.errors import LedgerError
from memaudit.paths import private_folder
from memaudit.review.database import keep_in_wal, migrate

FILE = "ledger.sqlite"
"""The ledger's name in the state folder of a repository."""

_FIRST = """
CREATE TABLE commits (
    id INTEGER PRIMARY KEY, sha TEXT NOT NULL UNIQUE, date TEXT NOT NULL DEFAULT '',
    author TEXT NOT NULL DEFAULT '', summary TEXT NOT NULL DEFAULT ''
);
CREATE TABLE audits (
    id INTEGER PRIMARY KEY, at TEXT NOT NULL, place TEXT NOT NULL, head INTEGER NOT NULL REFERENCES commits,
    uncommitted INTEGER NOT NULL, base INTEGER NOT NULL REFERENCES commits, chosen_by TEXT NOT NULL
);
CREATE TABLE facts (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, subject TEXT NOT NULL, relation TEXT NOT NULL,
    UNIQUE (subject, relation)
);
CREATE TABLE states (
    id INTEGER PRIMARY KEY, present INTEGER NOT NULL, object TEXT NOT NULL, path TEXT NOT NULL,
    line INTEGER NOT NULL, text TEXT NOT NULL, instead TEXT NOT NULL,
    UNIQUE (object, path, line, text, instead, present)
);
CREATE TABLE sightings (
    fact INTEGER NOT NULL REFERENCES facts, at INTEGER NOT NULL REFERENCES commits,
    state INTEGER NOT NULL REFERENCES states, turned INTEGER NOT NULL, PRIMARY KEY (fact, at)
) WITHOUT ROWID;
CREATE TABLE claims (
    id INTEGER PRIMARY KEY, claim TEXT NOT NULL UNIQUE, store TEXT NOT NULL, document TEXT NOT NULL,
    heading TEXT NOT NULL, text TEXT NOT NULL, line INTEGER NOT NULL, why TEXT NOT NULL DEFAULT '',
    before INTEGER REFERENCES claims, audit INTEGER REFERENCES audits
);
CREATE INDEX claims_of_document ON claims (document);
CREATE TABLE links (
    claim INTEGER NOT NULL REFERENCES claims, fact INTEGER NOT NULL REFERENCES facts,
    deciding INTEGER NOT NULL, PRIMARY KEY (claim, fact)
) WITHOUT ROWID;
CREATE TABLE verdicts (
    claim INTEGER NOT NULL REFERENCES claims, head INTEGER NOT NULL REFERENCES commits,
    uncommitted INTEGER NOT NULL, base INTEGER NOT NULL REFERENCES commits, verdict TEXT NOT NULL,
    reason TEXT NOT NULL, origin TEXT NOT NULL, since INTEGER REFERENCES commits, known INTEGER NOT NULL,
    audit INTEGER NOT NULL REFERENCES audits, PRIMARY KEY (claim, head, uncommitted)
) WITHOUT ROWID;
CREATE TABLE decisions (
    id INTEGER PRIMARY KEY, claim INTEGER NOT NULL REFERENCES claims, kind TEXT NOT NULL, text TEXT,
    author TEXT NOT NULL, at TEXT NOT NULL, head INTEGER REFERENCES commits, withdrawn TEXT,
    UNIQUE (claim, kind, author, at)
);
"""

_STAMPS = "CREATE INDEX verdicts_at_head ON verdicts (head, claim, verdict, known, uncommitted);"

STEPS: tuple[str, ...] = (_FIRST, _STAMPS)
"""What makes each version of the tables of the one before; the version is how many steps were taken."""

_BUSY_SECONDS = 2.0


def open_file(file: Path, *, steps: Sequence[str] = STEPS) -> tuple[sqlite3.Connection, str]:
    """The ledger in ``file``, made, brought up to date or begun anew as needed, and a warning or ``""``.

    A file that is no database, or a damaged one, is set aside under another name. Raises LedgerError
    when the file belongs to a newer memaudit, is locked or cannot be written.
    """
    warning = ""
    try:
        private_folder(file.parent)
        try:
            return _connect(file, steps), warning
        except sqlite3.OperationalError:
            raise
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            # What SQLite says of a damaged schema quotes it, bytes that are no text included.
            aside = set_aside(file)
            warning = f"the ledger was damaged ({error}); begun anew, the old one is kept as {aside}"
        return _connect(file, steps), warning
    except sqlite3.Error as error:
        raise LedgerError(str(error), str(file), "check the folder's permissions and space") from error
    except OSError as error:
        raise LedgerError(
            error.strerror or str(error), str(file), "check the folder's permissions"
        ) from error


def _connect(file: Path, steps: Sequence[str]) -> sqlite3.Connection:
    database = sqlite3.connect(file, timeout=_BUSY_SECONDS, isolation_level=None)
    try:
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if version > len(steps):
            raise LedgerError(
                f"it was written by a newer memaudit (tables {version}, this one knows {len(steps)})",
                str(file),
                "update memaudit; verdicts do not need it",
            )
        keep_in_wal(database, _BUSY_SECONDS)
        database.execute("PRAGMA synchronous = NORMAL")
        migrate(database, steps)
    except BaseException:
        database.close()
        raise
    return database


def set_aside(file: Path) -> str:
    """Rename a damaged file, with what belongs to it, and return its new name."""
    number = 1
    while file.with_name(f"{file.name}.damaged-{number}").exists():
        number += 1
    aside = file.with_name(f"{file.name}.damaged-{number}")
    file.replace(aside)
    for ending in ("-wal", "-shm"):
        beside = file.with_name(file.name + ending)
        if os.path.lexists(beside):
            beside.replace(aside.with_name(aside.name + ending))
    return aside.name

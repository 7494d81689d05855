"""Who else is in a review: a small file for each open review, that is written again every two seconds.

A file and no row of the journal, because a heartbeat has to reach nobody's disk for sure: rows would
wake every other process and wait for the disk each time. What is old is told by the clock of the file
system alone, so the clocks of the machines need not agree.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import stat
import uuid
from dataclasses import dataclass
from pathlib import Path

BEAT_SECONDS = 2.0
"""How often somebody who is here says so."""

_GONE_SECONDS = 7.0
_FORGOTTEN_SECONDS = 24 * 3600.0
_LONGEST = 4_096
_MOST = 64
_FOLDER = "present"
_ENDING = ".json"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has the review open: a name, untrusted like all names, and the machine."""

    name: str
    host: str


class Presence:
    """Says in ``folder``, where the journal lies, that ``name`` has ``review`` open; and who else has.

    Nothing here raises: a folder that cannot be written makes nobody visible.
    """

    def __init__(self, folder: Path, review: str, name: str) -> None:
        self._folder = folder / _FOLDER
        self._review = review
        self._file = self._folder / f"{uuid.uuid4().hex}{_ENDING}"
        self._said = json.dumps({"name": name, "host": socket.gethostname(), "review": review}).encode()
        self._known: dict[str, tuple[Person, str]] = {}
        with contextlib.suppress(OSError):
            mode = stat.S_IMODE(folder.stat().st_mode)
            self._folder.mkdir(exist_ok=True)
            self._folder.chmod(mode)
        self.beat()

    def beat(self) -> None:
        """Say that we are still here."""
        with contextlib.suppress(OSError):
            descriptor = os.open(self._file, os.O_CREAT | os.O_WRONLY, 0o644)
            try:
                os.write(descriptor, self._said)
            finally:
                os.close(descriptor)

    def leave(self) -> None:
        """Be here no more."""
        with contextlib.suppress(OSError):
            self._file.unlink()

    def others(self) -> list[Person]:
        """Everybody else who has the same review open, by name."""
        try:
            now = self._file.stat().st_mtime
            entries = [one for one in os.scandir(self._folder) if one.name.endswith(_ENDING)]
        except OSError:
            return []
        found = []
        for entry in entries[:_MOST]:
            if entry.name == self._file.name:
                continue
            with contextlib.suppress(OSError):
                age = now - entry.stat(follow_symlinks=False).st_mtime
                if age > _FORGOTTEN_SECONDS:
                    Path(entry.path).unlink()
                elif age <= _GONE_SECONDS and (person := self._read(entry)) is not None:
                    found.append(person)
        return sorted(found, key=lambda one: (one.name.casefold(), one.name, one.host))

    def _read(self, entry: os.DirEntry[str]) -> Person | None:
        if entry.name not in self._known:
            if not entry.is_file(follow_symlinks=False):
                return None
            with Path(entry.path).open("rb") as file:
                raw = file.read(_LONGEST + 1)
            try:
                value = json.loads(raw)
                person = Person(str(value["name"])[:80], str(value["host"])[:80])
                self._known[entry.name] = person, str(value["review"])
            except (ValueError, KeyError, TypeError, RecursionError):
                return None  # not ours, or not written to its end yet
        person, review = self._known[entry.name]
        return person if review == self._review else None

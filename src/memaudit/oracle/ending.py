"""Ending a check: a sign from outside that it is to stop, and nothing that it started left running."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from pathlib import Path

_PROCESSES = Path("/proc")
_ROUNDS = 20


class Stop:
    """A sign to stop that any thread may give, and that a selector can wait for."""

    def __init__(self) -> None:
        self.given = False
        self._read, self._write = os.pipe()

    def fileno(self) -> int:
        """What becomes readable once the sign is given."""
        return self._read

    def give(self) -> None:
        """Have whatever runs ended at once."""
        if not self.given:
            self.given = True
            with contextlib.suppress(OSError):
                os.write(self._write, b".")

    def close(self) -> None:
        """Let go of the pipe."""
        for end in (self._read, self._write):
            with contextlib.suppress(OSError):
                os.close(end)
        self.given, self._read, self._write = True, -1, -1


def end(process: subprocess.Popen[bytes], home: str) -> None:
    """End a check and whatever of it is still there.

    It was started as a group of its own. What has left that group is known by ``home``, the home folder that
    only this run was given.
    """
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
    end_at(home)


def end_at(home: str) -> None:
    """End every process that was started with a home folder."""
    if not home:
        return
    # One that is being started while it is looked for is found in the next round.
    for _ in range(_ROUNDS):
        left = _with_home(home)
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not left:
            return


def _with_home(home: str) -> list[int]:
    """The processes that were started with a home folder, as far as this system tells."""
    mark = b"\0HOME=" + os.fsencode(home) + b"\0"
    found = []
    for place in _PROCESSES.glob("[0-9]*"):
        try:
            # A process that has ended and was not waited for has no environment any more.
            given = (place / "environ").read_bytes()
        except OSError:
            continue
        if mark in b"\0" + given:
            found.append(int(place.name))
    return found

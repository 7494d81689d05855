"""One run of a check in a fresh copy of a revision, within its limits."""

from __future__ import annotations

import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memaudit.oracle import inside
from memaudit.oracle.cage import Cage, environments
from memaudit.oracle.ending import Stop, end, end_at

_PASSED_ON = ("PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ")
"""Everything of our own environment that a check may know: keys and tokens stay here."""

_CHUNK = 65_536
_POLL_SECONDS = 0.01

STOPPED = "patience"
"""Stands for a limit in what :func:`run` returns: somebody had it stopped."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may take: seconds by the clock and of processor time, bytes of memory for a process,
    bytes of output, bytes of one file.
    """

    seconds: int = 60
    memory: int = 4 * 1024**3
    output: int = 1024**2
    file: int = 256 * 1024**2


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended: its exit code (negative: the signal that ended it), the output, and the limit that
    it went over, empty for none.
    """

    code: int
    output: str
    over: str = ""


class Room:
    """A throw-away folder for one run: ``tree`` for the files, a home and a folder for temporary ones."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tree = folder / "tree"
        self.home = folder / "home"
        self.temporary = folder / "tmp"
        for one in (folder, self.tree, self.home, self.temporary):
            one.mkdir()

    def environment(self, own: Mapping[str, str]) -> dict[str, str]:
        """The whole environment of a check: a few names passed on, and ``own``."""
        kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        return kept | {
            "HOME": str(self.home),
            "TMPDIR": str(self.temporary),
            "TERM": "dumb",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
            "PYTHONIOENCODING": "utf-8",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_CEILING_DIRECTORIES": str(self.folder),
            **own,
        }


def launcher(folder: Path, cage: Cage, limits: Limits, writable: Path, argv: Sequence[str] = ()) -> list[str]:
    """The words that go before the program of ``argv`` to have it run within ``limits``.

    :mod:`memaudit.oracle.inside` is copied to ``folder``: the cage may hide where memaudit is installed.
    """
    program = folder / "inside.py"
    if not program.exists():
        shutil.copyfile(inside.__file__, program)
    settings = {
        "cpu": limits.seconds,
        "memory": limits.memory,
        "file": limits.file,
        "writable": str(writable) if cage.shuts_inside else None,
        "seen": [str(one) for one in environments(argv)],
    }
    return [sys.executable, "-I", "-S", str(program), json.dumps(settings)]


def run(
    argv: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    limits: Limits,
    stop: Stop,
) -> Ended:
    """Run a command line to its end, to the first limit it goes over, or until ``stop`` is given.

    Nothing that it started is left running. Raises OSError.
    """
    home = environment.get("HOME", "")
    try:
        process = subprocess.Popen(
            argv,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except SystemExit:
        # We are to end, and it may have been started all the same.
        end_at(home)
        raise
    try:
        output, over = _read(process, limits, stop)
    finally:
        end(process, home)
    text = output.decode("utf-8", "replace")
    if not over and process.returncode in (-signal.SIGXCPU, 128 + signal.SIGXCPU):
        over = "processor time"
    return Ended(process.returncode, text, over)


def _read(process: subprocess.Popen[bytes], limits: Limits, stop: Stop) -> tuple[bytes, str]:
    """All output up to the end, and the limit that was gone over."""
    assert process.stdout is not None
    until = time.monotonic() + limits.seconds
    output = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        selector.register(stop, selectors.EVENT_READ)
        while True:
            ready = selector.select(max(until - time.monotonic(), 0))
            if not ready:
                return bytes(output), "time"
            if any(key.fileobj is stop for key, _ in ready):
                return bytes(output), STOPPED
            chunk = os.read(process.stdout.fileno(), _CHUNK)
            output += chunk
            if len(output) > limits.output:
                return bytes(output[: limits.output]), "output"
            if not chunk:
                break
        selector.unregister(process.stdout)
        # It has closed its output, and may go on all the same.
        while process.poll() is None:
            if time.monotonic() >= until:
                return bytes(output), "time"
            if selector.select(_POLL_SECONDS):
                return bytes(output), STOPPED
    return bytes(output), ""

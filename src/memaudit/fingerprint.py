"""Which program this is: its own source files, the interpreter and the packages installed beside it."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from memaudit import __version__

_INSTALLED = (".dist-info", ".egg-info", ".egg-link", ".pth")


def _fingerprint() -> str:
    own = sorted(_sources(os.fspath(Path(__file__).parent)))
    if not own:
        return ""
    told = [__version__, sys.version, sys.platform, *own, *sorted(_installed())]
    return hashlib.sha256("\0".join(told).encode("utf-8", "surrogateescape")).hexdigest()


def _sources(folder: str) -> Iterator[str]:
    with os.scandir(folder) as listing:
        for item in listing:
            if item.is_dir(follow_symlinks=False):
                yield from _sources(item.path)
            elif item.name.endswith(".py"):
                yield _told(item)


def _installed() -> Iterator[str]:
    for folder in dict.fromkeys(sys.path):
        try:
            with os.scandir(folder or ".") as listing:
                yield from [_told(item) for item in listing if item.name.endswith(_INSTALLED)]
        except OSError:
            continue


def _told(item: os.DirEntry[str]) -> str:
    found = item.stat()
    return f"{item.path} {found.st_size} {found.st_mtime_ns}"


def _read() -> str:
    try:
        return _fingerprint()
    except OSError:
        return ""


PROGRAM = _read()
"""A digest of the code that this process runs, taken when it started; empty where that cannot be told.

Source files count by name, size and time, installed packages by what their metadata is called and its time.
"""


def is_as_started() -> bool:
    """Whether the code on disk still is what :data:`PROGRAM` was taken of."""
    return bool(PROGRAM) and _read() == PROGRAM

"""Removing what a check has left behind, whatever it made of its folder."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove(folder: Path, last: str = "") -> str:
    """Remove a folder with all in it; what cannot be removed is told in one line, empty for nothing.

    Folders below are moved to the top before they are emptied: however deep they lie, no name gets too long
    for the system, and no two folders are open beside the top one. Links are not followed. ``last`` is a file
    at the top that goes after all others. Raises nothing for what is on the disk.
    """
    try:
        if not folder.is_symlink():
            with contextlib.suppress(OSError):
                folder.chmod(0o700)
        top = os.open(folder, _FOLDER)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return _told(folder, error)
    fault: OSError | None = None
    try:
        kept = {last}
        while names := [name for name in os.listdir(top) if name not in kept]:  # noqa: PTH208
            for name in names:
                try:
                    _flatten(top, name)
                except OSError as error:
                    kept.add(name)
                    fault = fault or error
        if fault is None and last:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(last, dir_fd=top)
        if fault is None:
            folder.rmdir()
    except OSError as error:
        fault = error
    finally:
        os.close(top)
    return _told(folder, fault) if fault is not None else ""


def _flatten(top: int, name: str) -> None:
    """Remove one entry of the folder ``top``; folders in it are moved up to it."""
    if not _is_folder(top, name):
        os.unlink(name, dir_fd=top)
        return
    _open_up(top, name)
    folder = os.open(name, _FOLDER, dir_fd=top)
    fault: OSError | None = None
    try:
        for below in os.listdir(folder):  # noqa: PTH208
            try:
                if _is_folder(folder, below):
                    # Moving a folder elsewhere takes the right to write in it.
                    _open_up(folder, below)
                    os.rename(below, os.urandom(12).hex(), src_dir_fd=folder, dst_dir_fd=top)
                else:
                    os.unlink(below, dir_fd=folder)
            except OSError as error:
                fault = fault or error
    finally:
        os.close(folder)
    if fault is not None:
        raise fault
    os.rmdir(name, dir_fd=top)


def _is_folder(parent: int, name: str) -> bool:
    return stat.S_ISDIR(os.lstat(name, dir_fd=parent).st_mode)


def _open_up(parent: int, name: str) -> None:
    """Undo what a check has made unreadable."""
    with contextlib.suppress(OSError):
        os.chmod(name, 0o700, dir_fd=parent)


def _told(folder: Path, error: OSError) -> str:
    return f"not all of the throw-away copies could be removed: {folder}: {error.strerror or error}"

"""A file replaced so that a crash at any moment leaves the old one or the new one, whole."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from memaudit.errors import ConflictError, WriteError

try:
    import fcntl
except ImportError:  # Windows, where an open file cannot be removed anyway
    fcntl = None  # type: ignore[assignment]

_SUFFIX = ".memaudit-tmp"


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: the real path, the copy of what was there before, and the new content's SHA-256."""

    path: Path
    backup: Path
    sha256: str


def write_file(target: Path, before: bytes, after: bytes, backup_folder: Path) -> Written:
    """Put ``after`` in place of ``before``, keeping mode, owner and every link to the file.

    A symbolic link stays and its target is written. The new content goes to a temporary file beside
    the target and takes its place in one step. Where that would break a hard link, or the folder may
    not be written, the content is replaced in place once the backup is safely on disk.

    Raises ConflictError when the file no longer holds ``before``, WriteError when it cannot be
    written; in both cases the file is as it was.
    """
    real = Path(os.path.realpath(target))
    try:
        status = _expect(real, before)
        if not os.access(real, os.W_OK):
            raise WriteError("is read-only", str(target), "make it writable and save again")
        backup = _back_up(real, before, backup_folder)
        _remove_strays(real)
        if status.st_nlink > 1 or not os.access(real.parent, os.W_OK):
            _write_in_place(real, before, after)
        else:
            _replace(real, before, after, status)
    except OSError as error:
        raise WriteError(
            f"cannot be written: {error.strerror or error}", str(target), "nothing was changed on disk"
        ) from error
    return Written(real, backup, hashlib.sha256(after).hexdigest())


def _expect(real: Path, before: bytes) -> os.stat_result:
    """The file's status, if it still holds ``before``."""
    try:
        status = real.stat()
        if not stat.S_ISREG(status.st_mode):
            raise WriteError("is not a regular file", str(real))
        current = real.read_bytes()
    except FileNotFoundError:
        raise ConflictError("was removed since it was read", str(real), "reload the store") from None
    if current != before:
        raise ConflictError("was changed since it was read", str(real), "reload the store")
    return status


def _back_up(real: Path, before: bytes, folder: Path) -> Path:
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    backup = folder / f"{moment}-{hashlib.sha256(os.fsencode(real)).hexdigest()[:8]}-{real.name}"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with backup.open("xb") as stream:
            stream.write(before)
            _flush(stream.fileno())
        _flush_folder(folder)
    except OSError as error:
        why = f"the backup cannot be kept: {error.strerror or error}"
        raise WriteError(why, str(folder), "nothing was changed on disk") from error
    return backup


def _replace(real: Path, before: bytes, after: bytes, status: os.stat_result) -> None:
    temporary = real.with_name(f".{real.name}.{secrets.token_hex(6)}{_SUFFIX}")
    try:
        with _locked(temporary) as descriptor:
            _write_all(descriptor, after)
            _keep_owner(descriptor, status)
            _flush(descriptor)
            _expect(real, before)
            temporary.replace(real)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _flush_folder(real.parent)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[int]:
    """A new file, locked while it is written: a lock that is free marks what a crash left behind."""
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o600)
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)


def _keep_owner(descriptor: int, status: os.stat_result) -> None:
    if hasattr(os, "fchown"):
        # Giving a file away takes privileges; one that stays ours is better than none.
        with contextlib.suppress(PermissionError):
            os.fchown(descriptor, status.st_uid, status.st_gid)
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, stat.S_IMODE(status.st_mode))


def _write_in_place(real: Path, before: bytes, after: bytes) -> None:
    """Write over a file that has other names; room is taken first, and what fails midway is put back."""
    with real.open("r+b", buffering=0) as stream:
        _expect(real, before)
        if hasattr(os, "posix_fallocate") and len(after) > len(before):
            os.posix_fallocate(stream.fileno(), 0, len(after))
        try:
            _write_all(stream.fileno(), after)
            stream.truncate()
            _flush(stream.fileno())
        except BaseException:
            stream.seek(0)
            _write_all(stream.fileno(), before)
            stream.truncate()
            _flush(stream.fileno())
            raise


def _write_all(descriptor: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]


def _remove_strays(real: Path) -> None:
    """Remove what earlier writes of this file left behind when they were killed."""
    for stray in real.parent.glob(f".{_escape(real.name)}.*{_SUFFIX}"):
        with contextlib.suppress(OSError), stray.open("rb") as stream:
            if fcntl is not None:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            stray.unlink()


def _escape(name: str) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)


def _flush(descriptor: int) -> None:
    os.fsync(descriptor)


def _flush_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

"""Files that a person asked for, written where they said, and never over what is being audited."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from memaudit.errors import UsageError, WriteError


def refuse_to_write(path: str, memory: Iterable[Path], *, replace: bool) -> None:
    """Raise UsageError if ``path`` is no place for an output.

    Such are the insides of a git directory, the audited ``memory`` files themselves, by any of their
    names, and, unless ``replace`` is given, whatever is there already.
    """
    given = Path(path)
    real = os.path.realpath(given)
    if any(part.lower() == ".git" for part in (*given.parts, *Path(real).parts)):
        raise UsageError("lies inside a git directory", path, "choose another file")
    if not os.path.lexists(path):
        return
    if any(_is_same(real, one) for one in memory):
        raise UsageError("is one of the audited memory files", path, "choose another file")
    if not replace:
        raise UsageError("is there already", path, "choose another file, or replace it with --force")


def write_output(path: str, data: bytes) -> None:
    """Write a file. Raises WriteError."""
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise WriteError(error.strerror or str(error), path, "choose another file") from error


def _is_same(real: str, other: Path) -> bool:
    try:
        return Path(real).samefile(other)
    except OSError:
        return real == os.path.realpath(other)

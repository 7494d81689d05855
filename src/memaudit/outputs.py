"""Files that a person asked for, written where they said, and never over what is being audited."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from memaudit.errors import MemauditError, UsageError, WriteError


def refuse_to_write(path: str, memory: Iterable[Path], *, replace: bool) -> None:
    """Raise UsageError if ``path`` is no place for an output.

    Such are the insides of a git directory, the audited ``memory`` files themselves, by any of their
    names, what else is memory where it lies, and, unless ``replace`` is given, whatever is there already.
    """
    given = Path(path)
    real = os.path.realpath(given)
    if any(part.lower() == ".git" for part in (*given.parts, *Path(real).parts)):
        raise UsageError("lies inside a git directory", path, "choose another file")
    if not os.path.lexists(path):
        return
    if any(_is_same(real, one) for one in memory):
        raise UsageError("is one of the audited memory files", path, "choose another file")
    if _is_memory(Path(real)):
        raise UsageError("is a memory file", path, "choose another file")
    if not replace:
        raise UsageError("is there already", path, "choose another file, or replace it with --force")


def write_output(path: str, data: bytes) -> None:
    """Write a file. Raises WriteError."""
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise WriteError(error.strerror or str(error), path, "choose another file") from error


def _is_memory(file: Path) -> bool:
    """Whether an audit of the place where a file lies would read it as memory, whatever is audited now."""
    from memaudit.repo.repository import open_repository
    from memaudit.stores.discover import discover
    from memaudit.stores.folder import WorkingFolder

    try:
        repository = open_repository(file.parent)
        root, tracked = repository.root, repository.tracked()
    except MemauditError:
        root, tracked = None, []
    # Outside of a work tree nobody knows what else belongs to the folder: its name has to do.
    folder = WorkingFolder(root, tracked) if root else WorkingFolder(file.parent, [file.name])
    stores = discover(folder)
    return any(_is_same(str(file), folder.root / one.path) for store in stores for one in store.documents)


def _is_same(real: str, other: Path) -> bool:
    try:
        return Path(real).samefile(other)
    except OSError:
        return real == os.path.realpath(other)

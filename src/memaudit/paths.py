"""Where memaudit keeps its own files. It writes nothing into the audited repository but the store."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def settings_folder() -> Path:
    """The folder of ``settings.toml`` and user themes."""
    import platformdirs

    return Path(platformdirs.user_config_dir("memaudit", appauthor=False))


STATE_VARIABLE = "MEMAUDIT_STATE"
"""The environment variable that names another state folder, for throw-away reviews."""


def state_folder() -> Path:
    """The folder of journals, ledgers and caches: losing it loses history, never a verdict."""
    named = os.environ.get(STATE_VARIABLE)
    if named:
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_state_dir("memaudit", appauthor=False))


def repository_state(git_dir: str | os.PathLike[str]) -> Path:
    """The state folder of one repository, shared by all its worktrees (``git_dir`` is the common one)."""
    real = os.path.realpath(git_dir)
    digest = hashlib.sha256(os.fsencode(real)).hexdigest()[:16]
    parent = Path(real).parent.name if Path(real).name == ".git" else Path(real).name
    label = "".join(char if char.isalnum() or char in "-_" else "-" for char in parent)[:40]
    return state_folder() / f"{label}-{digest}"


def private_folder(path: Path) -> Path:
    """Make a folder, and those above it that are missing, for the user alone; memory is nobody else's.

    Raises OSError where it cannot be made.
    """
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)
    return path


def shipped(name: str) -> Path:
    """A folder that ships with memaudit, ``themes`` or ``sample_store``: in the wheel or the checkout."""
    packaged = Path(__file__).resolve().parent / "_shipped" / name
    if packaged.is_dir():
        return packaged
    return Path(__file__).resolve().parents[2] / name

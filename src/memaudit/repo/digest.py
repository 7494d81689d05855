"""What a repository looks like now, as one digest: the same digest, the same answers from it."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from memaudit.repo.objects import MODE_SUBMODULE
from memaudit.repo.repository import Repository
from memaudit.repo.snapshot import Snapshot

_MOST_ON_DISK = 5_000
_LONGEST_ON_DISK = 16 * 1024 * 1024


def repository_digest(repository: Repository) -> str:
    """A digest of all that reading the history can depend on beside the objects themselves.

    That is every reference, what HEAD names, the settings, and where the history was cut off.
    """
    common, own = repository.common_dir, repository.git_dir
    files = [common / "packed-refs", common / "shallow", common / "info" / "grafts", common / "config"]
    files += [own / "HEAD", own / "config.worktree", *_files(common / "refs")]
    if own != common:
        files += _files(own / "refs")
    digest = hashlib.sha256()
    for file in files:
        digest.update(hashlib.sha256(os.fsencode(file)).digest())
        digest.update(hashlib.sha256(_read(file)).digest())
    return digest.hexdigest()


def snapshot_digest(snapshot: Snapshot) -> str | None:
    """A digest of every file of a snapshot, for one of the working tree of what is on disk now.

    None when very many files are on disk only, or one of them cannot be read or is very large.
    """
    digest = hashlib.sha256()
    on_disk = 0
    for path, entry in sorted(snapshot.entries().items()):
        known: str | None = entry.id
        if not entry.id and entry.mode != MODE_SUBMODULE:
            on_disk += 1
            known = snapshot.blob_id(path, limit=_LONGEST_ON_DISK) if on_disk <= _MOST_ON_DISK else None
        if known is None:
            return None
        digest.update(f"{path}\0{entry.mode}\0{known}\0".encode())
    return digest.hexdigest()


def _files(folder: Path) -> list[Path]:
    """Every file below a folder, in a fixed order."""
    found: list[Path] = []
    for path, folders, names in os.walk(folder):
        folders.sort()
        found += [Path(path, name) for name in sorted(names)]
    return found


def _read(file: Path) -> bytes:
    try:
        return b"+" + file.read_bytes()
    except OSError:
        return b"-"

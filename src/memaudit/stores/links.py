"""One file under several names: symbolic links, links to folders, and files that only name another."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable

from memaudit.domain import Folder
from memaudit.stores.source import BOM

_MAX_HOPS = 16
_MAX_NAME = 512


def through_links(folder: Folder, files: Iterable[str], folders: Collection[str]) -> list[str]:
    """All paths a store may have, sorted: ``files`` and what lies behind links named like ``folders``."""
    paths = sorted(set(files))
    extra: list[str] = []
    for path in paths:
        if posixpath.basename(path) in folders and (target := folder.link(path)) is not None:
            inside = f"{target.rstrip('/')}/" if target not in ("", ".") else None
            if inside and not path.startswith(inside):
                extra.extend(path + "/" + one[len(inside) :] for one in paths if one.startswith(inside))
    return sorted({*paths, *extra})


def real_path(folder: Folder, path: str) -> str:
    """The path of the file itself: links on the way and at its end followed, as far as they stay inside."""
    for _ in range(_MAX_HOPS):
        parts = path.split("/")
        for count in range(1, len(parts) + 1):
            target = folder.link("/".join(parts[:count]))
            if target is not None:
                path = posixpath.normpath("/".join([target, *parts[count:]]))
                break
        else:
            return path
    return path


def named_file(path: str, raw: bytes, present: Collection[str]) -> str | None:
    """The file that a one-line file stands for by naming it, as git writes links on Windows.

    ``present`` are the paths that exist. None where the content is anything but such a name.
    """
    if len(raw) > _MAX_NAME:
        return None
    try:
        name = raw.removeprefix(BOM).decode("utf-8").strip()
    except UnicodeDecodeError:
        return None
    if not name or any(char.isspace() for char in name) or name.startswith(("/", "@")):
        return None
    target = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
    return target if target != path and target in present else None

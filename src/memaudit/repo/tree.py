"""A whole tree as a flat listing."""

from __future__ import annotations

from typing import NamedTuple

from memaudit.repo.objects import MODE_TREE, Objects


class Entry(NamedTuple):
    """What stands at a path: git's file mode, and the object id (``""``: only on disk so far)."""

    mode: int
    id: str


def list_tree(objects: Objects, tree_id: str, folder: str = "") -> dict[str, Entry]:
    """Every file, link and submodule of a tree by its path, ``/`` between parts, below ``folder``.

    Names that are not UTF-8 are left out: no claim can name them and JSON cannot carry them.
    """
    found: dict[str, Entry] = {}
    pending = [(tree_id, f"{folder}/" if folder else "")]
    while pending:
        current, above = pending.pop()
        for mode, raw_name, raw_id in objects.entries(current):
            try:
                path = above + raw_name.decode("utf-8")
            except UnicodeDecodeError:
                continue
            if mode == MODE_TREE:
                pending.append((raw_id, path + "/"))
            else:
                found[path] = Entry(mode, raw_id)
    return found

"""AGENTS.md, nested AGENTS.md files, and the AGENTS.override.md that hides its neighbour from Codex."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence

from memaudit.domain import Folder
from memaudit.stores.family import Family, Found, below, top_first

STORE = "agents"
_OVERRIDE = "AGENTS.override.md"


def _find(folder: Folder, paths: Sequence[str]) -> Iterable[Found]:
    present = {path for path in paths if posixpath.basename(path) in ("AGENTS.md", _OVERRIDE)}
    for path in sorted(present, key=top_first):
        parent, name = posixpath.split(path)
        if name == _OVERRIDE:
            hidden = posixpath.join(parent, "AGENTS.md")
            shadows = hidden if hidden in present else None
            yield Found(path, STORE, "agents-override-md", below(path), shadows=shadows)
        else:
            yield Found(path, STORE, "agents-md", below(path))


FAMILY = Family("agents", _find, names=("AGENTS.md", _OVERRIDE))

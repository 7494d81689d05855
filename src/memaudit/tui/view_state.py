"""What a person had listed when they left: filter and order, kept per repository."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from memaudit.domain import ClaimKind, Origin
from memaudit.paths import private_folder
from memaudit.tui.filters import Decided, Filter
from memaudit.tui.ranks import Group
from memaudit.tui.sorting import Sort

FILE = "view.json"

_Value = TypeVar("_Value")


@dataclass(frozen=True)
class View:
    """What is listed, and in which order."""

    filter: Filter = field(default_factory=Filter)
    sort: Sort = Sort.VERDICT


def load_view(folder: Path) -> View:
    """The view kept in a state folder; the plain one where there is none that can be read."""
    try:
        found = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return View()
    if not isinstance(found, dict):
        return View()
    query = found.get("query")
    filter_ = Filter(
        query=query if isinstance(query, str) else "",
        groups=_values(found, "groups", Group),
        origins=_values(found, "origins", Origin),
        decisions=_values(found, "decisions", Decided),
        kinds=_values(found, "kinds", ClaimKind),
        files=_values(found, "files", str),
        commits=_values(found, "commits", str),
        authors=_values(found, "authors", str),
    )
    sort = _values({"sort": [found.get("sort")]}, "sort", Sort)
    return View(filter_, next(iter(sort), Sort.VERDICT))


def save_view(folder: Path, view: View) -> None:
    """Keep a view in a state folder. Raises OSError."""
    values = {
        name: value if isinstance(value, str) else sorted(value)
        for name, value in asdict(view.filter).items()
    }
    private_folder(folder)
    file = folder / FILE
    draft = folder / f"{FILE}.{os.getpid()}"
    try:
        draft.write_text(json.dumps({**values, "sort": view.sort}), encoding="utf-8")
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


def _values(found: dict[str, Any], name: str, kind: type[_Value]) -> frozenset[_Value]:
    """The values of one part that still mean something: another version may have known others."""
    values = found.get(name)
    kept = set()
    for value in values if isinstance(values, list) else ():
        try:
            if isinstance(value, str):
                kept.add(kind(value))  # type: ignore[call-arg]
        except ValueError:
            continue
    return frozenset(kept)

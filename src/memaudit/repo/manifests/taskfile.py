"""Taskfile.yml (go-task): tasks, aliases, dependencies."""

from __future__ import annotations

import re
from typing import Any

from memaudit.repo.manifests.model import Manifest, Task, line_of


def read(path: str, text: str) -> Manifest:
    """Read tasks; ``includes`` makes the list open-ended."""
    import yaml

    try:
        data = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - a safe loader
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error
    tasks: dict[str, Task] = {}
    start = line_of(text, r"^tasks\s*:")
    for name, value in (data.get("tasks") or {}).items():
        line = line_of(text, rf"^\s+[\"']?{re.escape(str(name))}[\"']?\s*:", start)
        task = Task(str(name), line, _body(value), _needs(value))
        tasks[task.name] = task
        aliases = value.get("aliases") if isinstance(value, dict) else None
        for alias in aliases if isinstance(aliases, list) else []:
            tasks[str(alias)] = Task(str(alias), line, task.body, task.needs)
    return Manifest(path, "task", tasks=tasks, open_ended=bool(data.get("includes")))


def _body(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(_body(item) for item in value)
    if isinstance(value, dict):
        return "\n".join(_body(value[key]) for key in ("cmd", "cmds", "task") if key in value)
    return ""


def _needs(value: Any) -> tuple[str, ...]:
    deps = value.get("deps") if isinstance(value, dict) else None
    names = (
        [item.get("task") if isinstance(item, dict) else item for item in deps]
        if isinstance(deps, list)
        else []
    )
    return tuple(str(name) for name in names if name)

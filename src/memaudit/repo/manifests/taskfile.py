"""Taskfile.yml (go-task): tasks, aliases, dependencies."""

from __future__ import annotations

import re
from typing import Any

from memaudit.repo.manifests.model import Manifest, Task, line_of

_MOST_PARTS = 1000


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
    """The command lines of a task, a bounded number of them: aliases can stand for endless ones."""
    lines: list[str] = []
    todo: list[Any] = [value]
    for _ in range(_MOST_PARTS):
        if not todo:
            break
        part = todo.pop()
        if isinstance(part, str):
            lines.append(part)
        elif isinstance(part, list):
            todo.extend(reversed(part[:_MOST_PARTS]))
        elif isinstance(part, dict):
            todo.extend(part[key] for key in ("task", "cmds", "cmd") if key in part)
    return "\n".join(lines)


def _needs(value: Any) -> tuple[str, ...]:
    deps = value.get("deps") if isinstance(value, dict) else None
    names = (
        [item.get("task") if isinstance(item, dict) else item for item in deps]
        if isinstance(deps, list)
        else []
    )
    return tuple(str(name) for name in names if name)

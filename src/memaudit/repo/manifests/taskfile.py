"""Taskfile.yml (go-task): tasks, aliases, dependencies, included files."""

from __future__ import annotations

from memaudit.repo.manifests import yamltext
from memaudit.repo.manifests.model import Manifest, Source, Task


def read(path: str, text: str) -> Manifest:
    """Read tasks, and ``includes`` as sources with their namespace."""
    root = yamltext.load(text)
    tasks: dict[str, Task] = {}
    for name, line, value in yamltext.pairs(yamltext.child(root, "tasks")):
        deps = yamltext.child(value, "deps")
        needs = [
            found
            for item in yamltext.items(deps)
            if (found := yamltext.scalar(item) or yamltext.scalar(yamltext.child(item, "task")))
        ]
        body = yamltext.body(value, only=("task", "cmds", "cmd"))
        task = Task(name, line, body, tuple(needs))
        tasks.setdefault(name, task)
        for alias in yamltext.scalars(yamltext.child(value, "aliases")):
            tasks.setdefault(alias, Task(alias, line, task.body, task.needs))
    sources = []
    for namespace, _, value in yamltext.pairs(yamltext.child(root, "includes")):
        where = yamltext.scalar(value) or yamltext.scalar(yamltext.child(value, "taskfile"))
        flat = yamltext.scalar(yamltext.child(value, "flatten")) == "true"
        sources.append(Source(where, "" if flat else namespace))
    wildcard = any("*" in name for name in tasks)
    return Manifest(path, "task", tasks=tasks, sources=tuple(sources), open_ended=wildcard)

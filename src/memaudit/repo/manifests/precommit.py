"""``.pre-commit-config.yaml``: hooks by id and alias."""

from __future__ import annotations

from memaudit.repo.manifests import yamltext
from memaudit.repo.manifests.model import Manifest, Task


def read(path: str, text: str) -> Manifest:
    """Read hooks; the body of a hook is its repository and its entry."""
    root = yamltext.load(text)
    tasks: dict[str, Task] = {}
    for repository in yamltext.items(yamltext.child(root, "repos")):
        source = yamltext.scalar(yamltext.child(repository, "repo"))
        for hook in yamltext.items(yamltext.child(repository, "hooks")):
            entry = yamltext.child(hook, "entry")
            body = f"{source if source != 'local' else ''} {yamltext.scalar(entry)}".strip()
            for name in (yamltext.child(hook, "id"), yamltext.child(hook, "alias")):
                if name is not None and yamltext.scalar(name):
                    task = Task(yamltext.scalar(name), yamltext.line(name), body if entry is not None else "")
                    tasks.setdefault(task.name, task)
    return Manifest(path, "pre-commit", tasks=tasks)

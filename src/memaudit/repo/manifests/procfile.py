"""Procfiles: the processes of an app."""

from __future__ import annotations

from memaudit.patterns import lazy_regex
from memaudit.repo.manifests.model import Manifest, Task

_PROCESS = lazy_regex(r"([A-Za-z0-9_-]+):\s*(\S.*)")


def read(path: str, text: str) -> Manifest:
    """Read line by line."""
    tasks = {
        match[1]: Task(match[1], number, match[2].strip())
        for number, line in enumerate(text.split("\n"), 1)
        if (match := _PROCESS.match(line))
    }
    return Manifest(path, "procfile", tasks=tasks)

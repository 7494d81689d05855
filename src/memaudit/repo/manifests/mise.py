"""``mise.toml``: tasks and pinned tools."""

from __future__ import annotations

import re
import tomllib

from memaudit.repo.manifests.model import Manifest, Pin, Task, line_of


def read(path: str, text: str) -> Manifest:
    """Read ``[tasks]`` and ``[tools]``."""
    data = tomllib.loads(text)
    tasks: dict[str, Task] = {}
    for name, value in (data.get("tasks") or {}).items():
        run = value.get("run", "") if isinstance(value, dict) else value
        body = "\n".join(map(str, run)) if isinstance(run, list) else str(run)
        tasks[name] = Task(name, line_of(text, rf"{re.escape(name)}[\"']?\s*[\]=]"), body)
    tools = {
        name: Pin(name, line_of(text, rf"^\s*[\"']?{re.escape(name)}[\"']?\s*="), str(spec))
        for name, spec in (data.get("tools") or {}).items()
    }
    return Manifest(path, "mise", tasks=tasks, dependencies=tools, versions=dict(tools), open_ended=True)

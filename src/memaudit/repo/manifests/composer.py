"""``composer.json``: scripts and packages of a PHP project."""

from __future__ import annotations

import json
import re

from memaudit.repo.manifests.jsontext import table
from memaudit.repo.manifests.model import Manifest, Pin, Task, line_of, strings


def read(path: str, text: str) -> Manifest:
    """Read scripts with their aliases, requirements, programs and the PHP version."""
    data = json.loads(text)
    start = line_of(text, r'"scripts"')
    tasks: dict[str, Task] = {}
    for name, body in table(data, "scripts").items():
        steps = [body] if isinstance(body, str) else strings(body)
        at = line_of(text, rf'"{re.escape(name)}"\s*:', start)
        task = Task(name, at, "\n".join(steps), tuple(step[1:] for step in steps if step.startswith("@")))
        tasks[name] = task
        for alias in strings(table(data, "scripts-aliases").get(name)):
            tasks.setdefault(alias, Task(alias, at, task.body, task.needs))
    pins: dict[str, Pin] = {}
    for key in ("require", "require-dev"):
        begin = line_of(text, rf'"{key}"\s*:')
        for name, spec in table(data, key).items():
            pins.setdefault(name, Pin(name, line_of(text, rf'"{re.escape(name)}"\s*:', begin), str(spec)))
    versions = {"php": pins["php"]} if "php" in pins else {}
    version = data.get("version")
    if isinstance(version, str):
        versions[""] = Pin("version", line_of(text, r'"version"\s*:'), version)
    return Manifest(
        path,
        "composer",
        package=str(data.get("name") or ""),
        tasks=tasks,
        dependencies=pins,
        versions=versions,
        programs={
            name.rpartition("/")[2].removesuffix(".php"): Pin(name, line_of(text, r'"bin"\s*:'), name)
            for name in strings(data.get("bin"))
        },
    )

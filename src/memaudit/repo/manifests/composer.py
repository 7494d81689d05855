"""``composer.json``: scripts and packages of a PHP project."""

from __future__ import annotations

import json
import re

from memaudit.repo.manifests.model import Manifest, Pin, Task, line_of


def read(path: str, text: str) -> Manifest:
    """Read scripts, requirements and the PHP version."""
    data = json.loads(text)
    tasks = {
        name: Task(
            name, line_of(text, rf'"{re.escape(name)}"\s*:', line_of(text, r'"scripts"')), json.dumps(body)
        )
        for name, body in (data.get("scripts") or {}).items()
    }
    pins = {
        name: Pin(name, line_of(text, rf'"{re.escape(name)}"\s*:'), str(spec))
        for table in ("require", "require-dev")
        for name, spec in (data.get(table) or {}).items()
    }
    versions = {"php": pins["php"]} if "php" in pins else {}
    return Manifest(
        path,
        "composer",
        package=str(data.get("name") or ""),
        tasks=tasks,
        dependencies=pins,
        versions=versions,
    )

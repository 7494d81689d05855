"""``package.json`` (npm, pnpm, yarn, bun) and ``deno.json``."""

from __future__ import annotations

import json
import re
from typing import Any

from memaudit.repo.manifests.jsontext import loads, table
from memaudit.repo.manifests.model import Manifest, Pin, Task, line_of, line_of_key, strings

_DEPENDENCY_TABLES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")


def read(path: str, text: str) -> Manifest:
    """Read scripts, dependencies, engines, bins and the package manager."""
    data = loads(text)
    runner = "deno" if path.rpartition("/")[2].startswith("deno") else "npm"
    package = data.get("name") if isinstance(data.get("name"), str) else ""
    manager = data.get("packageManager")
    return Manifest(
        path=path,
        runner=runner,
        package=package or "",
        tasks=_tasks(data, text, "tasks" if runner == "deno" else "scripts"),
        dependencies=_dependencies(data, text),
        versions=_versions(data, text),
        programs=_programs(data, text, package or ""),
        manager=Pin(manager.partition("@")[0], line_of(text, r'"packageManager"'), manager)
        if isinstance(manager, str)
        else None,
    )


def _tasks(data: dict[str, Any], text: str, key: str) -> dict[str, Task]:
    start = line_of_key(text, key)
    tasks: dict[str, Task] = {}
    for name, body in table(data, key).items():
        line = line_of(
            text, rf'^\s*"{re.escape(json.dumps(name)[1:-1])}"\s*:|\{{\s*"{re.escape(name)}"\s*:', start
        )
        tasks[name] = Task(name, line, *_run(body))
    return tasks


def _run(body: Any) -> tuple[str, tuple[str, ...]]:
    """What a script runs and what it needs: a string, or an object with ``command`` (deno)."""
    if isinstance(body, dict) and isinstance(body.get("command"), str):
        return body["command"], tuple(strings(body.get("dependencies")))
    return (body if isinstance(body, str) else json.dumps(body)), ()


def _dependencies(data: dict[str, Any], text: str) -> dict[str, Pin]:
    pins: dict[str, Pin] = {}
    for key in _DEPENDENCY_TABLES:
        start = line_of_key(text, key)
        for name, spec in table(data, key).items():
            pins.setdefault(name, Pin(name, line_of_key(text, name, start), str(spec)))
    return pins


def _versions(data: dict[str, Any], text: str) -> dict[str, Pin]:
    pins: dict[str, Pin] = {}
    if isinstance(data.get("version"), str):
        pins[""] = Pin("version", line_of_key(text, "version"), data["version"])
    start = line_of_key(text, "engines")
    for name, spec in table(data, "engines").items():
        pins[name] = Pin(name, line_of_key(text, name, start), str(spec))
    for key in _DEPENDENCY_TABLES:
        spec = table(data, key).get("typescript")
        if isinstance(spec, str):
            pins.setdefault("typescript", Pin("typescript", line_of_key(text, "typescript"), spec))
    return pins


def _programs(data: dict[str, Any], text: str, package: str) -> dict[str, Pin]:
    value = data.get("bin")
    line = line_of_key(text, "bin")
    if isinstance(value, str):
        return {package.rpartition("/")[2]: Pin(package, line, value)}
    if isinstance(value, dict):
        return {name: Pin(name, line_of_key(text, name, line), str(to)) for name, to in value.items()}
    return {}

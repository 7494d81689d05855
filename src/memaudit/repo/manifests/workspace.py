"""Task orchestrators of JavaScript workspaces: turbo, nx, lerna; and the catalogs of pnpm."""

from __future__ import annotations

import json
import re

from memaudit.repo.manifests import yamltext
from memaudit.repo.manifests.jsontext import loads, table
from memaudit.repo.manifests.model import Manifest, Pin, Task, line_of, strings


def read(path: str, text: str) -> Manifest:
    """Read by file name. Which packages have a task is said by their own ``package.json``."""
    name = path.rpartition("/")[2]
    if name == "pnpm-workspace.yaml":
        return _catalogs(path, text)
    data = loads(text)
    if name == "lerna.json":
        version = data.get("version")
        pin = Pin("version", line_of(text, r'"version"'), str(version))
        return Manifest(path, "lerna", versions={"": pin} if str(version)[:1].isdigit() else {})
    if name == "nx.json":
        key, runner = "targetDefaults", "nx"
    elif name == "project.json":
        key, runner = "targets", "nx"
    else:
        key, runner = ("tasks" if "tasks" in data else "pipeline"), "turbo"
    if name == "project.json" and not table(data, key):
        raise ValueError("no project of nx")
    start = line_of(text, rf'"{key}"\s*:')
    tasks: dict[str, Task] = {}
    for task, spec in table(data, key).items():
        at = line_of(text, rf'"{re.escape(task)}"\s*:', start)
        needs = [item.lstrip("^").rpartition("#")[2] for item in strings(table(spec).get("dependsOn"))]
        tasks.setdefault(task, Task(task, at, json.dumps(spec, sort_keys=True)[:4000], tuple(needs)))
        if runner == "turbo" and "#" in task:
            tasks.setdefault(task.rpartition("#")[2], Task(task.rpartition("#")[2], at, ""))
    package = data.get("name") if name == "project.json" else ""
    return Manifest(path, runner, package=str(package or ""), tasks=tasks)


def _catalogs(path: str, text: str) -> Manifest:
    root = yamltext.load(text)
    catalog: dict[str, Pin] = {}
    tables = [yamltext.child(root, "catalog")]
    tables += [value for _, _, value in yamltext.pairs(yamltext.child(root, "catalogs"))]
    for found in tables:
        for name, line, value in yamltext.pairs(found):
            catalog.setdefault(name, Pin(name, line, yamltext.scalar(value)))
    return Manifest(path, "pnpm", catalog=catalog)

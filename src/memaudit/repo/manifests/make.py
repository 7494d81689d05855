"""Makefiles: explicit targets. Includes and pattern rules make the list open-ended."""

from __future__ import annotations

import re

from memaudit.repo.manifests.model import Manifest, Task

_TARGET = re.compile(r"^([A-Za-z0-9_.$(){}/%@ -]+?)\s*::?(?![=:])\s*([^#=]*)(?:#.*)?$")


def read(path: str, text: str) -> Manifest:
    """Read targets with their prerequisites and recipe lines."""
    tasks: dict[str, Task] = {}
    open_ended = False
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if re.match(r"-?s?include\s", line):
            open_ended = True
        if line.startswith(("\t", "#", " ")):
            continue
        if line.startswith(".PHONY"):
            continue
        match = _TARGET.match(line.rstrip())
        if not match or line.startswith("."):
            continue
        body = _recipe(lines, index + 1)
        needs = tuple(match[2].partition("|")[0].split())
        for name in match[1].split():
            if "%" in name or "$" in name:
                open_ended = True
            elif name not in tasks or not tasks[name].body:
                tasks[name] = Task(name, index + 1, body, needs)
    return Manifest(path, "make", tasks=tasks, open_ended=open_ended)


def _recipe(lines: list[str], start: int) -> str:
    body: list[str] = []
    for line in lines[start:]:
        if not line.startswith("\t") and line.strip():
            break
        body.append(line.strip())
    return "\n".join(body).strip()

"""Makefiles: explicit targets and pattern rules; included files are sources."""

from __future__ import annotations

import re

from memaudit.patterns import lazy_regex
from memaudit.repo.manifests.model import Manifest, Source, Task, short_lines

_TARGET = lazy_regex(r"^([A-Za-z0-9_.$(){}/%@ -]+?)\s*::?(?![=:])\s*([^#=]*)(?:#.*)?$")
_INCLUDE = lazy_regex(r"-?s?include\s+(.+)")


def read(path: str, text: str) -> Manifest:
    """Read targets with their prerequisites and recipe lines. A name in a variable is open-ended."""
    tasks: dict[str, Task] = {}
    sources: list[Source] = []
    open_ended = False
    lines = short_lines(text)
    for index, line in enumerate(lines):
        if match := _INCLUDE.match(line):
            names = [name for name in match[1].partition("#")[0].split() if not name.startswith(".env")]
            sources += [Source(name) for name in names]
            open_ended = open_ended or any("$" in name or "*" in name for name in names)
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
            if name == "%" and _refuses(body, lines):
                continue
            if "$" in name or name == "%":
                open_ended = True
            elif name not in tasks or not tasks[name].body:
                tasks[name] = Task(name, index + 1, body, needs)
    return Manifest(path, "make", tasks=tasks, open_ended=open_ended, sources=tuple(sources))


def _refuses(body: str, lines: list[str]) -> bool:
    """Whether a recipe for any name at all only says no: it ends, itself or by its macro, in ``exit 1``."""
    macro = re.fullmatch(r"@?\$[({](\w+)[)}]", body)
    if macro:
        start = next((at for at, line in enumerate(lines) if line.split()[:2] == ["define", macro[1]]), None)
        ends = (at for at, line in enumerate(lines) if line.strip() == "endef" and at > (start or 0))
        body = "\n".join(lines[start : next(ends, len(lines))]) if start is not None else ""
    return bool(re.search(r"^[@-]*(?:exit\s+[1-9]|false)\s*\Z", body.strip().rpartition("\n")[2]))


def _recipe(lines: list[str], start: int) -> str:
    body: list[str] = []
    for line in lines[start:]:
        if not line.startswith("\t") and line.strip():
            break
        body.append(line.strip())
    return "\n".join(body).strip()

"""justfiles: recipes, aliases, dependencies."""

from __future__ import annotations

import re

from memaudit.patterns import lazy_regex
from memaudit.repo.manifests.model import Manifest, Source, Task

_RECIPE = lazy_regex(
    r"^@?([A-Za-z_][\w-]*)((?:\s+[*+$]?[\w-]+(?:=(?:\"[^\"]*\"|'[^']*'|\S+))?)*)\s*:(?!=)\s*(.*)$"
)
_IMPORT = lazy_regex(r"import\??\s+[\"']([^\"']+)")
_MOD = lazy_regex(r"mod\??\s+([\w-]+)(?:\s+[\"']([^\"']+))?")
_ALIAS = lazy_regex(r"^alias\s+([\w-]+)\s*:=\s*([\w:-]+)")


def read(path: str, text: str) -> Manifest:
    """Read recipes and aliases; ``import`` and ``mod`` name further files."""
    tasks: dict[str, Task] = {}
    aliases: list[tuple[str, str, int]] = []
    sources: list[Source] = []
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if match := _IMPORT.match(line):
            sources += [Source(match[1])]
        elif match := _MOD.match(line):
            paths = (
                [match[2]]
                if match[2]
                else [f"{match[1]}.just", f"{match[1]}/mod.just", f"{match[1]}/justfile"]
            )
            sources += [Source(path, match[1]) for path in paths]
        elif match := _ALIAS.match(line):
            aliases.append((match[1], match[2], index + 1))
        elif match := _RECIPE.match(line):
            needs = tuple(re.findall(r"[A-Za-z_][\w-]*", re.sub(r"\([^)]*\)|#.*", _call_names, match[3])))
            tasks[match[1]] = Task(match[1], index + 1, _body(lines, index + 1), needs)
    for name, target, line_number in aliases:
        known = tasks.get(target)
        tasks[name] = Task(
            name, line_number, known.body if known else "", known.needs if known else (target,)
        )
    return Manifest(path, "just", tasks=tasks, sources=tuple(sources))


def _call_names(match: re.Match[str]) -> str:
    """Keep only the recipe's name of a dependency with arguments, and nothing of a comment."""
    found = re.match(r"\(\s*([\w-]+)", match[0])
    return found[1] if found else ""


def _body(lines: list[str], start: int) -> str:
    body: list[str] = []
    for line in lines[start:]:
        if line.strip() and not line.startswith((" ", "\t")):
            break
        body.append(line.strip())
    return "\n".join(body).strip()

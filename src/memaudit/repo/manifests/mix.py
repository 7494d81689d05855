"""Elixir: ``mix.exs`` (aliases, dependencies, versions) and the modules that define mix tasks."""

from __future__ import annotations

import re

from memaudit.patterns import lazy_regex
from memaudit.repo.manifests.model import Manifest, Pin, Task, line_numbers

_LIST = lazy_regex(r"^[ \t]*defp?[ \t]+(aliases|deps)\b[^\n]*?(?:\bdo\b|,[ \t]*do:)", re.MULTILINE)
_END = lazy_regex(r"^[ \t]{2}end\b", re.MULTILINE)
_ALIAS = lazy_regex(r"^[ \t]*(?:\[[ \t]*)?(?:\"([\w.-]+)\"|([a-z_]\w*)):[ \t]*(?=[\[&\"'%\w])", re.MULTILINE)
_DEPENDENCY = lazy_regex(r"\{[ \t]*:(\w+)[ \t]*,[ \t]*(?:\"([^\"\n]*)\")?")
_STEP = lazy_regex(r"[\"']([^\"'\n]+)[\"']|(&\w+/\d)")
_MODULE = lazy_regex(r"^defmodule[ \t]+Mix\.Tasks\.([\w.]+)", re.MULTILINE)


def read(path: str, text: str) -> Manifest:
    """Read by file name. Dependencies bring tasks of their own, so the list is open-ended."""
    line = line_numbers(text)
    if not path.endswith("mix.exs"):
        tasks = {}
        for match in _MODULE.finditer(text):
            name = ".".join(_task_part(part) for part in match[1].split("."))
            tasks[name] = Task(name, line(match.start()), "")
        return Manifest(path, "mix", tasks=tasks, open_ended=True)
    tasks, pins = {}, {}
    for found in _LIST.finditer(text):
        end = _END.search(text, found.end())
        stop = end.start() if end else len(text)
        if found[1] == "deps":
            for match in _DEPENDENCY.finditer(text, found.end(), stop):
                pins[match[1]] = Pin(match[1], line(match.start()), match[2] or "")
            continue
        matches = list(_ALIAS.finditer(text, found.end(), stop))
        for index, match in enumerate(matches):
            name = match[1] or match[2]
            until = matches[index + 1].start() if index + 1 < len(matches) else stop
            body = "\n".join(
                quoted or function for quoted, function in _STEP.findall(text, match.end(), until)
            )
            tasks[name] = Task(name, line(match.start(match.lastindex or 0)), body)
    versions = {}
    for key, pattern in (
        ("elixir", r"\belixir:[ \t]*\"([^\"\n]+)\""),
        ("", r"(?:\bversion:[ \t]*|^[ \t]*@version[ \t]+)\"([^\"\n]+)\""),
    ):
        pinned = re.search(pattern, text, re.MULTILINE)
        if pinned:
            versions[key] = Pin(key or "version", line(pinned.start()), pinned[1])
    app = re.search(r"\bapp:[ \t]*:(\w+)", text)
    return Manifest(
        path,
        "mix",
        package=app[1] if app else "",
        tasks=tasks,
        dependencies=pins,
        versions=versions,
        open_ended=True,
    )


def _task_part(name: str) -> str:
    """A module name as mix spells it in task names: ``GenDocs`` is ``gen_docs``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()

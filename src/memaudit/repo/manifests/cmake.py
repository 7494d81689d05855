"""CMake: presets, and the targets, options and versions that ``CMakeLists.txt`` spells out."""

from __future__ import annotations

import re
from typing import Any

from memaudit.patterns import lazy_regex
from memaudit.repo.manifests.jsontext import loads
from memaudit.repo.manifests.model import Manifest, Pin, Source, Task, line_numbers, line_of

_TARGET = lazy_regex(
    r"^[ \t]*(?:add_(?:executable|library|custom_target|test)|qt_add_executable|qt_add_library)"
    r"[ \t]*\([ \t\r\n]*(?:NAME[ \t\r\n]+)?([\w.:+-]+|[^\s)]*\$\{[^\s)]*)",
    re.MULTILINE | re.IGNORECASE,
)
_OPTION = lazy_regex(
    r"^[ \t]*(?:cmake_dependent_)?option[ \t]*\([ \t\r\n]*(\w+)", re.MULTILINE | re.IGNORECASE
)
_VERSIONS = (
    ("cmake", lazy_regex(r"cmake_minimum_required[ \t]*\([ \t]*VERSION[ \t]+([\d.]+)", re.IGNORECASE)),
    ("c++", lazy_regex(r"\bCMAKE_CXX_STANDARD[ \t]+(\d+)|\bcxx_std_(\d+)")),
    ("", lazy_regex(r"\bproject[ \t]*\([ \t]*\w+[ \t\r\n]+VERSION[ \t]+([\d.]+)", re.IGNORECASE)),
)
_PRESETS = ("configurePresets", "buildPresets", "testPresets", "packagePresets", "workflowPresets")


def read(path: str, text: str) -> Manifest:
    """Read by file name. A preset appears as the task ``--preset name``, an option as ``-DNAME``."""
    if path.endswith(".json"):
        return _presets(path, text)
    line = line_numbers(text)
    tasks: dict[str, Task] = {}
    open_ended = False
    for match in _TARGET.finditer(text):
        if "$" in match[1]:
            open_ended = True
        else:
            tasks.setdefault(match[1], Task(match[1], line(match.start()), ""))
    for match in _OPTION.finditer(text):
        name = f"-D{match[1]}"
        tasks.setdefault(name, Task(name, line(match.start()), ""))
    versions = {}
    for name, pattern in _VERSIONS:
        if found := pattern.search(text):
            versions[name] = Pin(name or "version", line(found.start()), found[1] or found[2])
    return Manifest(path, "cmake", tasks=tasks, versions=versions, open_ended=open_ended)


def _presets(path: str, text: str) -> Manifest:
    data = loads(text)
    tasks: dict[str, Task] = {}
    for key in _PRESETS:
        start = line_of(text, rf'"{key}"')
        found = data.get(key)
        for preset in found if isinstance(found, list) else []:
            name = preset.get("name") if isinstance(preset, dict) else None
            if isinstance(name, str):
                at = line_of(text, rf'"name"\s*:\s*"{re.escape(name)}"', start)
                tasks.setdefault(f"--preset {name}", Task(f"--preset {name}", at, _content(preset)))
    include = data.get("include")
    sources = tuple(Source(str(item)) for item in include) if isinstance(include, list) else ()
    return Manifest(path, "cmake", tasks=tasks, sources=sources)


def _content(preset: dict[str, Any]) -> str:
    return "\n".join(f"{key}: {value}" for key, value in sorted(preset.items()) if key != "name")[:4000]

"""``pyproject.toml`` (PEP 621, poetry, pdm, uv, hatch, poe), ``setup.cfg``, tox, nox, requirements files."""

from __future__ import annotations

import configparser
import re
import tomllib
from typing import Any

from memaudit.patterns import lazy_regex
from memaudit.repo.manifests.model import Manifest, Pin, Task, line_of

_MOST_REQUIREMENTS = 5000
_LONGEST_REQUIREMENT = 500
_LONGEST_COUNTED = 64 * 1024
"""Characters of a manifest in which the lines of requirements are counted."""

_REQUIREMENT = lazy_regex(r"^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*([^;#]*)")


def normal(name: str) -> str:
    """A distribution name as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read(path: str, text: str) -> Manifest:
    """Read by file name."""
    name = path.rpartition("/")[2]
    if name == "pyproject.toml":
        return _pyproject(path, text)
    if name == "setup.cfg":
        return _setup_cfg(path, text)
    if name == "tox.ini":
        return _tox(path, text)
    if name == "noxfile.py":
        return _nox(path, text)
    if name == "setup.py":
        return _setup_py(path, text)
    return Manifest(path, "pip", dependencies=_requirements(text.split("\n"), text))


def _table(data: dict[str, Any], *keys: str) -> dict[str, Any]:
    value: Any = data
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _strings(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _requirements(lines: list[str], text: str) -> dict[str, Pin]:
    pins: dict[str, Pin] = {}
    lowered = text.lower()
    for line in lines[:_MOST_REQUIREMENTS]:
        line = line[:_LONGEST_REQUIREMENT]
        if line.lstrip().startswith(("-", "#")) or "://" in line:
            continue
        match = _REQUIREMENT.match(line)
        if match:
            key = normal(match[1])
            if key not in pins:
                pins[key] = Pin(
                    key, _line_of_requirement(line.lower(), match[1].lower(), lowered), match[2].strip()
                )
    return pins


def _line_of_requirement(line: str, name: str, lowered: str) -> int:
    """The line with the whole requirement; failing that, the first with its name: titles have names too."""
    whole = line.split("#")[0].strip()
    at = lowered.find(whole) if len(whole) > len(name) else -1
    quoted = lowered.find(f'"{whole}"') if at < 0 else at
    if quoted >= 0 and len(lowered) <= _LONGEST_COUNTED:
        return lowered.count("\n", 0, quoted) + 1
    return _line_with(name, lowered)


def _line_with(name: str, lowered: str) -> int:
    """The first line that has a name whole. It is sought as it is: ignoring case takes ten times as long."""
    return line_of(lowered, rf"{re.escape(name)}(?<![\w-]{re.escape(name)})(?![\w-])")


def _hooked(data: dict[str, Any]) -> list[str]:
    """Requirements that a hook of the build fills in: ``dynamic`` dependencies stand in its own table."""
    found: list[str] = []
    for hook in _table(data, "tool", "hatch", "metadata", "hooks").values():
        if isinstance(hook, dict):
            found += _strings(hook.get("dependencies"))
            for group in _table(hook, "optional-dependencies").values():
                found += _strings(group)
    return found


def _pyproject(path: str, text: str) -> Manifest:
    data = tomllib.loads(text)
    project, poetry = _table(data, "project"), _table(data, "tool", "poetry")
    lines = _strings(project.get("dependencies"))
    for group in (
        *_table(project, "optional-dependencies").values(),
        *_table(data, "dependency-groups").values(),
    ):
        lines += _strings(group)
    lines += _strings(_table(data, "tool", "uv").get("dev-dependencies"))
    lines += _strings(_table(data, "build-system").get("requires"))
    lines += _hooked(data)
    pins = _requirements(lines, text)
    poetry_tables = [_table(poetry, "dependencies"), _table(poetry, "dev-dependencies")]
    poetry_tables += [
        _table(group, "dependencies") for group in _table(poetry, "group").values() if isinstance(group, dict)
    ]
    for table in poetry_tables:
        for name, spec in table.items():
            pins.setdefault(
                normal(name),
                Pin(normal(name), line_of(text, rf"^\s*[\"']?{re.escape(name)}[\"']?\s*="), str(spec)),
            )
    return Manifest(
        path=path,
        runner="python",
        package=str(project.get("name") or poetry.get("name") or ""),
        tasks=_pyproject_tasks(data, text),
        dependencies=pins,
        versions=_pyproject_versions(project, poetry, text),
        programs={
            name: Pin(name, line_of(text, rf"^\s*[\"']?{re.escape(name)}[\"']?\s*="), str(target))
            for table in (
                _table(project, "scripts"),
                _table(project, "gui-scripts"),
                _table(poetry, "scripts"),
            )
            for name, target in table.items()
        },
    )


def _pyproject_versions(project: dict[str, Any], poetry: dict[str, Any], text: str) -> dict[str, Pin]:
    versions: dict[str, Pin] = {}
    spec = project.get("requires-python") or _table(poetry, "dependencies").get("python")
    if isinstance(spec, str):
        versions["python"] = Pin("python", line_of(text, r"^\s*(?:requires-python|python)\s*="), spec)
    version = project.get("version") or poetry.get("version")
    if isinstance(version, str):
        versions[""] = Pin("version", line_of(text, r"^\s*version\s*="), version)
    return versions


def _pyproject_tasks(data: dict[str, Any], text: str) -> dict[str, Task]:
    tasks: dict[str, Task] = {}
    tables = [
        _table(data, "tool", "poe", "tasks"),
        _table(data, "tool", "pdm", "scripts"),
        _table(data, "tool", "taskipy", "tasks"),
        _table(data, "tool", "pixi", "tasks"),
        _table(data, "tool", "rye", "scripts"),
    ]
    tables += [
        _table(env, "scripts")
        for env in _table(data, "tool", "hatch", "envs").values()
        if isinstance(env, dict)
    ]
    for table in tables:
        for name, body in table.items():
            line = line_of(text, rf"^\s*[\"']?{re.escape(name)}[\"']?\s*=|^\[.*\b{re.escape(name)}\]")
            tasks.setdefault(name, Task(name, line, body if isinstance(body, str) else str(body)))
    return tasks


def _ini(text: str) -> configparser.RawConfigParser:
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise ValueError(str(error)) from error
    return parser


def _setup_cfg(path: str, text: str) -> Manifest:
    parser = _ini(text)
    wanted = parser.get("options", "install_requires", fallback="") or ""
    lines = wanted.split("\n")
    if parser.has_section("options.extras_require"):
        for _, value in parser.items("options.extras_require"):
            lines += (value or "").split("\n")
    versions: dict[str, Pin] = {}
    spec = parser.get("options", "python_requires", fallback=None)
    if spec:
        versions["python"] = Pin("python", line_of(text, r"^\s*python_requires\s*="), spec)
    return Manifest(
        path,
        "python",
        package=parser.get("metadata", "name", fallback="") or "",
        dependencies=_requirements(lines, text),
        versions=versions,
    )


def _tox(path: str, text: str) -> Manifest:
    parser = _ini(text)
    names = {
        section.partition(":")[2]: section for section in parser.sections() if section.startswith("testenv:")
    }
    listed = re.split(r"[,\s]+", parser.get("tox", "envlist", fallback="") or "")
    tasks = {
        name: Task(
            name,
            line_of(text, rf"^\[{re.escape(section)}\]"),
            parser.get(section, "commands", fallback="") or "",
        )
        for name, section in names.items()
    }
    for name in filter(None, listed):
        tasks.setdefault(name, Task(name, line_of(text, r"^\s*envlist"), ""))
    return Manifest(path, "tox", tasks=tasks, open_ended="{" in "".join(listed))


def _nox(path: str, text: str) -> Manifest:
    tasks: dict[str, Task] = {}
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if not re.match(r"\s*@(?:nox\.)?session\b", line):
            continue
        for offset in range(index, min(index + 12, len(lines))):
            match = re.match(r"\s*def\s+(\w+)", lines[offset])
            if match:
                named = re.search(r"name\s*=\s*[\"']([^\"']+)", "\n".join(lines[index:offset]))
                name = named[1] if named else match[1]
                tasks[name] = Task(name, offset + 1, "")
                break
    return Manifest(path, "nox", tasks=tasks)


def _setup_py(path: str, text: str) -> Manifest:
    found = re.search(r"install_requires\s*=\s*\[([^\[\]]{0,20000})\]", text)
    lines = re.findall(r"[\"']([^\"']+)[\"']", found[1]) if found else []
    versions: dict[str, Pin] = {}
    python = re.search(r"python_requires\s*=\s*[\"']([^\"']+)", text)
    if python:
        versions["python"] = Pin("python", text.count("\n", 0, python.start()) + 1, python[1])
    return Manifest(path, "python", dependencies=_requirements(lines, text), versions=versions)

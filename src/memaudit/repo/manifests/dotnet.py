""".NET: project files, central package versions, solutions, ``global.json``, local tools."""

from __future__ import annotations

import re

from memaudit.patterns import lazy_regex
from memaudit.repo.manifests import xmltext
from memaudit.repo.manifests.jsontext import loads, table
from memaudit.repo.manifests.model import Manifest, Pin, line_of

_FRAMEWORK = lazy_regex(r"\bnet(?:coreapp)?(\d+\.\d+)(?=[;\-\s]|$)")
_SOLUTION_PROJECT = lazy_regex(r"^Project\([^)]*\)\s*=\s*\"([^\"]*)\"\s*,\s*\"([^\"]*\.\w+proj)\"")


def read(path: str, text: str) -> Manifest:
    """Read by file name."""
    name = path.rpartition("/")[2]
    if name == "global.json":
        return _global(path, text)
    if name == "dotnet-tools.json":
        return _tools(path, text)
    if name.endswith(".sln"):
        return _solution(path, text)
    root = xmltext.parse(text)
    if name.endswith(".slnx"):
        found = {
            item.attributes["Path"].replace("\\", "/"): item.line
            for item in root.walk()
            if item.name == "Project" and "Path" in item.attributes
        }
        return Manifest(path, "dotnet", parts=_parts(found))
    if root.name != "Project":
        raise ValueError("no project")
    return _project(path, name, root)


def _project(path: str, name: str, root: xmltext.Element) -> Manifest:
    dependencies: dict[str, Pin] = {}
    catalog: dict[str, Pin] = {}
    versions: dict[str, Pin] = {}
    for item in root.walk():
        target = (item.attributes.get("Include") or item.attributes.get("Update") or "").strip()
        if item.name in ("PackageReference", "PackageVersion", "GlobalPackageReference") and target:
            pins = catalog if item.name == "PackageVersion" else dependencies
            pins.setdefault(
                target, Pin(target, item.line, item.attributes.get("Version") or item.value("Version"))
            )
        elif item.name in ("TargetFramework", "TargetFrameworks"):
            numbers = _FRAMEWORK.findall(item.text)
            if numbers:
                versions.setdefault("dotnet", Pin("dotnet", item.line, ", ".join(numbers)))
        elif item.name == "LangVersion" and item.text.strip()[:1].isdigit():
            versions.setdefault("c#", Pin("c#", item.line, item.text.strip()))
        elif item.name in ("Version", "VersionPrefix") and item.text.strip()[:1].isdigit():
            versions.setdefault("", Pin("version", item.line, item.text.strip()))
    package = name.rpartition(".")[0] if name.endswith("proj") else ""
    return Manifest(
        path, "dotnet", package=package, dependencies=dependencies, versions=versions, catalog=catalog
    )


def _parts(found: dict[str, int]) -> dict[str, Pin]:
    return {
        target: Pin(target.rpartition("/")[2].rpartition(".")[0], line, target)
        for target, line in found.items()
    }


def _solution(path: str, text: str) -> Manifest:
    found = {}
    for number, line in enumerate(text.split("\n"), 1):
        if match := _SOLUTION_PROJECT.match(line):
            found[match[2].replace("\\", "/")] = number
    return Manifest(path, "dotnet", parts=_parts(found))


def _global(path: str, text: str) -> Manifest:
    version = table(loads(text), "sdk").get("version")
    versions = {}
    if isinstance(version, str):
        versions["dotnet"] = Pin("dotnet", line_of(text, r'"version"\s*:'), version)
    return Manifest(path, "dotnet", versions=versions)


def _tools(path: str, text: str) -> Manifest:
    pins: dict[str, Pin] = {}
    programs: dict[str, Pin] = {}
    for name, spec in table(loads(text), "tools").items():
        at = line_of(text, rf'"{re.escape(name)}"\s*:')
        pins[name] = Pin(name, at, str(table(spec).get("version", "")))
        commands = table(spec).get("commands")
        for command in commands if isinstance(commands, list) else []:
            programs[str(command)] = Pin(str(command), at, name)
    return Manifest(path, "dotnet", dependencies=pins, programs=programs)

"""``pom.xml`` and the Maven wrapper: modules, dependencies, plugins, profiles, the Java version."""

from __future__ import annotations

import re

from memaudit.patterns import lazy_regex
from memaudit.repo.manifests import xmltext
from memaudit.repo.manifests.model import Manifest, Pin, Task
from memaudit.repo.manifests.xmltext import Element

_JAVA = (
    "maven.compiler.release",
    "java.version",
    "maven.compiler.target",
    "maven.compiler.source",
    "jdk.version",
)
_PLUGIN = lazy_regex(r"(?:maven-([\w.-]+)-plugin|([\w.-]+)-maven-plugin|([\w.-]+?)-plugin)\Z")
_PROPERTY = lazy_regex(r"\$\{([\w.-]+)\}")


def read(path: str, text: str) -> Manifest:
    """Read by file name. Goals of a plugin appear as the task ``prefix:``, profiles as ``-Pname``."""
    if path.endswith(".properties"):
        return _wrapper(path, text)
    root = xmltext.parse(text)
    if root.name != "project":
        raise ValueError("no project")
    properties = {item.name: item for holder in root.all("properties") for item in holder.children}
    dependencies: dict[str, Pin] = {}
    catalog: dict[str, Pin] = {}
    tasks: dict[str, Task] = {}
    parts: dict[str, Pin] = {}
    profiles = list(root.all("profiles", "profile"))
    for scope in (root, *profiles):
        for item in scope.all("dependencies", "dependency"):
            _add(dependencies, item, properties)
        for item in scope.all("dependencyManagement", "dependencies", "dependency"):
            _add(catalog, item, properties)
        for item in scope.all("modules", "module"):
            name = item.text.strip().removesuffix("/pom.xml").strip("/")
            parts.setdefault(name, Pin(name, item.line, name))
        for build in (
            ("build", "plugins"),
            ("build", "pluginManagement", "plugins"),
            ("reporting", "plugins"),
        ):
            for item in scope.all(*build, "plugin"):
                _add(dependencies if "pluginManagement" not in build else catalog, item, properties)
                prefix = plugin_prefix(item.value("artifactId"))
                if prefix:
                    tasks.setdefault(f"{prefix}:", Task(f"{prefix}:", item.line, item.value("version")))
    for item in profiles:
        name = f"-P{item.value('id')}"
        content = " ".join(f"{part.name}={part.text.strip()}" for part in item.walk() if part.name != "id")
        tasks[name] = Task(name, item.line, content[:2000])
    parent = root.first("parent")
    if parent is not None:
        _add(catalog, parent, properties)
    own = root.first("artifactId")
    return Manifest(
        path,
        "maven",
        package=own.text.strip() if own else "",
        tasks=tasks,
        dependencies=dependencies,
        versions=_versions(root, properties),
        open_ended=True,
        parts=parts,
        catalog=catalog,
    )


def plugin_prefix(artifact: str) -> str:
    """The prefix that calls a plugin's goals: ``spotless`` for ``spotless-maven-plugin``."""
    match = _PLUGIN.match(artifact)
    return next((group for group in match.groups() if group), "") if match else ""


def coordinates(group: str, artifact: str) -> list[str]:
    """The names a claim may use for an artifact: ``group:artifact``, itself, and its family.

    A bare artifact name counts where it says whose it is (``grpc-core`` of ``io.grpc``, ``guava`` of
    ``com.google.guava``), not where it is a common word (``core``). The family is the first part of
    the artifact's name that is also in the group's: ``mockito`` for ``org.mockito:mockito-core``.
    """
    names = [f"{group}:{artifact}"] if group else []
    first = artifact.partition("-")[0].lower()
    of_group = len(first) > 3 and first in group.lower()
    if "-" in artifact or of_group:
        names.append(artifact)
    if of_group:
        names.append(first)
    return names


def _resolved(value: str, properties: dict[str, Element]) -> str:
    def known(match: re.Match[str]) -> str:
        found = properties.get(match[1])
        return found.text.strip() if found else match[0]

    return _PROPERTY.sub(known, value)


def _add(pins: dict[str, Pin], item: Element, properties: dict[str, Element]) -> None:
    artifact = item.value("artifactId")
    if not artifact:
        return
    spec = _resolved(item.value("version"), properties)
    for name in coordinates(item.value("groupId"), artifact):
        if name not in pins or (spec and not pins[name].spec):
            pins[name] = Pin(name, item.line, spec)


def _versions(root: Element, properties: dict[str, Element]) -> dict[str, Pin]:
    versions: dict[str, Pin] = {}
    for key, names in (("java", _JAVA), ("kotlin", ("kotlin.version",)), ("scala", ("scala.version",))):
        found = next((properties[name] for name in names if name in properties), None)
        if found is not None:
            spec = _resolved(found.text.strip(), properties)
            versions[key] = Pin(key, found.line, java_version(spec) if key == "java" else spec)
    for plugin in root.walk():
        if plugin.name == "plugin" and plugin.value("artifactId") == "maven-compiler-plugin":
            for field in ("release", "target", "source"):
                value = plugin.first("configuration", field)
                spec = _resolved(value.text.strip(), properties) if value else ""
                if value and spec[:1].isdigit():
                    versions.setdefault("java", Pin("java", value.line, java_version(spec)))
    version = root.first("version")
    if version is not None:
        versions[""] = Pin("version", version.line, _resolved(version.text.strip(), properties))
    return versions


def java_version(spec: str) -> str:
    """A Java version as it is spoken of: ``1.8`` is 8."""
    return re.sub(r"^1\.(?=\d)", "", spec)


def _wrapper(path: str, text: str) -> Manifest:
    versions = {}
    for number, line in enumerate(text.split("\n"), 1):
        if match := re.search(r"distributionUrl=.*apache-maven-(\d[\d.]*\d)", line):
            versions["maven"] = Pin("maven", number, match[1])
    return Manifest(path, "maven", versions=versions)

"""Gradle: build and settings scripts (Groovy and Kotlin), version catalogs, the wrapper's version."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable

from memaudit.patterns import lazy_regex
from memaudit.repo.manifests.jsontext import table
from memaudit.repo.manifests.maven import coordinates, java_version
from memaudit.repo.manifests.model import Manifest, Pin, Source, Task, line_numbers, line_of

_LONGEST_BODY = 4000
_TASK = lazy_regex(
    r"^[ \t]*(?:task[ \t]*(?:\(\s*)?[\"']?(?P<groovy>[A-Za-z_]\w*)[\"']?(?=[\s({,)]|$)"
    r"|(?:val[ \t]+\w+[ \t]*=[ \t]*|def[ \t]+\w+[ \t]*=[ \t]*)?(?:project\.)?tasks\.(?:register|create)"
    r"(?:<[\w.]+>)?[ \t]*\(?\s*[\"'](?P<called>[\w-]+)[\"']"
    r"|val[ \t]+(?P<by>\w+)[ \t]+by[ \t]+(?:project\.)?tasks\.(?:registering|creating))",
    re.MULTILINE,
)
_INCLUDE = lazy_regex(r"^[ \t]*include(?:Build)?\b[ \t]*(?:\(|(?=[\"':]))", re.MULTILINE)
_QUOTED = lazy_regex(r"[\"']([^\"'\n$]{1,200})[\"']")
_PLUGIN = lazy_regex(
    r"\bid[ \t]*\(?[ \t]*[\"']([\w.-]+)[\"']\)?(?:[ \t]+version[ \t]*\(?[ \t]*[\"']([\w.-]+)[\"'])?"
    r"|\bapply[ \t]*\(?[ \t]*plugin[ \t]*[:=][ \t]*[\"']([\w.-]+)[\"']"
    r"|\bkotlin\([\"']([\w.-]+)[\"']\)[ \t]*(?:version[ \t]*[\"']([\w.-]+)[\"'])?"
    r"|\balias\([ \t]*(libs\.plugins\.[\w.]+)"
)
_APPLIED = lazy_regex(r"\bapply[ \t]*\(?[ \t]*from[ \t]*[:=][ \t]*[\"']([^\"'\n]{1,200})[\"']")
_COORDINATES = lazy_regex(r"[\"']([\w.-]+\.[\w.-]+):([\w.-]+)(?::([\w.+$\{\}-]+))?(?:@\w+)?[\"']")
_NAMED = lazy_regex(
    r"group:?\s*[:=]\s*[\"']([\w.-]+)[\"']\s*,\s*name\s*[:=]\s*[\"']([\w.-]+)[\"'](?:\s*,\s*version\s*[:=]\s*[\"']([\w.-]+))?"
)
_JAVA = lazy_regex(
    r"JavaLanguageVersion\.of\([ \t]*[\"']?(\d+)|jvmToolchain\([ \t]*(\d+)"
    r"|\b(?:source|target)Compatibility[ \t]*=?[ \t]*(?:JavaVersion\.VERSION_|[\"'])?(\d+(?:[._]\d+)?)"
    r"|\boptions\.release(?:\.set\(|[ \t]*=)[ \t]*(\d+)"
)
_OWN = lazy_regex(r"^version[ \t]*=?[ \t]*[\"']([\w.-]+)[\"']", re.MULTILINE)
_NEEDS = lazy_regex(r"\bdependsOn\b[ \t]*[(:]?([^\n]{0,300})")
_COMMENT = lazy_regex(r"^[ \t]*//[^\n]*", re.MULTILINE)


def read(path: str, text: str) -> Manifest:
    """Read by file name; scripts are matched line by line and never run."""
    name = path.rpartition("/")[2]
    if name.endswith(".versions.toml"):
        return _catalog(path, text)
    if name.endswith(".properties"):
        return _wrapper(path, text)
    plain = _COMMENT.sub(lambda match: " " * len(match[0]), text)
    line = line_numbers(plain)
    if name.startswith("settings."):
        return _settings(path, plain, line)
    return _build(path, plain, line)


def _build(path: str, text: str, line: Callable[[int], int]) -> Manifest:
    tasks: dict[str, Task] = {}
    for match in _TASK.finditer(text):
        name = match["groovy"] or match["called"] or match["by"]
        body = _block(text, match.end())
        needs = tuple(
            found for item in _NEEDS.finditer(body) for found in re.findall(r"[\"':]?([A-Za-z_]\w*)", item[1])
        )
        tasks.setdefault(name, Task(name, line(match.start(match.lastgroup or 0)), body, needs))
    dependencies: dict[str, Pin] = {}
    versions: dict[str, Pin] = {}
    sources = [Source(match[1]) for match in _APPLIED.finditer(text)]
    for match in _PLUGIN.finditer(text):
        at = line(match.start())
        plugin = match[1] or match[3] or (f"org.jetbrains.kotlin.{match[4]}" if match[4] else match[6])
        spec = match[2] or match[5] or ""
        sources.append(Source(plugin))
        if not plugin.startswith("libs."):
            dependencies.setdefault(plugin, Pin(plugin, at, spec))
        if plugin.startswith("org.jetbrains.kotlin") and spec:
            versions.setdefault("kotlin", Pin("kotlin", at, spec))
    for pattern in (_COORDINATES, _NAMED):
        for match in pattern.finditer(text):
            for alias in coordinates(match[1], match[2]):
                dependencies.setdefault(alias, Pin(alias, line(match.start()), match[3] or ""))
    java = [(match, next(group for group in match.groups() if group)) for match in _JAVA.finditer(text)]
    if java:
        spec = ", ".join(dict.fromkeys(java_version(value.replace("_", ".")) for _, value in java))
        versions["java"] = Pin("java", line(java[0][0].start()), spec)
    if own := _OWN.search(text):
        versions[""] = Pin("version", line(own.start()), own[1])
    return Manifest(
        path,
        "gradle",
        tasks=tasks,
        dependencies=dependencies,
        versions=versions,
        open_ended=True,
        sources=tuple(sources),
    )


def _settings(path: str, text: str, line: Callable[[int], int]) -> Manifest:
    parts: dict[str, Pin] = {}
    for match in _INCLUDE.finditer(text):
        for quoted in _QUOTED.finditer(_arguments(text, match.end())):
            name = quoted[1].strip(":")
            at = line(text.find(quoted[0], match.end()))
            parts.setdefault(name, Pin(name, at, name.replace(":", "/")))
    named = re.search(r"rootProject\.name[ \t]*=[ \t]*[\"']([\w.-]+)", text)
    computed = bool(
        re.search(
            r"^[ \t]*include\b[^\n]*(?:\$|\bit\b|\.name\b|\bname\b)|\.each\w*\b|forEach|listFiles|fileTree",
            text,
            re.MULTILINE,
        )
    )
    return Manifest(
        path,
        "gradle",
        package=named[1] if named else "",
        open_ended=True,
        parts=parts,
        sources=(Source("settings computed"),) if computed else (),
    )


def _arguments(text: str, start: int) -> str:
    """What follows ``include``: up to the closing bracket, or as long as lines end with a comma."""
    if text[start - 1] == "(":
        return text[start : start + 20_000].partition(")")[0]
    lines = []
    for found in text[start : start + 20_000].split("\n"):
        lines.append(found)
        if not found.rstrip().endswith(","):
            break
    return "\n".join(lines)


def _block(text: str, start: int) -> str:
    """The braces that follow a task's name, whitespace made even; ``""`` where there are none."""
    opening = re.compile(r"[^{}\n]{0,300}\{").match(text, start)
    if opening is None:
        return ""
    depth, index = 1, opening.end()
    end = min(len(text), index + _LONGEST_BODY)
    while index < end and depth:
        depth += {"{": 1, "}": -1}.get(text[index], 0)
        index += 1
    return "\n".join(filter(None, (item.strip() for item in text[opening.end() : index - 1].split("\n"))))


def _catalog(path: str, text: str) -> Manifest:
    data = tomllib.loads(text)
    named = table(data, "versions")
    start = line_of(text, r"^\[libraries\]")
    dependencies: dict[str, Pin] = {}
    versions: dict[str, Pin] = {}
    for alias, spec in [*table(data, "libraries").items(), *table(data, "plugins").items()]:
        if isinstance(spec, str):
            module, _, version = spec.rpartition(":")
        else:
            module = table(spec).get("module") or table(spec).get("id") or ""
            module = module or ":".join(str(table(spec).get(key, "")) for key in ("group", "name")).strip(":")
            version = _version(table(spec).get("version"), named)
        group, _, artifact = str(module).partition(":")
        at = line_of(text, rf"^\s*[\"']?{re.escape(alias)}[\"']?\s*=", start if ":" in str(module) else 1)
        names = coordinates(group, artifact) if artifact else [group]
        for name in [alias, *names] if "-" in alias else names:
            if name:
                dependencies.setdefault(name, Pin(name, at, version))
    for key in ("kotlin", "java", "jdk", "jvm"):
        if isinstance(named.get(key), str):
            language = "kotlin" if key == "kotlin" else "java"
            versions[language] = Pin(language, line_of(text, rf"^\s*{key}\s*="), named[key])
    return Manifest(path, "gradle", dependencies=dependencies, versions=versions)


def _version(value: object, named: dict[str, object]) -> str:
    if isinstance(value, dict):
        value = named.get(str(value.get("ref", ""))) or value.get("strictly") or value.get("require") or ""
    return value if isinstance(value, str) else ""


def _wrapper(path: str, text: str) -> Manifest:
    versions = {}
    for number, line in enumerate(text.split("\n"), 1):
        if match := re.search(r"distributionUrl=.*gradle-(\d+(?:\.\d+)*)", line):
            versions["gradle"] = Pin("gradle", number, match[1])
    return Manifest(path, "gradle", versions=versions)

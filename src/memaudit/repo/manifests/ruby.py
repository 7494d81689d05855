"""Gemfile, gemspec, Rakefile and rake files: gems, the Ruby version, programs, rake tasks."""

from __future__ import annotations

import re

from memaudit.patterns import lazy_regex
from memaudit.repo.manifests.model import Manifest, Pin, Source, Task, short_lines

_GEM = lazy_regex(
    r"^\s*(?:gem|[\w.]*\badd(?:_runtime|_development)?_dependency)\b\s*\(?\s*[\"']([\w.-]+)[\"'](?:\s*,\s*[\"']([^\"']+)[\"'])?"
)
_RUBY = lazy_regex(r"^\s*ruby\s+[\"']([^\"']+)|required_ruby_version\s*=\s*[\"']([^\"']+)")
_NAMESPACE = lazy_regex(r"(\s*)namespace\s*\(?\s*:?[\"']?([\w-]+)")
_TASK = lazy_regex(r"(\s*)(?:multi)?task\s*\(?\s*(?::?[\"']([\w:.-]+)[\"']|:([\w?!]+)|([\w?!]+)(?=:))(.*)")
_TASK_CLASS = lazy_regex(r"(\w+)Task\.(?:new|create)\b\s*\(?\s*:?[\"']?([\w:]*)")
_NEEDS = lazy_regex(r"(?:=>|^\s*:(?!:))\s*(.*)")
_MORE = lazy_regex(
    r"\s*(?:require|require_relative|load|import)\b\s*\(?\s*[\"']([\w./-]+)|.*\b(load_tasks|install_tasks)\b"
)
_DEFAULT_NAMES = {"RSpec": "spec", "RSpec::Core::Rake": "spec", "Test": "test", "RDoc": "rdoc"}


def read(path: str, text: str) -> Manifest:
    """Read line by line; Ruby is never run."""
    rake = path.rpartition("/")[2] == "Rakefile" or path.endswith(".rake")
    return _rake(path, text) if rake else _gems(path, text)


def _gems(path: str, text: str) -> Manifest:
    pins: dict[str, Pin] = {}
    versions: dict[str, Pin] = {}
    programs: dict[str, Pin] = {}
    package = ""
    for number, line in enumerate(short_lines(text), 1):
        if match := _GEM.match(line):
            pins.setdefault(match[1], Pin(match[1], number, match[2] or ""))
        if match := _RUBY.search(line):
            versions["ruby"] = Pin("ruby", number, match[1] or match[2])
        if match := re.search(r"\.name\s*=\s*[\"']([\w-]+)", line):
            package = match[1]
        if match := re.search(r"\.version\s*=\s*[\"'](\d[\w.]*)", line):
            versions[""] = Pin("version", number, match[1])
        if match := re.search(r"\.executables\s*=\s*(.*)", line):
            names = re.findall(r"[\"']([\w-]+)[\"']", match[1])
            programs |= {name: Pin(name, number, name) for name in names}
    return Manifest(path, "bundler", package=package, dependencies=pins, versions=versions, programs=programs)


def _rake(path: str, text: str) -> Manifest:
    """Tasks by their full name; ``end`` closes what begins at the same indentation."""
    tasks: dict[str, Task] = {}
    scopes: list[tuple[str, str]] = []
    sources: list[Source] = []
    lines = short_lines(text)
    for index, line in enumerate(lines):
        if match := _NAMESPACE.match(line):
            scopes.append((match[1], match[2]))
        elif match := _TASK.match(line):
            name = ":".join([*(name for _, name in scopes), match[2] or match[3] or match[4]])
            needs = _NEEDS.search(match[5])
            words = re.findall(r"[a-z_][\w:]*", re.split(r"\bdo\b|\{", needs[1])[0]) if needs else []
            tasks[name] = Task(name, index + 1, _body(lines, index, match[1]), tuple(words))
        elif match := _TASK_CLASS.search(line):
            name = match[2] or _DEFAULT_NAMES.get(match[1], match[1].lower())
            tasks.setdefault(name, Task(name, index + 1, line.strip()))
        elif match := _MORE.match(line):
            sources.append(Source(match[1] or match[2]))
        elif (match := re.match(r"(\s*)end\b", line)) and scopes and match[1] == scopes[-1][0]:
            scopes.pop()
    return Manifest(path, "rake", tasks=tasks, open_ended=True, sources=tuple(sources))


def _body(lines: list[str], index: int, indent: str) -> str:
    """The lines of a task's block, up to the ``end`` at its own indentation."""
    if not re.search(r"\bdo\b(?:\s*\|[^|]*\|)?\s*$", lines[index]):
        return ""
    body: list[str] = []
    for line in lines[index + 1 : index + 200]:
        if re.match(rf"{indent}end\b", line):
            break
        body.append(line.strip())
    return "\n".join(filter(None, body))

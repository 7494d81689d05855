"""Gemfile, gemspec and Rakefile: gems, the Ruby version, programs, rake tasks."""

from __future__ import annotations

import re

from memaudit.repo.manifests.model import Manifest, Pin, Task

_GEM = re.compile(
    r"(?:\bgem|add(?:_runtime|_development)?_dependency)\s*\(?\s*[\"']([\w-]+)[\"'](?:\s*,\s*[\"']([^\"']+)[\"'])?"
)


def read(path: str, text: str) -> Manifest:
    """Read line by line; Ruby is never run."""
    pins: dict[str, Pin] = {}
    versions: dict[str, Pin] = {}
    programs: dict[str, Pin] = {}
    tasks: dict[str, Task] = {}
    package = ""
    scope: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if match := _GEM.search(line):
            pins.setdefault(match[1], Pin(match[1], number, match[2] or ""))
        if match := re.search(r"^\s*ruby\s+[\"']([^\"']+)|required_ruby_version\s*=\s*[\"']([^\"']+)", line):
            versions["ruby"] = Pin("ruby", number, match[1] or match[2])
        if match := re.search(r"\.name\s*=\s*[\"']([\w-]+)", line):
            package = match[1]
        if match := re.search(r"\.executables\s*=\s*(.*)", line):
            programs |= {
                name: Pin(name, number, name) for name in re.findall(r"[\"']([\w-]+)[\"']", match[1])
            }
        if match := re.match(r"\s*namespace\s+:?[\"']?([\w-]+)", line):
            scope.append(match[1])
        if match := re.match(
            r"\s*(?:(?:multi)?task)\s*\(?\s*:?[\"']?([\w:-]+?)[\"']?(?:\s*=>|:|\s|,|\)|$)(.*)", line
        ):
            name = ":".join([*scope, match[1].strip(":")])
            tasks[name] = Task(name, number, match[2].strip())
        if match := re.search(r"(\w+)Task\.(?:new|create)\s*\(?\s*:?[\"']?([\w:]*)", line):
            name = match[2] or {"RSpec": "spec", "Test": "test"}.get(match[1], match[1].lower())
            tasks.setdefault(name, Task(name, number, line.strip()))
        if re.match(r"end\b", line):
            scope.clear()
    rake = path.rpartition("/")[2] == "Rakefile" or path.endswith(".rake")
    return Manifest(
        path,
        "rake" if rake else "bundler",
        package=package,
        tasks=tasks if rake else {},
        dependencies=pins,
        versions=versions,
        programs=programs,
        open_ended=rake,
    )

"""``go.mod``: the module path, the modules required directly, and the Go version."""

from __future__ import annotations

import re

from memaudit.patterns import lazy_regex
from memaudit.repo.manifests.model import Manifest, Pin

_REQUIRE = lazy_regex(r"^\s*(?:require\s+|tool\s+)?([\w.-]+\.[\w-]+(?:/[\w.~-]+)*)\s+(v\S+)")


def read(path: str, text: str) -> Manifest:
    """Read line by line; the format is made for that."""
    module, pins, versions = "", {}, {}
    for number, line in enumerate(text.split("\n"), 1):
        if match := re.match(r"module\s+(\S+)", line):
            module = match[1]
        elif match := re.match(r"go\s+(\d\S*)", line):
            versions["go"] = Pin("go", number, match[1])
        elif (match := _REQUIRE.match(line)) and not line.rstrip().endswith("// indirect"):
            pins[match[1]] = Pin(match[1], number, match[2])
    return Manifest(path, "go", package=module, dependencies=pins, versions=versions)

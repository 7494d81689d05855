"""The one shape all manifests are read into, and the table of readers by file name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module


@dataclass(frozen=True, slots=True)
class Task:
    """A named thing to run. ``body`` is its command text, ``needs`` the tasks it runs first."""

    name: str
    line: int
    body: str
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pin:
    """A declared dependency or version and the line it stands on; ``spec`` as written."""

    name: str
    line: int
    spec: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What one file declares.

    ``runner`` names the program that runs its tasks (``npm``, ``make``, ``just`` …), ``open_ended``
    is set when tasks may also come from elsewhere (includes, pattern rules), so that a missing
    name proves nothing. ``versions`` maps a language or the package itself (``""``) to its pin,
    ``programs`` the command names that the package installs to where they start.
    """

    path: str
    runner: str
    package: str = ""
    tasks: dict[str, Task] = field(default_factory=dict)
    dependencies: dict[str, Pin] = field(default_factory=dict)
    versions: dict[str, Pin] = field(default_factory=dict)
    programs: dict[str, Pin] = field(default_factory=dict)
    manager: Pin | None = None
    open_ended: bool = False

    @property
    def folder(self) -> str:
        """The folder the manifest governs, ``""`` for the root."""
        return self.path.rpartition("/")[0]


_LONGEST = 2 * 1024 * 1024
_LONGEST_SEARCHED = 64 * 1024
"""Characters of a manifest up to which it is read, and up to which names are looked for line by line."""

_DEEP_KEY = re.compile(r"(?:[\w\"'-]{1,8}\.){200}")
"""Keys nested this deep keep parsers of TOML busy for minutes, and no real manifest has them."""

Reader = Callable[[str, str], Manifest]

READERS: tuple[tuple[str, str], ...] = (
    (r"package\.json", "npm"),
    (r"deno\.jsonc?", "npm"),
    (r"pyproject\.toml", "python"),
    (r"setup\.cfg|setup\.py|tox\.ini|noxfile\.py", "python"),
    (r"requirements[\w.-]*\.(?:txt|in)", "python"),
    (r"Cargo\.toml", "cargo"),
    (r"go\.mod", "golang"),
    (r"(?:GNU)?[Mm]akefile|[\w.-]+\.mk", "make"),
    (r"\.?[Jj]ustfile|[\w.-]+\.just", "just"),
    (r"[Tt]askfile(?:\.dist)?\.ya?ml", "taskfile"),
    (r"\.?mise\.toml", "mise"),
    (r"Gemfile|[\w.-]+\.gemspec|Rakefile|[\w.-]+\.rake", "ruby"),
    (r"composer\.json", "composer"),
)
"""File name pattern → module in this package whose ``read`` understands it."""

_COMPILED = tuple((re.compile(pattern), module) for pattern, module in READERS)


def reader_name(path: str) -> str | None:
    """The module that reads this file, or None when it is no manifest."""
    name = path.rpartition("/")[2]
    return next((module for pattern, module in _COMPILED if pattern.fullmatch(name)), None)


def read_manifest(path: str, text: str) -> Manifest | None:
    """Read one manifest; None when the file is none or is broken beyond reading."""
    module = reader_name(path)
    if module is None or len(text) > _LONGEST or _DEEP_KEY.search(text):
        return None
    read: Reader = import_module(f"memaudit.repo.manifests.{module}").read
    try:
        return read(path, text)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return None


def line_of(text: str, pattern: str, start: int = 1) -> int:
    """The first line at or after ``start`` that matches the regular expression; else ``start``.

    In a text of very many lines nothing is looked for: a place there is not worth the time.
    """
    if len(text) > _LONGEST_SEARCHED:
        return start
    compiled = re.compile(pattern)
    for number, line in enumerate(text.split("\n"), 1):
        if number >= start and compiled.search(line):
            return number
    return start

"""The one shape all manifests are read into, and the table of readers by file name."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import NamedTuple

from memaudit.patterns import lazy_regex


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


class Source(NamedTuple):
    """Where further tasks come from: a file (``path`` as written) or a plugin, under a ``namespace``."""

    path: str
    namespace: str = ""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What one file declares.

    ``runner`` names the program that runs its tasks (``npm``, ``make``, ``compose`` …; the jobs of a
    workflow, the services of a compose file and the stages of a Dockerfile are tasks too).
    ``open_ended`` is set when tasks may also come from places that no file names, so that a missing
    name proves nothing; ``sources`` are the places that the file does name.

    ``parts`` are the modules or projects it lists, by the name commands use, with their place as
    spec. ``versions`` maps a language or the package itself (``""``) to its pin; ``catalog`` holds
    versions offered to other manifests, which declare no use by themselves; ``images`` the container
    images it starts from; ``tested`` the versions a test matrix runs; ``programs`` the command names
    that the package installs to where they start.
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
    sources: tuple[Source, ...] = ()
    parts: dict[str, Pin] = field(default_factory=dict)
    catalog: dict[str, Pin] = field(default_factory=dict)
    images: dict[str, Pin] = field(default_factory=dict)
    tested: dict[str, Pin] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        """The folder the manifest governs, ``""`` for the root."""
        return self.path.rpartition("/")[0]


_LONGEST = 2 * 1024 * 1024
_LONGEST_SEARCHED = 64 * 1024
"""Characters of a manifest up to which it is read, and up to which names are looked for line by line."""

_LONGEST_LINE = 2000
_COLON = re.compile(r"[^\S\n]*:")

_DEEP_KEY = lazy_regex(r"(?:[\w\"'-]{1,8}\.){200}")
"""Keys nested this deep keep parsers of TOML busy for minutes, and no real manifest has them."""

Reader = Callable[[str, str], Manifest]

READERS: tuple[tuple[str, str], ...] = (
    (r"package\.json|deno\.jsonc?", "npm"),
    (r"turbo\.jsonc?|nx\.json|project\.json|lerna\.json|pnpm-workspace\.yaml", "workspace"),
    (r"pyproject\.toml", "python"),
    (r"setup\.cfg|setup\.py|tox\.ini|noxfile\.py", "python"),
    (r"requirements[\w.-]*\.(?:txt|in)", "python"),
    (r"Cargo\.toml", "cargo"),
    (r"go\.mod", "golang"),
    (r"(?:GNU)?[Mm]akefile(?:\.[\w-]+)?|[\w.-]+\.mk", "make"),
    (r"\.?[Jj]ustfile|[\w.-]+\.just", "just"),
    (r"[Tt]askfile(?:[._-][\w.-]+)?\.ya?ml", "taskfile"),
    (r"\.?mise(?:\.[\w-]+)?\.toml|\.tool-versions", "mise"),
    (r"(?:.*/)?(?:\.config/mise|\.?mise)/config\.toml", "mise"),
    (r"(?:.*/)?(?:\.?mise/tasks|\.?mise-tasks|\.config/mise/tasks)/[\w./-]+", "mise"),
    (r"Gemfile|[\w.-]+\.gemspec|Rakefile|[\w.-]+\.rake", "ruby"),
    (r"composer\.json", "composer"),
    (r"mix\.exs|(?:.*/)?lib/mix/tasks/.+\.ex", "mix"),
    (r"pom\.xml|(?:.*/)?\.mvn/wrapper/maven-wrapper\.properties", "maven"),
    (r"[\w.-]+\.gradle(?:\.kts)?|[\w-]+\.versions\.toml|gradle-wrapper\.properties", "gradle"),
    (r"[\w. +-]+\.(?:cs|fs|vb)proj|Directory\.(?:Packages|Build)\.props", "dotnet"),
    (r"[\w. +-]+\.slnx?|global\.json|dotnet-tools\.json", "dotnet"),
    (r"(?:[\w-]+\.)?(?:Dockerfile|Containerfile)(?:\.[\w.-]+)?", "docker"),
    (r"(?:docker-)?compose(?:[._-][\w.-]+)?\.ya?ml", "compose"),
    (r"(?:.*/)?\.github/workflows/[^/]+\.ya?ml", "actions"),
    (r"\.pre-commit-config\.ya?ml", "precommit"),
    (r"CMakeLists\.txt|CMake(?:User)?Presets\.json|[\w.-]+\.cmake", "cmake"),
    (r"Procfile(?:\.[\w-]+)?", "procfile"),
)
"""File name pattern → module in this package whose ``read`` understands it.

A pattern with a slash is compared with the whole path, any other with the file name.
"""

_ENDINGS = tuple(
    "json jsonc yaml yml toml setup.cfg setup.py tox.ini .txt .in go.mod .mk .just .tool-versions .gemspec"
    " .rake mix.exs pom.xml .gradle .kts .properties proj .props .sln .slnx .cmake".split()
)
"""How the names end of which a reader may know, apart from those with "file" in them; most end otherwise."""

_FOLDERS = ("mise", "mix/tasks/", ".mvn/", ".github/workflows/")
"""What stands in paths that a reader knows by their folder."""

_COMPILED = tuple((lazy_regex(pattern), "/" in pattern, module) for pattern, module in READERS)


_ANY_NAME = lazy_regex("|".join(f"(?:{pattern})" for pattern, _ in READERS))
_ANY_PATH = lazy_regex("|".join(f"(?:{pattern})" for pattern, _ in READERS if "/" in pattern))


@lru_cache(maxsize=65536)
def reader_name(path: str) -> str | None:
    """The module that reads this file, or None when it is no manifest."""
    name = path.rpartition("/")[2]
    if not (name.endswith(_ENDINGS) or "file" in name.lower() or any(part in path for part in _FOLDERS)):
        return None
    if not (_ANY_NAME.fullmatch(name) or _ANY_PATH.fullmatch(path)):
        return None
    for pattern, whole, module in _COMPILED:
        if pattern.fullmatch(name) or (whole and pattern.fullmatch(path)):
            return module
    return None


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

    What the pattern means by ``\\s`` stands on the line too. In a text of very many lines nothing is
    looked for: a place there is not worth the time.
    """
    starts = _line_starts(text) if len(text) <= _LONGEST_SEARCHED else []
    if not 0 < start <= len(starts):
        return start
    found = re.compile(pattern.replace(r"\s", r"[^\S\n]"), re.MULTILINE).search(text, starts[start - 1])
    return bisect_right(starts, found.start()) if found else start


def line_of_key(text: str, name: str, start: int = 1) -> int:
    """As :func:`line_of`, for a quoted name before a colon."""
    starts = _line_starts(text) if len(text) <= _LONGEST_SEARCHED else []
    if not 0 < start <= len(starts):
        return start
    quoted = f'"{name}"'
    at = text.find(quoted, starts[start - 1])
    while at >= 0 and not _COLON.match(text, at + len(quoted)):
        at = text.find(quoted, at + 1)
    return bisect_right(starts, at) if at >= 0 else start


@lru_cache(maxsize=4)
def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]


def line_numbers(text: str) -> Callable[[int], int]:
    """A function from an offset in ``text`` to its line, counted from 1."""
    ends = [index for index, letter in enumerate(text) if letter == "\n"]
    return lambda offset: bisect_right(ends, offset - 1) + 1


def short_lines(text: str) -> list[str]:
    """The lines of a text, those emptied that are longer than any a person wrote."""
    return [line if len(line) <= _LONGEST_LINE else "" for line in text.split("\n")]


def strings(value: object) -> list[str]:
    """The strings of a list; nothing where it is none."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []

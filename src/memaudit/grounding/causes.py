"""What may hold of a file's text: asked of every version of it, to find the commit that ended a fact.

A fact ends where it stops being true, not where a line that shows it changes for another reason: a
dependency that was raised before it was dropped is gone with the drop.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from memaudit.grounding.code import code_lines
from memaudit.repo.history import Holds
from memaudit.repo.manifests import Manifest, read_manifest
from memaudit.repo.tokens import definitions_of


def defines(name: str, path: str) -> Holds:
    """Whether a line of a file looks like the definition of a name, and not merely like a call of it."""
    token, called = name.encode(), f"{name}("

    def holds(text: str) -> bool:
        if name not in text:
            return False
        lines = (line for line in text.split("\n") if name in line and not line.lstrip().startswith(called))
        return any(token in definitions_of(line.encode(), path) for line in lines)

    return holds


def has_word(name: str) -> Holds:
    """Whether a name stands there, whole."""
    whole = _whole(name)
    return lambda text: name in text and bool(whole.search(text))


@lru_cache(maxsize=1024)
def _whole(name: str) -> re.Pattern[str]:
    # The name comes first, as what a pattern begins with is sought faster than what it may not follow.
    literal = re.escape(name)
    return re.compile(rf"{literal}(?<![\w-]{literal})(?![\w-])")


def has_code(path: str, line: str) -> Holds:
    """Whether a line of code stands there, indentation and comments aside, in no test inside the file."""
    wanted = line.strip()
    return lambda text: wanted in text and any(other.strip() == wanted for other in code_lines(path, text))


def has_lines_at(start: int, line: str) -> Holds:
    """Whether a line, numbered from 1, reads so, indentation aside."""
    wanted = line.strip()

    def holds(text: str) -> bool:
        lines = text.split("\n", start)
        return len(lines) >= start and lines[start - 1].strip() == wanted

    return holds


@lru_cache(maxsize=256)
def _read(path: str, text: str) -> Manifest | None:
    """The versions of one manifest are asked for each name that it has lost."""
    return read_manifest(path, text)


def in_manifest(path: str, name: str, told: Callable[[Manifest], bool]) -> Holds:
    """Whether the text, read as the manifest that ``path`` is, says so; ``name`` stands in it if it does."""

    def holds(text: str) -> bool:
        manifest = _read(path, text) if name in text else None
        return manifest is not None and told(manifest)

    return holds

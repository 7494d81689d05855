"""What a store family has to say for itself: where its files are, and which format and scope each has."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memaudit.domain import Folder


@dataclass(frozen=True, slots=True)
class Found:
    """A file that belongs to a store: its path as the agent knows it, format and scope (globs).

    ``store`` names the store it belongs to. ``shadows`` is the path of the file that it hides from the
    agent. ``imports`` tells whether ``@path`` in it brings in other files.
    """

    path: str
    store: str
    format: str
    scope: tuple[str, ...] = ()
    shadows: str | None = None
    imports: bool = False


Finder = Callable[[Folder, Sequence[str]], Iterable[Found]]
"""Picks a family's files out of the sorted paths of a folder, in the order an agent reads them."""


class Family(NamedTuple):
    """A kind of store. ``names`` are the files and ``folders`` the folders of Markdown files to look for
    in every folder of the repository, whether git knows them or not.
    """

    format: str
    find: Finder
    names: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()


def below(path: str) -> tuple[str, ...]:
    """The scope of a file that speaks for its own folder: none at the top, else a glob of all below."""
    folder = posixpath.dirname(path)
    return (f"{folder}/**",) if folder else ()


def top_first(path: str) -> tuple[int, str]:
    """Sort key that puts shallow paths before deep ones."""
    return path.count("/"), path

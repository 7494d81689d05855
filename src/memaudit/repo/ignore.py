"""Which paths a repository's ``.gitignore`` files leave out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

# A pattern is turned into a backtracking expression: one with very many stars, which nobody writes,
# could be made to run for minutes.
_LONGEST_PATTERN = 500
_MOST_STARS = 12


class IgnoreRules:
    """Decides paths by nested ignore files as git does: the deepest file and the last line win.

    ``read`` gives the text of the ignore file in a folder (``""`` is the top) or None. ``outer`` are
    the lines of further ignore files that hold for the whole tree, strongest first.
    """

    def __init__(self, read: Callable[[str], str | None], outer: Iterable[str] = ()) -> None:
        self._read = read
        self._outer = [spec for spec in map(_compile, outer) if spec is not None]
        self._specs: dict[str, GitIgnoreSpec | None] = {}
        self._folders: dict[str, bool] = {"": False}

    def ignored(self, path: str, *, is_folder: bool) -> bool:
        """Whether the file or folder at ``path``, or a folder above it, is left out."""
        folder = path.rpartition("/")[0]
        if self._folder_ignored(folder):
            return True
        if is_folder:
            return self._folder_ignored(path)
        return self._matches(path, folder)

    def _folder_ignored(self, folder: str) -> bool:
        known = self._folders.get(folder)
        if known is None:
            parent = folder.rpartition("/")[0]
            known = self._folder_ignored(parent) or self._matches(folder + "/", parent)
            self._folders[folder] = known
        return known

    def _matches(self, path: str, folder: str) -> bool:
        while True:
            spec = self._spec(folder)
            if spec is not None:
                decided = spec.check_file(path[len(folder) + 1 :] if folder else path).include
                if decided is not None:
                    return decided
            if not folder:
                break
            folder = folder.rpartition("/")[0]
        for spec in self._outer:
            decided = spec.check_file(path).include
            if decided is not None:
                return decided
        return False

    def _spec(self, folder: str) -> GitIgnoreSpec | None:
        if folder not in self._specs:
            self._specs[folder] = _compile(self._read(folder))
        return self._specs[folder]


def _compile(text: str | None) -> GitIgnoreSpec | None:
    lines = [
        line
        for line in (text or "").splitlines()
        if line.strip()
        and not line.startswith("#")
        and len(line) <= _LONGEST_PATTERN
        and line.count("*") <= _MOST_STARS
    ]
    if not lines:
        return None
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines([line for line in lines if _is_valid(line)])


def _is_valid(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True

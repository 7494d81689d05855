"""Paths inside a repository, in one form."""

from __future__ import annotations

import posixpath

from memaudit.text import is_text


def normal_path(path: str) -> str | None:
    """A path without ``.``, ``..`` and doubled or trailing slashes; None when it leads out.

    The top of the repository is ``""``. What git could not hold in UTF-8 is no path either.
    """
    if path.startswith("/") or "\0" in path or not is_text(path):
        return None
    plain = posixpath.normpath(path) if path else "."
    if plain == ".":
        return ""
    return None if plain == ".." or plain.startswith("../") else plain

"""Paths inside a repository, in one form."""

from __future__ import annotations

import posixpath


def normal_path(path: str) -> str | None:
    """A path without ``.``, ``..`` and doubled or trailing slashes; None when it leads out.

    The top of the repository is ``""``. What git could not hold in UTF-8 is no path either.
    """
    if path.startswith("/") or "\0" in path or not is_utf8(path):
        return None
    plain = posixpath.normpath(path) if path else "."
    if plain == ".":
        return ""
    return None if plain == ".." or plain.startswith("../") else plain


def is_utf8(name: str) -> bool:
    """Whether a name is text: no bytes of another encoding were smuggled into it."""
    return name.isascii() or not any("\ud800" <= char <= "\udfff" for char in name)

"""Claude Code: CLAUDE.md files, ``.claude/rules`` and what they import."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence

from memaudit.domain import Folder
from memaudit.stores.family import Family, Found, below, top_first
from memaudit.stores.frontmatter import front_matter_list

STORE = "claude"
_NAMES = {"CLAUDE.md": "claude-md", "CLAUDE.local.md": "claude-local-md"}


def _find(folder: Folder, paths: Sequence[str]) -> Iterable[Found]:
    files = []
    rules = []
    for path in paths:
        parent, name = posixpath.split(path)
        if name in _NAMES:
            files.append(path)
        elif "/.claude/rules/" in f"/{parent}/" and name.endswith(".md"):
            rules.append(path)
    for path in sorted(files, key=_reading_order):
        yield Found(path, STORE, _NAMES[posixpath.basename(path)], below(_place(path)), imports=True)
    for path in sorted(rules, key=top_first):
        yield Found(path, STORE, "claude-rule", _rule_scope(folder, path), imports=True)


def _place(path: str) -> str:
    """Where a file speaks from: ``.claude/CLAUDE.md`` is as good as ``CLAUDE.md`` beside ``.claude``."""
    parent, name = posixpath.split(path)
    if posixpath.basename(parent) == ".claude":
        return posixpath.join(posixpath.dirname(parent), name)
    return path


def _reading_order(path: str) -> tuple[int, str, int, str]:
    place = _place(path)
    local = posixpath.basename(path) == "CLAUDE.local.md"
    return place.count("/"), posixpath.dirname(place), local, path


def _rule_scope(folder: Folder, path: str) -> tuple[str, ...]:
    text = (folder.read(path) or b"").removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    globs = front_matter_list([line.rstrip("\r") for line in text.split("\n")], "paths")
    home = f"/{path}".split("/.claude/rules/")[0].lstrip("/")
    if not globs:
        return (f"{home}/**",) if home else ()
    return tuple(f"{home}/{glob}" if home and not glob.startswith("/") else glob for glob in globs)


FAMILY = Family(
    "claude", _find, names=(*_NAMES, *(f".claude/{name}" for name in _NAMES)), folders=(".claude/rules",)
)

"""Where a written path may lead on one side of the range.

Order: the document's folder, its ancestors, the folders its context names, then a unique suffix.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from memaudit.grounding.ground import Side, folders_up, is_test, is_vendored, join
from memaudit.grounding.reference import Mention
from memaudit.grounding.words import ClaimText, Form
from memaudit.patterns import lazy_regex

_MOST_BRACES = 64
_FOLDER_WORD = lazy_regex(r"[\w.@-]+(?:/[\w.@-]+)*/?")


@dataclass(frozen=True, slots=True)
class Found:
    """Where a written path leads: ``direct`` when no guess about its folder was needed."""

    path: str
    direct: bool


def resolve(mention: Mention, text: ClaimText, side: Side) -> list[Found]:
    """Where a written path may lead, the likeliest first."""
    target = mention.target.lstrip("/").rstrip("/")
    if not target:
        return []
    snapshot, found = side.snapshot, []
    for folder in folders_up(text.claim.document):
        path = join(folder, target)
        if path and _exists(path, side):
            found.append(Found(path, direct=True))
    if mention.form is Form.TREE and "/" in target:
        inner = target.partition("/")[2]
        for folder in folders_up(text.claim.document):
            path = join(folder, inner)
            if path and _exists(path, side):
                found.append(Found(path, direct=True))
    if not found:
        for folder in context_folders(text, side):
            path = join(folder, target)
            if path and _exists(path, side):
                found.append(Found(path, direct=True))
    if not found and not target.startswith("."):
        ranked = sorted(
            (path for path in snapshot.by_suffix(target) if not is_vendored(path)),
            key=lambda path: (is_test(path), path.count("/"), path),
        )
        found = [Found(path, direct=False) for path in ranked]
    if not found and "/" in target and "." not in target.rpartition("/")[2]:
        found = _without_extension(target, text, side)
    return found


def _exists(path: str, side: Side) -> bool:
    return side.snapshot.exists(path)


def _without_extension(target: str, text: ClaimText, side: Side) -> list[Found]:
    """A module written as imports write it: ``src/net/retry`` for ``src/net/retry.py``."""
    for folder in folders_up(text.claim.document):
        path = join(folder, target)
        parent = path.rpartition("/")[0] if path else None
        if not path or parent is None or side.snapshot.kind(parent) != "folder":
            continue
        stem = path.rpartition("/")[2] + "."
        names = [name for name in side.snapshot.children(parent) if name.startswith(stem)]
        if names:
            return [Found(f"{parent}/{names[0]}" if parent else names[0], direct=True)]
    return []


def context_folders(text: ClaimText, side: Side) -> list[str]:
    """Folders that headings, lead-ins, parent items or the claim itself name."""
    found: list[str] = []
    for word in _folder_words(text):
        if side.snapshot.by_name(word.rpartition("/")[2]):
            places = (join(folder, word) for folder in folders_up(text.claim.document))
            place = next((place for place in places if place and side.snapshot.kind(place) == "folder"), None)
            if place and place not in found:
                found.append(place)
    return found


def _folder_words(text: ClaimText) -> list[str]:
    claim = text.claim
    sources = (text.text, *reversed(claim.context), *reversed(claim.heading))
    words = (match[0].strip("./") for source in sources for match in _FOLDER_WORD.finditer(source))
    return list(dict.fromkeys(word for word in words if len(word) > 1))


def glob_matches(pattern: str, text: ClaimText, side: Side) -> list[str]:
    """Files that a glob matches from the document's folder, an ancestor, or anywhere below the root.

    One that begins with a slash is not looked for anywhere: it may be a route as well.
    """
    if not pattern.rpartition("/")[2].strip("*"):
        folder = pattern.rstrip("*/")
        pattern = folder + "/" if folder else pattern
    names = _braces(pattern.lstrip("/"))
    for folder in folders_up(text.claim.document) if "/" in pattern else ():
        found = _matching([f"/{folder}/{name}" if folder else f"/{name}" for name in names], side)
        if found:
            return found
    return [] if pattern.startswith("/") else _matching([f"**/{name}" for name in names], side)


def _matching(patterns: list[str], side: Side) -> list[str]:
    """Files that git's own rules for patterns match. The compiled patterns are asked themselves: a spec
    normalises every path anew, which costs seconds on a large tree.
    """
    matching: set[str] = set()
    for pattern in patterns:
        if regex := _compiled(pattern):
            inside = _fixed_part(pattern)
            matching.update(filter(regex.match, [path for path in _below(pattern, side) if inside in path]))
    return sorted(matching)


def _below(pattern: str, side: Side) -> Sequence[str]:
    """The files that begin as a pattern does that begins at the root; all for any other."""
    files = side.snapshot.files()
    start = re.split(r"[*?\[\\]", pattern, maxsplit=1)[0].rstrip()
    if not start.startswith("/"):
        return files
    first = bisect_left(files, start[1:])
    return files[first : bisect_left(files, start[1:] + "\U0010ffff", first)]


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    import pathspec

    [compiled] = pathspec.GitIgnoreSpec.from_lines([pattern]).patterns
    return compiled.regex if isinstance(compiled.regex, re.Pattern) else None


def _fixed_part(pattern: str) -> str:
    """The longest text that a path must have in it to match: seeking it is ten times as fast as matching."""
    if any(sign in pattern for sign in "[\\"):
        return ""
    return max((part.strip() for part in re.split(r"[*?/]", pattern)), key=len)


def _braces(pattern: str) -> list[str]:
    """The patterns that ``{a,b}`` stands for, the first few of very many."""
    done = [pattern]
    while len(done) < _MOST_BRACES:
        opened = next((item for item in done if re.search(r"\{[^{}]*\}", item)), None)
        if opened is None:
            break
        match = re.search(r"\{([^{}]*)\}", opened)
        assert match is not None
        place = done.index(opened)
        options = match[1].split(",")[:_MOST_BRACES]
        before, after = opened[: match.start()], opened[match.end() :]
        done[place : place + 1] = [before + item.strip() + after for item in options]
    return done[:_MOST_BRACES]

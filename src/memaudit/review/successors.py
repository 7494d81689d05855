"""Where a vanished file or folder may have gone: shared names and places, not proof."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memaudit.grounding.ground import Ground, is_prose, is_test, is_vendored
from memaudit.grounding.moved import as_written
from memaudit.grounding.reference import Outcome, Replacement
from memaudit.grounding.words import Form
from memaudit.repo.changes import similarity
from memaudit.review.likeness import likeness, words

_MISSPELT = 93
"""Likeness by letters from which on a name is a misspelling, and not the next one of a series."""

_SAMPLED = 80
_EVERYBODYS = 4
"""From so many folders of a place on a word in their names tells none from the others."""

_NAMESAKES = 10
"""A file name that this many added files bear (``index.ts``) does not show where one of them came from."""

_LEAST_SHARE = 4
"""One of so many files of a folder must stand in another for that to be what became of it."""

_LEADING_FILES = frozenset(
    "index overview readme main mod __init__ lib claude agents gemini changelog license package tsconfig"
    " pyproject cargo go makefile dockerfile conftest setup config types utils constants page layout route"
    " skill build cmakelists".split()
)
_VAGUE = frozenset("src lib libs app apps package packages docs internal pkg".split())
"""Words of folders that every other repository has."""

_BUILT = frozenset({"build", "dist", "out", "target", "bin", "obj", ".next", "coverage"})
_LEAST_ALIKE, _SHORT_TEXT = 0.2, 200
"""How alike two files of one name must be, from 0 to 1, unless one has fewer characters than that."""

_FAMILIES = (
    frozenset({".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"}),
    frozenset({".yml", ".yaml"}),
)


def successors(outcome: Outcome, ground: Ground) -> list[Replacement]:
    """What may be meant in place of a path that is gone: moved files and folders, and like names."""
    mention, was = outcome.mention, outcome.base
    if mention.form is Form.TREE:
        return []
    if was is None and outcome.base_at is not None:
        was = outcome.base_at.path.rstrip("/")
    if was is None:
        found = _near_missing(mention.target, outcome.head_at.path if outcome.head_at else "", ground)
        return [
            Replacement(
                mention.target,
                as_written(mention.target, place, path, ground.changes.moved_folder),
                False,
                "nearest path",
            )
            for place, path in found
        ]
    folder = ground.base.snapshot.kind(was) == "folder"
    went = _folder_successors(was, ground) if folder else _file_successors(was, ground)
    whole = mention.target.strip("/") not in was
    return [
        Replacement(
            mention.target,
            _like(mention.target, path)
            if whole
            else as_written(mention.target, was, path, ground.changes.moved_folder),
            False,
            f"{was} → {path}",
        )
        for path in went
    ]


def _like(written: str, path: str) -> str:
    """A path with the slashes at its ends that the old one was written with."""
    return ("/" if written.startswith("/") else "") + path + ("/" if written.endswith("/") else "")


def _near_missing(target: str, looked_in: str, ground: Ground) -> list[tuple[str, str]]:
    """For a path that never was: a like name in its folder, the only file of its name, else the folder.

    ``looked_in`` is the folder that was looked in for it, which may lie below the document's own. Each
    comes with the place that the target was meant to be.
    """
    from rapidfuzz import fuzz

    above, _, name = target.strip("/").rpartition("/")
    snapshot = ground.head.snapshot
    parent = looked_in if above and f"/{looked_in}".endswith(f"/{above}") else above
    if snapshot.kind(parent) != "folder":
        return []
    stem, extension = posixpath.splitext(name)
    place = f"{parent}/{name}"
    alike = [
        (100.0 if posixpath.splitext(other)[0] == stem else fuzz.ratio(name.lower(), other.lower()), other)
        for other in snapshot.children(parent)
        if _same_sort(name, other, extension, posixpath.splitext(other)[1])
    ]
    close = [
        f"{parent}/{other}"
        for score, other in sorted(alike, reverse=True)
        if score >= 75 and (score >= _MISSPELT or set(words(name)) <= set(words(other)))
    ]
    leading = _is_leading(name)
    if not close and not leading and extension:
        named = [path for path in snapshot.by_name(name) if is_test(path) == is_test(place)]
        close = named if len(named) == 1 else []
    return [(place, path) for path in close or ([parent + "/"] if leading else [])]


def _folder_successors(was: str, ground: Ground) -> list[str]:
    """Folders that files of a vanished one stand in, at the same place below, by the same names."""
    inside = sorted(path for path in ground.changes.deleted if path.startswith(was + "/"))
    sampled = inside[:: max(1, len(inside) // _SAMPLED)]
    votes: Counter[str] = Counter()
    for old in sampled:
        rest = old[len(was) :]
        namesakes = ground.changes.namesakes(old)
        namesakes = [path for path in namesakes if not _is_made(path)]
        if len(namesakes) <= _NAMESAKES:
            folders = {path[: -len(rest)] for path in namesakes if path.endswith(rest)} - {""}
            votes.update(folder for folder in folders if not _is_leading(old) or _kindred(was, folder))
    told = _telling(was, ground)
    scored = [
        (100 * count / len(sampled) + likeness(was, folder) / 2, folder)
        for folder, count in votes.items()
        if count * (_LEAST_SHARE if told & set(words(posixpath.basename(folder))) else 2) >= len(sampled)
        and folder != was
    ]
    return [folder for _, folder in sorted(scored, key=lambda pair: (-pair[0], pair[1]))]


def _telling(was: str, ground: Ground) -> set[str]:
    """The words of a folder's name that do not stand in those of its neighbours."""
    beside = Counter(
        word for name in ground.base.snapshot.children(posixpath.dirname(was)) for word in set(words(name))
    )
    return {word for word in words(posixpath.basename(was)) if beside[word] < _EVERYBODYS} - _VAGUE


class _Added(NamedTuple):
    """The files new at head by what one of them may be known again."""

    by_stem: Mapping[str, Sequence[str]]
    by_folder: Mapping[str, Sequence[str]]
    """Leading files, by the name of their folder."""
    by_words: Mapping[tuple[str, ...], Sequence[str]]
    """By the words of folder and name together."""

    @classmethod
    def of(cls, paths: Iterable[str]) -> _Added:
        stems: dict[str, list[str]] = {}
        folders: dict[str, list[str]] = {}
        told: dict[tuple[str, ...], list[str]] = {}
        for path in sorted(paths):
            if _is_made(path):
                continue
            stem = posixpath.splitext(posixpath.basename(path))[0]
            folder = posixpath.basename(posixpath.dirname(path))
            stems.setdefault(stem, []).append(path)
            if stem.lower() in _LEADING_FILES:
                folders.setdefault(folder, []).append(path)
            told.setdefault(tuple(words(f"{folder} {stem}")), []).append(path)
        return cls(stems, folders, told)


def _file_successors(was: str, ground: Ground) -> list[str]:
    """Files new at head of the same sort and name, or the first file of a folder by that name."""
    stem, extension = posixpath.splitext(posixpath.basename(was))
    added = ground.remember(("added",), lambda: _Added.of(ground.changes.added))
    scored: dict[str, float] = {}
    for score, paths in (
        (76.0, added.by_words.get(tuple(words(stem)), ())),
        (78.0, added.by_folder.get(stem, ())),
        (80.0, added.by_stem.get(stem, ())),
    ):
        for path in paths:
            kind = posixpath.splitext(path)[1]
            if is_test(path) == is_test(was) and _same_sort(was, path, extension, kind):
                scored[path] = score - (kind != extension)
    for path in added.by_stem.get(stem, ()):
        far = _is_leading(was) and not _kindred(posixpath.dirname(was), posixpath.dirname(path))
        if far or (path in scored and not _is_alike(was, path, ground)):
            scored.pop(path, None)
    return sorted(scored, key=lambda path: (-scored[path] - _common_folders(was, path), path))


def _common_folders(one: str, other: str) -> int:
    return (
        len(posixpath.commonpath([one, other]).split("/")) if one.split("/")[0] == other.split("/")[0] else 0
    )


def _is_made(path: str) -> bool:
    """Whether a path lies in somebody else's code or in what a build leaves."""
    return is_vendored(path) or not _BUILT.isdisjoint(path.split("/")[:-1])


def _is_alike(was: str, path: str, ground: Ground) -> bool:
    """Whether a file of the same name has something of the old one: else it only bears the name."""
    old, new = ground.base.snapshot.text(was), ground.head.snapshot.text(path)
    if not old or not new or min(len(old), len(new)) < _SHORT_TEXT:
        return True
    return similarity(old, new, _LEAST_ALIKE) >= _LEAST_ALIKE


def _is_leading(path: str) -> bool:
    """Whether a file is one that most folders have, so that its name says nothing of where it went."""
    return posixpath.splitext(posixpath.basename(path))[0].lower() in _LEADING_FILES


def _kindred(old: str, new: str) -> bool:
    """Whether two folders share a word that tells them from others, or neither has one."""
    told = set(words(posixpath.basename(old))) - _VAGUE
    new_told = set(words(new)) - _VAGUE
    return bool(told & new_told) if told else not new_told


def _same_sort(old: str, new: str, before: str, after: str) -> bool:
    if before == after or (is_prose(old) and is_prose(new)):
        return True
    return any(before in family and after in family for family in _FAMILIES)

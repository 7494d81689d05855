"""Classes that stand in files called after them, several of one last word: ``*_job.rb`` for ``SyncJob``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memaudit.grounding.ground import Side, is_test
from memaudit.grounding.reference import Replacement
from memaudit.grounding.words import ClaimText

_FEWEST = 3
_ASKED_OF_FAMILY = 6
"""Files of a family that are read to see whether they define what they are called after."""


def family(name: str, text: ClaimText, side: Side) -> list[str]:
    """Files of this repository named after the same last word as a class: ``*_job.rb`` for ``SyncJob``.

    At least three of them where the document speaks for, so that the name follows the convention there.
    """
    humps = re.findall(r"[A-Z][a-z0-9]+", name)
    if len(humps) < 3 or "".join(humps) != name:
        return []
    last = humps[-1].lower()
    pattern = re.compile(
        rf"(?:_{last}|[a-z0-9]{humps[-1]}|-{last}|\.{last})\.(?:rb|py|ts|tsx|js|java|kt|cs|php|go|rs|swift)$"
    )
    found = [
        path
        for path in side.snapshot.files()
        if pattern.search(path) and is_test(path) == (last in _TEST_WORDS) and in_scope(text, path)
    ]
    asked = found[:_ASKED_OF_FAMILY]
    bearing = sum(_bears_its_name(path, side) for path in asked)
    return found if len(found) >= _FEWEST and bearing * 2 >= len(asked) else []


_TEST_WORDS = frozenset({"test", "tests", "spec"})


def _bears_its_name(path: str, side: Side) -> bool:
    """Whether a file defines what it is called after: ``SyncJob`` in ``sync_job.rb``."""
    stem = re.sub(r"[^A-Za-z0-9]", "", path.rpartition("/")[2].rpartition(".")[0]).lower()
    return any(item.name.lower() == stem for item in side.definitions(path))


def nearest_of(name: str, files: Sequence[str]) -> tuple[Replacement, ...]:
    """The name of the file of a family whose name is most like a class's, none where all are far off."""
    from rapidfuzz import fuzz

    def alike(path: str) -> float:
        stem = path.rpartition("/")[2].partition(".")[0]
        words = {word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+", stem)}
        ours = {word.lower() for word in re.findall(r"[A-Z][a-z0-9]+", name)}
        inside = len(words) > 1 and words < ours
        ratio = fuzz.ratio(name.lower(), re.sub(r"[^A-Za-z0-9]", "", stem).lower())
        return max(ratio, 70 + 5 * len(words) if inside else 0)

    path = max(sorted(files), key=alike, default=None)
    if path is None or alike(path) < 70:
        return ()
    words = re.split(r"[^A-Za-z0-9]+", path.rpartition("/")[2].partition(".")[0])
    return (Replacement(name, "".join(word[:1].upper() + word[1:] for word in words), False, "nearest name"),)


_AROUND = (
    "{}Base",
    "Base{}",
    "Abstract{}",
    "{}Impl",
    "I{}",
    "Default{}",
    "{}Mixin",
    "{}Trait",
    "{}Interface",
)
"""What code calls the one that people call by the bare name, as a pattern of theirs."""


def is_root_of(name: str, side: Side) -> bool:
    """Whether code has a name that is this one but for what marks a base class or an interface."""
    return any(side.hits(spelled.format(name)) for spelled in _AROUND)


def in_scope(text: ClaimText, path: str) -> bool:
    """Whether a file lies below the folder that the claim's document speaks for."""
    folder = text.claim.document.rpartition("/")[0].partition(".claude")[0].rstrip("/")
    return not folder or path.startswith(folder + "/")

"""Sets of versions that are supported or tested: "Python 3.10-3.13", "Node 18, 20 and 22".

A set is compared with the sets the repository writes down: the matrix of a workflow, the classifiers
of a Python project. One that was complete at base and is not at head is stale.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from memaudit.domain import Location
from memaudit.grounding.ground import Ground, Side
from memaudit.grounding.language import Polarity, polarity
from memaudit.grounding.reference import Mention, Outcome, Replacement, broken, supported
from memaudit.grounding.words import ClaimText, Form
from memaudit.patterns import lazy_regex

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Tested on Python 3.10-3.13.", ("python 3.10-3.13",)),
    ("Supports Python 3.9 to 3.12", ("python 3.9-3.12",)),
    ("Tests all Python versions (3.9-3.12)", ("python 3.9-3.12",)),
    ("CI runs Node 18, 20 and 22.", ("node 18,20,22",)),
    ("CI runs Node 18/20.", ("node 18,20",)),
    ("Python 3.10+ is needed.", ()),
    ("Python 3.10 is needed.", ()),
    ("Node 18 and 3 workers", ()),
    ("Use Node 18-alpine.", ()),
)
"""Claim text and the sets read from it: the first and last of a span, or each of a list."""

_NAME = r"\b(?P<name>python|node(?:\.?js)?|ruby|php|go|java)\s+(?:versions?\s*\(?\s*)?"
_NUMBER = r"v?\d+(?:\.\d+)?(?:\.x)?"
_SPAN = lazy_regex(
    rf"{_NAME}(?P<first>{_NUMBER})\s*(?:-|–|—|to|through|\.\.)\s*(?P<last>{_NUMBER})(?![\w.]*\w|\+)",
    re.IGNORECASE,
)
_LIST = lazy_regex(
    rf"{_NAME}(?P<list>{_NUMBER}(?:\s*(?:,|/|\||,?\s+and|,?\s+or|&)\s*{_NUMBER})+)(?![\w.]*\w|\+|\s+[a-z]+s\b)",
    re.IGNORECASE,
)
_PLAIN = lazy_regex(r"\d+(?:\.\d+)?")
_KEY = lazy_regex(
    r"^\s*(?:-\s*)?[\"']?(?P<key>[\w.-]*(?:python|node|ruby|php|go|java)[\w.-]*)[\"']?\s*[:=]\s*(?P<value>.*)$"
)
_ITEM = lazy_regex(r"^\s*-\s*[\"']?(v?\d+(?:\.\d+)?)(?:\.x)?[\"']?\s*(?:#.*)?$")
_CLASSIFIER = lazy_regex(r"Programming Language :: Python :: (\d+\.\d+)\b")
_WORKFLOW = lazy_regex(
    r"(?:(?:^|/)pyproject\.toml|\.github/workflows/[^/]+\.ya?ml|\.gitlab-ci\.yml|\.circleci/config\.yml)\Z"
)


class MatrixKind:
    """Sets of versions of a language."""

    name = "matrix"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """A language with a span or a list of versions."""
        for match in _SPAN.finditer(text.text):
            ends = [_plain(match["first"]), _plain(match["last"])]
            if _order(ends[0]) < _order(ends[1]):
                yield self._mention(text, match, "-".join(ends), "span")
        for match in _LIST.finditer(text.text):
            found = _PLAIN.findall(match["list"])
            if len({"." in version for version in found}) == 1 and found == sorted(found, key=_order):
                yield self._mention(text, match, ",".join(found), "list")

    def _mention(self, text: ClaimText, match: re.Match[str], versions: str, shape: str) -> Mention:
        name = match["name"].lower().removesuffix("js").rstrip(".")
        said = polarity(text, match.start(), match.end())
        extra = (name, versions, shape)
        return Mention(
            "matrix", match[0], f"{name} {versions}", match.start(), match.end(), Form.PLAIN, said, extra
        )

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Workflows and manifests are read. Nothing to search for."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Stale when a set was the claimed one at base and its successor at head is not, nor any other."""
        name, versions, shape = mention.extra
        if mention.polarity is not Polarity.ASSERTED:
            return None
        base, head = (_sets(name, side) for side in (ground.base, ground.head))
        same = next((at for found, at in head if _says(versions, shape, found)), None)
        if same:
            return supported(mention, f"{same.path} lists {name} {versions}", head=versions, head_at=same)
        was = next((at for found, at in base if _says(versions, shape, found)), None)
        now = next(((found, at) for found, at in head if was and at.path == was.path), None)
        if was is None or now is None:
            return None
        listed = _written(now[0], shape)
        replacement = Replacement(
            mention.text, mention.text.replace(mention.text.split(maxsplit=1)[1], listed), False, "versions"
        )
        return broken(
            mention,
            "versions-changed",
            f"{was.path} listed {name} {versions} at base and lists {_written(now[0], 'list')} at head",
            base=versions,
            head=_written(now[0], shape),
            base_at=was,
            head_at=now[1],
            commit=ground.line_change(was.path, was.text),
            confidence=0.88,
            replacements=(replacement,),
        )


def _plain(version: str) -> str:
    match = _PLAIN.search(version)
    return match[0] if match else version


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _says(versions: str, shape: str, found: list[str]) -> bool:
    if shape == "span":
        return "-".join((found[0], found[-1])) == versions
    return found == versions.split(",")


def _written(found: list[str], shape: str) -> str:
    return f"{found[0]}-{found[-1]}" if shape == "span" else ", ".join(found)


def _sets(name: str, side: Side) -> list[tuple[list[str], Location]]:
    """Every set of two or more versions of a language that the repository writes down, in order."""

    found = []
    for path in side.snapshot.files():
        if _WORKFLOW.search(path):
            found += list(_matrices(name, path, side))
    if name == "python":
        found += list(_classifiers(side))
    return [(versions, at) for versions, at in found if len(versions) > 1]


def _matrices(name: str, path: str, side: Side) -> Iterator[tuple[list[str], Location]]:
    lines = side.lines(path)
    for number, line in enumerate(lines, 1):
        match = _KEY.match(line)
        if match is None or name not in match["key"].lower():
            continue
        value = match["value"].partition("#")[0].strip()
        if value.startswith("["):
            index, text = number, value
            while "]" not in text and index < len(lines) and index < number + 20:
                text += " " + lines[index].strip()
                index += 1
            yield _sorted(_PLAIN.findall(text)), side.at(path, number)
        elif not value:
            listed = []
            for following in lines[number : number + 20]:
                item = _ITEM.match(following)
                if item is None:
                    break
                listed.append(_plain(item[1]))
            yield _sorted(listed), side.at(path, number)


def _classifiers(side: Side) -> Iterator[tuple[list[str], Location]]:
    for path in ("pyproject.toml", "setup.cfg", "setup.py"):
        found = [
            (match[1], number)
            for number, line in enumerate(side.lines(path), 1)
            if (match := _CLASSIFIER.search(line))
        ]
        if found:
            yield _sorted([version for version, _ in found]), side.at(path, found[-1][1])


def _sorted(versions: Iterable[str]) -> list[str]:
    return sorted(set(versions), key=_order)

"""Versions of languages and of the project: "Python 3.11+", "Node >= 20", "Rust 1.82", "the 2.x line"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memaudit.domain import Location
from memaudit.grounding.ground import Ground, Side, package_key
from memaudit.grounding.language import Polarity, polarity
from memaudit.grounding.reference import Mention, Outcome, Replacement, broken, supported, wrong_before
from memaudit.grounding.words import ClaimText

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Requires Python 3.11+.", ("python 3.11+",)),
    ("Node.js (>=20.0.0, recommended 22)", ("node >=20.0.0",)),
    ("Minimum Rust version is 1.82.", ("rust 1.82",)),
    ("Go 1.22 or newer", ("go 1.22",)),
    ("This is the maintained 2.x line.", (" 2.x",)),
    ("Drop Python 2 idioms.", ("python 2",)),
    ("Built on Next.js 14 (Pages Router)", ("next.js 14",)),
    ("wraps `pyproj` 3.6", ("pyproj 3.6",)),
    ("Use 4 spaces.", ()),
)
"""Claim text and the versions read from it: what is pinned, then the claimed value."""

_LANGUAGES = {
    "python": "python",
    "node": "node",
    "node.js": "node",
    "nodejs": "node",
    "rust": "rust",
    "go": "go",
    "golang": "go",
    "ruby": "ruby",
    "php": "php",
    "typescript": "typescript",
    "npm": "npm",
    "pnpm": "pnpm",
    "yarn": "yarn",
    "bun": "bun",
}
_LANGUAGE = re.compile(
    r"\b(python|node(?:\.?js)?|rust|golang|go|ruby|php|typescript|pnpm|npm|yarn|bun)\b"
    r"(?:\*\*)?:?\s*(?:minimum\s+|min(?:imum)?\.?\s+)?(?:version\s+|v)?(?:is\s+|=\s+|:\s*)?[`(]*"
    r"((?:>=|<=|~>|~|\^|=|>)?\s*v?\d+(?:\.(?:\d+|x))*\+?)",
    re.IGNORECASE,
)
_MINIMUM = re.compile(
    r"\bminimum\s+(?:supported\s+)?(python|node|rust|go|ruby)\s+version\D{0,12}?(\d+(?:\.\d+)*\+?)",
    re.IGNORECASE,
)
_LINE = re.compile(r"\b(?:maintained|current|active|supported|stable)\s+(?:`)?v?(\d+)\.x\b", re.IGNORECASE)
_OWN = re.compile(
    r"\b(?:current |package |project )?version\b(?: (?:in|of) `?[\w./-]+`?)?"
    r"\s*(?:is|:|=)\s*`?v?(\d+(?:\.\d+)+)",
    re.IGNORECASE,
)
_PACKAGE = re.compile(
    r"(?:`(@?[a-z][\w./-]*)`|\b([A-Z][A-Za-z]*(?:\.js)?))\s+v?(\d+(?:\.(?:\d+|x))*)\+?(?![\w.%]*\d|[\w%]|\s+[a-z]+s\b)"
)
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_FILES = {"python": ".python-version", "node": ".nvmrc", "ruby": ".ruby-version"}


class VersionKind:
    """Version statements about languages, tools and the project's own release line."""

    name = "version"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """Language names followed by a number, and "the N.x line"."""
        seen: set[str] = set()
        for pattern in (_MINIMUM, _LANGUAGE):
            for match in pattern.finditer(text.text):
                name = _LANGUAGES[match[1].lower()]
                if name not in seen:
                    seen.add(name)
                    value = match[2].replace(" ", "")
                    yield self._mention(text, match.start(), match.end(), f"{name} {value}", name, value)
        for match in _LINE.finditer(text.text):
            yield self._mention(text, match.start(), match.end(), f" {match[1]}.x", "", f"{match[1]}.x")

        for match in _PACKAGE.finditer(text.text):
            name = (match[1] or match[2]).lower()
            if _LANGUAGES.get(name, name) not in seen:
                seen.add(name)
                target = f"{name} {match[3]}"
                yield self._mention(text, match.start(), match.end(), target, f"={name}", match[3])
        for match in _OWN.finditer(text.text):
            if not seen:
                yield self._mention(text, match.start(), match.end(), f" {match[1]}", "", match[1])

    def _mention(self, text: ClaimText, start: int, end: int, target: str, name: str, value: str) -> Mention:
        from memaudit.grounding.words import Form

        said = polarity(text, start, end)
        return Mention("version", text.text[start:end], target, start, end, Form.PLAIN, said, (name, value))

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Versions are found in manifests. Nothing to search for."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Stale when a pin said the claimed version at base and none does at head (see :func:`agrees`)."""
        name, value = mention.extra
        if mention.polarity not in (Polarity.ASSERTED, Polarity.EXAMPLE):
            return None
        base, head = (self._pins(name, text, side) for side in (ground.base, ground.head))
        if not head:
            return None
        fits = next((pin for pin in head if agrees(value, pin[0])), None)
        if fits:
            return supported(
                mention,
                f"{fits[1].path} says {fits[0]}",
                head=fits[0],
                head_at=fits[1],
            )
        if name in _LANGUAGES.values() and _too_low(value, head) and _too_low(value, base):
            return wrong_before(
                mention,
                "version-changed",
                f"{head[0][1].path} asks for {head[0][0]} at head and did not accept {value} at base either",
                base=base[0][0],
                head=head[0][0],
                base_at=base[0][1],
                head_at=head[0][1],
                confidence=0.75,
            )
        was = next((pin for pin in base if agrees(value, pin[0])), None)
        if was is None:
            return None
        spec, at = next((pin for pin in head if pin[1].path == was[1].path), head[0])
        number = _NUMBER.search(spec)
        old = _NUMBER.search(value)
        new = ".".join(number[0].split(".")[: len(old[0].split("."))]) if number and old else ""
        replacements = (Replacement(old[0], new, True, f"{was[0]} → {spec}"),) if old and new else ()
        return broken(
            mention,
            "version-changed",
            f"{at.path} said {was[0]} at base and says {spec} at head",
            base=was[0],
            head=spec,
            base_at=was[1],
            head_at=at,
            commit=ground.line_change(was[1].path, was[0]),
            confidence=0.92,
            replacements=replacements,
        )

    def _pins(self, name: str, text: ClaimText, side: Side) -> list[tuple[str, Location]]:
        if name.startswith("="):
            return _declared(name[1:], side)
        found = [
            (manifest.versions[name].spec, side.at(manifest.path, manifest.versions[name].line))
            for manifest in side.manifests
            if name in manifest.versions
        ]
        for manifest in side.manifests:
            if manifest.manager and manifest.manager.name == name and name:
                found.append(
                    (manifest.manager.spec.partition("@")[2], side.at(manifest.path, manifest.manager.line))
                )
        path = _FILES.get(name)
        if path and (content := side.snapshot.text(path)):
            found.append((content.strip().split("\n")[0], side.at(path, 1)))
        return found


def _too_low(claimed: str, pins: list[tuple[str, Location]]) -> bool:
    """Whether a claimed lower bound ("1.21+") lies below what every manifest asks for."""
    bound = re.fullmatch(r"(?:>=)?\s*v?(\d+(?:\.\d+)*)\+?", claimed)
    if bound is None or not re.search(r"\+|>=", claimed) or not pins:
        return False
    ours = [int(part) for part in bound[1].split(".")]
    floors = [_NUMBER.search(spec) for spec, at in pins if not at.path.rpartition("/")[2].startswith(".")]
    known = [[int(part) for part in floor[0].split(".")] for floor in floors if floor]
    return bool(known) and all(ours < floor[: len(ours)] for floor in known)


def _declared(name: str, side: Side) -> list[tuple[str, Location]]:
    """The versions that manifests ask for of a package, shallow manifests first."""
    keys = {package_key(name), package_key(name.removesuffix(".js"))}
    return [
        (pin.spec, side.at(manifest.path, pin.line))
        for manifest in side.manifests
        for declared, pin in manifest.dependencies.items()
        if package_key(declared) in keys and _NUMBER.search(pin.spec)
    ]


def agrees(claimed: str, pinned: str) -> bool:
    """Whether a claimed version and a pinned one say the same, in the digits that both give.

    ``3.11+`` agrees with ``>=3.11`` and ``3.11.4``; ``3.1`` does not agree with ``3.10``.
    """
    want = _NUMBER.search(claimed)
    if want is None:
        return False
    ours = [int(part) for part in want[0].split(".")]
    for number in _NUMBER.findall(pinned):
        theirs = [int(part) for part in number.split(".")]
        size = min(len(ours), len(theirs))
        longer = (ours if len(ours) > len(theirs) else theirs)[size:]
        if ours[:size] == theirs[:size] and (len(theirs) >= len(ours) or not any(longer)):
            return True
    return False

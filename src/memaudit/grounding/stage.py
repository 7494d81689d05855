"""The stage of a release: "this is a preview SDK", ".NET 10 RC", "currently in beta"."""

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
    ("This is a preview SDK; expect breaking changes.", ("preview",)),
    ("Needs .NET 10.0 RC (see `global.json`)", ("rc",)),
    ("The library is currently in beta.", ("beta",)),
    ("Open the preview of the page.", ()),
    ("Deploy a preview build first.", ()),
    ("Alpha channel of the image", ()),
)
"""Claim text and the stage read from it."""

_STAGES = r"(?P<stage>preview|alpha|beta|rc|pre-?release|release candidate)"
_SAID = lazy_regex(
    rf"\b(?:is|are)\s+(?:still\s+|currently\s+)?(?:in\s+)?(?:an?\s+)?{_STAGES}\b(?:\s+(?P<what>\w+))?"
    rf"|\d\s+{_STAGES.replace('stage', 'after')}\b",
    re.IGNORECASE,
)
_WHAT = frozenset(
    {"", "sdk", "library", "package", "version", "release", "software", "project", "framework", "and"}
)
_VERSION = lazy_regex(
    r"(?<![A-Za-z])version(?:prefix|suffix)?[\"']?\s*[=:>]\s*[\"']?(?P<version>v?\d[\w.+-]*|(?:alpha|beta|preview|rc)[\w.-]*)",
    re.IGNORECASE,
)
_DEPENDENCY = lazy_regex(r"\bInclude=|\bPackage(?:Reference|Version)\b|\{\s*version\s*=")
_ALIASES = {"prerelease": "alpha|beta|preview|rc|dev|a|b|pre", "releasecandidate": "rc", "alpha": "alpha|a"}
_FILES = lazy_regex(
    r"(?:package\.json|pyproject\.toml|Cargo\.toml|setup\.(?:py|cfg)|global\.json|Directory\.Build\.props|.*\.csproj"
    r"|pom\.xml|build\.gradle(?:\.kts)?|gradle\.properties|mix\.exs|composer\.json|version\.(?:py|rb|go|txt)|VERSION)"
)
_DEPTH = 2


class StageKind:
    """Stages that a version's suffix tells."""

    name = "stage"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """ "is a preview SDK", "in beta", or a stage right behind a version."""
        match = _SAID.search(text.unlinked)
        if match is None or (match["stage"] and (match["what"] or "").lower() not in _WHAT):
            return
        group = "stage" if match["stage"] else "after"
        start, end = match.span(group)
        name = re.sub(r"[\s-]", "", match[group].lower())
        yield Mention("stage", text.text[start:end], name, start, end, Form.PLAIN, polarity(text, start, end))

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Manifests are read. Nothing to search for."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Stale when a version had the stage at base and none of them has it at head."""
        if mention.polarity is not Polarity.ASSERTED:
            return None
        names = _ALIASES.get(mention.target, mention.target)
        suffix = re.compile(rf"(?:\d[.-]?|^)(?:{names})(?![a-z])", re.IGNORECASE)
        base, head = (list(_versions(side)) for side in (ground.base, ground.head))
        same = next((at for version, at in head if suffix.search(version)), None)
        if same:
            return supported(mention, f"{same.path} says so", head_at=same)
        was = next((item for item in base if suffix.search(item[0])), None)
        now = next((item for item in head if was and item[1].path == was[1].path), None)
        if was is None or now is None:
            return None
        return broken(
            mention,
            "version-changed",
            f"{was[1].path} said {was[0]} at base and says {now[0]} at head",
            base=was[0],
            head=now[0],
            base_at=was[1],
            head_at=now[1],
            commit=ground.line_change(was[1].path, was[0]),
            confidence=0.85,
            replacements=(Replacement(f" {mention.text}", "", False, "no stage any more"),),
        )


def _versions(side: Side) -> Iterator[tuple[str, Location]]:
    """Versions that manifests near the top give of the project or of its tools."""
    for path in side.snapshot.files():
        if path.count("/") <= _DEPTH and _FILES.fullmatch(path.rpartition("/")[2]):
            for number, line in enumerate(side.lines(path), 1):
                if (match := _VERSION.search(line)) and not _DEPENDENCY.search(line):
                    yield match["version"], side.at(path, number)

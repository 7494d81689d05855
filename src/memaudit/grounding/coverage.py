"""How much of the code tests must cover: "80% minimum coverage", "coverage stays above 90 %"."""

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
    ("**80% minimum coverage** on new lines", ("80",)),
    ("Test coverage must stay above 92.5 %.", ("92.5",)),
    ("CI fails below 90% code coverage.", ("90",)),
    ("Tests cover 80% of the cases people meet.", ()),
    ("Images are scaled to 80%.", ()),
    ("Target >80% coverage.", ()),
)
"""Claim text and the share of coverage it asks for, in percent."""

_CLAIMED = lazy_regex(
    r"(?P<before>\d{1,3}(?:\.\d+)?)\s?%[^.;%]{0,30}?\bcoverage\b"
    r"|\bcoverage\b[^.;%]{0,50}?(?<![\d.])(?P<after>\d{1,3}(?:\.\d+)?)\s?%",
    re.IGNORECASE,
)
_WISH = lazy_regex(
    r"\b(?:target(?:ing)?|aim(?:ing)?|goal|strive|ideally)\b[^.%]{0,30}\d|[>≥]\s?\d", re.IGNORECASE
)
"""A share that is wished for is a preference: no setting contradicts it."""

_FILES = lazy_regex(
    r"(?:.*/)?\.?codecov\.ya?ml|\.coveragerc|setup\.cfg|tox\.ini|pyproject\.toml|pytest\.ini|package\.json"
    r"|(?:jest|vitest|vite|karma)\.config\.[cm]?[jt]s|\.nycrc(?:\.json)?|\.c8rc\.json|\.simplecov|Makefile|[Jj]ustfile"
)
_SETTING = lazy_regex(
    r"\b(target|fail[_-]under|minimum_coverage|branches|functions|lines|statements|check-coverage)"
    r"[\"']?\s*[:= ]\s*[\"']?(\d{1,3}(?:\.\d+)?)\b",
    re.IGNORECASE,
)


class CoverageKind:
    """Thresholds of test coverage."""

    name = "coverage"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """The only percentage beside the word "coverage"."""
        found = list(_CLAIMED.finditer(text.text))
        if len(found) == 1 and not _WISH.search(text.text[: found[0].end()]):
            group = "before" if found[0]["before"] else "after"
            start, end = found[0].span(group)
            said = polarity(text, start, end)
            yield Mention("coverage", text.text[start:end], found[0][group], start, end, Form.PLAIN, said)

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Settings files are read. Nothing to search for."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Stale when a setting asked for that share at base and none does at head."""
        if mention.polarity is not Polarity.ASSERTED:
            return None
        claimed = float(mention.target)
        same = next((at for _, share, at in _settings(ground.head) if share == claimed), None)
        if same:
            return supported(mention, f"{same.path} asks for {claimed:g} %", head_at=same)
        found = next((item for item in _settings(ground.base) if item[1] == claimed), None)
        if found is None:
            return None
        key, _, was = found
        later = [item[1:] for item in _settings(ground.head) if item[0] == key and item[2].path == was.path]
        now = min(later, key=lambda item: abs(item[1].line - was.line), default=None)
        return broken(
            mention,
            "value-changed",
            f"{was.path} asked for {claimed:g} % at base"
            + (f" and asks for {now[0]:g} % at head" if now else " and no setting does at head"),
            base=f"{claimed:g} %",
            head=f"{now[0]:g} %" if now else None,
            base_at=was,
            head_at=now[1] if now else None,
            commit=ground.line_change(was.path, was.text),
            confidence=0.88,
            replacements=(Replacement(mention.text, f"{now[0]:g}", False, "coverage"),) if now else (),
        )


def _settings(side: Side) -> Iterator[tuple[str, float, Location]]:
    """The name and share of every setting for coverage, in files that speak of coverage."""
    for path in side.snapshot.files():
        if path.count("/") > 3 or not _FILES.fullmatch(path.rpartition("/")[2]):
            continue
        lines = side.lines(path)
        if "cov" not in path.lower() and not any("cov" in line.lower() for line in lines):
            continue
        for number, line in enumerate(lines, 1):
            if (match := _SETTING.search(line)) and not line.lstrip().startswith("#"):
                yield match[1].lower(), float(match[2]), side.at(path, number)

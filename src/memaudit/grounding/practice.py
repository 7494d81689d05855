"""Set-ups a claim speaks of without naming a file: git hooks, workspaces.

The words stand for files that make the set-up. It is gone when some of them were there at base and
none of any kind is at head.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from memaudit.domain import Location
from memaudit.grounding.ground import Ground, Side
from memaudit.grounding.language import Polarity, polarity
from memaudit.grounding.reference import Mention, Outcome, broken, supported
from memaudit.grounding.words import ClaimText, Form
from memaudit.patterns import lazy_regex

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Code is auto-formatted on commit.", ("git hooks",)),
    ("The pre-commit hook runs the linter.", ("git hooks",)),
    ("Husky runs lint-staged on every commit.", ("git hooks",)),
    ("A monorepo with workspaces.", ("workspaces",)),
    ("This npm workspace holds two packages.", ("workspaces",)),
    ("Run the linter before you commit.", ()),
    ("Ask before each commit.", ()),
    ("React hooks live in `src/hooks/`.", ()),
    ("Open the workspace in your editor.", ()),
)
"""Claim text and the set-ups read from it."""


class _Practice(NamedTuple):
    """A set-up: the words that speak of it, and where it is made on one side."""

    name: str
    words: re.Pattern[str]
    made: Callable[[Side], Location | None]


_HOOK_FILES = (
    ".husky",
    ".pre-commit-config.yaml",
    ".pre-commit-config.yml",
    "lefthook.yml",
    "lefthook.yaml",
    ".lefthook.yml",
    ".githooks",
    "githooks",
    "git-hooks",
    ".overcommit.yml",
)
_HOOK_TOOL = lazy_regex(r"\b(?:husky|lint-staged|simple-git-hooks|pre-commit|lefthook|core\.hooksPath)\b")


def _hooks(side: Side) -> Location | None:
    for path in _HOOK_FILES:
        if side.snapshot.exists(path):
            return side.place(path)
    for manifest in side.manifests:
        for number, line in enumerate(side.lines(manifest.path), 1):
            if _HOOK_TOOL.search(line):
                return side.at(manifest.path, number)
    return None


def _workspaces(side: Side) -> Location | None:
    for path in ("pnpm-workspace.yaml", "go.work", "lerna.json", "nx.json", "rush.json"):
        if side.snapshot.exists(path):
            return side.place(path)
    for path in ("package.json", "Cargo.toml", "pyproject.toml"):
        for number, line in enumerate(side.lines(path), 1):
            if re.match(r"\s*(?:\"workspaces\"\s*:|\[(?:tool\.uv\.)?workspace\b)", line):
                return side.at(path, number)
    return None


_PRACTICES = (
    _Practice(
        "git hooks",
        lazy_regex(
            r"\b(?:pre-?(?:commit|push)|git)\s+hooks?\b|\bhusky\b|\blint-staged\b"
            r"|\b(?:auto(?:matically)?[- ]?\w+|runs?\s+automatically)\s+on\s+(?:every\s+|each\s+)?commits?\b",
            re.IGNORECASE,
        ),
        _hooks,
    ),
    _Practice(
        "workspaces",
        lazy_regex(
            r"\bmono-?repo\b[^.]{0,40}\bworkspaces?\b|\b(?:npm|pnpm|yarn|bun|cargo|uv|go)\s+workspaces?\b",
            re.IGNORECASE,
        ),
        _workspaces,
    ),
)


class PracticeKind:
    """Set-ups of the repository as a whole."""

    name = "practice"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """The first words that speak of each set-up."""
        for practice in _PRACTICES:
            match = practice.words.search(text.text)
            if match:
                said = polarity(text, match.start(), match.end())
                yield Mention(
                    "practice", match[0], practice.name, match.start(), match.end(), Form.PLAIN, said
                )

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """The tree and the manifests are read. Nothing to search for."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Stale when base had what makes the set-up and head has nothing of the sort."""
        practice = next(item for item in _PRACTICES if item.name == mention.target)
        head = practice.made(ground.head)
        if mention.polarity is not Polarity.ASSERTED:
            return None
        if head:
            return supported(mention, f"{head.path} sets up {practice.name}", head_at=head, confidence=0.7)
        base = practice.made(ground.base)
        if base is None:
            return None
        commit = (
            ground.line_change(base.path, base.text)
            if ground.head.snapshot.exists(base.path)
            else ground.removed_by(base.path.rstrip("/"))
        )
        return broken(
            mention,
            "setup-gone",
            f"{base.path} set up {practice.name} at base; nothing does at head",
            base=practice.name,
            base_at=base,
            commit=commit,
            confidence=0.85,
        )

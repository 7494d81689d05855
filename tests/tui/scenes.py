"""Small stores with given verdicts, for everything about the screen that no repository is needed for."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from memaudit import wire
from memaudit.domain import (
    AuditRequest,
    Block,
    Claim,
    ClaimKind,
    CommitInfo,
    Evidence,
    Judgement,
    Location,
    Origin,
    Range,
    Reference,
    Span,
    Store,
    Suggestion,
    Tier,
    Verdict,
)
from memaudit.settings import Settings
from memaudit.stores.document import load_document
from memaudit.tui.app import MemauditApp

WORKER = Path(__file__).with_name("scripted_worker.py")

BASE, HEAD = "1f0c2b7a" * 5, "9ad4e3c1" * 5

COMMIT = CommitInfo(
    sha="5c1e77d0" * 5,
    summary="Move the importer into its own package",
    author="Ada Author",
    date="2024-03-02T10:00:00+00:00",
)

MEMORY = """\
# Orchard

Orchard sorts apples by weight and colour.

## Commands

- Run the tests with `npm test`.
- Build with `make dist`, the result is in `out/`.
- Lint with `npm run lint`.

## Layout

- The importer lives in `src/importer.py`.
- Weights are parsed by `parse_weight` in `src/weights.py`.
- Settings come from `orchard.toml`.
  - The key `grade.limit` is 40.

## House rules

- Answer in plain words.
- Never push to `main` directly.
"""

AGENTS = """\
# For agents

- Python 3.10 or newer is needed.
- The service listens on port 8080.
"""

WEIGHTS_BASE = '''\
"""Weights."""

import re

PATTERN = re.compile(r"(\\d+) ?g")


def parse_weight(text: str) -> int:
    """Grams in a label."""
    match = PATTERN.search(text)
    if match is None:
        raise ValueError(text)
    return int(match.group(1))


def is_heavy(grams: int) -> bool:
    return grams > 200
'''
WEIGHTS_HEAD = WEIGHTS_BASE.replace("parse_weight", "weight_from_label").replace("> 200", "> 220")
IMPORTER = "\n".join(
    [
        "import csv",
        "",
        "",
        "def load(path):",
        "    with open(path) as file:",
        "        return list(csv.reader(file))",
    ]
    + [f"# note {number}" for number in range(20)]
)
PACKAGE_BASE = (
    '{\n  "name": "orchard",\n  "scripts": {\n    "test": "jest",\n    "lint": "eslint src"\n  }\n}\n'
)
PACKAGE_HEAD = PACKAGE_BASE.replace('    "test": "jest",\n', '    "test:unit": "vitest run",\n')

CONTENTS = {
    "base:src/weights.py": WEIGHTS_BASE,
    "head:src/weights.py": WEIGHTS_HEAD,
    "base:src/importer.py": IMPORTER,
    "base:package.json": PACKAGE_BASE,
    "head:package.json": PACKAGE_HEAD,
    "base:orchard.toml": "[grade]\nlimit = 40\n",
    "head:orchard.toml": "[grade]\nlimit = 40\n",
}


PLAN = {
    "on": False,
    "nothing": "",
    "questions": 18,
    "calls": 14,
    "entries": [
        ("server", "api.anthropic.com"),
        ("model", "claude-haiku-5-5"),
        ("consent", "none yet: nothing is sent before you agree, for this repository"),
        ("sent", "the claim, its place, and pieces of the change that name what it names; secrets masked"),
        ("asked", "14 calls for 21 open claims, 4 already answered, most at risk first"),
        ("not asked", "3 that nothing in the change bears on, 2 that no repository state can decide"),
        ("tokens", "about 62,000 in, 840 out"),
        ("cost", "about $0.0066, never more than $0.0312 (cap $1.00, prices of 2026-11-30)"),
    ],
}
"""What would be asked of a model, as the audit process tells it."""


def _held(claim: Claim, why: str = "All it names is there.", *evidence: Evidence) -> Judgement:
    return Judgement(claim.id, Verdict.HELD, "supported", why, "grounded", 0.95, evidence=evidence)


def holding(claim: Claim) -> Judgement:
    """The verdict on words that hold, in the place of a claim."""
    return replace(verdict(claim), verdict=Verdict.HELD, reason="supported", origin=None)


def verdict(claim: Claim) -> Judgement:
    """The verdict that the script gives a claim of :data:`MEMORY` or :data:`AGENTS`."""
    text = claim.text
    if "npm test" in text:
        return Judgement(
            claim.id,
            Verdict.STALE,
            "script-gone",
            "package.json has no script test any more; test:unit runs vitest.",
            "grounded",
            0.97,
            Origin.RANGE,
            references=(Reference("command", "npm test", "jest", None),),
            evidence=(
                Evidence(
                    "npm test",
                    Location("package.json", 4, '"test": "jest",'),
                    Location("package.json", 4, '"test:unit": "vitest run",'),
                    COMMIT,
                ),
            ),
            suggestion=Suggestion(Tier.APPLY, "Run the tests with `npm run test:unit`.", "renamed once"),
        )
    if "importer" in text:
        return Judgement(
            claim.id,
            Verdict.STALE,
            "path-gone",
            "src/importer.py was moved to src/intake/importer.py.",
            "grounded",
            0.99,
            Origin.RANGE,
            references=(Reference("path", "src/importer.py", "file", None),),
            evidence=(
                Evidence(
                    "src/importer.py",
                    Location("src/importer.py", 1, "import csv"),
                    None,
                    COMMIT,
                    "moved to src/intake/importer.py",
                ),
            ),
            suggestion=Suggestion(Tier.APPLY, "The importer lives in `src/intake/importer.py`.", "moved"),
        )
    if "parse_weight" in text:
        return Judgement(
            claim.id,
            Verdict.STALE,
            "symbol-renamed",
            "parse_weight is now weight_from_label.",
            "grounded",
            0.9,
            Origin.RANGE,
            references=(
                Reference("symbol", "parse_weight", "src/weights.py:8", None),
                Reference("path", "src/weights.py", "file", "file"),
            ),
            evidence=(
                Evidence(
                    "parse_weight",
                    Location("src/weights.py", 8, "def parse_weight(text: str) -> int:"),
                    Location("src/weights.py", 8, "def weight_from_label(text: str) -> int:"),
                    COMMIT,
                ),
                Evidence(
                    "src/weights.py",
                    Location("src/weights.py", 1, '"""Weights."""'),
                    Location("src/weights.py", 1, '"""Weights."""'),
                ),
            ),
            suggestion=Suggestion(
                Tier.ASK,
                "Weights are parsed by `weight_from_label` in `src/weights.py`.",
                "the body changed too",
            ),
        )
    if "3.10" in text:
        return Judgement(
            claim.id,
            Verdict.STALE,
            "version-differs",
            "pyproject.toml has asked for 3.12 since before this range.",
            "grounded",
            0.8,
            Origin.EARLIER,
            suggestion=Suggestion(Tier.ASK, None, "part of it still holds: reword it"),
        )
    if "make dist" in text:
        return Judgement(claim.id, Verdict.UNKNOWN, "touched", "The recipe of dist changed.", "grounded", 0.5)
    if "plain words" in text or "Never push" in text:
        return Judgement(claim.id, Verdict.UNKNOWN, "no-reference", "It names nothing here.", "grounded", 0.9)
    if "orchard.toml" in text:
        return _held(
            claim,
            "orchard.toml is there.",
            Evidence(
                "orchard.toml",
                Location("orchard.toml", 1, "[grade]"),
                Location("orchard.toml", 1, "[grade]"),
            ),
        )
    return _held(claim)


def store(path: str, text: str | bytes) -> Store:
    """One document as a store of its own."""
    raw = text if isinstance(text, bytes) else text.encode()
    document = load_document(path, raw, store=path, format="claude")
    return Store(path, "claude", "project", (document,))


def plain_claims(count: int) -> list[Claim]:
    """Many claims at once, cut from no document."""
    return [
        Claim(
            id=f"id{number}",
            store="CLAUDE.md",
            document="CLAUDE.md",
            text=f"Number {number} is kept in `src/n{number}.py`.",
            kind=ClaimKind.FACT,
            block=Block.ITEM,
            span=Span(0, 1),
            item_span=Span(0, 1),
            line_start=number + 1,
            line_end=number + 1,
        )
        for number in range(count)
    ]


@dataclass
class Scene:
    """A folder with memory files, and what the audit process is to say of them."""

    folder: Path
    files: dict[str, str | bytes] = field(default_factory=lambda: {"CLAUDE.md": MEMORY, "AGENTS.md": AGENTS})
    judgements: dict[str, Judgement] | None = None
    contents: dict[str, str | None] = field(default_factory=lambda: dict(CONTENTS))
    history: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    rejudged: dict[str, Judgement] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)
    commits: dict[str, dict[str, Any]] = field(default_factory=dict)
    model: dict[str, dict[str, Any]] = field(default_factory=lambda: {"plan": PLAN})
    events: list[dict[str, Any]] | None = None
    finished: bool = True
    crash: str = ""
    silent: bool = False
    moved_to: str = ""
    read_only: str = ""
    origin: str = ""
    settings: Settings = field(default_factory=lambda: Settings(author="Tess"))

    def __post_init__(self) -> None:
        self.root.mkdir(parents=True, exist_ok=True)
        for path, text in self.files.items():
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.stores = [store(path, text) for path, text in self.files.items()]

    @property
    def root(self) -> Path:
        return self.folder / "orchard"

    @property
    def claims(self) -> list[Claim]:
        return [claim for one in self.stores for claim in one.claims]

    def claim(self, part: str) -> Claim:
        """The one claim whose text holds ``part``."""
        (found,) = [claim for claim in self.claims if part in claim.text]
        return found

    def text(self, path: str = "CLAUDE.md") -> str:
        """A memory file as it is on disk now."""
        return (self.root / path).read_text()

    def _events(self) -> list[dict[str, Any]]:
        given = self.judgements
        judged = (
            [given[claim.id] for claim in self.claims if claim.id in given]
            if given is not None
            else [verdict(claim) for claim in self.claims]
        )
        total = len(self.claims)
        events: list[dict[str, Any]] = [
            {
                "event": "opened",
                "repo": "orchard",
                "root": None if self.read_only else str(self.root),
                "common_dir": str(self.root / ".git"),
                "prefix": "",
                "range": wire.range_to_json(Range(BASE, HEAD, "last pull (reflog: HEAD@{0})")),
                "stores": [wire.store_to_wire(one) for one in self.stores],
                "read_only": self.read_only,
                "origin": self.origin,
            },
            {"event": "progress", "done": 0, "total": total, "phase": "reading the repository"},
            {
                "event": "judged",
                "items": [{"id": one.claim_id, **wire.judgement_to_json(one)} for one in judged],
            },
            {"event": "progress", "done": len(judged), "total": total, "phase": "judging claims"},
        ]
        if self.finished and not self.crash:
            cost = {"model_calls": 0, "usd": 0.0}
            events.append({"event": "done", "summary": {}, "cost": cost, "warning": ""})
        return events

    def command(self) -> tuple[str, ...]:
        """The command line of the scripted audit process."""
        script = {
            "events": self._events() if self.events is None else self.events,
            "contents": self.contents,
            "history": self.history,
            "rejudged": {text: wire.judgement_to_json(one) for text, one in self.rejudged.items()},
            "names": self.names,
            "commits": self.commits,
            "model": self.model,
            "crash": self.crash,
            "silent": self.silent,
            "moved_to": self.moved_to,
        }
        path = self.folder / "script.json"
        path.write_text(json.dumps(script), encoding="utf-8")
        return sys.executable, str(WORKER), str(path)

    def app(self, *, review_folder: str = "", **options: Any) -> MemauditApp:
        """The screen on this scene."""
        request = AuditRequest(path=self.root, review_folder=review_folder)
        app = MemauditApp(request, self.settings, command=self.command(), **options)
        app.animation_level = "none"
        return app

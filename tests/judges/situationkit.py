"""What the tables of situations share: one claim, a repository before and after, the right verdict.

A situation is named by what it is about; ``name/inverse`` is its counterpart with the opposite
verdict, so that "never flag this shape" fails as well as "always flag it".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from quickrepo import Files, Revision, build

from memaudit.audit import Audit
from memaudit.domain import AuditRequest, Claim, Judgement

HELD = ("held", "supported")
PREFERENCE = ("unknown", "no-reference")
OUTSIDE = ("unknown", "outside")
NEUTRAL: Files = {"notes/log.txt": "one more line\n"}
"""A change that has nothing to do with any claim."""


def stale(reason: str, origin: str = "range") -> tuple[str, str, str]:
    """The expectation of a contradiction: its reason, and whether the range brought it."""
    return ("stale", reason, origin)


@dataclass(frozen=True)
class Situation:
    """One row of a table.

    ``expect`` is verdict and reason, for stale also the origin. ``claim`` is the body of the memory
    file below its heading; where it splits into several claims, ``about`` is part of the text of the
    one that is meant, and no other may be stale. ``suggests`` is the wording that is proposed.
    ``elsewhere`` is what another branch adds to the repository before. ``fault`` says what memaudit is
    known to answer instead: such a row is expected to fail until that is mended.
    """

    name: str
    claim: str
    expect: Sequence[str]
    before: Files = field(default_factory=dict)
    after: Files = field(default_factory=lambda: NEUTRAL)
    about: str = ""
    memory: str = "CLAUDE.md"
    heading: str = "Notes"
    suggests: str | None = None
    message: str = "change"
    fault: str = ""
    tags: Sequence[str] = ()
    elsewhere: Mapping[str, Files] = field(default_factory=dict)


def rows(situations: Sequence[Situation]) -> pytest.MarkDecorator:
    """Run a test once for each situation, under its name."""
    return pytest.mark.parametrize(
        "situation",
        [
            pytest.param(
                item,
                id=item.name,
                marks=[pytest.mark.xfail(strict=True, reason=item.fault)] if item.fault else [],
            )
            for item in situations
        ],
    )


def judged(root: Path, situation: Situation) -> tuple[list[tuple[Claim, Judgement]], str]:
    """Build the situation's repository below ``root``, audit it, and name the commit of the change."""
    memory = f"# {situation.heading}\n\n{situation.claim}\n"
    start = Revision({"README.md": "A project.\n", situation.memory: memory, **situation.before}, "before")
    others = [Revision(files, "elsewhere", branch) for branch, files in situation.elsewhere.items()]
    change = Revision(situation.after, situation.message)
    commits = build(root, [start, *others, change], tags=dict.fromkeys(situation.tags, 0))
    audit = Audit(AuditRequest(root, range=f"{commits[0]}..{commits[-1]}"))
    return list(audit.run()), commits[-1]


def check(root: Path, situation: Situation) -> None:
    """The claim that is meant has the verdict, reason and origin expected, and no other one is stale."""
    found, commit = judged(root, situation)
    meant = [judgement for claim, judgement in found if situation.about in claim.text]
    assert len(meant) == 1, [claim.text for claim, _ in found]
    judgement = meant[0]
    said = (judgement.verdict.value, judgement.reason, judgement.origin.value if judgement.origin else "")
    assert said[: len(situation.expect)] == tuple(situation.expect), judgement.why
    assert [other for _, other in found if other.verdict.value == "stale" and other is not judgement] == []
    if said[0] == "stale":
        evidence = judgement.evidence[0]
        assert evidence.base or evidence.head or evidence.commit
        assert said[2] != "range" or (evidence.commit and evidence.commit.sha == commit)
    if situation.suggests is not None:
        assert judgement.suggestion is not None
        assert judgement.suggestion.text == situation.suggests, judgement.suggestion

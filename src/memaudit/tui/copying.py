"""What can be copied of a claim: its words, its evidence, a commit id, a place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memaudit.domain import Claim, Evidence, Judgement, Location
from memaudit.text import visible


@dataclass(frozen=True)
class Copyable:
    """One thing: its key in the menu, what it is called, and the text."""

    key: str
    what: str
    text: str


def claim_lines(claims: Iterable[Claim]) -> str:
    """Claims with their places, one a line."""
    return "\n".join(f"{_place(claim)}: {visible(' '.join(claim.text.split()))}" for claim in claims)


def copyables(claim: Claim, judgement: Judgement | None, evidence: Evidence | None) -> tuple[Copyable, ...]:
    """What there is to copy of a claim. All of it is safe to paste into a terminal: nothing in it acts."""
    found = [
        Copyable("y", "the claim with its place", claim_lines([claim])),
        Copyable("t", "the words of the claim", visible(claim.text, keep_lines=True)),
        Copyable("p", "the place of the claim", _place(claim)),
    ]
    suggestion = judgement.suggestion if judgement else None
    if suggestion is not None and suggestion.text:
        found.append(Copyable("s", "the suggested words", visible(suggestion.text, keep_lines=True)))
    if judgement is not None and judgement.why:
        found.append(Copyable("w", "the reason of the verdict", visible(judgement.why)))
    if evidence is not None:
        found.append(Copyable("e", "the evidence", evidence_text(evidence)))
        if at := evidence.head or evidence.base:
            found.append(Copyable("l", "the line of the evidence", f"{visible(at.path)}:{at.line}"))
        if evidence.commit is not None:
            found.append(Copyable("c", "the commit id", visible(evidence.commit.sha)))
    return tuple(found)


def evidence_text(evidence: Evidence) -> str:
    """Both places with their lines, and the commit between them."""
    lines = [f"- base {_line(evidence.base)}", f"+ head {_line(evidence.head)}"]
    commit = evidence.commit
    if commit is not None:
        lines.append(visible(f"{commit.sha} {commit.summary} ({commit.author}, {commit.date[:10]})"))
    return "\n".join(lines)


def _line(at: Location | None) -> str:
    return f"{visible(at.path)}:{at.line}: {visible(at.text)}" if at else "not there"


def _place(claim: Claim) -> str:
    return f"{visible(claim.document)}:{claim.line_start}"

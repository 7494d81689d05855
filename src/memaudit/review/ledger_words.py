"""The ledger in words, for the command line and the screen; making them safe to show is theirs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memaudit.domain import Location
from memaudit.review.ledger_entries import State
from memaudit.review.ledger_read import ClaimHistory, Decided, Given, LedgerReader
from memaudit.review.ledger_time import Point

SHORT = 10
"""Digits of a commit id that are shown."""

_WIDE = 100

Line = tuple[str, str]
"""What a line is about, empty where it goes on with the one before, and its words."""


def claim_lines(history: ClaimHistory, reader: LedgerReader) -> Iterator[Line]:
    """What happened to one claim: its verdict, since when it is false, its facts, verdicts and decisions."""
    latest = history.latest
    for one in reversed(history.earlier):
        yield "reworded", f"from: {cut(one.text)}  ({one.id})"
    if latest is None:
        yield "verdict", "none yet: no audit has judged it"
    else:
        place = f"at {latest.head[:SHORT]}" + (" with uncommitted changes" if latest.uncommitted else "")
        yield "verdict", f"{latest.verdict} [{latest.reason}] {place}"
        yield "because", history.claim.why
    if history.since:
        yield "false since", commit_words(history.since, reader)
    elif history.false_at:
        at = commit_words(history.false_at, reader)
        yield "false since", f"{at}, or before it: which commit is not known"
    yield from _facts(history, reader)
    yield from _verdicts(history.verdicts, reader)
    for number, decision in enumerate(history.decisions):
        text = f": {cut(decision.text)}" if decision.text is not None else ""
        yield "" if number else "decided", f"{decided(decision)}{text}"


def _facts(history: ClaimHistory, reader: LedgerReader) -> Iterator[Line]:
    for fact in history.facts:
        yield "contradicts" if fact.deciding else "rests on", f"{fact.key.subject}  {fact.key.relation}"
        if fact.before is not None:
            yield "  before", found(fact.before.state)
        elif fact.deciding:
            yield "  before", "not known: it was never seen otherwise"
        if fact.now is None:
            yield "  now", "not known: lines of history that differ meet here"
            continue
        current = fact.rows[-1] if fact.rows and fact.now.state.object is not None else None
        since = f"  since {point_words(current.since, reader)}" if current else ""
        yield "  now", f"{found(fact.now.state)}{since}"


def _verdicts(verdicts: Sequence[Given], reader: LedgerReader) -> Iterator[Line]:
    """Runs of the same verdict, oldest first."""
    runs: list[list[Given]] = []
    for one in verdicts:
        if runs and (runs[-1][0].verdict, runs[-1][0].reason) == (one.verdict, one.reason):
            runs[-1].append(one)
        else:
            runs.append([one])
    for number, run in enumerate(runs):
        first, last = run[0], run[-1]
        until = f" to {last.head[:SHORT]}" if last.head != first.head else ""
        at = f"{first.head[:SHORT]}{_date(first.head, reader)}{until}"
        yield "" if number else "seen", f"{first.verdict} [{first.reason}] at {at}"


def decided(decision: Decided) -> str:
    """Who decided what, when, at which commit."""
    at = f" at {decision.head[:SHORT]}" if decision.head else ""
    taken_back = f", taken back {decision.withdrawn[:10]}" if decision.withdrawn else ""
    words = {"accept": "accepted", "retire": "retired", "rewrite": "rewritten"}
    return f"{words.get(decision.kind, decision.kind)} by {decision.by} {decision.at[:10]}{at}{taken_back}"


def found(state: State) -> str:
    """The object of a fact with its place."""
    return f"{object_words(state)}{place_words(state)}"


def object_words(state: State) -> str:
    """The object of a fact, or that there is none and what came instead."""
    if state.object is not None:
        return cut(state.object)
    return f"not there, instead {cut(state.instead)}" if state.instead else "not there"


def place_words(state: State) -> str:
    """Path and line in parentheses, after two spaces; empty where there is no place."""
    return f"  ({Location(state.path, state.line, state.text).place})" if state.path else ""


def point_words(point: Point, reader: LedgerReader) -> str:
    """One end of an interval."""
    at = f"{point.commit[:SHORT]}{_date(point.commit, reader)}"
    return at if point.exact else f"{at} or before"


def _date(sha: str, reader: LedgerReader) -> str:
    commit = reader.commits.get(sha)
    return f" {commit.date[:10]}" if commit and commit.date else ""


def commit_words(sha: str, reader: LedgerReader) -> str:
    """A commit with date, author and summary, as far as they are known."""
    commit = reader.commits.get(sha)
    if commit is None or not commit.date:
        return sha[:SHORT]
    return f"{sha[:SHORT]} {commit.date[:10]} {commit.author}: {cut(commit.summary, 80)}"


def cut(text: str, width: int = _WIDE) -> str:
    """The text, or as much of it as fits, with an ellipsis."""
    return text if len(text) <= width else text[: width - 1] + "…"

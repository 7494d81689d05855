"""``memaudit log``: the ledger in words and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memaudit.errors import LedgerError
from memaudit.text import visible

if TYPE_CHECKING:
    from memaudit.review.ledger_entries import Sighting, State
    from memaudit.review.ledger_read import ClaimHistory, Decided, Given, LedgerReader
    from memaudit.review.ledger_time import Point, Row

SCHEMA = 1
"""The version of the JSON shape; raised when a field changes its meaning or goes."""

_MOST_LISTED = 50
_SHORT = 10
_WIDE = 100


def report(path: Path, stores: Sequence[str], at: str | None, claim: str | None, form: str) -> str:
    """What the ledger of the repository at ``path`` says, as ``text``, ``json`` or ``jsonl``.

    Raises LedgerError when there is none yet or it cannot be used, RepositoryError, RangeError for
    ``at`` and UsageError for a claim or store that the ledger does not have.
    """
    from memaudit.paths import repository_state
    from memaudit.repo.repository import open_repository
    from memaudit.review.ledger import Ledger
    from memaudit.review.ledger_read import LedgerReader
    from memaudit.review.ledger_schema import FILE

    repository = open_repository(path)
    folder = repository_state(repository.common_dir)
    if not (folder / FILE).exists():
        raise LedgerError("no audit was recorded yet", repository.name, "run memaudit check first")
    names = [_relative(store, repository.root) for store in stores]
    with Ledger(folder) as ledger:
        reader = LedgerReader(ledger, repository, at or "HEAD", names)
        if claim is not None:
            history = reader.claim(claim)
            if form == "text":
                return _lines([*_claim(history, reader), "", _coverage(reader)])
            values = [_claim_to_json(history)]
        elif form == "text":
            shown = _valid(reader, at) if at is not None else _changes(reader)
            head = f"{repository.name}  at {at or 'HEAD'} ({reader.tip[:_SHORT]})  {_audits(reader)}"
            return _lines([head, "", *shown, *_decisions(reader), "", _coverage(reader)])
        else:
            values = list(_export(reader, at))
        values.append({"type": "coverage", **asdict(reader.coverage())})
    return _as_json(values, form, repository.name, reader.tip)


def _relative(store: str, root: Path | None) -> str:
    """A store as the ledger names its documents: relative to the repository, absolute outside it."""
    given = Path(store).expanduser()
    if root is None or not (given.is_absolute() or given.exists()):
        return store.removeprefix("./")
    real = given.resolve()
    return real.relative_to(root).as_posix() if real.is_relative_to(root) else real.as_posix()


def _lines(lines: Sequence[str]) -> str:
    return "".join(f"{visible(line)}\n" for line in lines)


def _as_json(values: list[dict[str, Any]], form: str, repo: str, tip: str) -> str:
    from memaudit.wire import printable

    if form == "jsonl":
        return "".join(printable(json.dumps(value, ensure_ascii=False)) + "\n" for value in values)
    groups: dict[str, list[dict[str, Any]]] = {}
    for value in values:
        groups.setdefault(value.pop("type"), []).append(value)
    whole = {
        "schema": SCHEMA,
        "repo": repo,
        "at": tip,
        "claims": groups.get("claim", []),
        "facts": groups.get("fact", []),
        "verdicts": groups.get("verdict", []),
        "decisions": groups.get("decision", []),
        "coverage": groups["coverage"][0],
    }
    return printable(json.dumps(whole, ensure_ascii=False, indent=1)) + "\n"


# The list


def _audits(reader: LedgerReader) -> str:
    audits = reader.audits()
    noun = "audit" if len(audits) == 1 else "audits"
    return f"{len(audits)} {noun}" + (f", the last on {audits[-1][0][:10]}" if audits else "")


def _coverage(reader: LedgerReader) -> str:
    coverage = reader.coverage()
    share = coverage.reduced / coverage.claims if coverage.claims else 0.0
    return (
        f"coverage: {coverage.reduced} of {coverage.claims} claims of the last audit reduce to facts"
        f" ({share:.0%})"
    )


def _valid(reader: LedgerReader, at: str) -> Iterator[str]:
    rows = reader.valid()
    yield f"{len(rows)} facts are valid at {at}"
    for row in rows:
        yield f"  {row.key.subject}  {row.key.relation}  {row.state.object}{_place(row.state)}"
        yield f"      since {_point(row.since, reader)}, last seen at {row.seen[:_SHORT]}"


def _changes(reader: LedgerReader) -> Iterator[str]:
    """What changed, newest first, by the commit that changed it."""
    by_commit: dict[str, list[str]] = {}
    for timeline in reader.timelines.values():
        for was, now in timeline.changes():
            by_commit.setdefault(now.commit, []).append(_change(was, now))
    order = [commit for commit in reversed(reader.order.commits) if commit in by_commit]
    total = sum(map(len, by_commit.values()))
    yield f"{len(reader.valid())} facts are valid; {total} changes, newest first"
    left = _MOST_LISTED
    for commit in order:
        if left <= 0:
            break
        yield f"  {_commit(commit, reader)}"
        yield from by_commit[commit][:left]
        left -= len(by_commit[commit])
    if total > _MOST_LISTED:
        yield f"  and {total - _MOST_LISTED} more: --format jsonl has all"


def _change(was: Sighting, now: Sighting) -> str:
    sign = "" if now.turned else "  (at that commit or before it)"
    what = f"{was.key.subject}  {was.key.relation}  {_object(was.state)} → {_object(now.state)}"
    return f"    {what}{_place(now.state if now.state.path else was.state)}{sign}"


def _decisions(reader: LedgerReader) -> Iterator[str]:
    decisions = reader.decisions()
    texts = {claim.id: claim for claim in reader.claims}
    yield ""
    yield f"{len(decisions)} decisions saved, newest first" if decisions else "no decision was saved yet"
    for decision in reversed(decisions[-_MOST_LISTED:]):
        claim = texts[decision.claim]
        yield f"  {_decided(decision)}  {claim.document}:{claim.line}  {claim.id}"
        yield f"      {_cut(claim.text)}"
        if decision.text is not None:
            yield f"      → {_cut(decision.text)}"


# One claim


def _claim(history: ClaimHistory, reader: LedgerReader) -> Iterator[str]:
    claim, latest = history.claim, history.latest
    yield f"{claim.id}  {claim.document}:{claim.line}  {' › '.join(claim.heading)}".rstrip()
    yield f"    {claim.text}"
    for one in reversed(history.earlier):
        yield f"    before: {one.text}  ({one.id})"
    yield ""
    if latest is None:
        yield "verdict      none yet: no audit has judged it"
    else:
        place = f"at {latest.head[:_SHORT]}" + (" with uncommitted changes" if latest.uncommitted else "")
        yield f"verdict      {latest.verdict} [{latest.reason}] {place}"
        yield f"because      {claim.why}"
        yield from _false_since(history, reader)
    yield from _facts(history, reader)
    yield from _verdicts(history.verdicts, reader)
    for number, decision in enumerate(history.decisions):
        label = "decided" if not number else ""
        text = f": {_cut(decision.text)}" if decision.text is not None else ""
        yield f"{label:<12} {_decided(decision)}{text}"
    if not history.decisions:
        yield "decided      nothing yet"


def _false_since(history: ClaimHistory, reader: LedgerReader) -> Iterator[str]:
    if history.since:
        yield f"false since  {_commit(history.since, reader)}"
    elif history.false_at:
        yield f"false since  {_commit(history.false_at, reader)}, or before it: which commit is not known"


def _facts(history: ClaimHistory, reader: LedgerReader) -> Iterator[str]:
    for fact in history.facts:
        yield f"{'contradicts' if fact.deciding else 'rests on':<12} {fact.key.subject}  {fact.key.relation}"
        if fact.before is not None:
            yield f"  before     {_object(fact.before.state)}{_place(fact.before.state)}"
        elif fact.deciding:
            yield "  before     not known: it was never seen otherwise"
        if fact.now is None:
            yield "  now        not known: lines of history that say different things meet here"
            continue
        current = fact.rows[-1] if fact.rows and fact.now.state.object is not None else None
        since = f"  since {_point(current.since, reader)}" if current else ""
        yield f"  now        {_object(fact.now.state)}{_place(fact.now.state)}{since}"


def _verdicts(verdicts: Sequence[Given], reader: LedgerReader) -> Iterator[str]:
    """Runs of the same verdict, oldest first."""
    runs: list[list[Given]] = []
    for one in verdicts:
        same = runs and (runs[-1][0].verdict, runs[-1][0].reason) == (one.verdict, one.reason)
        if same:
            runs[-1].append(one)
        else:
            runs.append([one])
    for number, run in enumerate(runs):
        first, last = run[0], run[-1]
        until = f" to {last.head[:_SHORT]}" if last.head != first.head else ""
        date = _date(first.head, reader)
        seen = f"{first.verdict} [{first.reason}] at {first.head[:_SHORT]}{date}{until}"
        yield f"{'seen' if not number else '':<12} {seen}"


def _decided(decision: Decided) -> str:
    at = f" at {decision.head[:_SHORT]}" if decision.head else ""
    taken_back = f", taken back {decision.withdrawn[:10]}" if decision.withdrawn else ""
    words = {"accept": "accepted", "retire": "retired", "rewrite": "rewritten"}
    return f"{words.get(decision.kind, decision.kind)} by {decision.by} {decision.at[:10]}{at}{taken_back}"


def _object(state: State) -> str:
    if state.object is not None:
        return _cut(state.object)
    return f"not there, instead {_cut(state.instead)}" if state.instead else "not there"


def _place(state: State) -> str:
    return f"  ({state.path}:{state.line})" if state.path else ""


def _point(point: Point, reader: LedgerReader) -> str:
    at = f"{point.commit[:_SHORT]}{_date(point.commit, reader)}"
    return at if point.exact else f"{at} or before"


def _date(sha: str, reader: LedgerReader) -> str:
    commit = reader.commits.get(sha)
    return f" {commit.date[:10]}" if commit and commit.date else ""


def _commit(sha: str, reader: LedgerReader) -> str:
    commit = reader.commits.get(sha)
    if commit is None or not commit.date:
        return sha[:_SHORT]
    return f"{sha[:_SHORT]} {commit.date[:10]} {commit.author}: {_cut(commit.summary, 80)}"


def _cut(text: str, width: int = _WIDE) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


# JSON


def _export(reader: LedgerReader, at: str | None) -> Iterator[dict[str, Any]]:
    from memaudit.review.ledger_read import rows_to_json

    for claim in reader.claims:
        yield {
            "type": "claim",
            "id": claim.id,
            "store": claim.store,
            "file": claim.document,
            "line": claim.line,
            "heading": list(claim.heading),
            "text": claim.text,
        }
    rows: list[Row] = reader.valid() if at is not None else reader.all_rows()
    for value in rows_to_json(rows):
        yield {"type": "fact", **value}
    for verdict in reader.verdicts():
        yield {"type": "verdict", **_verdict_to_json(verdict)}
    for decision in reader.decisions():
        yield {"type": "decision", **asdict(decision)}


def _verdict_to_json(verdict: Given) -> dict[str, Any]:
    value = asdict(verdict)
    del value["audit"]
    return value | {"origin": verdict.origin or None, "since": verdict.since or None}


def _claim_to_json(history: ClaimHistory) -> dict[str, Any]:
    from memaudit.review.ledger_read import rows_to_json

    claim = history.claim
    return {
        "type": "claim",
        "id": claim.id,
        "store": claim.store,
        "file": claim.document,
        "line": claim.line,
        "heading": list(claim.heading),
        "text": claim.text,
        "why": claim.why,
        "earlier": [{"id": one.id, "text": one.text} for one in history.earlier],
        "verdict": history.latest.verdict if history.latest else None,
        "false_since": history.since or None,
        "false_at": history.false_at or None,
        "facts": [
            {
                "subject": fact.key.subject,
                "relation": fact.key.relation,
                "contradicts": fact.deciding,
                "before": asdict(fact.before.state) if fact.before else None,
                "now": asdict(fact.now.state) if fact.now else None,
                "rows": rows_to_json(fact.rows),
            }
            for fact in history.facts
        ],
        "verdicts": [_verdict_to_json(verdict) for verdict in history.verdicts],
        "decisions": [asdict(decision) for decision in history.decisions],
    }

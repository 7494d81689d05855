"""``memaudit log``: the ledger in words and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memaudit.errors import LedgerError
from memaudit.review import ledger_words as words
from memaudit.text import visible

if TYPE_CHECKING:
    from memaudit.review.ledger_entries import Sighting
    from memaudit.review.ledger_read import ClaimHistory, Given, LedgerReader
    from memaudit.review.ledger_time import Row

SCHEMA = 1
"""The version of the JSON shape; raised when a field changes its meaning or goes."""

_MOST_LISTED = 50


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
        reader = LedgerReader(ledger, repository, "HEAD" if at is None else at, names)
        if claim is not None:
            history = reader.claim(claim)
            if form == "text":
                return _lines([*_claim(history, reader), "", _coverage(reader)])
            values = [_claim_to_json(history)]
        elif form == "text":
            shown = _valid(reader, at) if at is not None else _changes(reader)
            head = f"{repository.name}  at {at or 'HEAD'} ({reader.tip[: words.SHORT]})  {_audits(reader)}"
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
        yield f"  {row.key.subject}  {row.key.relation}  {row.state.object}{words.place_words(row.state)}"
        yield f"      since {words.point_words(row.since, reader)}, last seen at {row.seen[: words.SHORT]}"


def _changes(reader: LedgerReader) -> Iterator[str]:
    """What changed, newest first, by the commit that changed it or, unknown, by that which showed it."""
    groups: dict[tuple[str, bool], list[str]] = {}
    for timeline in reader.timelines.values():
        for was, now in timeline.changes():
            groups.setdefault((now.commit, now.turned), []).append(_change(was, now))
    order = [
        (commit, turned)
        for commit in reversed(reader.order.commits)
        for turned in (True, False)
        if (commit, turned) in groups
    ]
    total = sum(map(len, groups.values()))
    yield f"{len(reader.valid())} facts are valid; {total} changes, newest first"
    left = _MOST_LISTED
    for commit, turned in order:
        if left <= 0:
            break
        heading = words.commit_words(commit, reader)
        yield f"  {heading}" if turned else f"  seen at {heading}; the commit that did it was not found"
        yield from groups[commit, turned][:left]
        left -= len(groups[commit, turned])
    if total > _MOST_LISTED:
        yield f"  and {total - _MOST_LISTED} more: --format jsonl has all"


def _change(was: Sighting, now: Sighting) -> str:
    objects = f"{words.object_words(was.state)} → {words.object_words(now.state)}"
    what = f"{was.key.subject}  {was.key.relation}  {objects}"
    return f"    {what}{words.place_words(now.state if now.state.path else was.state)}"


def _decisions(reader: LedgerReader) -> Iterator[str]:
    decisions = reader.decisions()
    texts = {claim.id: claim for claim in reader.claims}
    yield ""
    yield f"{len(decisions)} decisions saved, newest first" if decisions else "no decision was saved yet"
    for decision in reversed(decisions[-_MOST_LISTED:]):
        claim = texts[decision.claim]
        yield f"  {words.decided(decision)}  {claim.document}:{claim.line}  {claim.id}"
        yield f"      {words.cut(claim.text)}"
        if decision.text is not None:
            yield f"      → {words.cut(decision.text)}"


def _claim(history: ClaimHistory, reader: LedgerReader) -> Iterator[str]:
    claim = history.claim
    yield f"{claim.id}  {claim.document}:{claim.line}  {' › '.join(claim.heading)}".rstrip()
    yield f"    {claim.text}"
    yield ""
    for label, text in words.claim_lines(history, reader):
        yield f"{label:<12} {text}"
    if not history.decisions:
        yield f"{'decided':<12} nothing yet"


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

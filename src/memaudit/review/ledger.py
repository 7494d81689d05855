"""The ledger: what audits found and people decided, in one SQLite file per repository.

What is kept are sightings: a fact as it was seen at one commit. Validity intervals are worked out
from them and from git's history when somebody asks (:mod:`memaudit.review.ledger_time`), so audits of
older ranges, of reverted changes and of branches that parted can be recorded in any order. Losing the
file loses history, never a verdict.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from memaudit.domain import Block, Claim, ClaimKind, Decision, Document, Span
from memaudit.errors import LedgerError
from memaudit.review.database import inserted, transaction
from memaudit.review.ledger_entries import Finding, Key, Record, Sighting, State
from memaudit.review.ledger_schema import FILE, open_file, set_aside
from memaudit.stores.identity import normalise, rematch

_CORRUPT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Ledger:
    """The ledger in a repository's state ``folder``, opened for reading and writing.

    Raises LedgerError, here and in every method, when the file cannot be used. ``warning`` says that a
    damaged file was set aside, or is empty.
    """

    def __init__(self, folder: Path) -> None:
        self.file = folder / FILE
        self.database, self.warning = open_file(self.file)

    def close(self) -> None:
        """Let go of the file."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def record(self, record: Record) -> None:
        """Add one audit, in one transaction. Recording the same again changes nothing but ``audits``."""
        with self._transaction() as database:
            for commit in record.commits:
                database.execute(
                    "INSERT INTO commits (sha, date, author, summary) VALUES (?, ?, ?, ?) ON CONFLICT (sha)"
                    " DO UPDATE SET date = excluded.date, author = excluded.author,"
                    " summary = excluded.summary",
                    _clean(commit.sha, commit.date, commit.author, commit.summary),
                )
            audit = inserted(
                database.execute(
                    "INSERT INTO audits (at, place, head, uncommitted, base, chosen_by)"
                    " VALUES (?, ?, ?, ?, ?, ?)",
                    (
                        *_clean(record.at, record.place),
                        self._commit(record.head),
                        record.uncommitted,
                        self._commit(record.base),
                        *_clean(record.chosen_by),
                    ),
                )
            )
            facts = self._add_sightings(record.sightings)
            before = self.predecessors([finding.claim for finding in record.findings])
            for finding in record.findings:
                self._add_finding(finding, record.head, audit, facts, before.get(finding.claim.id))

    def _add_sightings(self, sightings: Iterable[Sighting]) -> dict[Key, int]:
        merged: dict[tuple[Key, str], Sighting] = {}
        for sighting in sightings:
            at = (sighting.key, sighting.commit)
            merged[at] = sighting.merged(merged[at]) if at in merged else sighting
        facts: dict[Key, int] = {}
        for sighting in merged.values():
            key = sighting.key
            if key not in facts:
                facts[key] = self._fact(key, sighting.kind)
            place = (facts[key], self._commit(sighting.commit))
            known = self.database.execute(
                "SELECT s.present, s.object, s.path, s.line, s.text, s.instead, g.turned FROM sightings g"
                " JOIN states s ON s.id = g.state WHERE g.fact = ? AND g.at = ?",
                place,
            ).fetchone()
            if known is not None:
                older = Sighting(key, sighting.kind, sighting.commit, state_of(known[:6]), bool(known[6]))
                sighting = sighting.merged(older)
            self.database.execute(
                "INSERT OR REPLACE INTO sightings VALUES (?, ?, ?, ?)",
                (*place, self._state(sighting.state), sighting.turned),
            )
        return facts

    def _add_finding(
        self, finding: Finding, head: str, audit: int, facts: Mapping[Key, int], before: int | None
    ) -> None:
        judgement = finding.judgement
        claim = self._claim(finding.claim, before)
        self.database.execute(
            "UPDATE claims SET audit = ?, line = ?, why = ? WHERE id = ?",
            (audit, finding.claim.line_start, *_clean(judgement.why[:_LONGEST_WHY]), claim),
        )
        self.database.execute("DELETE FROM links WHERE claim = ?", (claim,))
        self.database.executemany(
            "INSERT INTO links VALUES (?, ?, ?)",
            [(claim, facts[key], deciding) for key, deciding in finding.keys.items() if key in facts],
        )
        since = self._commit(finding.since) if finding.since else None
        self.database.execute(
            "INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                claim,
                self._commit(head),
                finding.uncommitted,
                self._commit(finding.base),
                judgement.verdict.value,
                judgement.reason,
                judgement.origin.value if judgement.origin else "",
                since,
                finding.known,
                audit,
            ),
        )

    def decide(
        self,
        claims: Mapping[str, Claim],
        before: Mapping[str, Decision],
        after: Mapping[str, Decision],
        head: str,
        now: str,
    ) -> None:
        """Record what a save made true: the decisions ``after`` it, in place of those ``before`` it.

        ``head`` is the commit that the claims were judged at, ``""`` where that is not known.
        """
        with self._transaction() as database:
            commit = self._commit(head) if head else None
            for claim_id, decision in before.items():
                if after.get(claim_id) != decision:
                    database.execute(
                        "UPDATE decisions SET withdrawn = ? WHERE claim = (SELECT id FROM claims"
                        " WHERE claim = ?) AND kind = ? AND author = ? AND at = ?",
                        (now, *_clean(claim_id, decision.kind.value, decision.by, decision.at)),
                    )
            for claim_id, decision in after.items():
                if before.get(claim_id) == decision or claim_id not in claims:
                    continue
                text = None if decision.text is None else _clean(decision.text)[0]
                database.execute(
                    "INSERT INTO decisions (claim, kind, text, author, at, head) VALUES (?, ?, ?, ?, ?, ?)"
                    " ON CONFLICT (claim, kind, author, at) DO UPDATE SET withdrawn = NULL",
                    (
                        self._claim(claims[claim_id], None),
                        decision.kind.value,
                        text,
                        *_clean(decision.by, decision.at),
                        commit,
                    ),
                )

    def predecessors(self, claims: Sequence[Claim]) -> dict[str, int]:
        """For claims that the ledger has not met, the claim that each was before, by its row.

        That is one a review rewrote to these words, else one that the latest audit of the document saw
        and that is found again by :func:`memaudit.stores.identity.rematch`.
        """
        with self._usable():
            found: dict[str, int] = {}
            documents: dict[str, list[Claim]] = {}
            for claim in claims:
                documents.setdefault(claim.document, []).append(claim)
            for document, present in documents.items():
                rows = self.database.execute(
                    "SELECT id, claim, heading, text, audit FROM claims WHERE document = ?", (document,)
                ).fetchall()
                met = {row[1] for row in rows}
                new = [claim for claim in present if claim.id not in met]
                if not new or not rows:
                    continue
                latest = max(row[4] or 0 for row in rows)
                here = {claim.id for claim in present}
                gone = {row[1]: row for row in rows if row[4] == latest and row[1] not in here}
                old = [_remembered(document, row[1], row[2], row[3]) for row in gone.values()]
                for claim_id, again in rematch(old, new).items():
                    if again is not None:
                        found[again.id] = gone[claim_id][0]
                rewritten = {
                    normalise(text): row
                    for row, text in self.database.execute(
                        "SELECT d.claim, d.text FROM decisions d JOIN claims c ON c.id = d.claim WHERE"
                        " c.document = ? AND d.kind = 'rewrite' AND d.withdrawn IS NULL ORDER BY d.id",
                        (document,),
                    )
                }
                for claim in new:
                    row = rewritten.get(normalise(claim.text))
                    if row is not None:
                        found[claim.id] = row
            return found

    def _claim(self, claim: Claim, before: int | None) -> int:
        row = self.database.execute("SELECT id FROM claims WHERE claim = ?", (claim.id,)).fetchone()
        if row is not None:
            return int(row[0])
        return inserted(
            self.database.execute(
                "INSERT INTO claims (claim, store, document, heading, text, line, before)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    claim.id,
                    *_clean(claim.store, claim.document, json.dumps(claim.heading), claim.text),
                    claim.line_start,
                    before,
                ),
            )
        )

    def _commit(self, sha: str) -> int:
        row = self.database.execute("SELECT id FROM commits WHERE sha = ?", (sha,)).fetchone()
        return (
            int(row[0])
            if row
            else inserted(self.database.execute("INSERT INTO commits (sha) VALUES (?)", (sha,)))
        )

    def _fact(self, key: Key, kind: str) -> int:
        values = _clean(key.subject, key.relation)
        row = self.database.execute(
            "SELECT id FROM facts WHERE subject = ? AND relation = ?", values
        ).fetchone()
        if row is not None:
            return int(row[0])
        return inserted(
            self.database.execute(
                "INSERT INTO facts (subject, relation, kind) VALUES (?, ?, ?)", (*values, kind)
            )
        )

    def _state(self, state: State) -> int:
        values = (
            *_clean(state.object or "", state.path),
            state.line,
            *_clean(state.text, state.instead),
            state.object is not None,
        )
        where = "object = ? AND path = ? AND line = ? AND text = ? AND instead = ? AND present = ?"
        row = self.database.execute(f"SELECT id FROM states WHERE {where}", values).fetchone()  # noqa: S608
        if row is not None:
            return int(row[0])
        return inserted(
            self.database.execute(
                "INSERT INTO states (object, path, line, text, instead, present) VALUES (?, ?, ?, ?, ?, ?)",
                values,
            )
        )

    def query(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        """The rows that a reading statement gives."""
        with self._usable():
            return self.database.execute(statement, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._usable(), transaction(self.database) as database:
            yield database

    @contextmanager
    def _usable(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:
            what, fix = str(error), "check the folder's permissions and space"
            damaged = isinstance(error, UnicodeDecodeError)
            if damaged or getattr(error, "sqlite_errorcode", 0) & 0xFF in _CORRUPT:
                self.close()
                what, fix = (
                    f"it was damaged ({error})",
                    f"the next audit begins a new one; it is kept as {set_aside(self.file)}",
                )
            raise LedgerError(what, str(self.file), fix) from error
        except OSError as error:
            raise LedgerError(error.strerror or str(error), str(self.file)) from error


_LONGEST_WHY = 500


def keep_decisions(
    folder: Path,
    document: Document,
    before: Mapping[str, Decision],
    after: Mapping[str, Decision],
    head: str,
) -> None:
    """Write down what a save made true of one document, if the ledger in ``folder`` can be used."""
    if before == after:
        return
    claims = {claim.id: claim for claim in document.claims}
    now = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        with Ledger(folder) as ledger:
            ledger.decide(claims, before, after, head, now)
    except LedgerError:
        # The journal has the decisions, and the file is saved: only the history lacks them.
        return


def state_of(columns: Sequence[object]) -> State:
    """The state that the columns ``present, object, path, line, text, instead`` hold."""
    present, found, path, line, text, instead = columns
    return State(str(found) if present else None, str(path), int(str(line)), str(text), str(instead))


def heading_of(kept: str) -> tuple[str, ...]:
    """The headings that a claim was kept with; none where they cannot be read any more."""
    try:
        found = json.loads(kept)
    except (ValueError, TypeError, RecursionError):
        return ()
    return tuple(map(str, found)) if isinstance(found, list) else ()


def _remembered(document: str, claim_id: str, heading: str, text: str) -> Claim:
    """A claim as far as finding it again needs it."""
    return Claim(
        id=claim_id,
        store="",
        document=document,
        text=text,
        kind=ClaimKind.OTHER,
        block=Block.SENTENCE,
        span=Span(0, 0),
        item_span=Span(0, 0),
        line_start=1,
        line_end=1,
        heading=heading_of(heading),
    )


def _clean(*texts: str) -> tuple[str, ...]:
    """Texts that the database can hold: half characters of broken file names are replaced."""
    return tuple(text.encode("utf-8", "replace").decode() for text in texts)

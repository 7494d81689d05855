"""From what an audit saw to what the ledger keeps.

An audit whose head is the working tree is kept as seen at HEAD, as far as the working tree shows what
HEAD has: a place counts when its file, or all of its folder, is as it was committed; that something is
not there counts when a commit of the range took it away, or when nothing at all is uncommitted but the
memory files. The rest of such an audit is not recorded as facts; its verdicts are, marked uncommitted,
and are never taken for a time at which a claim was true.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from memaudit.domain import WORKTREE, Claim, CommitInfo, Judgement, Range, Verdict
from memaudit.errors import MemauditError
from memaudit.grounding.reference import Outcome
from memaudit.repo.history import History
from memaudit.repo.repository import Repository
from memaudit.repo.snapshot import LONGEST_TEXT, Snapshot
from memaudit.review.ledger_entries import Finding, Key, Record, Sighting, State
from memaudit.review.ledger_facts import Fact, facts_of, is_pinned


class Seen(NamedTuple):
    """One claim as it was judged from ``base``, with the outcomes the judgement rests on."""

    claim: Claim
    judgement: Judgement
    outcomes: tuple[Outcome, ...]
    base: str


class Recorder:
    """Makes a :class:`Record` of one audit.

    ``at_revision`` gives the snapshot of a commit or of the working tree, ``known_true`` whether a claim
    that holds, judged from this base, is thereby known to be true at head.
    """

    def __init__(
        self,
        repository: Repository,
        range_: Range,
        memory_paths: Collection[str],
        at_revision: Callable[[str], Snapshot],
        known_true: Callable[[Claim, str], bool],
    ) -> None:
        self._repository = repository
        self._range = range_
        self._at_revision = at_revision
        self._known_true = known_true
        self._history = History(repository, range_)
        self._head = range_.head_commit
        self._uncommitted: frozenset[str] = frozenset()
        if range_.head == WORKTREE:
            changed = at_revision(WORKTREE).differing(at_revision(self._head))
            self._uncommitted = changed - frozenset(memory_paths)

    def record(self, seen: Sequence[Seen], at: datetime | None = None) -> Record:
        """All of one audit; ``at`` is the time it is recorded under, now if it is not given."""
        commits: dict[str, CommitInfo] = {}
        sightings: list[Sighting] = []
        findings = [self._finding(one, sightings, commits) for one in seen]
        for sha in {self._head, *(one.base for one in seen), *(one.commit for one in sightings)}:
            if sha not in commits and self._repository.find(sha) is not None:
                commits[sha] = self._history.commit_info(sha)
        root = self._repository.root
        return Record(
            at=(at or datetime.now(UTC)).isoformat(timespec="seconds"),
            place=str(root) if root else self._repository.name,
            head=self._head,
            uncommitted=bool(self._uncommitted),
            base=self._range.base,
            chosen_by=self._range.chosen_by,
            commits=list(commits.values()),
            sightings=sightings,
            findings=findings,
        )

    def _finding(self, seen: Seen, sightings: list[Sighting], commits: dict[str, CommitInfo]) -> Finding:
        judgement = seen.judgement
        keys: dict[Key, bool] = {}
        committed = True
        for outcome in seen.outcomes:
            for fact in facts_of(outcome):
                key = Key(fact.subject, fact.relation)
                keys[key] = keys.get(key, False) or fact.deciding
                if fact.commit is not None:
                    commits[fact.commit.sha] = fact.commit
                committed = committed and (fact.head is None or self._is_committed(fact.head, fact.commit))
                sightings += self._sightings(key, fact, seen.base)
        known = (
            judgement.verdict is Verdict.HELD
            and judgement.reason != "accepted"
            and committed
            and not any(is_pinned(outcome) for outcome in seen.outcomes)
            and self._known_true(seen.claim, seen.base)
        )
        named = [evidence.commit for evidence in judgement.evidence if evidence.commit is not None]
        commits.update((commit.sha, commit) for commit in named)
        broke = min(named, key=lambda commit: moment(commit.date), default=None)
        since = broke.sha if broke and judgement.verdict is Verdict.STALE else None
        return Finding(seen.claim, judgement, seen.base, keys, since, known, not committed)

    def _sightings(self, key: Key, fact: Fact, base: str) -> Iterator[Sighting]:
        def at(commit: str, state: State, *, turned: bool = False) -> Sighting:
            return Sighting(key, fact.kind, commit, state, turned)

        if fact.base is not None:
            yield at(base, fact.base)
        if fact.head is not None and self._is_committed(fact.head, fact.commit):
            yield at(self._head, fact.head)
        if fact.commit is None or not fact.deciding or fact.head is None:
            return
        commit, now, was = fact.commit.sha, fact.head.object, fact.base.object if fact.base else None
        if now is None and was is None:
            yield at(commit, State(None), turned=True)
            parent = self._repository.find(f"{commit}^") if fact.kind == "path" else None
            if parent is not None and self._entry(parent, key.subject):
                # A file that was gone before the range began was there until then.
                yield at(parent, State(key.subject, key.subject, 1))
            return
        # The commit ended what was; what is there now began with it only if it stands there already.
        begun = now is None or self._stands(fact.head, commit)
        if begun or now != was:
            ended = State(None, instead=now or "")
            yield at(commit, fact.head if begun else ended, turned=True)

    def _is_committed(self, state: State, commit: CommitInfo | None) -> bool:
        if not self._uncommitted:
            return True
        if state.object is None or not state.path:
            return commit is not None
        folder = state.path.rstrip("/") + "/"
        return not any(path == state.path or path.startswith(folder) for path in self._uncommitted)

    def _stands(self, state: State, commit: str) -> bool:
        """Whether the commit has the state's file with its line, wherever in it."""
        entry = self._entry(commit, state.path)
        path = state.path.rstrip("/")
        if entry is None or state.object == path or state.text == path.rpartition("/")[2]:
            return entry is not None
        data = self._repository.objects.blob(entry, LONGEST_TEXT) or b""
        lines = data.decode("utf-8-sig", "replace").split("\n")
        return bool(state.text) and any(line.strip()[:300] == state.text for line in lines)

    def _entry(self, commit: str, path: str) -> str | None:
        """The object id of what a commit has at a path."""
        try:
            tree = self._repository.tree_id(commit)
        except MemauditError:
            return None
        entry = self._repository.objects.entry(tree, path.rstrip("/")) if path.rstrip("/") else None
        return entry.id if entry else None


def moment(date: str) -> float:
    """An ISO 8601 date as seconds since the epoch; dates that cannot be read come first."""
    try:
        return datetime.fromisoformat(date).timestamp()
    except (ValueError, OverflowError, OSError):
        return float("-inf")

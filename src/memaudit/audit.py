"""One audit: a store and a range in, a stream of judgements out. Both front doors call this."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from memaudit.domain import (
    WORKTREE,
    AuditRequest,
    Claim,
    Judgement,
    Origin,
    Range,
    Store,
    Suggestion,
    Verdict,
)
from memaudit.errors import UsageError
from memaudit.judges import memory
from memaudit.judges.result import Grounded
from memaudit.paths import repository_state
from memaudit.repo.history import History
from memaudit.repo.origin import origin
from memaudit.repo.range import RangeRequest, resolve_range
from memaudit.repo.repository import Repository, open_repository
from memaudit.repo.snapshot import Snapshot, snapshot
from memaudit.review.ledger_keeper import Keeper
from memaudit.review.ledger_starts import how_chosen
from memaudit.selection import select_stores
from memaudit.stores.discover import require_readable
from memaudit.text import visible

if TYPE_CHECKING:
    from memaudit.grounding.ground import Ground
    from memaudit.grounding.vocabulary import Vocabulary
    from memaudit.judges.grounds import Grounds

_MOST_LOOKED_BACK = 6
"""From how many commits before the range claims are judged that the range leaves open."""

JUDGES = ("local",)
"""The judges that can be asked for by name."""


class Audit:
    """An opened audit: stores are loaded and the range is known; judging starts with :meth:`run`.

    Raises RepositoryError, RangeError, StoreError or UsageError when it cannot be opened.
    """

    def __init__(self, request: AuditRequest) -> None:
        if request.judge not in JUDGES:
            raise UsageError("no such judge", f"--judge {request.judge}", f"choose from {', '.join(JUDGES)}")
        self.request = request
        self.repository: Repository = open_repository(request.path)
        self._snapshots: dict[str, Snapshot] = {}
        self._authors: dict[str, list[str]] = {}
        self._judged_from: dict[str, str] = {}
        self.stores: list[Store] = select_stores(request, self.repository, self._snapshot)
        self.range: Range = resolve_range(
            self.repository, RangeRequest(request.range, request.since, request.head), self.memory_paths
        )
        self._ends_at_head = self.repository.find("HEAD") == self.range.head_commit
        self._keeper = Keeper(self.repository, self.claims)
        self._stamps: dict[str, str] = {}
        if self.range.per_claim:
            self._start_from_stamps()
        elif request.range is None and request.since is None:
            self._start_from_acceptances()

    def _start_from_stamps(self) -> None:
        self._stamps = self._keeper.stamps(self.range.head_commit)
        if self._stamps:
            oldest = min({self._base_of(claim) for claim in self.claims}, key=self._age)
            how = how_chosen(self._stamps, self.claims)
            self.range = replace(self.range, base=oldest, chosen_by=how)

    def _start_from_acceptances(self) -> None:
        """In a range that nobody asked for, a claim that a person accepted since its base starts there."""
        self._stamps = {
            claim: sha
            for claim, sha in self._keeper.acceptances(self.range.head_commit).items()
            if sha != self.range.base and self.repository.is_ancestor(self.range.base, sha)
        }

    def require_readable(self) -> None:
        """Raise StoreError where a store that was named, or all there is, could not be read."""
        require_readable(self.stores, named=bool(self.request.stores))

    @property
    def not_read(self) -> list[str]:
        """The documents that could not be read, each with the reason on one line."""
        unread = [one for store in self.stores for one in store.unread]
        return [f"{one.path} {'; '.join(one.warnings)}" for one in unread]

    @property
    def warnings(self) -> list[str]:
        """What a person should know of an audit that was run: that the ledger was not used or begun anew,
        and that contents were not to be had.
        """
        told = [self._keeper.warning] if self._keeper.warning else []
        # What the working tree has stands for the commit that it is based on.
        beside = self.range.head_commit if self.range.head == WORKTREE else ""
        read = (one for rev, one in self._snapshots.items() if rev != beside)
        lacking = sorted({path for one in read for path in one.lacking()})
        if lacking:
            more = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
            told.append(
                f"{visible(lacking[0])}{more}: missing or damaged in this clone, so not read "
                "(in a partial clone git fetch --refetch --no-filter brings them; else run git fsck)"
            )
        return told

    @property
    def root(self) -> Path | None:
        """Where the stores lie on disk, None when they were read from a revision."""
        return self.repository.root if self.request.store_at is None else None

    @property
    def read_only(self) -> str:
        """Why the stores cannot be saved, empty when they can."""
        if self.request.store_at is not None:
            return f"the store was read as of {self.request.store_at}"
        return "" if self.repository.root else "a bare repository has no working tree"

    def moved_to(self) -> str:
        """The commit that HEAD stands on by now, if the range ended at HEAD and it has moved; else empty."""
        now = self.repository.find("HEAD") if self._ends_at_head else None
        return now if now is not None and now != self.range.head_commit else ""

    @property
    def origin(self) -> str:
        """What the review is called in the folder it is shared in; empty where it is not shared.

        Raises RepositoryError where nothing tells which repository this is a clone of.
        """
        return origin(self.repository) if self.request.review_folder else ""

    @property
    def claims(self) -> list[Claim]:
        """All claims, store by store."""
        return [claim for store in self.stores for claim in store.claims]

    def run(self) -> Iterator[tuple[Claim, Judgement]]:
        """Judge claim by claim, in document order within each base commit."""
        groups: dict[str, list[Claim]] = {}
        for claim in self.claims:
            groups.setdefault(self._base_of(claim), []).append(claim)
        later: list[tuple[Claim, Grounded]] = []
        again: dict[str, list[Claim]] = {}
        younger: list[Claim] = []
        for base, claims in groups.items():
            for claim, result in self._grounded(claims, base):
                if claim.id in self._stamps and not self._keeper.confirms(claim, result.judgement):
                    base_again = self._judged_from[claim.id] = self._written_by(claim) or self.range.base
                    again.setdefault(base_again, []).append(claim)
                elif not self.range.per_claim and self._is_older_news(claim, result.judgement):
                    younger.append(claim)
                elif not self.range.per_claim and base == self.range.base and result.unexplained:
                    later.append((claim, result))
                else:
                    yield claim, self._seen(claim, result, base)
        self._start_where_written(younger, again)
        for base, claims in again.items():
            for claim, result in self._grounded(claims, base):
                yield claim, self._seen(claim, result, base)
        yield from self._look_back(later)
        if "_grounds" in self.__dict__:
            self._grounds.keep()
        self._memory.keep(lambda: self._state(partial(snapshot, self.repository)))
        self._keeper.finish(self.range, self.memory_paths, self._snapshot, self._base_of)

    def _grounded(self, claims: Sequence[Claim], base: str) -> Iterator[tuple[Claim, Grounded]]:
        known = self._memory.judged(base, claims)
        if known is not None:
            yield from zip(claims, known, strict=True)
            return
        results = []
        for claim, result in zip(claims, self._grounds.judge(claims, base), strict=True):
            results.append(result)
            yield claim, result
        self._memory.note_judged(base, claims, results)

    def _is_older_news(self, claim: Claim, judgement: Judgement) -> bool:
        """Whether a claim was written in the range, so that what changed before is no news to its writer."""
        if judgement.verdict is not Verdict.STALE or judgement.origin is not Origin.RANGE:
            return False
        written = self._written_by(claim)
        return written is not None and not self._is_older(written) and not self._stood_at_base(claim)

    def _stood_at_base(self, claim: Claim) -> bool:
        """Whether base had the claim's words in a memory file: lines moved or indented anew are not new."""
        words = " ".join(claim.text.split())
        base = self._snapshot(self._base_of(claim))
        return any(words in " ".join((base.text(path) or "").split()) for path in self.memory_paths)

    def _start_where_written(self, claims: Sequence[Claim], groups: dict[str, list[Claim]]) -> None:
        """Have claims judged from the commits that wrote them; where these are many, the rest from head,
        which can only miss what broke.
        """
        written: dict[str, list[Claim]] = {}
        for claim in claims:
            written.setdefault(self._written_by(claim) or self.range.head_commit, []).append(claim)
        often = sorted(written, key=lambda sha: (-len(written[sha]), sha))[:_MOST_LOOKED_BACK]
        for sha, group in written.items():
            base = sha if sha in often else self.range.head_commit
            for claim in group:
                self._judged_from[claim.id] = base
                groups.setdefault(base, []).append(claim)

    def _look_back(self, open_: Sequence[tuple[Claim, Grounded]]) -> Iterator[tuple[Claim, Judgement]]:
        """Judge what the range leaves open from the commit that wrote it: it may have broken before base."""
        written: dict[str, list[tuple[Claim, Grounded]]] = {}
        for claim, result in open_:
            written.setdefault(self._written_by(claim) or self.range.base, []).append((claim, result))
        often = sorted(written, key=lambda sha: (-len(written[sha]), sha))[:_MOST_LOOKED_BACK]
        for sha, group in written.items():
            older = sha in often and sha != self.range.base and self._is_older(sha)
            earlier = self._grounded([claim for claim, _ in group], sha) if older else group
            for (claim, before), (_, result) in zip(group, earlier, strict=True):
                if older and result.judgement.verdict is Verdict.STALE:
                    self._judged_from[claim.id] = sha
                    stale = replace(result.judgement, origin=Origin.EARLIER)
                    yield claim, self._seen(claim, replace(result, judgement=stale), sha)
                else:
                    yield claim, self._seen(claim, before, self.range.base)

    def rejudge(self, claim: Claim, text: str) -> Judgement:
        """Judge other words in the claim's place, as the screen does while a person types."""
        return self._grounds.judge_words(claim, reworded(claim, text), self._base_of(claim)).judgement

    def judge_again(self, files: Mapping[str, bytes]) -> list[tuple[Claim, Judgement]]:
        """Judge all claims as they read when documents, by path, hold other bytes.

        All else is as this audit found it, the commits that claims are judged from included.
        """
        from memaudit.judges.grounds import Grounds
        from memaudit.repo.searchcache import SearchCache
        from memaudit.review.gate import same_claims
        from memaudit.review.sheet import reread

        documents = [one for store in self.stores for one in store.documents]
        read = [reread(one, files[one.path]) if one.path in files else one for one in documents]
        claims = [claim for document in read for claim in document.claims]
        pairs = same_claims(self.claims, claims)
        before = {id(pairs[old.id]): old for old in self.claims if old.id in pairs}
        head = self._snapshot(self.range.head)
        if self.range.head == WORKTREE:
            laid = {path: data for path, data in files.items() if path in head.entries()}
            head = head.with_files({path: data for path, data in laid.items() if head.kind(path) == "file"})

        def at(rev: str) -> Snapshot:
            return head if rev == self.range.head else self._snapshot(rev)

        groups: dict[str, list[Claim]] = {}
        for claim in claims:
            old = before.get(id(claim))
            groups.setdefault(self._base_of(old) if old else self.range.base, []).append(claim)
        judged = []
        with SearchCache(self.state_folder / "search.sqlite") as cache:
            grounds = Grounds(
                self.repository, self.range, claims, self.memory_paths, cache, at, self._history
            )
            for base, group in groups.items():
                for claim, result in zip(group, grounds.judge(group, base), strict=True):
                    known = before.get(id(claim), claim)
                    judged.append((claim, self._keeper.settled(known, result.judgement, base)))
        return judged

    def ground(self, claim: Claim) -> Ground:
        """What a claim is judged on: the commit it is judged from, beside head."""
        return self._grounds.ground(self._base_of(claim))

    def content(self, claim: Claim, side: str, path: str) -> str | None:
        """The text of a repository file at the claim's ``base`` or at ``head``; None when there is none."""
        rev = self._base_of(claim) if side == "base" else self.range.head
        found = self._snapshot(rev)
        if found.kind(path) == "folder":
            return "\n".join(found.children(path)) + "\n"
        return found.text(path)

    def sides(self, claim: Claim) -> tuple[Snapshot, Snapshot]:
        """The files of the commit that a claim is judged from, and those of head."""
        return self._snapshot(self._base_of(claim)), self._snapshot(self.range.head)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The names that exist at head; what the range changed is read first."""
        return self._grounds.vocabulary(self.range.base)

    def _seen(self, claim: Claim, result: Grounded, base: str) -> Judgement:
        """The verdict as it is given, noted for the ledger."""
        suggestion = self._memory.suggestion(base, claim, lambda: self._suggestion(claim, result, base))
        judgement = self._keeper.settled(claim, replace(result.judgement, suggestion=suggestion), base)
        self._keeper.see(claim, judgement, result.outcomes, base)
        return judgement

    def _suggestion(self, claim: Claim, result: Grounded, base: str) -> Suggestion | None:
        """What could be written instead."""
        from memaudit.review.suggest import suggest

        def again(words: str) -> Judgement:
            return self._grounds.judge_one(reworded(claim, words), base).judgement

        return suggest(claim, result.outcomes, again, self._grounds.ground(base))

    @cached_property
    def memory_paths(self) -> list[str]:
        """The memory files that lie in the repository."""
        return [
            document.path
            for store in self.stores
            for document in store.documents
            if not document.path.startswith("/")
        ]

    def _base_of(self, claim: Claim) -> str:
        """The commit a claim is judged from: the range's base, its stamp, or the one that wrote its lines."""
        if claim.id in self._judged_from:
            return self._judged_from[claim.id]
        if not self.range.per_claim:
            return self._stamps.get(claim.id) or self.range.base
        return self._stamps.get(claim.id) or self._written_by(claim) or self.range.base

    def _written_by(self, claim: Claim) -> str | None:
        """The newest commit that wrote one of the claim's lines; None for a store outside the repository."""
        if claim.document.startswith("/"):
            return None
        if claim.document not in self._authors:
            rev = self.range.head if self.request.store_at is None else self._store_revision
            history = self._history(self.range)
            self._authors[claim.document] = self._memory.authors(
                claim.document, rev, lambda: history.line_authors(claim.document, rev)
            )
        authors = self._authors[claim.document][claim.line_start - 1 : claim.line_end]
        return max(set(authors), key=self._age, default=None)

    @cached_property
    def _store_revision(self) -> str:
        return self.repository.resolve(self.request.store_at or "HEAD")

    def _is_older(self, sha: str) -> bool:
        return self.repository.is_ancestor(sha, self.range.base)

    @cached_property
    def _ages(self) -> dict[str, str]:
        return {}

    def _age(self, sha: str) -> str:
        if sha not in self._ages:
            self._ages[sha] = self._history(self.range).commit_info(sha).date
        return self._ages[sha]

    def _snapshot(self, rev: str) -> Snapshot:
        if rev not in self._snapshots:
            self._snapshots[rev] = snapshot(self.repository, rev)
        return self._snapshots[rev]

    @cached_property
    def _judged_claims(self) -> list[Claim]:
        """The claims that are judged together: what is remembered is known by the same ones."""
        return self.claims

    def _history(self, range_: Range) -> History:
        return History(
            self.repository, range_, self._snapshot(range_.head) if range_.head == WORKTREE else None
        )

    @cached_property
    def state_folder(self) -> Path:
        """Where memaudit keeps what it knows of this repository."""
        return repository_state(self.repository.common_dir)

    @cached_property
    def _grounds(self) -> Grounds:
        # All that judging takes is loaded here: an audit that was made before does without.
        from memaudit.judges.grounds import Grounds
        from memaudit.repo.searchcache import SearchCache

        return Grounds(
            self.repository,
            self.range,
            self._judged_claims,
            self.memory_paths,
            SearchCache(self.state_folder / "search.sqlite"),
            self._snapshot,
            self._history,
        )

    @cached_property
    def _memory(self) -> memory.Memory:
        return memory.Memory(self.state_folder / memory.FILE, self.repository, self._state(self._snapshot))

    def _state(self, at: Callable[[str], Snapshot]) -> str | None:
        """All that judging depends on; ``at`` gives the working tree as it is to be compared."""
        on_disk = at(WORKTREE) if self.range.head == WORKTREE else None
        claims = self._judged_claims
        return memory.state(self.repository, self.range.head, on_disk, claims, self.memory_paths)


def reworded(claim: Claim, text: str) -> Claim:
    """The claim with other words; an entry of a tree names another path by them."""
    if claim.path is None or not text.split():
        return replace(claim, text=text)
    parent = claim.path.rstrip("/").rpartition("/")[0]
    name = text.split()[0]
    return replace(claim, text=text, path=f"{parent}/{name}" if parent else name)

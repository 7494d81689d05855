"""A folder with memory in it, and reviews of it that start as a new process would."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from memaudit.domain import Claim, DecisionKind, Range
from memaudit.review.journal import Journal
from memaudit.review.session import Review
from memaudit.stores.discover import discover
from memaudit.stores.folder import WorkingFolder

MEMORY = """\
# Harbour

The service listens on port 8080.

## Rules

- Run `make test` before every commit.
- Settings live in `config/app.toml`.
- Reports are written by `reports/daily.py`.
  - They are sent at six in the morning.
- Ask Ada before you touch the tariffs.
"""

PULLED = Range("a" * 40, "b" * 40, "given")


class Desk:
    """One working folder and the journal kept for it."""

    def __init__(self, folder: Path, memory: str | None = MEMORY, *, journal: Path | None = None) -> None:
        """A desk in ``folder``; with ``memory`` None the one that another process left there."""
        self.root = folder / "harbour"
        self.file = self.root / "CLAUDE.md"
        if memory is not None:
            self.root.mkdir(parents=True)
            self.file.write_text(memory)
        self.journal_path = journal or folder / "state" / "journal.sqlite"
        self._open: list[Journal] = []

    def review(
        self,
        range_: Range = PULLED,
        *selectors: str,
        read_only: bool = False,
        root: Path | None = None,
        author: str = "ada",
        shared_as: str = "",
        now: Callable[[], str] | None = None,
    ) -> Review:
        """A new review of what is on disk now, with a journal of its own: a new start of memaudit."""
        journal = Journal(self.journal_path)
        self._open.append(journal)
        ticks = iter(range(10_000))
        return Review(
            discover(WorkingFolder(self.root), selectors),
            journal,
            author=author,
            range_=range_,
            root=root or self.root,
            read_only=read_only,
            shared_as=shared_as,
            now=now or (lambda: f"2026-01-01T00:00:00.{next(ticks):06}+00:00"),
        )

    def close(self) -> None:
        for journal in self._open:
            journal.close()


def claim(review: Review, words: str) -> Claim:
    """The one claim that holds these words."""
    found = [one for store in review.stores for one in store.claims if words in one.text]
    assert len(found) == 1, found
    return found[0]


def accept(review: Review, words: str) -> str:
    """Accept the claim with these words; returns its id."""
    return _decide(review, DecisionKind.ACCEPT, words, None)


def retire(review: Review, words: str) -> str:
    """Retire the claim with these words; returns its id."""
    return _decide(review, DecisionKind.RETIRE, words, None)


def rewrite(review: Review, words: str, text: str) -> str:
    """Rewrite the claim with these words; returns its id."""
    return _decide(review, DecisionKind.REWRITE, words, text)


def _decide(review: Review, kind: DecisionKind, words: str, text: str | None) -> str:
    one = claim(review, words)
    review.decide([review.decision(one.id, kind, text)])
    return one.id


def standing(review: Review) -> dict[str, str]:
    """What is decided, as readable words: the claim's text and the decision."""
    texts = {one.id: one.text for store in review.stores for one in store.claims}
    return {
        texts[id_]: decision.kind.value + (f": {decision.text}" if decision.text else "")
        for id_, decision in review.decisions.items()
    }


def outcome(desk: Desk, review: Review) -> str:
    """What the file would hold if everything were saved now."""
    (change,) = review.preview() or [None]
    return change.after.decode() if change else desk.file.read_text()


def decide_rule(review: Review, number: int, choice: str) -> None:
    """Decide a numbered rule, if it is still there; ``choice`` is a kind, or a word for other words."""
    words = f"Rule number {number} "
    if not any(words in one.text for store in review.stores for one in store.claims):
        return
    id_ = claim(review, words).id
    if choice in ("accept", "retire"):
        review.decide([review.decision(id_, DecisionKind(choice))])
    else:
        text = f"Rule number {number} stands as it was written in {choice}."
        review.decide([review.decision(id_, DecisionKind.REWRITE, text)])

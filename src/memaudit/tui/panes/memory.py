"""The Memory tab: the document before your decisions beside the document after them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Vertical

from memaudit.domain import Claim, Decision, Document
from memaudit.errors import MemauditError
from memaudit.text import visible
from memaudit.tui.cells import fit
from memaudit.tui.diff_model import LineDiff
from memaudit.tui.lines import Lines, Row
from memaudit.tui.split_diff import SplitDiff


class MemoryTitle(Lines):
    """Which document, and how many lines your decisions change in it."""

    DEFAULT_CSS = """
    MemoryTitle { height: 1; padding: 0 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.path = ""
        self.counts = (0, 0)
        self.problem = ""
        self.split = False

    def build(self, width: int, height: int) -> Sequence[Row]:
        """The one row."""
        if self.problem:
            return [[(fit(self.problem, width), "stale")]]
        removed, added = self.counts
        what: Row = [("no change", "muted")]
        if removed or added:
            what = [(f"-{removed}", "removed"), (" ", ""), (f"+{added}", "added"), (" lines", "muted")]
        left = fit(self.path, max(width - sum(cell_len(text) for text, _ in what) - 1, 0))
        return [[(left, "strong"), (" ", ""), *what]]


class MemoryPane(Vertical):
    """One document; the lines of the selected claim are marked and in view."""

    DEFAULT_CSS = """
    MemoryPane SplitDiff { height: 1fr; }
    """

    def __init__(self, split: bool | None = None, *, wrap: bool = True, id: str | None = None) -> None:
        super().__init__(id=id)
        self._split = split
        self.wrap = wrap
        """Whether long lines are wrapped; takes effect when a document is shown."""
        self._shown: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        """Title and comparison."""
        yield MemoryTitle()
        yield SplitDiff(split=self._split, id="memory-diff")

    def show(self, claim: Claim | None, document: Document | None, decisions: Mapping[str, Decision]) -> None:
        """Show a document around a claim."""
        if claim is None or document is None:
            return
        own = {one.id: decisions[one.id] for one in document.claims if one.id in decisions}
        wanted = (claim.id, document.path, tuple(own.items()), self.wrap)
        if wanted == self._shown:
            return
        same_claim = self._shown[:2] == wanted[:2]
        self._shown = wanted
        self.run_worker(
            self._load(claim, document, own, keep_place=same_claim),
            group="memory",
            exclusive=True,
            exit_on_error=False,
        )

    async def _load(
        self, claim: Claim, document: Document, decisions: dict[str, Decision], *, keep_place: bool
    ) -> None:
        from memaudit.stores.writer import edit

        problem = ""
        after = document.raw
        try:
            if decisions:
                after = await asyncio.to_thread(edit, document, decisions)
        except MemauditError as error:
            problem = error.line()
        before_text = document.raw.decode("utf-8", errors="replace")
        after_text = after.decode("utf-8", errors="replace")
        diff = await asyncio.to_thread(LineDiff, before_text, after_text)
        lines = frozenset(range(claim.line_start - 1, claim.line_end))
        after_lines = frozenset(row.after for row in diff.rows if row.before in lines and row.after >= 0)
        title = self.query_one(MemoryTitle)
        title.path, title.counts, title.problem = visible(document.path), diff.counts(), problem
        title.renew()
        self.query_one(SplitDiff).show(
            diff,
            paths=(document.path, document.path),
            prose=self.wrap,
            deciding=(lines, after_lines),
            keep_place=keep_place,
        )

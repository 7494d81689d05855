"""The Evidence tab: the file that decides at base beside the same at head, and the commit between."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from memaudit.domain import Claim, Evidence, Judgement, Location, Verdict
from memaudit.errors import MemauditError
from memaudit.text import visible
from memaudit.tui.board import NORM_REASONS
from memaudit.tui.cells import fit, fit_end
from memaudit.tui.diff_model import LineDiff
from memaudit.tui.engine import Engine
from memaudit.tui.lines import Lines, Row
from memaudit.tui.panes.message import Hint
from memaudit.tui.split_diff import SplitDiff

_PROSE = (".md", ".mdc", ".markdown", ".txt", ".rst", ".adoc")
_CACHED_TEXTS = 24
_PATIENCE = 0.15
"""Seconds after which the deciding lines stand in for files that are still on their way."""

_INLINE_CHARS = 200_000
"""Characters of both sides up to which they are compared at once; more goes to a thread."""


def is_wrapped(path: str) -> bool:
    """Whether lines of this file are wrapped rather than scrolled."""
    return path.lower().endswith(_PROSE)


class EvidenceTitle(Lines):
    """Which two places are compared, and the commit that changed them."""

    DEFAULT_CSS = """
    EvidenceTitle { height: 2; padding: 0 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.evidence: Evidence | None = None
        self.split = False

    def build(self, width: int, height: int) -> Sequence[Row]:
        """Places, then commit or note."""
        evidence = self.evidence
        if evidence is None:
            return []
        return [self._places(evidence, width), self._commit(evidence, width)]

    def _places(self, evidence: Evidence, width: int) -> Row:
        base = f"- base  {_place(evidence.base)}"
        head = f"+ head  {_place(evidence.head)}"
        if self.split:
            half = (width - 1) // 2
            return [(fit(base, half), "removed"), (" ", ""), (fit(head, width - half - 1), "added")]
        room = width - cell_len(base) - 3
        if room >= cell_len(head):
            return [(base, "removed"), ("   ", ""), (head, "added")]
        half = (width - 3) // 2
        base = "- base " + fit_end(_place(evidence.base), half - 7).strip()
        head = "+ head " + fit_end(_place(evidence.head), width - cell_len(base) - 10).strip()
        return [(base, "removed"), ("   ", ""), (head, "added")]

    def _commit(self, evidence: Evidence, width: int) -> Row:
        commit = evidence.commit
        note = visible(evidence.note)
        if commit is None:
            return [(fit(note, width), "muted")]
        sha = visible(commit.sha[:8])
        rest = f" {visible(commit.summary)}"
        tail = f" · {visible(commit.author)} · {visible(commit.date[:10])}"
        if note:
            tail += f" · {note}"
        room = width - len(sha) - cell_len(tail)
        if room >= min(cell_len(rest), 16):
            return [(sha, "primary"), (fit(rest, room).rstrip(), ""), (tail, "muted")]
        return [(sha, "primary"), (fit(rest + tail, max(width - len(sha), 0)), "")]


def _place(location: Location | None) -> str:
    return f"{visible(location.path)}:{location.line}" if location else "not there"


class EvidencePane(Vertical):
    """One piece of evidence at a time; the files come from the audit process."""

    DEFAULT_CSS = """
    EvidencePane SplitDiff { height: 1fr; }
    """

    class Turned(Message):
        """Another piece of evidence is shown."""

    def __init__(self, split: bool | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._split = split
        self.engine: Engine | None = None
        self.turned = (0, 0)
        """The number of the piece of evidence shown, and how many there are."""
        self._claim: Claim | None = None
        self._judgement: Judgement | None = None
        self._number = 0
        self._texts: OrderedDict[tuple[str, str, str], str | None] = OrderedDict()
        self.per_claim = False
        """Whether every claim has its own base."""

    def compose(self) -> ComposeResult:
        """Title, comparison, and the words in place of them."""
        yield EvidenceTitle()
        yield SplitDiff(split=self._split, id="evidence-diff")
        yield Hint(id="evidence-hint")

    def forget(self) -> None:
        """Drop files kept from another audit."""
        self._texts.clear()
        self._claim = self._judgement = None

    def show(self, claim: Claim | None, judgement: Judgement | None) -> None:
        """Show the first piece of evidence of a claim."""
        if claim == self._claim and judgement == self._judgement and claim is not None:
            return
        self._claim, self._judgement, self._number = claim, judgement, 0
        self._turn()

    def turn(self, step: int) -> None:
        """Show the next (1) or previous (-1) piece of evidence, round and round."""
        total = len(self._judgement.evidence) if self._judgement else 0
        if total > 1:
            self._number = (self._number + step) % total
            self._turn()

    def on_split_diff_arranged(self, event: SplitDiff.Arranged) -> None:
        """Put the title over the columns it names."""
        title = self.query_one(EvidenceTitle)
        title.split = event.split
        title.renew()

    def _turn(self) -> None:
        evidence = self._judgement.evidence if self._judgement else ()
        self.turned = (self._number + 1 if evidence else 0, len(evidence))
        self.post_message(self.Turned())
        title, diff, hint = self.query_one(EvidenceTitle), self.query_one(SplitDiff), self.query_one(Hint)
        title.display = diff.display = bool(evidence)
        hint.display = not evidence
        if not evidence or self._claim is None:
            self.workers.cancel_group(self, "evidence")
            hint.show(*_no_evidence(self._claim, self._judgement))
            return
        title.evidence = evidence[self._number]
        title.renew()
        self.run_worker(
            self._load(self._claim, evidence[self._number]),
            group="evidence",
            exclusive=True,
            exit_on_error=False,
        )

    async def _load(self, claim: Claim, evidence: Evidence) -> None:
        loading = asyncio.ensure_future(self._sides(claim, evidence))
        try:
            await asyncio.wait({loading}, timeout=_PATIENCE)
            if not loading.done():
                # The audit process answers when it is through with judging.
                self._show_lines(evidence, "the whole files come as soon as the audit gets to it")
            try:
                before, after = await loading
            except MemauditError as error:
                self._show_lines(evidence, error.line())
                return
        finally:
            loading.cancel()
        if before is None and after is None:
            self._show_lines(evidence, "")
        else:
            await self._show_files(evidence, before, after)

    async def _sides(self, claim: Claim, evidence: Evidence) -> tuple[str | None, str | None]:
        old, new = _paths(evidence)
        return await self._text(claim, "base", old), await self._text(claim, "head", new)

    async def _show_files(self, evidence: Evidence, before: str | None, after: str | None) -> None:
        if len(before or "") + len(after or "") > _INLINE_CHARS:
            diff = await asyncio.to_thread(LineDiff, before, after)
        else:
            diff = LineDiff(before, after)
        base, head = evidence.base, evidence.head
        deciding = (
            frozenset({base.line - 1}) if base and before is not None else frozenset(),
            frozenset({head.line - 1}) if head and after is not None else frozenset(),
        )
        paths = _paths(evidence)
        self.query_one(SplitDiff).show(diff, paths=paths, prose=is_wrapped(paths[1]), deciding=deciding)

    def _show_lines(self, evidence: Evidence, note: str) -> None:
        """The deciding lines alone, for a place that is no text file or while the file is not there yet."""
        base, head = evidence.base, evidence.head
        diff = LineDiff(base.text + "\n" if base else None, head.text + "\n" if head else None)
        if note:
            diff.notes = (*diff.notes, f"only the deciding lines: {note}")
        here = frozenset({0})
        self.query_one(SplitDiff).show(diff, paths=_paths(evidence), deciding=(here, here), numbers=False)

    async def _text(self, claim: Claim, side: str, path: str) -> str | None:
        key = (claim.id if self.per_claim and side == "base" else "", side, path)
        if key in self._texts:
            self._texts.move_to_end(key)
            return self._texts[key]
        if self.engine is None:
            return None
        text = await self.engine.content(claim.id, side, path)
        self._texts[key] = text
        while len(self._texts) > _CACHED_TEXTS:
            self._texts.popitem(last=False)
        return text


def _paths(evidence: Evidence) -> tuple[str, str]:
    """The path on either side; where there is none, the other side's."""
    base, head = evidence.base, evidence.head
    old = base.path if base else head.path if head else ""
    return old, head.path if head else old


def _no_evidence(claim: Claim | None, judgement: Judgement | None) -> tuple[str, ...]:
    if claim is None:
        return ("No claim is selected.",)
    if judgement is None:
        return (
            "Not judged yet.",
            "The verdict comes as the audit gets to it; decide now if you know better.",
        )
    if judgement.reason in NORM_REASONS:
        return (
            "Nothing in this repository can decide this claim.",
            "a keeps it as it is, r takes it out, e rewrites it.",
        )
    if judgement.verdict is Verdict.HELD:
        return ("Nothing to compare.", "a accepts this claim, A accepts all held ones at once.")
    return ("There is no code to show for this.", "3 says more on the verdict.")

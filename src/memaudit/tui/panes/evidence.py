"""The Evidence tab: the file that decides at base beside the same at head, and the commit between."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import replace

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from memaudit.domain import Claim, Evidence, Judgement, Location, Verdict
from memaudit.errors import MemauditError
from memaudit.text import visible
from memaudit.tui.board import NORM_REASONS
from memaudit.tui.diff_model import LineDiff
from memaudit.tui.engine import Engine
from memaudit.tui.panes.evidence_head import EvidenceList, EvidenceTitle
from memaudit.tui.panes.message import Hint
from memaudit.tui.split_diff import SplitDiff

_PROSE = (".md", ".mdc", ".markdown", ".txt", ".rst", ".adoc")
_CACHED_TEXTS = 24
_PATIENCE = 0.15
"""Seconds after which the deciding lines stand in for files that are still on their way."""

_LEAST_HEIGHT = 14
"""Rows that places, commit and comparison have before the list of all evidence gets any."""

_INLINE_CHARS = 200_000
"""Characters of both sides up to which they are compared at once; more goes to a thread."""


def is_wrapped(path: str) -> bool:
    """Whether lines of this file are wrapped rather than scrolled."""
    return path.lower().endswith(_PROSE)


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
        yield EvidenceList()
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

    def is_about(self, claim_id: str) -> bool:
        """Whether what is shown belongs to this claim."""
        return self._claim is not None and self._claim.id == claim_id

    def turn(self, step: int) -> None:
        """Show the next (1) or previous (-1) piece of evidence, round and round."""
        total = len(self._judgement.evidence) if self._judgement else 0
        if total > 1:
            self._number = (self._number + step) % total
            self._turn()

    def on_evidence_list_chosen(self, event: EvidenceList.Chosen) -> None:
        """Show the piece of evidence that was clicked on."""
        event.stop()
        self._number = event.number
        self._turn()

    def on_resize(self) -> None:
        """Make room for the list of all evidence, or take it back."""
        self._show_list()

    def _show_list(self) -> None:
        evidence = self._judgement.evidence if self._judgement else ()
        room = max(self.size.height - _LEAST_HEIGHT, 0)
        self.query_one(EvidenceList).show(evidence, self._number, room)

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
        self._show_list()
        shown = evidence[self._number] if evidence else None
        placed = shown is not None and (shown.base is not None or shown.head is not None)
        title.display = shown is not None
        diff.display, hint.display = placed, not placed
        if shown is not None:
            title.evidence = shown
            title.renew()
        if not placed or self._claim is None:
            self.workers.cancel_group(self, "evidence")
            hint.show(*(_nowhere(shown) if shown else _no_evidence(self._claim, self._judgement)))
            return
        # Not the coroutine itself: one whose turn never comes would never be awaited.
        self.run_worker(
            self._load_shown,  # type: ignore[arg-type]
            group="evidence",
            exclusive=True,
            exit_on_error=False,
        )

    async def _load_shown(self) -> None:
        """Load the piece of evidence that is to be shown when the worker starts."""
        if self._claim is not None and self._judgement is not None and self._judgement.evidence:
            await self._load(self._claim, self._judgement.evidence[self._number])

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
        found = _with_base(evidence, diff)
        if found is not evidence:
            title = self.query_one(EvidenceTitle)
            title.evidence = found
            title.renew()
        base, head = found.base, found.head
        deciding = (_deciding(base, before), _deciding(head, after))
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


def _with_base(evidence: Evidence, diff: LineDiff) -> Evidence:
    """The evidence with its place at base, where the very line that shows it at head stood there too.

    That a claim holds is shown by head alone: no place at base was noted, which does not say there was none.
    """
    head = evidence.head
    if evidence.base is not None or head is None:
        return evidence
    for row in diff.rows:
        if row.after == head.line - 1 and row.before >= 0 and not row.changed:
            return replace(evidence, base=replace(head, line=row.before + 1))
    return evidence


def _deciding(location: Location | None, text: str | None) -> frozenset[int]:
    """The lines that decide; of a folder none does, its list as a whole is what counts."""
    if location is None or text is None or location.path.endswith("/"):
        return frozenset()
    return frozenset({location.line - 1})


def _nowhere(evidence: Evidence) -> tuple[str, ...]:
    """What there is to say of evidence that no line shows."""
    note = (visible(evidence.note),) if evidence.note else ()
    return ("It is on neither side: no lines to compare.", *note)


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

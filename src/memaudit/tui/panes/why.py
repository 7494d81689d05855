"""The Why tab: what a verdict rests on."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.geometry import Offset, Size

from memaudit.domain import Claim, Cost, Judgement, Reference, Tier, Verdict
from memaudit.text import visible
from memaudit.tui.asking_line import dollars
from memaudit.tui.jump import Target
from memaudit.tui.lines import Lines, Row, flowed
from memaudit.tui.panes.card import tier_words, verdict_pieces
from memaudit.tui.panes.evidence_head import place
from memaudit.tui.ranks import is_by_model

_LABEL = 12


class Facts(Lines):
    """Labelled paragraphs; as tall as what they say."""

    DEFAULT_CSS = """
    Facts { height: auto; padding: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[tuple[str, Row]] = []
        """Label and text; an empty label goes on with the one before."""

    def show(self, entries: list[tuple[str, Row]]) -> None:
        """Say something else."""
        self.entries = entries
        self._rows = None
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the text needs at this width."""
        return len(self.build(width, 0))

    def build(self, width: int, height: int) -> Sequence[Row]:
        """All rows."""
        label_width = _LABEL if width >= 50 else 0
        rows: list[Row] = []
        for label, pieces in self.entries:
            if label and not label_width:
                rows.append([(label, "muted")])
            first = True
            for row in flowed(pieces, max(width - label_width, 1)):
                shown = label if first else ""
                rows.append([(f"{shown:<{label_width}}", "muted"), *row] if label_width else row)
                first = False
        return rows


class FactsPane(VerticalScroll):
    """Facts that can be scrolled by key."""

    DEFAULT_CSS = """
    FactsPane { scrollbar-size-vertical: 1; padding: 1 0 0 0; }
    """

    def compose(self) -> ComposeResult:
        """The facts."""
        yield Facts()

    def jump_targets(self) -> Sequence[Target]:
        """The facts themselves."""
        return [Target(Offset(0, 0), self.focus)]

    def show(self, entries: list[tuple[str, Row]]) -> None:
        """Say something else, from the top."""
        self.query_one(Facts).show(entries)
        self.scroll_home(animate=False)


def why_entries(
    claim: Claim,
    judgement: Judgement | None,
    cost: Cost,
    paid: float | None = None,
    as_saved: Judgement | None = None,
) -> list[tuple[str, Row]]:
    """All that a verdict rests on; ``paid`` is what asking a model about the claim has cost, if it was,
    ``as_saved`` the verdict on its new words in the file, which comes first.
    """
    heading = " › ".join(visible(part) for part in (*claim.heading, *claim.context)) or "none"
    entries: list[tuple[str, Row]] = []
    if as_saved is not None:
        entries += [
            ("as saved", verdict_pieces(as_saved)),
            ("because", [(visible(as_saved.why) or "no reason was given", "")]),
            ("", []),
        ]
    entries.append(("before" if as_saved else "verdict", verdict_pieces(judgement)))
    if judgement is not None:
        entries += [
            ("because", [(visible(judgement.why) or "no reason was given", "")]),
            ("judge", _judge(judgement)),
            ("cost", [(_cost_text(cost, paid), "muted")]),
        ]
        if is_by_model(judgement):
            entries += _shown_entries(judgement)
        for number, reference in enumerate(judgement.references):
            change = _change(reference, stale=judgement.verdict is Verdict.STALE)
            entries.append(
                (
                    "names" if number == 0 else "",
                    [
                        (f"{visible(reference.kind)} ", "muted"),
                        (visible(reference.text), "strong"),
                        (f"  {change}", ""),
                    ],
                )
            )
        if as_saved is None:
            entries += _suggestion_entries(judgement)
    entries += [
        ("", []),
        (
            "place",
            [
                (f"{visible(claim.document)}:{claim.line_start}", ""),
                (f"  in {visible(claim.store)}", "muted"),
            ],
        ),
        ("heading", [(heading, "")]),
        ("kind", [(f"{claim.kind.value}, {claim.block.value}", "")]),
    ]
    if claim.scope:
        entries.append(("scope", [(", ".join(visible(part) for part in claim.scope), "")]))
    if claim.locked:
        entries.append(("locked", [(visible(claim.locked), "unknown")]))
    return entries


def _suggestion_entries(judgement: Judgement) -> list[tuple[str, Row]]:
    suggestion = judgement.suggestion
    if suggestion is None:
        return []
    text = "" if suggestion.text is None else visible(suggestion.text)
    if suggestion.text is None and suggestion.tier is Tier.APPLY:
        text = "retire the claim"
    entries: list[tuple[str, Row]] = [("suggestion", [(f"{tier_words(suggestion)}  ", "accent"), (text, "")])]
    if suggestion.note:
        entries.append(("", [(visible(suggestion.note), "muted")]))
    return entries


def _change(reference: Reference, *, stale: bool) -> str:
    """The facts that were noted of a reference; that none was noted on a side does not say that it is absent.

    Only where a stale claim had its fact at base has that fact gone.
    """
    base, head = (None if one is None else visible(one) for one in (reference.base, reference.head))
    if base is None:
        return "" if head is None else f"{head} at head"
    if head is None:
        return f"{base} → not there" if stale else f"{base} at base"
    return f"{head} on both sides" if base == head else f"{base} → {head}"


def _judge(judgement: Judgement) -> Row:
    sure = f", {judgement.confidence:.0%} sure"
    if is_by_model(judgement):
        sure += ": it read the pieces shown, and has proved nothing"
    return [(visible(judgement.judge), ""), (sure, "muted")]


def _shown_entries(judgement: Judgement) -> list[tuple[str, Row]]:
    """The pieces of the change that a model was shown."""
    entries: list[tuple[str, Row]] = []
    for number, one in enumerate(judgement.evidence):
        where = place(one.head or one.base)
        entries.append(("" if number else "shown", [(where, "strong"), (f"  {visible(one.note)}", "muted")]))
    return entries


def _cost_text(cost: Cost, paid: float | None) -> str:
    if paid is None and not cost.model_calls:
        return "nothing: no model was asked"
    calls = f"{cost.model_calls:,} model {'call' if cost.model_calls == 1 else 'calls'}"
    whole = f"{calls}, {dollars(cost.usd)} for the whole audit"
    return whole if paid is None else f"{dollars(paid)} for this claim; {whole}"

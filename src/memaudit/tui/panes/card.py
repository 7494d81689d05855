"""The selected claim in full: verdict, heading, words, reason, and what was decided or is suggested."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from memaudit.domain import Claim, Decision, DecisionKind, Judgement, Origin, Suggestion, Tier
from memaudit.text import visible
from memaudit.tui.board import rank_of
from memaudit.tui.cells import fit
from memaudit.tui.claim_list import DECISIONS, GLYPHS
from memaudit.tui.diff_layout import wrapped
from memaudit.tui.lines import Lines, Row

TIERS = {
    Tier.APPLY: "suggestion, proved",
    Tier.ASK: "suggestion, to be checked",
    Tier.REFUSE: "no suggestion",
}
_SHOWN_CHARS = 4_000


def verdict_pieces(judgement: Judgement | None) -> list[tuple[str, str]]:
    """Sign and word of a verdict, and since when a stale claim is false."""
    rank = rank_of(judgement)
    glyph, word, role = GLYPHS[rank]
    pieces = [(f"{glyph} {word}", role)]
    if judgement is None:
        return pieces
    if judgement.origin is Origin.RANGE:
        pieces.append((", broken in this range", role))
    elif judgement.origin is Origin.EARLIER:
        pieces.append((", broken earlier", role))
    pieces.append((f" · {visible(judgement.reason)}", "muted"))
    return pieces


class Card(Lines):
    """The claim under the cursor. Its height is fixed, so that moving never moves anything else."""

    DEFAULT_CSS = """
    Card { height: 7; padding: 0 1; background: $surface; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.claim: Claim | None = None
        self.judgement: Judgement | None = None
        self.decision: Decision | None = None
        self.saved = True
        self.blank: tuple[str, ...] = ()
        """What to say while no claim is selected."""

    def show(
        self, claim: Claim | None, judgement: Judgement | None, decision: Decision | None, *, saved: bool
    ) -> None:
        """Show a claim, or nothing."""
        self.claim, self.judgement, self.decision, self.saved = claim, judgement, decision, saved
        self.renew()

    def build(self, width: int, height: int) -> Sequence[Row]:
        """The rows; the claim's own words get what the fixed ones leave."""
        claim = self.claim
        if claim is None:
            return [
                [(fit(line, width), "strong" if not number else "muted")]
                for number, line in enumerate(self.blank)
            ]
        rows: list[Row] = [self._first(claim, width)]
        below: list[Row] = []
        if self.judgement is not None and self.judgement.why:
            below.append([(fit(visible(self.judgement.why), width), "")])
        below.append(self._last(claim, width))
        heading = " › ".join(visible(part) for part in (*claim.heading, *claim.context))
        if heading and height >= 6:
            rows.append([(fit(heading, width), "muted")])
        room = max(height - len(rows) - len(below), 1)
        rows += self._words(claim, width, room)
        rows += [[]] * (height - len(rows) - len(below))
        return [*rows, *below]

    def _first(self, claim: Claim, width: int) -> Row:
        left = verdict_pieces(self.judgement)
        place = f"{visible(claim.document)}:{claim.line_start}"
        gap = width - sum(cell_len(text) for text, _ in left) - cell_len(place)
        if gap < 2:
            return left
        return [*left, (" " * gap, ""), (place, "muted")]

    def _words(self, claim: Claim, width: int, room: int) -> list[Row]:
        text = visible(claim.text[:_SHOWN_CHARS])
        parts = wrapped(text, width)
        rows: list[Row] = [[(text[start:end], "strong")] for start, end in parts[:room]]
        if len(parts) > room:
            start = parts[room - 1][0]
            rows[-1] = [(fit(text[start:], width), "strong")]
        return rows

    def _last(self, claim: Claim, width: int) -> Row:
        decision = self.decision
        if decision is not None:
            glyph, word = DECISIONS[decision.kind]
            label = f"{glyph} {word}" + ("" if self.saved else ", not saved yet")
            if decision.kind is DecisionKind.REWRITE:
                return _labelled(f"{label}: ", visible(decision.text or ""), width)
            return _labelled(f"{label} by ", visible(decision.by), width)
        if claim.locked:
            return _labelled("cannot be edited: ", visible(claim.locked), width)
        suggestion = self.judgement.suggestion if self.judgement else None
        return suggestion_row(suggestion, width)


def suggestion_row(suggestion: Suggestion | None, width: int) -> Row:
    """A suggestion on one row, with its tier and the key that takes it."""
    if suggestion is None:
        return []
    if suggestion.tier is Tier.REFUSE:
        return [(fit(f"{TIERS[suggestion.tier]}: {visible(suggestion.note)}", width), "muted")]
    if suggestion.text is None and suggestion.tier is Tier.ASK:
        return _labelled(f"{TIERS[suggestion.tier]}: ", visible(suggestion.note), width)
    text = "retire it" if suggestion.text is None else visible(suggestion.text)
    return _labelled(f"{TIERS[suggestion.tier]} (t): ", text, width)


def _labelled(label: str, text: str, width: int) -> Row:
    return [(label, "accent"), (fit(text, max(width - cell_len(label), 0)), "")]

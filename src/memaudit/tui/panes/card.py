"""The selected claim in full: verdict, heading, words, reason, and what was decided or is suggested."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from memaudit.domain import Claim, Decision, DecisionKind, Judgement, Origin, Suggestion, Tier
from memaudit.text import visible
from memaudit.tui.board import rank_of
from memaudit.tui.cells import fit, fit_end
from memaudit.tui.claim_row import BY_MODEL, DECISIONS, GLYPHS
from memaudit.tui.diff_model import Spans, word_changes
from memaudit.tui.lines import Lines, Row, flowed
from memaudit.tui.ranks import is_by_model

TIERS = {
    Tier.APPLY: "suggestion, proved",
    Tier.ASK: "suggestion, to be checked",
    Tier.REFUSE: "no suggestion",
}
_SHOWN_CHARS = 4_000


def tier_words(suggestion: Suggestion) -> str:
    """How far a suggestion can be trusted; one to be checked that has no words is none."""
    if suggestion.tier is Tier.ASK and suggestion.text is None:
        return TIERS[Tier.REFUSE]
    return TIERS[suggestion.tier]


def verdict_pieces(judgement: Judgement | None, before: Judgement | None = None) -> list[tuple[str, str]]:
    """Sign and word of a verdict, and since when a stale claim is false; with the one ``before`` a save."""
    rank = rank_of(judgement)
    glyph, word, role = GLYPHS[rank]
    pieces = [(f"{glyph} {word}", role)]
    if judgement is None:
        return pieces
    if is_by_model(judgement):
        pieces = [(f"{glyph} {word} {BY_MODEL}", role), (" says a model", role)]
    elif judgement.origin is Origin.RANGE:
        pieces.append((", broken in this range", role))
    elif judgement.origin is Origin.EARLIER:
        pieces.append((", broken earlier", role))
    if before is not None:
        pieces.append((f" as saved, was {' '.join(GLYPHS[rank_of(before)][:2])}", "muted"))
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
        self.as_saved: Judgement | None = None
        self.decision: Decision | None = None
        self.saved = True
        self.contested: Row = ()
        self.blank: tuple[str, ...] = ()
        """What to say while no claim is selected."""

    def show(
        self,
        claim: Claim | None,
        judgement: Judgement | None,
        decision: Decision | None,
        *,
        saved: bool,
        as_saved: Judgement | None = None,
        contested: Row = (),
    ) -> None:
        """Show a claim, or nothing; ``as_saved`` is the verdict on its new words in the file, ``contested``
        says what people decided differently, if they did.
        """
        self.as_saved = as_saved
        self.claim, self.judgement, self.decision, self.saved = claim, judgement, decision, saved
        self.contested = contested
        self.renew()

    def build(self, width: int, height: int) -> Sequence[Row]:
        """The rows: verdict and place, heading, then words, reason and outcome as far as there is room."""
        claim = self.claim
        if claim is None:
            return [
                [(fit(line, width), "strong" if not number else "muted")]
                for number, line in enumerate(self.blank)
            ]
        rows: list[Row] = [self._first(claim, width)]
        heading = " › ".join(visible(part) for part in (*claim.heading, *claim.context))
        if heading and height >= 6:
            rows.append([(fit(heading, width), "muted")])
        words, outcome = self._words(claim), self._outcome(claim)
        judgement = self.as_saved or self.judgement
        why: Row = [(visible(judgement.why), "")] if judgement and judgement.why else []
        return rows + shared_out([words, why, outcome], (0, 2, 1), width, height - len(rows))

    def _first(self, claim: Claim, width: int) -> Row:
        """Verdict and place: where both have no room the reason is cut, then the start of the place."""
        place = f"{visible(claim.document)}:{claim.line_start}"
        pieces = verdict_pieces(self.judgement)
        if self.as_saved is not None:
            pieces = verdict_pieces(self.as_saved, self.judgement)
        (verdict, role), *more = pieces
        place = fit_end(place, min(cell_len(place), max(width - cell_len(verdict) - 2, 0)))
        room = width - cell_len(verdict) - cell_len(place) - 2
        left: list[tuple[str, str]] = [(verdict, role)]
        for text, its_role in more:
            shown = fit(text, min(cell_len(text), room))
            left.append((shown, its_role))
            room -= cell_len(shown)
        return [*left, (" " * (max(room, 0) + 2), ""), (place, "muted")]

    def _words(self, claim: Claim) -> Row:
        """The claim's own words; those that a suggestion would replace stand out."""
        text = one_line(claim.text)
        return emphasised(text, word_changes(text, self._other_words)[0], "strong", "removed-word")

    @property
    def _other_words(self) -> str:
        """The words decided on, else those suggested, to compare the claim's with; empty for none."""
        suggestion = self.judgement.suggestion if self.judgement and self.decision is None else None
        other = self.decision.text if self.decision else suggestion.text if suggestion else None
        return one_line(other or "")

    def _outcome(self, claim: Claim) -> Row:
        """What was decided, or what can be."""
        if self.contested:
            return self.contested
        decision = self.decision
        if decision is not None:
            glyph, word = DECISIONS[decision.kind]
            state = "" if self.saved else ", not saved yet"
            if decision.kind is DecisionKind.REWRITE:
                return [(f"{glyph} {word}{state}: ", "accent"), *self._new_words(claim)]
            return [(f"{glyph} {word} by ", "accent"), (visible(decision.by), ""), (state, "accent")]
        if claim.locked:
            return [("cannot be edited: ", "accent"), (visible(claim.locked), "")]
        suggestion = self.judgement.suggestion if self.judgement else None
        if suggestion is None:
            return []
        label, note = tier_words(suggestion), visible(suggestion.note)
        if suggestion.tier is Tier.REFUSE:
            return [(f"{label}: {note}", "muted")]
        if suggestion.text is None:
            return [(f"{label}: ", "accent"), (note if suggestion.tier is Tier.ASK else "retire it (t)", "")]
        return [(f"{label} (t): ", "accent"), *self._new_words(claim)]

    def _new_words(self, claim: Claim) -> Row:
        new = self._other_words
        return emphasised(new, word_changes(one_line(claim.text), new)[1], "", "added-word")


def one_line(text: str) -> str:
    """A claim's words on one line, safe to show, cut where nobody reads on."""
    return visible(" ".join(text[:_SHOWN_CHARS].split()))


def emphasised(text: str, spans: Spans, role: str, emphasis: str) -> Row:
    """The text in one role, the spans of it in another."""
    row: list[tuple[str, str]] = []
    at = 0
    for start, end in spans:
        row += [(text[at:start], role), (text[start:end], emphasis)]
        at = end
    return [*row, (text[at:], role)]


def shared_out(parts: Sequence[Row], order: Sequence[int], width: int, height: int) -> list[Row]:
    """Paragraphs in as many rows as there are: one each, the rest to them in ``order``, the last cut."""
    flows = [flowed(part, max(width, 1)) if part else [] for part in parts]
    given = [min(len(flow), 1) for flow in flows]
    left = height - sum(given)
    for number in order:
        more = max(min(len(flows[number]) - given[number], left), 0)
        given[number] += more
        left -= more
    rows: list[Row] = []
    for flow, count in zip(flows, given, strict=True):
        rows += flow[:count]
        if count and len(flow) > count:
            rows[-1] = _cut(flow[count - 1], width)
    return rows


def _cut(row: Row, width: int) -> Row:
    """A row with an ellipsis at its end."""
    used = sum(cell_len(text) for text, _ in row)
    if used < width:
        return [*row[:-1], (row[-1][0].rstrip() + "…", row[-1][1])]
    last, role = row[-1]
    return [*row[:-1], (fit(last + " …", max(cell_len(last), 1)), role)]

"""One row of the list as pieces of text with roles: what gets how much room, and what it says."""

from __future__ import annotations

from typing import NamedTuple

from rich.cells import cell_len

from memaudit.domain import Claim, Decision, DecisionKind
from memaudit.text import visible
from memaudit.tui.board import Rank
from memaudit.tui.cells import fit, fit_end
from memaudit.tui.finding import Terms, spans

MARGIN = 2
"""Cells at the left of a row that belong to cursor and mark."""

GLYPHS: dict[Rank, tuple[str, str, str]] = {
    Rank.BROKEN: ("✗", "stale", "stale"),
    Rank.WRONG: ("✗", "stale", "stale"),
    Rank.OPEN: ("?", "unknown", "unknown"),
    Rank.PENDING: ("·", "pending", "pending"),
    Rank.HELD: ("✓", "held", "held"),
    Rank.NORM: ("?", "unknown", "muted"),
}
"""Sign, word and role of each rank."""

DECISIONS: dict[DecisionKind, tuple[str, str]] = {
    DecisionKind.ACCEPT: ("✓", "accepted"),
    DecisionKind.RETIRE: ("−", "retired"),
    DecisionKind.REWRITE: ("»", "rewritten"),
}
"""Sign and word of each decision."""

SAVED: dict[DecisionKind, tuple[str, str, str]] = {
    DecisionKind.RETIRE: ("−", "gone", "muted"),
    DecisionKind.REWRITE: ("»", "saved", "muted"),
}
"""Sign, word and role of a claim that a save took out, or reworded to words without a verdict."""

_DECISION_WIDTH = 11
_LEAST_WORDS = 14
"""Cells that the words of a claim keep before the word of its decision is left out."""

_SHOWN_CHARS = 1_000

Parts = list[tuple[str, str]]
"""Pieces of text with their roles, several of which are parted by blanks."""

NOTHING = Terms()


class Columns(NamedTuple):
    """Cells given to each part of a row; 0 leaves the part out."""

    word: int
    text: int
    decision: int
    place: int

    @property
    def shared(self) -> bool:
        """Whether a decision stands where the place stands otherwise."""
        return not self.decision


def divided(width: int, place_width: int) -> Columns:
    """Columns for rows of ``width`` cells whose longest place takes ``place_width``."""
    word = 9 if width >= 38 else 0
    rest = max(width - 2 - word, 0)
    if width < 32:
        return Columns(word, rest, 0, 0)
    place = min(place_width, max(rest // 3, 12)) + 2
    if rest - place - _DECISION_WIDTH >= 60:
        return Columns(word, rest - place - _DECISION_WIDTH - 2, _DECISION_WIDTH, place)
    place = max(place, _DECISION_WIDTH + 2)
    return Columns(word, rest - place, 0, place)


BY_MODEL = "≈"
"""Stands at a verdict that a model gave: it has proved nothing."""

CONTESTED = ("≠", "contested")
"""Sign and word of a claim that people decided differently without seeing each other's decision."""


def place_of(claim: Claim, *, one_file: bool) -> str:
    """Where a claim stands, safe to show."""
    return visible(f"{'' if one_file else claim.document}:{claim.line_start}")


def claim_parts(
    claim: Claim,
    rank: Rank | None,
    decision: Decision | None,
    columns: Columns,
    terms: Terms = NOTHING,
    *,
    contested: bool = False,
    one_file: bool = False,
    by_model: bool = False,
) -> Parts:
    """Verdict, words, decision and place of a claim, with what was searched for picked out.

    Where all claims stand in ``one_file``, the line alone is their place: the words need the room. No
    rank is for a claim that its file holds no more (:data:`SAVED`).
    """
    if rank is not None:
        glyph, word, role = GLYPHS[rank]
    else:
        glyph, word, role = SAVED[decision.kind if decision else DecisionKind.RETIRE]
    place = place_of(claim, one_file=one_file)
    sign = " ".join(CONTESTED if contested else DECISIONS[decision.kind]) if decision else ""
    room = columns.text
    tail: Parts = []
    if columns.place and columns.shared:
        # The words may have what a short place leaves of its column, and give way to a decision.
        at = fit_end(place, columns.place - 2).lstrip()
        room += columns.place - 2 - cell_len(at)
        tail = picked(f"  {at}", "muted", terms)
        if sign:
            room -= cell_len(sign) + 1
            if room < _LEAST_WORDS:
                room += cell_len(sign) - 1
                sign = sign[0]
            tail = [(f"  {sign} ", "decision"), *picked(at, "muted", terms)]
    elif columns.place:
        tail = [
            ("  " + fit(sign, columns.decision), "decision"),
            *picked(fit_end(place, columns.place - 2), "muted", terms),
        ]
    words = visible(" ".join(claim.text[:_SHOWN_CHARS].split()))
    return [
        (f"{glyph}{BY_MODEL if by_model and not columns.word else ' '}", role),
        (fit(f"{word} {BY_MODEL}" if by_model else word, columns.word), role),
        *picked(
            fit(_from_match(words, room, terms), room),
            "muted" if decision or rank is Rank.NORM else "",
            terms,
        ),
        *tail,
    ]


def picked(text: str, role: str, terms: Terms) -> Parts:
    """Text in one role, what was searched for in it also in the role ``match``."""
    parts: Parts = []
    end = 0
    for start, stop in spans(text, terms) if terms.words else ():
        parts += [(text[end:start], role), (text[start:stop], f"{role} match")]
        end = stop
    return [*parts, (text[end:], role)]


def _from_match(words: str, room: int, terms: Terms) -> str:
    """The words of a claim, cut at their beginning where the first match would be cut off otherwise."""
    if not terms.words or len(words) <= room:
        return words
    found = spans(words, terms)
    if not found or found[0][1] < room:
        return words
    start = max(found[0][0] - room // 3, 0)
    return "…" + words[start:]


def fold_parts(count: int, width: int) -> Parts:
    """The one row for ``count`` folded claims."""
    noun = "claim" if count == 1 else "claims"
    text = f"▸ {count:,} {noun} no repository state can decide (rules, preferences, other places)"
    hint = "  . lists them" if width > 98 else ""
    return [(fit(text + hint, width), "muted")]

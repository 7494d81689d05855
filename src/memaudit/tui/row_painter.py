"""Rows of the list as strips for the screen, each drawn once for all it can look like."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from rich.cells import cell_len
from textual.strip import Strip
from textual.widget import Widget

from memaudit.tui.board import FOLD, Board, Rank
from memaudit.tui.cells import fit, styled
from memaudit.tui.claim_row import MARGIN, Parts, claim_parts, divided, fold_parts, place_of
from memaudit.tui.finding import Terms
from memaudit.tui.ranks import is_by_model
from memaudit.tui.roles import Roles

_CACHED_STRIPS = 2_000
_SAMPLE = 500
"""Claims that are looked at for the width of their places; a longer one is cut at its beginning."""


class Shown(NamedTuple):
    """All that decides how a row looks; two that are equal look the same."""

    at: int
    """The board's index of the claim, or FOLD."""
    revision: int
    """The claim's revision on the board; for the fold, the number of folded claims."""
    width: int
    here: bool
    """Whether the cursor stands on it."""
    focused: bool
    """Whether that cursor is the one that keys go to."""
    marked: bool
    terms: Terms


class RowPainter:
    """Draws rows in the component styles ``claim-list--…`` of a widget."""

    def __init__(self, widget: Widget) -> None:
        self._roles = Roles(widget, "claim-list")
        self._strips: dict[Shown, Strip] = {}
        self._place_width = 0
        self._one_file = False

    def measure(self, board: Board) -> None:
        """Take up another board."""
        self._strips.clear()
        sample = board.claims[:: len(board.claims) // _SAMPLE + 1]
        first = board.claims[0].document if board.claims else ""
        self._one_file = all(claim.document == first for claim in board.claims)
        places = (place_of(claim, one_file=self._one_file) for claim in sample)
        self._place_width = cell_len(max(places, key=len, default=""))

    def forget(self) -> None:
        """Draw all anew: the theme is another one."""
        self._strips.clear()
        self._roles.forget()

    def strip(self, board: Board, shown: Shown) -> Strip:
        """One row."""
        strip = self._strips.get(shown)
        if strip is None:
            if len(self._strips) >= _CACHED_STRIPS:
                self._strips.clear()
            strip = self._strips[shown] = self._draw(board, shown)
        return strip

    def blank(self, width: int, text: str = "") -> Strip:
        """A row without a claim, with what there is to say instead."""
        if text:
            return Strip(styled([(fit("  " + text, width), self._roles("muted"))]), width)
        return Strip.blank(width, self._roles())

    def _draw(self, board: Board, shown: Shown) -> Strip:
        index, width = shown.at, shown.width - MARGIN
        parts = fold_parts(shown.revision, width)
        if index != FOLD:
            columns = divided(width, self._place_width)
            claim, decision = board.claims[index], board.decision(index)
            contested = claim.id in board.contested
            rank: Rank | None = board.rank(index)
            if claim.id in board.written:
                rank = board.written[claim.id]
                if decision is not None and decision.text is not None:
                    claim = replace(claim, text=decision.text)
            parts = claim_parts(
                claim,
                rank,
                decision,
                columns,
                shown.terms,
                contested=contested,
                one_file=self._one_file,
                by_model=is_by_model(board.judgements[index]),
            )
        cursor = "" if not shown.here else "cursor" if shown.focused else "cursor-blurred"
        margin = ("▌" if shown.here else " ") + ("●" if shown.marked else " ")
        role = "bar" if shown.here or shown.marked else parts[0][1]
        return self._styled([(margin, role), *parts], cursor).adjust_cell_length(
            shown.width, self._roles("", cursor)
        )

    def _styled(self, parts: Parts, cursor: str) -> Strip:
        # Where the cursor is drawn in reverse, colours would turn into patches of background.
        plain = bool(cursor) and bool(self._roles.partial(cursor).reverse)
        pieces = []
        for text, roles in parts:
            role, _, match = roles.partition(" ")
            pieces.append((text, self._roles("" if plain else role, match, cursor)))
        return Strip(styled(pieces))

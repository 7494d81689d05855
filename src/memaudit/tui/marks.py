"""Which claims are marked: one by one, a run of rows, all that is listed, or all but the marked ones."""

from __future__ import annotations

from memaudit.tui.board import FOLD, Board, Rank


class Marks:
    """Ids of marked claims. They stay marked when a filter hides them.

    Folded claims are marked by nothing here: nobody has seen them.
    """

    def __init__(self) -> None:
        self.ids: set[str] = set()
        self._anchor: str | None = None

    def clear(self) -> None:
        """Take all marks away."""
        self.ids.clear()
        self._anchor = None

    def toggle(self, board: Board, index: int) -> None:
        """Mark a claim, or take its mark away; a run may start from here."""
        claim_id = board.claims[index].id
        self.ids ^= {claim_id}
        self._anchor = claim_id

    def run(self, board: Board, index: int) -> None:
        """Mark all rows from the claim that was marked last to this one, which is all if there is none."""
        end = board.row(index)
        if end is None:
            return
        anchor = board.index(self._anchor)
        start = None if anchor is None else board.row(anchor)
        start = end if start is None else start
        for row in range(min(start, end), max(start, end) + 1):
            if board[row] != FOLD:
                self.ids.add(board.claims[board[row]].id)
        self._anchor = board.claims[index].id

    def all(self, board: Board) -> None:
        """Mark all that is listed, or nothing of it where all is marked already."""
        listed = self._listed(board)
        self.ids = self.ids - listed if listed <= self.ids else self.ids | listed

    def invert(self, board: Board) -> None:
        """Mark what is listed and not marked, and the other way round."""
        self.ids ^= self._listed(board)

    def unlisted(self, board: Board) -> int:
        """The number of marked claims that are not among the rows now."""
        if not self.ids:
            return 0
        indices = (board.index(claim_id) for claim_id in self.ids)
        return sum(1 for index in indices if index is None or board.row(index) is None)

    def _listed(self, board: Board) -> set[str]:
        ranks = [rank for rank in Rank if rank is not Rank.NORM or not board.folds]
        return {board.claims[index].id for index in board.listed(ranks)}

"""A claim that people decided differently, as the card and the tabs show it."""

from __future__ import annotations

from collections.abc import Sequence

from memaudit.domain import Decision
from memaudit.text import visible
from memaudit.tui.claim_row import CONTESTED
from memaudit.tui.lines import Row
from memaudit.tui.telling import decided_words


def contested_row(stands: Sequence[Decision], author: str, key: str) -> Row:
    """Who decided what, on one line, and the key to choose with; empty where nothing is contested."""
    if not stands:
        return []
    words = "; ".join(decided_words(one, author) for one in stands)
    return [(f"{' '.join(CONTESTED)}, {key} chooses: ", "unknown"), (words, "")]


def contested_entries(stands: Sequence[Decision], author: str, key: str) -> list[tuple[str, Row]]:
    """Who decided what and when, a line for each, and the key; nothing where nothing is contested."""
    entries: list[tuple[str, Row]] = []
    for number, one in enumerate(stands):
        at = visible(one.at.replace("T", " ")[:16])
        label = CONTESTED[1] if number == 0 else ""
        entries.append((label, [(f"{CONTESTED[0]} {decided_words(one, author)}", ""), (f"  {at}", "muted")]))
    if entries:
        words = f"nobody had seen the other's decision; {key} chooses which stands"
        entries.append(("", [(words, "unknown")]))
        entries.append(("", []))
    return entries

"""The whole change before it is written: every file, what goes and what comes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from memaudit.domain import DecisionKind
from memaudit.review.session import FileChange
from memaudit.text import visible
from memaudit.tui.claim_row import DECISIONS
from memaudit.tui.dialogs.base import Dialog, Keys, Title
from memaudit.tui.diff_model import LineDiff
from memaudit.tui.split_diff import SplitDiff

_WORDS: Mapping[DecisionKind | None, str] = {
    **{kind: word for kind, (_, word) in DECISIONS.items()},
    None: "taken back",
}


class SavePreview(Dialog[bool]):
    """Gives back True when the change is to be written."""

    DEFAULT_CSS = """
    SavePreview > Vertical { width: 100%; height: 100%; }
    SavePreview SplitDiff { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,s,y", "write", "Write", show=False, priority=True),
        Binding("right_square_bracket,tab", "turn(1)", "Next file", show=False, priority=True),
        Binding("left_square_bracket,shift+tab", "turn(-1)", "Previous file", show=False, priority=True),
        Binding("d", "columns", "Side by side", show=False),
    ]

    def __init__(self, changes: Sequence[FileChange], unsaved: Mapping[DecisionKind | None, int]) -> None:
        super().__init__()
        self._changes = changes
        self._unsaved = unsaved
        self._at = 0

    def compose(self) -> ComposeResult:
        """Title, file, comparison, keys."""
        with Vertical():
            yield Title(self._headline(), self._kinds())
            yield Title("", id="save-file")
            yield SplitDiff(id="save-diff")
            keys = [("enter", "write"), ("n p", "changes"), ("d", "side by side")]
            if len(self._changes) > 1:
                keys.insert(1, ("] [", "files"))
            yield Keys(*keys, ("esc", "back, nothing written"))

    def on_mount(self) -> None:
        """Show the first file."""
        self.query_one(SplitDiff).focus()
        self._show()

    def _headline(self) -> str:
        total = sum(self._unsaved.values())
        decisions = f"{total:,} decision" + ("" if total == 1 else "s")
        if not self._changes:
            return f"Save {decisions}: no file changes, the decisions are noted"
        files = "1 file" if len(self._changes) == 1 else f"{len(self._changes)} files"
        return f"Save {decisions} to {files}?"

    def _kinds(self) -> str:
        """How many decisions of which kind: those that change no file are in no comparison below."""
        kinds = [(count, word) for kind, word in _WORDS.items() if (count := self._unsaved.get(kind, 0))]
        return ", ".join(f"{count:,} {word}" for count, word in kinds)

    def action_write(self) -> None:
        """Yes."""
        self.dismiss(True)

    def action_turn(self, step: int) -> None:
        """Another file."""
        if self._changes:
            self._at = (self._at + step) % len(self._changes)
            self._show()

    def action_columns(self) -> None:
        """Side by side or one column."""
        diff = self.query_one(SplitDiff)
        diff.split = not diff.is_split

    def _show(self) -> None:
        if not self._changes:
            return
        change = self._changes[self._at]
        diff = LineDiff(
            change.before.decode("utf-8", errors="replace"), change.after.decode("utf-8", errors="replace")
        )
        removed, added = diff.counts()
        number = f"{self._at + 1} of {len(self._changes)}  " if len(self._changes) > 1 else ""
        path = visible(change.document.path)
        self.query_one("#save-file", Title).say(f"{number}{path}", f"-{removed} +{added} lines")
        name = Path(change.document.path).name
        self.query_one(SplitDiff).show(diff, paths=(name, name), prose=True)

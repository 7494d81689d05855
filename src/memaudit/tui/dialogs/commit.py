"""One commit in full: who, when, the whole message, what it did to the file that decides, and its files."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from memaudit.domain import CommitInfo
from memaudit.errors import MemauditError
from memaudit.text import visible
from memaudit.tui.dialogs.base import Dialog, Keys, Title
from memaudit.tui.engine import FullCommit
from memaudit.tui.lines import Row
from memaudit.tui.panes.why import FactsPane

_CHANGES = {"A": "added", "D": "removed", "R": "moved", "M": "changed", "T": "retyped", "C": "copied"}
_MOST_LINES = 2_000


class CommitDialog(Dialog[None]):
    """Shows what is known at once, and the rest as soon as the audit process answers."""

    DEFAULT_CSS = """
    CommitDialog > Vertical { width: 100; max-width: 100%; height: 80%; min-height: 16; max-height: 100%; }
    CommitDialog FactsPane { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b,q,enter", "leave", show=False),
        Binding("y", "copy", show=False),
        Binding("j,down", "scroll(1)", show=False),
        Binding("k,up", "scroll(-1)", show=False),
    ]

    def __init__(
        self,
        commit: CommitInfo,
        read: Callable[[str], Awaitable[FullCommit]],
        copy: Callable[[str], None],
    ) -> None:
        super().__init__()
        self._commit = commit
        self._read = read
        self._copy = copy

    def compose(self) -> ComposeResult:
        """Title, the commit, keys."""
        with Vertical():
            yield Title("Commit", visible(self._commit.sha))
            yield FactsPane()
            yield Keys(("↑ ↓", "scroll"), ("y", "copy the commit id"), ("esc", "back"))

    def on_mount(self) -> None:
        """Ask for the message."""
        self.query_one(FactsPane).focus()
        self._show(commit_entries(self._commit, None))
        self.run_worker(self._load(), exit_on_error=False)

    async def _load(self) -> None:
        try:
            full = await self._read(self._commit.sha)
        except MemauditError as error:
            self._show([*commit_entries(self._commit, None), ("message", [(error.line(), "muted")])])
            return
        self._show(commit_entries(full.info, full))

    def _show(self, entries: list[tuple[str, Row]]) -> None:
        self.query_one(FactsPane).show(entries)

    def action_copy(self) -> None:
        """Copy the id and close: the notice of it would lie over the dialog."""
        self.dismiss(None)
        self._copy(visible(self._commit.sha))

    def action_scroll(self, lines: int) -> None:
        """Up or down."""
        self.query_one(FactsPane).scroll_relative(y=lines, animate=False)


def commit_entries(info: CommitInfo, full: FullCommit | None) -> list[tuple[str, Row]]:
    """A commit as labelled paragraphs; without ``full`` only what evidence tells."""
    entries: list[tuple[str, Row]] = [
        ("author", [(visible(info.author), "")]),
        ("date", [(visible(info.date.replace("T", " ")), "")]),
        ("", []),
    ]
    lines = full.message.split("\n")[:_MOST_LINES] if full else [info.summary]
    for number, line in enumerate(lines):
        entries.append(("message" if not number else "", [(visible(line), "" if number else "strong")]))
    if full is None:
        return entries
    entries += _change_entries(full)
    entries.append(("", []))
    for number, (status, path) in enumerate(full.files):
        word = _CHANGES.get(status, status)
        role = {"A": "added", "D": "removed"}.get(status, "muted")
        entries.append(("files" if not number else "", [(f"{visible(word):<8} ", role), (visible(path), "")]))
    if full.more_files:
        entries.append(("", [(f"and {full.more_files:,} more", "muted")]))
    if len(full.parents) > 1:
        entries.append(("", [("a merge: files against its first parent", "muted")]))
    return entries


def _change_entries(full: FullCommit) -> list[tuple[str, Row]]:
    """What the commit did to the file that decides, as a diff without its head."""
    if not full.change:
        return []
    entries: list[tuple[str, Row]] = [("", []), ("change", [(visible(full.changed), "strong")])]
    for line in full.change:
        role = {"+": "added", "-": "removed", "@": "accent"}.get(line[:1], "")
        entries.append(("", [(visible(line.expandtabs(4)), role)]))
    if full.cut:
        entries.append(("", [(f"only the first {len(full.change):,} lines", "muted")]))
    return entries

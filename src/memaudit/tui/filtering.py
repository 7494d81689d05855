"""What is listed on the review screen: search, filter and order, and how they are kept between runs."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

from textual.widgets import Input

from memaudit.paths import repository_state
from memaudit.tui.auditing import AuditingScreen
from memaudit.tui.board import Filter, Sort
from memaudit.tui.engine import Opened
from memaudit.tui.search_bar import SearchBar
from memaudit.tui.view_state import View, load_view, save_view

AT_ONCE = 5_000
"""Claims up to which a list is searched and sorted at the key press, which takes some milliseconds."""

TYPING = 0.08
"""Seconds that a larger list waits for the next letter."""

_SLICE, _REST = 0.008, 0.001
"""Seconds of work on a larger list after which keys and verdicts have their turn, and how long that is."""


class FilteringScreen(AuditingScreen):
    """The part of the review screen that says which claims are listed."""

    _wanted: View = View()
    """What was asked for last; the board may still be on its way there."""
    _restored = False

    def do_search(self) -> None:
        """Open the search."""
        # A class on the screen would have every widget styled anew, which takes a tenth of a second.
        search = self.query_one(SearchBar)
        search.display = True
        search.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter while typing."""
        if event.input.id == "search" and event.value != self._wanted.filter.query:
            self._list(replace(self._wanted, filter=replace(self._wanted.filter, query=event.value)), TYPING)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep the search and go on in the list."""
        self._close_search()

    def on_search_bar_steered(self, event: SearchBar.Steered) -> None:
        """Move in the list while typing."""
        if event.rows > 0:
            self.claims.action_down()
        else:
            self.claims.action_up()

    def on_search_bar_cleared(self) -> None:
        """The search is over."""
        self._close_search()

    def _close_search(self) -> None:
        self.query_one(SearchBar).display = False
        self.claims.focus()
        self._keep_view()

    def do_filter(self) -> None:
        """Choose what is listed."""
        from memaudit.tui.dialogs.filter import FilterDialog

        self.app.push_screen(FilterDialog(self.sitting.board, self.apply_filter))

    def do_sort(self) -> None:
        """Choose the order."""
        from memaudit.tui.dialogs.sort import SortDialog

        def answered(sort: Sort | None) -> None:
            if sort is not None:
                self._list(replace(self._wanted, sort=sort))

        self.app.push_screen(SortDialog(self._wanted.sort), answered)

    def do_show_all(self) -> None:
        """No search and no filter."""
        self.query_one(SearchBar).display = False
        self.apply_filter(Filter())

    @property
    def filtered(self) -> bool:
        """Whether a search or a filter may leave something out."""
        return self._wanted.filter.active

    def apply_filter(self, filter_: Filter) -> None:
        """List only what passes."""
        self._list(replace(self._wanted, filter=filter_))
        search = self.query_one(SearchBar)
        if search.value != filter_.query:
            search.value = filter_.query

    def restore_view(self, opened: Opened) -> None:
        """List what was listed when this repository was left last."""
        if self._restored:
            return
        self._restored = True
        view = load_view(repository_state(opened.common_dir))
        if view != self._wanted:
            self._list(view)
            self.query_one(SearchBar).value = view.filter.query

    def _keep_view(self) -> None:
        """Remember what is listed for the next time."""
        opened = self.sitting.opened
        if opened is None or not self._restored:
            return
        folder = repository_state(opened.common_dir)
        try:
            if load_view(folder) != self._wanted:
                save_view(folder, self._wanted)
        except OSError as error:
            self.tell(f"The filter is not kept: {error.strerror or error}", "warning")

    def _list(self, view: View, wait: float = 0.0) -> None:
        """List by a filter and in an order: at once, or bit by bit where that would stop the screen."""
        self._wanted = view
        if not wait:
            self._keep_view()
        if len(self.sitting.board.claims) > AT_ONCE:
            self.run_worker(self._list_slowly(view, wait), group="list", exclusive=True, exit_on_error=False)
            return
        for _ in self.sitting.board.arranging(view.filter, view.sort):
            pass
        self.refresh_now()

    async def _list_slowly(self, view: View, wait: float) -> None:
        await asyncio.sleep(wait)
        rested = time.perf_counter()
        for _ in self.sitting.board.arranging(view.filter, view.sort):
            if time.perf_counter() - rested > _SLICE:
                await asyncio.sleep(_REST)
                rested = time.perf_counter()
        self.refresh_now()

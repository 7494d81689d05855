"""The one screen that does the work: claims on the left, the selected one on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widgets import ContentSwitcher

from memaudit.domain import Claim, Judgement
from memaudit.settings import Settings
from memaudit.tui.actions import ACTIONS, DECIDING, Action, Scope, review_bindings
from memaudit.tui.asking import AskingScreen
from memaudit.tui.asking_line import AskingLine
from memaudit.tui.auditing import WATCH_SECONDS
from memaudit.tui.bars import Clicked, KeyBar, TabBar
from memaudit.tui.board import FOLD, Rank, Sort
from memaudit.tui.claim_list import ClaimList
from memaudit.tui.engine import Opened
from memaudit.tui.filtering import FilteringScreen
from memaudit.tui.header import Header
from memaudit.tui.keymap import keymap_of, press_key
from memaudit.tui.panes.card import Card
from memaudit.tui.panes.evidence import EvidencePane
from memaudit.tui.panes.history import HistoryPane
from memaudit.tui.panes.memory import MemoryPane
from memaudit.tui.panes.message import Hint
from memaudit.tui.panes.standing import contested_entries, contested_row
from memaudit.tui.panes.why import FactsPane, why_entries
from memaudit.tui.recalling import RecallingScreen, RecapLine
from memaudit.tui.search_bar import FilterLine, SearchBar
from memaudit.tui.split_diff import SplitDiff

if TYPE_CHECKING:
    from memaudit.domain import AuditRequest

LOOK = 0.05
"""Seconds the cursor rests on a claim before the right side follows."""

_STACKED, _ROOMY = 100, 160
_FLAT, _TALL = 25, 33
_SPLITS = {"auto": None, "side-by-side": True, "unified": False}


class ThemeWanted(Message):
    """Another theme is to be chosen; the program around the screen knows them."""


class SettingsWanted(Message):
    """The settings are to be changed."""


class ReviewScreen(FilteringScreen, RecallingScreen, AskingScreen, inherit_bindings=False):
    """Lists claims as soon as they are known, takes in verdicts as they come, takes decisions."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *review_bindings(),
        Binding("escape", "back", show=False, id="anywhere.back"),
        Binding("tab", "app.focus_next", show=False, id="anywhere.switch"),
        Binding("shift+tab", "app.focus_previous", show=False),
    ]
    AUTO_FOCUS = "#list"
    BLANK = True
    """Other widgets cover all of it: what lies under them is not drawn line by line."""

    def __init__(
        self, request: AuditRequest, settings: Settings, command: tuple[str, ...] | None = None
    ) -> None:
        super().__init__(request, settings, command)
        self._look_timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Header, panes, keys."""
        split = _SPLITS[self.settings.diff]
        yield Header(id="header")
        yield FilterLine(id="filter-line")
        yield RecapLine(id="recap")
        yield AskingLine(id="asking")
        yield Hint(id="failure")
        with Horizontal(id="panes"):
            with Vertical(id="left"):
                yield SearchBar(
                    id="search", placeholder="words of a claim, its file or its reason", compact=True
                )
                yield ClaimList(self.sitting.board, id="list")
            with Vertical(id="right"):
                yield Card(id="card")
                yield TabBar(id="tabs")
                with ContentSwitcher(initial="evidence", id="tabs-content"):
                    yield EvidencePane(split, id="evidence")
                    yield MemoryPane(split, wrap=self.settings.wrap, id="memory")
                    yield FactsPane(id="why")
                    yield HistoryPane(id="history")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Start the audit behind the first paint."""
        self.query_one(Card).blank = ("Reading the repository …", "The claims are listed in a moment.")
        self.query_one(SearchBar).cursor_blink = self.app.animation_level != "none"
        self._renew()
        self.start_audit()
        self.set_interval(WATCH_SECONDS, self.watch_head)

    # What the audit reports

    def show_opened(self, opened: Opened) -> None:
        """List the claims."""
        self.remove_class("-failed")
        evidence = self.query_one(EvidencePane)
        evidence.forget()
        evidence.engine = self.engine
        evidence.per_claim = opened.range.per_claim
        self.query_one(Card).blank = (
            "No claims.",
            "The memory that was found holds nothing that could be true or false.",
        )
        self.claims.show(self.sitting.board)
        self.restore_view(opened)

    def show_failure(self, line: str) -> None:
        """Nothing could be opened: say why and what to do, in place of the panes."""
        self.query_one("#failure", Hint).show(
            "memaudit cannot open this.",
            line,
            self.say("{reload} tries again, {quit} leaves; {settings} changes the settings."),
            "Another repository: memaudit PATH. A sample to try: memaudit demo.",
        )
        self.add_class("-failed")

    def refresh_now(self) -> None:
        """Bring list, small parts and right side up to date."""
        super().refresh_now()
        self.claims.sync()
        self._renew()
        self._look_soon()

    # What is selected

    @property
    def claim(self) -> Claim | None:
        """The selected claim."""
        return self.sitting.claim(self.claims.cursor)

    @property
    def judgement(self) -> Judgement | None:
        """The verdict on it."""
        return self.sitting.judgement(self.claims.cursor)

    @property
    def marked(self) -> int:
        """The number of marked claims."""
        return len(self.claims.marks)

    @property
    def acceptable(self) -> int:
        """The number of held claims of the current filter without a decision."""
        return self.sitting.board.undecided_count((Rank.HELD,))

    @property
    def takeable(self) -> int:
        """The number of undecided claims of the current filter with a proved suggestion."""
        return len(self.sitting.board.takeable())

    @property
    def on_fold(self) -> bool:
        """Whether the cursor stands on the folded line."""
        return self.claims.index == FOLD

    @property
    def folds(self) -> int:
        """The number of claims that are or could be folded."""
        return self.sitting.board.folded_count

    @property
    def decided(self) -> int:
        """The number of claims with a decision."""
        return len(self.sitting.board.decisions)

    @property
    def unsaved(self) -> int:
        """The number of claims whose decision is not in the file yet."""
        return self.sitting.unsaved

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return self.sitting.can_undo

    @property
    def can_redo(self) -> bool:
        """Whether there is an undone step to do again."""
        return self.sitting.can_redo

    @property
    def why_no_save(self) -> str:
        """Why these stores can never be saved, or empty."""
        return self.sitting.opened.read_only if self.sitting.opened else "no memory is open yet"

    def on_claim_list_moved(self, event: ClaimList.Moved) -> None:
        """The card follows at once, the right side when the cursor rests."""
        self._renew()
        self._look_soon()

    def on_claim_list_marked(self) -> None:
        """Say how many are marked."""
        self._renew()

    def on_claim_list_peeked(self, event: ClaimList.Peeked) -> None:
        """Scroll the right side from the list."""
        pane = self.query_one(f"#{self.tab}")
        target = next(iter(pane.query(SplitDiff)), pane)
        target.scroll_relative(y=event.lines, animate=False)

    def on_claim_list_opened(self, event: ClaimList.Opened) -> None:
        """Open the fold, or go to the right side."""
        if self.claims.index == FOLD:
            self.do_fold()
        else:
            self._focus_right()

    def _look_soon(self) -> None:
        if self._look_timer is not None:
            self._look_timer.stop()
        self._look_timer = self.set_timer(LOOK, self._look)

    def _look(self) -> None:
        """Let the tab that is shown follow the cursor."""
        if self._look_timer is not None:
            self._look_timer.stop()
            self._look_timer = None
        claim, judgement = self.claim, self.judgement
        stands = self.sitting.contested(claim.id if claim else None)
        contested = contested_entries(stands, self.sitting.author, keymap_of(self).key("choose"))
        if self.tab == "evidence":
            self.query_one(EvidencePane).show(claim, judgement)
        elif self.tab == "memory":
            document = self.sitting.document(claim) if claim else None
            self.query_one(MemoryPane).show(claim, document, self.sitting.board.decisions)
        elif claim is not None and self.tab == "why":
            paid, as_saved = self.sitting.asked.get(claim.id), self.sitting.as_saved(claim.id)
            why = why_entries(claim, judgement, self.sitting.cost, paid, as_saved)
            self.query_one("#why", FactsPane).show([*contested, *why])
        elif claim is not None:
            decision, saved = self.sitting.decision(claim.id), self.sitting.is_saved(claim.id)
            self.query_one(HistoryPane).show_claim(
                self.engine, claim, judgement, decision, saved=saved, contested=contested
            )

    def _renew(self) -> None:
        """Bring all the small parts up to date."""
        sitting, claim, board = self.sitting, self.claim, self.sitting.board
        header = self.query_one(Header)
        header.opened, header.board = sitting.opened, board
        header.progress, header.stopped, header.unsaved = self.progress, self.stopped, sitting.unsaved
        header.moved, header.others = bool(self.moved_to), self.others
        card = self.query_one(Card)
        if claim is None and self.claims.index == FOLD:
            card.blank = (
                f"{board.folded_count} claims that no state of the repository can decide.",
                self.say("Rules, preferences, other machines and other repositories. {fold} lists them."),
            )
        elif claim is None and board.claims and not len(board):
            card.blank = ("Nothing is listed.", self.say("{show_all} shows all claims again."))
        saved = claim is None or sitting.is_saved(claim.id)
        decision = sitting.decision(claim.id) if claim else None
        stands = sitting.contested(claim.id if claim else None)
        contested = contested_row(stands, sitting.author, keymap_of(self).key("choose"))
        as_saved = sitting.as_saved(claim.id) if claim else None
        card.show(claim, self.judgement, decision, saved=saved, as_saved=as_saved, contested=contested)
        header.marked = self.marked if not self._renew_list() else 0
        header.renew()
        tabs = self.query_one(TabBar)
        tabs.focused = self.focused is not None and self.focused not in (
            self.claims,
            self.query_one(SearchBar),
        )
        tabs.renew()
        keys = self.query_one(KeyBar)
        keys.unusable = frozenset(action.id for action in ACTIONS if action.footer and action.why_not(self))
        keys.scope = Scope.DIFF if isinstance(self.focused, SplitDiff) else Scope.LIST
        keys.renew()

    def _renew_list(self) -> bool:
        """Bring the list's own lines up to date; whether there is one that counts the marks."""
        board = self.sitting.board
        sort = "" if board.sort is Sort.VERDICT else board.sort.value
        line = self.query_one(FilterLine)
        line.say(board, sort, self.marked, self.claims.marks_unlisted if board.filter.active else 0)
        # Not for marks alone: the list would move by a row under the first one.
        line.display = board.filter.active or bool(sort)
        if self.sitting.opened is None:
            lines: tuple[str, ...] = ("", "Reading …")
        elif not board.claims:
            lines = (
                "",
                "No claims in this memory.",
                self.say("{quit} leaves. Any Markdown file will do:"),
                "memaudit --store FILE",
            )
        else:
            lines = ("", "No claim matches.", self.say("{show_all} shows all again."))
        if lines != self.claims.empty_lines:
            self.claims.empty_lines = lines
            self.claims.refresh()
        return bool(line.display)

    # Layout, focus, keys

    @property
    def tab(self) -> str:
        """The tab that is shown."""
        return self.query_one(TabBar).active

    def on_resize(self, event: events.Resize) -> None:
        """Stack the panes where they have no room beside each other."""
        width, height = event.size
        self.set_class(width < _STACKED, "-stacked")
        self.set_class(width >= _ROOMY, "-roomy")
        self.set_class(height < _FLAT, "-flat")
        self.set_class(height > _TALL, "-tall")

    def on_descendant_focus(self) -> None:
        """Keys change with the focus."""
        self._renew()

    def on_clicked(self, event: Clicked) -> None:
        """A tab or a key at the bottom was clicked."""
        action = next((one for one in ACTIONS if one.id == event.action), None)
        if action is None:
            return
        if action.scope is Scope.REVIEW:
            self.act(action)
        else:
            press_key(self, keymap_of(self).keys(action)[0])

    def action_act(self, action_id: str) -> None:
        """Do an action of the table by its id."""
        self.act(
            next(action for action in ACTIONS if action.id == action_id and action.scope is Scope.REVIEW)
        )

    def act(self, action: Action) -> None:
        """Do an action, or say why it cannot be done."""
        reason = action.why_not(self)
        if reason:
            self.tell(f"{action.name}: {reason}.", "warning")
            return
        if action.id in DECIDING:
            # What they say of undoing is no longer so.
            self.app.clear_notifications()
        getattr(self, action.handler)()

    def action_back(self) -> None:
        """One step back: to the list, out of the zoom, marks away, search and filter away."""
        if self.focused is not self.claims and not self.has_class("-zoomed"):
            self.claims.focus()
        elif self.has_class("-zoomed"):
            self.do_zoom()
        elif self.asks:
            self.stop_asking()
        elif self.claims.marks:
            self.claims.unmark()
        elif self.sitting.board.filter.active:
            self.do_show_all()
        elif not self.dismiss_bill():
            self.dismiss_recap()

    def do_evidence(self) -> None:
        """Show the Evidence tab."""
        self._show_tab("evidence")

    def do_memory(self) -> None:
        """Show the Memory tab."""
        self._show_tab("memory")

    def do_why(self) -> None:
        """Show the Why tab."""
        self._show_tab("why")

    def do_history(self) -> None:
        """Show the History tab."""
        self._show_tab("history")

    def _show_tab(self, tab: str) -> None:
        had_focus = self.focused is not None and self.focused is not self.claims
        bar = self.query_one(TabBar)
        bar.active = tab
        bar.note = self._tab_note()
        bar.renew()
        self.query_one(ContentSwitcher).current = tab
        self._look()
        if had_focus:
            self._focus_right()

    def _focus_right(self) -> None:
        pane = self.query_one(f"#{self.tab}")
        target = next((diff for diff in pane.query(SplitDiff) if diff.display), None)
        (target or pane).focus()

    def do_next_evidence(self) -> None:
        """The claim's next piece of evidence."""
        self._look()
        self.query_one(EvidencePane).turn(1)

    def do_previous_evidence(self) -> None:
        """The piece of evidence before."""
        self._look()
        self.query_one(EvidencePane).turn(-1)

    def on_evidence_pane_turned(self, event: EvidencePane.Turned) -> None:
        """Say which piece of evidence is shown."""
        bar = self.query_one(TabBar)
        bar.note = self._tab_note()
        bar.renew()

    def _tab_note(self) -> str:
        number, total = self.query_one(EvidencePane).turned
        if self.tab != "evidence" or total < 2:
            return ""
        return f"{number} of {total}   ] next"

    def do_toggle(self) -> None:
        """Side by side, or one column."""
        shown = next((diff for diff in self.query(SplitDiff) if diff.is_on_screen), None)
        split = not shown.is_split if shown is not None else True
        for diff in self.query(SplitDiff):
            diff.split = split

    def do_zoom(self) -> None:
        """The right side on the whole screen, or not."""
        zoomed = not self.has_class("-zoomed")
        self.set_class(zoomed, "-zoomed")
        if zoomed:
            self._focus_right()
        else:
            self.claims.focus()

    def do_fold(self) -> None:
        """List or fold claims that nothing can decide."""
        board = self.sitting.board
        was_on_fold = self.claims.index == FOLD
        first = board.listed()[len(board) - 1] if was_on_fold else None
        board.fold(not board.folded)
        self.claims.sync()
        if first is not None:
            self.claims.select(first)
        self.refresh_now()

    # Other dialogs

    def do_help(self) -> None:
        """All keys."""
        from memaudit.tui.dialogs.help import HelpDialog

        self.app.push_screen(HelpDialog(self))

    def do_theme(self) -> None:
        """Choose a theme."""
        self.post_message(ThemeWanted())

    def do_jump(self) -> None:
        """Show a letter on everything that can be gone to."""
        from memaudit.tui.jump import JumpOverlay, Target, targets

        def answered(target: Target | None) -> None:
            if target is not None:
                target.go()

        self.app.push_screen(JumpOverlay(targets(self)), answered)

    def do_settings(self) -> None:
        """Show and change the settings."""
        self.post_message(SettingsWanted())

    def take_settings(self, settings: Settings) -> None:
        """Work with other settings from now on."""
        if settings.diff != self.settings.diff:
            for diff in self.query(SplitDiff):
                diff.split = _SPLITS[settings.diff]
        if self.sitting.opened is None and settings.review_folder != self.settings.review_folder:
            self.share_in(settings.review_folder)
        self.settings = settings
        self.sitting.sign_as(settings.decided_by)
        self.query_one(MemoryPane).wrap = settings.wrap
        self._look()
        self._renew()

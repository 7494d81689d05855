"""The screen program: themes, colours, the command palette, and the ways out."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.console import Console
from textual import events
from textual.app import App, SystemCommand
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.message import Message
from textual.screen import Screen
from textual.worker import WorkerFailed

from memaudit import interrupts
from memaudit.domain import AuditRequest
from memaudit.errors import SettingsError
from memaudit.paths import settings_folder
from memaudit.settings import FILE, Settings, load_settings
from memaudit.settings_file import change
from memaudit.text import visible
from memaudit.tui import themes
from memaudit.tui.keymap import Keymap
from memaudit.tui.review_screen import ReviewScreen
from memaudit.tui.too_small import TooSmall, is_too_small

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.command import Provider

COLOR_SYSTEMS = {"truecolor": "truecolor", "256": "256", "ansi": "standard", "none": "standard"}
"""Values of ``--color`` but ``auto``, with the number of colours that is sent."""

_TWICE_SECONDS = 2.0
_WATCH_SECONDS = 2.0


def run(
    request: AuditRequest,
    *,
    settings: Settings | None = None,
    color: str | None = None,
) -> int:
    """Open the review on what was asked for; returns the exit code.

    ``settings`` are read from the user's file unless given, ``color`` overrules theirs: auto,
    truecolor, 256, ansi or none. Raises SettingsError when the settings file cannot be used, and any
    other exception that ended the program.
    """
    settings = settings or load_settings()
    app = MemauditApp(request, settings, color=color)
    for fixed in ("COLUMNS", "LINES"):
        # Where a shell exports these they say how large the window once was, and win over what it is.
        os.environ.pop(fixed, None)
    interrupts.hand_to(app.interrupt)
    interrupts.end_with_terminal()
    app.run()
    interrupts.raise_where_caught()
    if app.interrupted:
        return interrupts.EXIT_CODE
    if app.fault is not None:
        raise app.fault
    return 2 if app.return_code else 0


def _palette() -> type[Provider]:
    """The commands of the palette, imported when it is opened first."""
    from memaudit.tui.palette import ActionProvider

    return ActionProvider


class MemauditApp(App[int]):
    """The program around the review screen."""

    TITLE = "memaudit"
    CSS_PATH = "app.tcss"
    COMMANDS = {_palette}  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave", "Leave", show=False, priority=True, system=True),
        Binding("ctrl+q", "leave_now", "Leave", show=False, system=True),
        Binding("ctrl+p", "command_palette", "Commands", show=False, priority=True, id="anywhere.palette"),
    ]

    interrupted = False
    """Whether control-C came before the terminal gave it as a key."""
    _is_drawn = False
    _is_leaving = False
    _closed_at = float("-inf")
    """When the last dialog was closed, on the clock of events."""
    _closed_from = Offset(-1, -1)
    """Where the mouse was then."""

    def __init__(
        self,
        request: AuditRequest,
        settings: Settings,
        *,
        color: str | None = None,
        command: tuple[str, ...] | None = None,
    ) -> None:
        color = color or settings.color
        if color == "none":
            os.environ["NO_COLOR"] = "1"
        # Unless Textual knows from the start that there are no colours to convert, it turns all into black.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.keymap = Keymap.of(settings)
        self.set_keymap(self.keymap.for_textual())
        self._request = request
        self._settings = settings
        self._color = color
        self._command = command
        self._themes, self._faults = themes.load_themes()
        for theme_file in self._themes.values():
            self.register_theme(theme_file.theme)
        self._user_files = themes.user_files_state()
        self._ctrl_c_at = float("-inf")
        if color in COLOR_SYSTEMS:
            self._send_colors(COLOR_SYSTEMS[color])
        self.theme = self._first_theme()

    def _first_theme(self) -> str:
        if self._color in ("ansi", "none") or self.no_color:
            return themes.ANSI
        if self._settings.theme in self._themes:
            return self._settings.theme
        near = ", ".join(self._themes)
        self._faults.append(
            SettingsError(f"no theme is called {self._settings.theme!r}", "settings", f"there are {near}")
        )
        return themes.DEFAULT

    def _send_colors(self, color_system: str) -> None:
        """Send no more colours than asked for, whatever the terminal claims to know."""
        old = self.console
        self.console = Console(
            color_system=color_system,  # type: ignore[arg-type]
            file=old.file,
            markup=False,
            highlight=False,
            emoji=False,
            legacy_windows=False,
            force_terminal=True,
            safe_box=False,
            soft_wrap=False,
            _environ={key: value for key, value in os.environ.items() if key != "NO_COLOR"},
        )

    def get_default_screen(self) -> Screen[None]:
        """The review itself, so that the first paint is already the real screen."""
        return ReviewScreen(self._request, self._settings, self._command)

    def exit(
        self, result: int | None = None, return_code: int = 0, message: RenderableType | None = None
    ) -> None:
        """End the program; keys that come until it has ended are for whoever reads the terminal next."""
        self._is_leaving = True
        super().exit(result, return_code, message)

    async def on_event(self, event: events.Event) -> None:
        """Take no key and no click once the program is being left, and none that was for a closed dialog."""
        if isinstance(event, events.InputEvent) and (self._is_leaving or self._is_late(event)):
            return
        await super().on_event(event)

    def _is_late(self, event: events.InputEvent) -> bool:
        """Whether a key was pressed before the last dialog closed, or is the second half of a double click
        that closed it: what lies below would take it for a decision on something else.
        """
        if isinstance(event, events.Key):
            return event.time < self._closed_at
        if isinstance(event, events.MouseDown):
            soon = event.time - self._closed_at < self.CLICK_CHAIN_TIME_THRESHOLD
            return soon and event.screen_offset == self._closed_from
        return False

    def pop_screen(self) -> AwaitComplete:
        """Close the dialog on top."""
        self._closed_at, self._closed_from = Message().time, self.mouse_position
        return super().pop_screen()

    def _fatal_error(self) -> None:
        """End after a fault of ours; whoever runs the program says so, not Textual with all variables."""
        self.bell()
        self.panic()

    @property
    def fault(self) -> BaseException | None:
        """What ended the program though nobody wanted to leave it."""
        error = self._exception
        return error.error if isinstance(error, WorkerFailed) else error

    def interrupt(self) -> None:
        """Leave as soon as the screen is there to be left; may be called at any moment."""
        self.interrupted = True
        with suppress(RuntimeError):  # the loop has not begun, or is over
            asyncio.get_running_loop().call_soon_threadsafe(self._leave_if_interrupted)

    def on_ready(self) -> None:
        """The terminal is the screen's, and all of it is mounted."""
        self._is_drawn = True
        self._leave_if_interrupted()

    def _leave_if_interrupted(self) -> None:
        if self.interrupted and self._is_drawn:
            self.exit(interrupts.EXIT_CODE)

    def on_mount(self) -> None:
        """Say what is wrong with user themes, and watch them."""
        self.call_after_refresh(self._tell_faults)
        self.set_interval(_WATCH_SECONDS, self._watch_themes)

    def on_resize(self, event: events.Resize) -> None:
        """Say so where there is no room, and come back when there is."""
        if isinstance(self.screen, TooSmall):
            self.screen.renew(event.size)
        elif is_too_small(event.size) and self.screen_stack:
            self.push_screen(TooSmall())

    def _tell_faults(self) -> None:
        for fault in self._faults:
            self.notify(visible(fault.line()), severity="warning", markup=False, timeout=10)
        self._faults = []

    def _watch_themes(self) -> None:
        """Take over user themes as they are saved."""
        state = themes.user_files_state()
        if state == self._user_files:
            return
        self._user_files = state
        self._themes, self._faults = themes.load_themes()
        for theme_file in self._themes.values():
            self.register_theme(theme_file.theme)
        if self.theme in self._themes:
            self._watch_theme(self.theme)
        self._tell_faults()

    def on_theme_wanted(self) -> None:
        """Open the choice of themes."""
        from memaudit.tui.dialogs.themes import ThemeDialog

        notes = {
            name: "yours" if one.path.parent == themes.user_folder() else ""
            for name, one in self._themes.items()
        }
        self.push_screen(ThemeDialog(notes.items(), self.theme), self._keep_theme)

    def _keep_theme(self, name: str | None) -> None:
        """Write a chosen theme to the settings."""
        if name is None:
            return
        try:
            change(self._file, "theme", name)
        except SettingsError as error:
            self.notify(error.line(), severity="warning", markup=False, timeout=10)
        else:
            self._settings = replace(self._settings, theme=name)

    def on_settings_wanted(self) -> None:
        """Open the settings."""
        from memaudit.tui.dialogs.settings import SettingsDialog

        self.push_screen(SettingsDialog(self._settings, self._file, self._themes, self._take_settings))

    @property
    def _file(self) -> Path:
        """Where settings are written."""
        return self._settings.file or settings_folder() / FILE

    def _take_settings(self, settings: Settings) -> None:
        """Work with other settings from now on; colours wait for the next start."""
        self._settings = settings
        self.theme = self._first_theme()
        self.keymap = Keymap.of(settings)
        self.set_keymap(self.keymap.for_textual())
        for screen in self.screen_stack:
            if isinstance(screen, ReviewScreen):
                screen.take_settings(settings)

    def action_command_palette(self) -> None:
        """Open the palette, unless it is."""
        from memaudit.tui.palette import Palette

        if not isinstance(self.screen, Palette):
            self.push_screen(Palette(id="--command-palette"))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """None of Textual's own: all actions come from the one table."""
        return ()

    def copy_to_clipboard(self, text: str) -> None:
        """Ask the terminal to copy, through tmux or screen as well."""
        from memaudit.tui.clipboard import passthrough

        super().copy_to_clipboard(text)
        wrapped = passthrough(text, os.environ)
        if wrapped and self._driver is not None:
            self._driver.write(wrapped)

    def action_leave(self) -> None:
        """Copy what is selected in a text field; leave at once when pressed twice."""
        from textual.widgets import Input, TextArea

        now = time.monotonic()
        if now - self._ctrl_c_at < _TWICE_SECONDS:
            self._leave()
            return
        self._ctrl_c_at = now
        focused = self.focused
        if isinstance(focused, Input | TextArea) and focused.selected_text:
            self.copy_to_clipboard(focused.selected_text)
        self.notify(
            "Ctrl+C once more leaves. Decisions are in the journal.", markup=False, timeout=_TWICE_SECONDS
        )

    def action_leave_now(self) -> None:
        """Ask like q does, wherever that is possible."""
        if isinstance(self.screen, ReviewScreen):
            self.screen.do_quit()
        else:
            self._leave()

    def _leave(self) -> None:
        """End the program from wherever it is."""
        review = self.screen_stack[0]
        if isinstance(review, ReviewScreen):
            review.leave()
        else:
            self.exit(0)

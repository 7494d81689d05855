"""Every setting with its help, changed here and written to the settings file at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input, Label

from memaudit.errors import MemauditError
from memaudit.settings import KEYBOARD, KEYS, Settings
from memaudit.settings_file import Value, change
from memaudit.text import visible
from memaudit.tui.actions import ACTIONS, Scope, of_scope
from memaudit.tui.cells import fit
from memaudit.tui.dialogs.base import Dialog, Keys, Title
from memaudit.tui.dialogs.choices import Choice, Choices
from memaudit.tui.keymap import WAY_OUT, Keymap
from memaudit.tui.lines import Lines, Row, flowed

_KEY = f"{KEYBOARD}."
_AROUND = 10
"""Rows of the dialog that are no choices: border, title, help, field and keys."""

_KEYS = (("enter", "change"), ("del", "default"), ("esc", "done"))

_NOTE = 34
"""Cells that a value may take."""

_LATER = ("color", "review_folder")

Apply = Callable[[Settings], None]


class About(Lines):
    """What the setting under the cursor does, or what went wrong with it."""

    DEFAULT_CSS = """
    About { height: 3; padding: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._text, self._role = "", "muted"

    def say(self, text: str, role: str = "muted") -> None:
        """Say something else."""
        self._text, self._role = visible(text), role
        self.renew()

    def build(self, width: int, height: int) -> Sequence[Row]:
        """As many rows as it takes."""
        return flowed([(self._text, self._role)], max(width, 1))


class PressedKey(Lines, can_focus=True):
    """Waits for one key, whichever it is."""

    DEFAULT_CSS = """
    PressedKey { height: 1; padding: 0 1; display: none; }
    """

    class Pressed(Message):
        """A key was pressed."""

        def __init__(self, key: str) -> None:
            self.key = key
            super().__init__()

    def build(self, width: int, height: int) -> Sequence[Row]:
        """The one row."""
        return [[("Press the new key. ", "strong"), ("Esc leaves it as it is.", "muted")]]

    def on_key(self, event: events.Key) -> None:
        """Take it, whatever it does elsewhere."""
        event.stop()
        event.prevent_default()
        character = event.character or ""
        written = character if character.isprintable() and character.strip() else event.key
        self.post_message(self.Pressed(written))


class SettingsDialog(Dialog[None]):
    """Calls ``apply`` with the settings after each change; they are in the file by then."""

    DEFAULT_CSS = """
    SettingsDialog > Vertical { width: 78; max-width: 100%; max-height: 100%; }
    #settings-field { display: none; height: 1; padding: 0 1; }
    SettingsDialog Label { width: auto; color: $primary; text-style: bold; }
    SettingsDialog Input { border: none; height: 1; width: 1fr; padding: 0 1; background: $cursor; }
    SettingsDialog Input:focus { border: none; }
    SettingsDialog.-typing #settings-field { display: block; }
    SettingsDialog.-waiting PressedKey { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("delete,backspace", "default", show=False),
        Binding("q", "leave", show=False),
    ]

    def __init__(self, settings: Settings, file: Path, themes: Iterable[str], apply: Apply) -> None:
        super().__init__()
        self._settings = settings
        self._file = file
        self._themes = tuple(themes)
        self._apply_to_screen = apply
        self._fault = ""

    def compose(self) -> ComposeResult:
        """Title, settings, help, field, keys."""
        with Vertical():
            yield Title("Settings", visible(str(self._file)), keep_end=True)
            yield Choices(self._choices())
            yield About()
            with Horizontal(id="settings-field"):
                yield Label()
                yield Input(select_on_focus=False)
            yield PressedKey()
            yield Keys(*_KEYS)

    def on_mount(self) -> None:
        """Fit the list before it is laid out for the first time."""
        self.query_one(Input).cursor_blink = self.app.animation_level != "none"
        self._fit(self.app.size.height)
        self._explain()

    def on_resize(self, event: events.Resize) -> None:
        """Let the list scroll before it pushes the keys off the screen."""
        self._fit(event.size.height)

    def _fit(self, height: int) -> None:
        self.query_one(Choices).styles.max_height = max(height - _AROUND, 1)

    def _choices(self) -> list[Choice]:
        keymap = Keymap.of(self._settings)
        rows = [Choice("On the screen")]
        for name, key in KEYS.items():
            value = getattr(self._settings, name)
            shown = ("yes" if value else "no") if isinstance(value, bool) else visible(value) or "not set"
            mark = "" if value == key.default else "*"
            rows.append(Choice(f"{name}{mark}", name, fit(shown, _NOTE).rstrip()))
        first = {one.id: one for one in reversed(ACTIONS) if WAY_OUT not in one.keys}
        for scope in Scope:
            rows.append(Choice(f"Keys: {scope.value.lower()}"))
            for action in of_scope(scope):
                if first.get(action.id) is action:
                    mark = "*" if action.id in self._settings.keyboard else ""
                    rows.append(Choice(f"{action.name}{mark}", f"{_KEY}{action.id}", keymap.shown(action)))
        return rows

    # What is under the cursor

    @property
    def _under(self) -> str:
        return self.query_one(Choices).value

    @property
    def _action(self) -> str:
        """The id of the action under the cursor, empty on a setting."""
        return self._under.removeprefix(_KEY) if self._under.startswith(_KEY) else ""

    def _explain(self) -> None:
        about = self.query_one(About)
        if self._fault:
            about.say(self._fault, "stale")
        elif action_id := self._action:
            action = next(one for one in ACTIONS if one.id == action_id)
            about.say(f"{action.help}. {KEYBOARD}.{action_id} in the file.")
        else:
            key = KEYS[self._under]
            choices = f" One of {', '.join(self._offered())}." if self._offered() else ""
            later = " It takes effect at the next start." if self._under in _LATER else ""
            default = "" if isinstance(key.default, bool) or not key.default else f" Default: {key.default}."
            about.say(f"{key.help}{choices}{default}{later}")

    def _offered(self) -> tuple[str, ...]:
        return self._themes if self._under == "theme" else KEYS[self._under].choices

    def on_choices_moved(self, event: Choices.Moved) -> None:
        """Say what it does."""
        self._fault = ""
        self._explain()

    # Changing

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        """Turn a switch, go on to the next choice, or ask for the text or key."""
        self._fault = ""
        if self._action:
            self.add_class("-waiting")
            self.query_one(PressedKey).focus()
            return
        value = getattr(self._settings, self._under)
        offered = self._offered()
        if isinstance(value, bool):
            self._set(not value)
        elif offered:
            at = offered.index(value) if value in offered else -1
            self._set(offered[(at + 1) % len(offered)])
        else:
            field = self.query_one(Input)
            self.query_one(Label).update(f"{self._under} = ")
            self.query_one(Keys).say(("enter", "keeps"), ("esc", "leaves it"))
            field.value = visible(value)
            field.cursor_position = len(field.value)
            self.add_class("-typing")
            field.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the text over; one that is refused can be mended."""
        self._set(event.value.strip())
        if not self._fault:
            self._close_fields()

    def on_pressed_key_pressed(self, event: PressedKey.Pressed) -> None:
        """Take the key over; after one that is refused another can be pressed."""
        if event.key != "escape":
            self._set((event.key,))
            if self._fault:
                return
        self._fault = ""
        self._close_fields()
        self._explain()

    def action_default(self) -> None:
        """Take the setting out of the file."""
        self._set(None)

    def action_leave(self) -> None:
        """Close the field, or the dialog."""
        if self.has_class("-typing"):
            self._fault = ""
            self._close_fields()
            self._explain()
        else:
            self.dismiss(None)

    def _close_fields(self) -> None:
        self.remove_class("-typing", "-waiting")
        self.query_one(Keys).say(*_KEYS)
        self.query_one(Choices).focus()

    def _set(self, value: Value | None) -> None:
        """Check, write, take over; what cannot be is said and changes nothing."""
        settings = self._settings
        action_id = self._action
        if action_id:
            keyboard = {**settings.keyboard, action_id: value if isinstance(value, tuple) else ()}
            keyboard = {one: keys for one, keys in keyboard.items() if keys}
            settings = replace(settings, keyboard=keyboard)
        else:
            changed: dict[str, Any] = {self._under: KEYS[self._under].default if value is None else value}
            settings = replace(settings, **changed)
        self._fault = ""
        try:
            Keymap.of(settings)
            if not action_id and settings.review_folder != self._settings.review_folder:
                _check_folder(settings.review_folder)
            change(self._file, action_id or self._under, value, table=KEYBOARD if action_id else "")
        except MemauditError as error:
            self._fault = error.line()
        else:
            self._settings = settings
            self._apply_to_screen(settings)
            self.query_one(Choices).offer(self._choices())
        self._explain()


def _check_folder(review_folder: str) -> None:
    """Raise JournalError for a folder that no review could be shared in."""
    from memaudit.review.place import shared_folder

    if review_folder:
        shared_folder(review_folder)

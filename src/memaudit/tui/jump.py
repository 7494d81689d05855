"""Jump mode: a letter over everything that can be gone to; typing it goes there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from textual import events
from textual.app import ComposeResult
from textual.geometry import Offset
from textual.screen import Screen
from textual.widget import Widget

from memaudit.tui.dialogs.once import Once
from memaudit.tui.lines import Lines, Row

LETTERS = "asdfghjklqwertyuiopzxcvbnm"
"""Letters in the order in which they are given out: those under the fingers first."""


@dataclass(frozen=True)
class Target:
    """A place in a widget, and what going there means."""

    at: Offset
    go: Callable[[], object]


@runtime_checkable
class Jumpable(Protocol):
    """A widget with places to jump to."""

    def jump_targets(self) -> Sequence[Target]:
        """The places that are in view, relative to the widget's own corner."""
        ...


def targets(screen: Screen[Any]) -> list[Target]:
    """All places of a screen, by widget from top to bottom, at their places on the screen."""
    found: list[Target] = []
    for widget in screen.query(Widget):
        if isinstance(widget, Jumpable) and widget.is_on_screen:
            corner = widget.content_region.offset
            found += [Target(corner + target.at, target.go) for target in widget.jump_targets()]
    return [target for target in found if screen.region.contains_point(target.at)]


def codes(count: int) -> list[str]:
    """As many codes as there are places: one letter as long as they last, none the start of another."""
    letters = len(LETTERS)
    pairs = 0
    while letters - pairs + pairs * letters < count and pairs < letters:
        pairs += 1
    single = list(LETTERS[: letters - pairs])
    double = [first + second for first in LETTERS[letters - pairs :] for second in LETTERS]
    return (single + double)[:count]


class Letter(Lines):
    """The letters still to be typed for one place."""

    DEFAULT_CSS = """
    Letter { position: absolute; height: 1; width: auto; }
    Letter > .lines--key { color: $accent; text-style: bold reverse; }
    """

    def __init__(self, target: Target, code: str) -> None:
        super().__init__()
        self.target = target
        self.code = code
        self._left = code
        self.styles.offset = (target.at.x, target.at.y)
        self.styles.width = len(code)

    def build(self, width: int, height: int) -> Sequence[Row]:
        """The one row."""
        return [[(self._left, "key")]]

    def typed(self, letters: str) -> None:
        """Show what is left, or nothing where something else was meant."""
        self.display = self.code.startswith(letters)
        self._left = self.code[len(letters) :]
        self.styles.width = max(len(self._left), 1)
        self.renew()


class JumpHint(Lines):
    """What to do, where the keys of the review stand otherwise."""

    DEFAULT_CSS = """
    JumpHint { dock: bottom; height: 1; background: $panel; }
    """

    def build(self, width: int, height: int) -> Sequence[Row]:
        """The one row."""
        return [[(" Type a letter to go where it stands. ", "strong"), ("Any other key goes back.", "muted")]]


class JumpOverlay(Once[Target]):
    """Gives back the place whose letters were typed; any other key gives back None."""

    DEFAULT_CSS = """
    JumpOverlay { background: transparent; }
    """

    def __init__(self, places: Sequence[Target]) -> None:
        super().__init__()
        self._places = places
        self._typed = ""
        self._placed_for = self.app.size

    def compose(self) -> ComposeResult:
        """The hint, and the letters."""
        yield JumpHint()
        for target, code in zip(self._places, codes(len(self._places)), strict=False):
            yield Letter(target, code)

    def on_key(self, event: events.Key) -> None:
        """Take a letter."""
        event.stop()
        typed = self._typed + (event.character or " ")
        left = [letter for letter in self.query(Letter) if letter.code.startswith(typed)]
        if [letter.code for letter in left] == [typed]:
            self.dismiss(left[0].target)
        elif left:
            self._typed = typed
            for letter in self.query(Letter):
                letter.typed(typed)
        else:
            self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        """Go where a letter was clicked, else back."""
        widget, _ = self.get_widget_at(*event.screen_offset)
        self.dismiss(widget.target if isinstance(widget, Letter) else None)

    def on_resize(self, event: events.Resize) -> None:
        """The places are elsewhere now."""
        if self.is_current and event.size != self._placed_for:
            self.dismiss(None)

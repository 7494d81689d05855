"""Every action of the table, done through each of its keys: one that is added without a row here fails."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from driving import judged, press, review, screen_text, settle
from scenes import Scene
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.widgets import Input

from memaudit.tui.actions import ACTIONS, Action
from memaudit.tui.dialogs.confirm import Confirm
from memaudit.tui.dialogs.export import ExportDialog
from memaudit.tui.dialogs.filter import FilterDialog
from memaudit.tui.dialogs.help import HelpDialog
from memaudit.tui.dialogs.rewrite import Editor, Rewrite
from memaudit.tui.dialogs.save import SavePreview
from memaudit.tui.dialogs.settings import SettingsDialog
from memaudit.tui.dialogs.themes import ThemeDialog
from memaudit.tui.jump import JumpOverlay
from memaudit.tui.split_diff import SplitDiff

Exercise = Callable[[Pilot[Any], str], Awaitable[None]]


def decisions(pilot: Pilot[Any]) -> list[str]:
    return [one.kind.value for one in review(pilot).sitting.board.decisions.values()]


def row(pilot: Pilot[Any]) -> int | None:
    return review(pilot).claims.cursor_row


def diff(pilot: Pilot[Any]) -> SplitDiff:
    return next(one for one in pilot.app.screen.query(SplitDiff) if one.is_on_screen)


def decides(kind: str) -> Exercise:
    async def exercise(pilot: Pilot[Any], key: str) -> None:
        await press(pilot, key)
        assert decisions(pilot) == [kind]

    return exercise


def opens(dialog: type, *before: str) -> Exercise:
    async def exercise(pilot: Pilot[Any], key: str) -> None:
        await press(pilot, *before, key)
        assert isinstance(pilot.app.screen, dialog)
        await press(pilot, "escape")

    return exercise


def shows(tab: str) -> Exercise:
    async def exercise(pilot: Pilot[Any], key: str) -> None:
        await press(pilot, "4" if tab != "history" else "1", key)
        assert review(pilot).tab == tab

    return exercise


def moves(start: int, end: int, *before: str) -> Exercise:
    """The cursor goes from one row to another; a row below zero counts from the end."""

    async def exercise(pilot: Pilot[Any], key: str) -> None:
        screen = review(pilot)
        screen.claims._go(start % len(screen.sitting.board))
        await press(pilot, *before, key)
        assert row(pilot) == end % len(screen.sitting.board)

    return exercise


def scrolls(start: tuple[int, int], x: int, y: int) -> Exercise:
    """The comparison scrolls in these directions: -1, 0 or 1."""

    async def exercise(pilot: Pilot[Any], key: str) -> None:
        await press(pilot, "z") if not review(pilot).has_class("-zoomed") else None
        pane = diff(pilot)
        pane.scroll_to(*start, animate=False, force=True)
        await settle(pilot)
        before = pane.scroll_offset
        await press(pilot, key)
        after = pane.scroll_offset
        assert (sign(after.x - before.x), sign(after.y - before.y)) == (x, y)

    return exercise


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


async def undo(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, "a", key)
    assert decisions(pilot) == []


async def redo(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, "a", "u", key)
    assert decisions(pilot) == ["accept"]


async def accept_held(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, key)
    assert isinstance(pilot.app.screen, Confirm)
    await press(pilot, "enter")
    assert decisions(pilot) == ["accept"] * 5


async def go_next(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, "a", "k", key)
    assert row(pilot) == 1


async def search(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, key, *"importer", "enter")
    assert len(review(pilot).sitting.board) == 1


async def fold(pilot: Pilot[Any], key: str) -> None:
    before = len(review(pilot).sitting.board)
    await press(pilot, key)
    assert len(review(pilot).sitting.board) == before + 1
    assert "Answer in plain words." in screen_text(pilot)


async def next_evidence(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, "j", "j", key)
    assert "2 of 2" in screen_text(pilot)


async def toggle(pilot: Pilot[Any], key: str) -> None:
    before = diff(pilot).is_split
    await press(pilot, key)
    assert diff(pilot).is_split is not before


async def zoom(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, key)
    assert not review(pilot).claims.is_on_screen
    assert isinstance(review(pilot).focused, SplitDiff)


async def copy(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, key)
    assert any("Copied the claim" in one.message for one in pilot.app._notifications)


async def read_again(pilot: Pilot[Any], key: str) -> None:
    engine = review(pilot).engine
    await press(pilot, key)
    await judged(pilot)
    assert review(pilot).engine is not engine
    assert "4 stale" in screen_text(pilot)


async def leaves(pilot: Pilot[Any], key: str) -> None:
    await pilot.press(key)
    assert pilot.app.return_code == 0
    assert pilot.app._exit


async def mark(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, key)
    assert review(pilot).marked == 1


async def mark_all(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, key)
    assert review(pilot).marked == 10


async def look(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, key)
    assert isinstance(review(pilot).focused, SplitDiff)


def peeks(direction: int) -> Exercise:
    async def exercise(pilot: Pilot[Any], key: str) -> None:
        await press(pilot, "1")
        pane = diff(pilot)
        pane.scroll_to(y=5, animate=False, force=True)
        await settle(pilot)
        await press(pilot, key)
        assert sign(pane.scroll_offset.y - 5) == direction
        assert review(pilot).focused is review(pilot).claims

    return exercise


async def unfold(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, "z", "g")
    before = diff(pilot).virtual_size.height
    await press(pilot, key)
    assert diff(pilot).virtual_size.height > before
    await press(pilot, "escape", "j", "k")


async def keep(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, "e")
    pilot.app.screen.query_one(Editor).text = f"Run {len(decisions(pilot))} tests."
    await press(pilot, key)
    assert decisions(pilot)[-1] == "rewrite"
    assert not isinstance(pilot.app.screen, Rewrite)


async def other_text(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, "e", key)
    assert pilot.app.screen.query_one(Editor).text == "Run the tests with `npm test`."


async def switch(pilot: Pilot[Any], key: str) -> None:
    before = review(pilot).focused
    await press(pilot, key)
    assert review(pilot).focused is not before


async def back(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, "question_mark", key)
    assert pilot.app.screen is review(pilot)
    await press(pilot, "tab", key)
    assert review(pilot).focused is review(pilot).claims
    await press(pilot, "slash", "x", key)
    assert review(pilot).query_one("#search", Input).value == ""


async def leave(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, "e")
    await pilot.press(key, key)
    assert pilot.app._exit


EXERCISES: dict[str, Exercise] = {
    "review.accept": decides("accept"),
    "review.retire": decides("retire"),
    "review.rewrite": opens(Rewrite),
    "review.take": decides("rewrite"),
    "review.accept_held": accept_held,
    "review.undo": undo,
    "review.redo": redo,
    "review.next": go_next,
    "review.save": opens(SavePreview, "a"),
    "review.export": opens(ExportDialog),
    "review.search": search,
    "review.filter": opens(FilterDialog),
    "review.fold": fold,
    "review.evidence": shows("evidence"),
    "review.memory": shows("memory"),
    "review.why": shows("why"),
    "review.history": shows("history"),
    "review.next_evidence": next_evidence,
    "review.previous_evidence": next_evidence,
    "review.jump": opens(JumpOverlay),
    "review.toggle": toggle,
    "review.zoom": zoom,
    "review.copy": copy,
    "review.reload": read_again,
    "review.theme": opens(ThemeDialog),
    "review.settings": opens(SettingsDialog),
    "review.help": opens(HelpDialog),
    "review.quit": leaves,
    "list.down": moves(1, 2),
    "list.up": moves(2, 1),
    "list.page_down": moves(0, -1),
    "list.page_up": moves(-1, 0),
    "list.first": moves(3, 0),
    "list.last": moves(3, -1),
    "list.mark": mark,
    "list.mark_all": mark_all,
    "list.open": look,
    "list.peek_down": peeks(1),
    "list.peek_up": peeks(-1),
    "diff.scroll_down": scrolls((0, 5), 0, 1),
    "diff.scroll_up": scrolls((0, 5), 0, -1),
    "diff.page_down": scrolls((0, 5), 0, 1),
    "diff.page_up": scrolls((0, 50), 0, -1),
    "diff.top": scrolls((0, 50), 0, -1),
    "diff.bottom": scrolls((0, 5), 0, 1),
    "diff.left": scrolls((20, 0), -1, 0),
    "diff.right": scrolls((0, 0), 1, 0),
    "diff.next_hunk": scrolls((0, 0), 0, 1),
    "diff.previous_hunk": scrolls((0, 90), 0, -1),
    "diff.deciding": scrolls((0, 90), 0, -1),
    "diff.unfold": unfold,
    "rewrite.keep": keep,
    "rewrite.suggestion": other_text,
    "anywhere.switch": switch,
    "anywhere.palette": opens(CommandPalette),
    "anywhere.back": back,
    "anywhere.leave": leave,
}
"""What pressing a key of each action must bring about, by the action's binding."""


def test_every_action_has_a_row() -> None:
    assert {action.binding_id for action in ACTIONS} == set(EXERCISES)


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.binding_id)
async def test_each_of_its_keys_does_it(scene: Scene, action: Action) -> None:
    lines = [f"line {number} {'wide ' * 40 if number % 9 == 0 else ''}" for number in range(200)]
    changed = [
        f"new {line}" if number % 3 == 0 and number > 30 else line for number, line in enumerate(lines)
    ]
    scene.contents["base:package.json"] = "\n".join(lines) + "\n"
    scene.contents["head:package.json"] = "\n".join(changed) + "\n"
    exercise = EXERCISES[action.binding_id]
    async with scene.app().run_test(size=(120, 40)) as pilot:
        await judged(pilot)
        for key in action.keys:
            await exercise(pilot, key)

"""Every action of the table, done through each of its keys: one that is added without a row here fails."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from driving import judged, press, review, screen_text, settle, until
from scenes import Scene, holding
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.widgets import Input
from trialkit import ASKED, CHECKED, Script, fails_at_head

from memaudit.domain import DecisionKind
from memaudit.judges.model.consent import give_consent
from memaudit.paths import repository_state
from memaudit.review.place import place_of
from memaudit.review.session import Review
from memaudit.tui.actions import ACTIONS, Action
from memaudit.tui.dialogs.asking import PlanDialog
from memaudit.tui.dialogs.batch import Batch
from memaudit.tui.dialogs.commit import CommitDialog
from memaudit.tui.dialogs.copy import CopyMenu
from memaudit.tui.dialogs.export import ExportDialog
from memaudit.tui.dialogs.filter import FilterDialog
from memaudit.tui.dialogs.help import HelpDialog
from memaudit.tui.dialogs.recap import RecapDialog
from memaudit.tui.dialogs.rewrite import Editor, Rewrite
from memaudit.tui.dialogs.save import SavePreview
from memaudit.tui.dialogs.settings import SettingsDialog
from memaudit.tui.dialogs.sort import SortDialog
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


async def take_all(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, key)
    assert isinstance(pilot.app.screen, Batch)
    await press(pilot, "enter")
    assert decisions(pilot) == ["rewrite"] * 2


async def accept_held(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, key)
    assert isinstance(pilot.app.screen, Batch)
    await press(pilot, "enter")
    assert decisions(pilot) == ["accept"] * 5


async def choose(pilot: Pilot[Any], key: str) -> None:
    sitting = review(pilot).sitting
    opened, claim = sitting.opened, review(pilot).claim
    assert opened is not None
    assert claim is not None
    journal = place_of(opened.common_dir, "", "").journal()
    root = Path(str(opened.root))
    partner = Review(opened.stores, journal, author="Mara", range_=opened.range, root=root)
    partner.decide([partner.decision(claim.id, DecisionKind.RETIRE)])
    await press(pilot, "a", "k", key)
    await press(pilot, "t")
    assert decisions(pilot) == ["retire"]


async def go_next(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, "a", "k", key)
    assert row(pilot) == 1


async def search(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, key, *"importer", "enter")
    assert len(review(pilot).sitting.board) == 1


async def show_all(pilot: Pilot[Any], key: str) -> None:
    before = len(review(pilot).sitting.board)
    await press(pilot, "slash", *"importer", "enter", key)
    assert len(review(pilot).sitting.board) == before


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


def edits(line: str, file: str) -> Exercise:
    async def exercise(pilot: Pilot[Any], key: str) -> None:
        path = Path(str(review(pilot).sitting.opened.root), file)  # type: ignore[union-attr]
        path.parent.mkdir(exist_ok=True)
        path.touch()
        await press(pilot, key)
        arguments = Path(os.environ["EDITOR"]).with_name("arguments").read_text()
        assert arguments.splitlines() == [line, str(path)]

    return exercise


async def copy(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, key)
    assert isinstance(pilot.app.screen, CopyMenu)
    await press(pilot, "enter")
    assert any("Copied the claim" in one.message for one in pilot.app._notifications)


async def try_check(pilot: Pilot[Any], key: str) -> None:
    screen = review(pilot)
    claim = screen.claim
    assert claim is not None
    Script(Path(screen._request.path), judgement=fails_at_head(claim)).use(pilot)
    await press(pilot, key, "y")
    await until(pilot, lambda: pilot.app.screen is screen)
    assert screen.judgement is not None
    assert screen.judgement.judge == "oracle"


async def draft_check(pilot: Pilot[Any], key: str) -> None:
    screen = review(pilot)
    opened, claim = screen.sitting.opened, screen.claim
    assert opened is not None
    assert claim is not None
    give_consent(repository_state(opened.common_dir), screen.settings.model, "Tess")
    Script(Path(screen._request.path), before=[ASKED], judgement=fails_at_head(claim)).use(pilot)
    await press(pilot, key, "y", "y")
    await until(pilot, lambda: pilot.app.screen is screen)
    assert screen.judgement is not None
    assert screen.judgement.judge == "oracle"


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


async def mark_run(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, "space", "j", "j", key)
    assert review(pilot).marked == 4


async def mark_others(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, "space", key)
    assert review(pilot).marked == 9


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


async def wrap(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, "2", "z")
    before = diff(pilot).is_wrapped
    await press(pilot, key)
    assert diff(pilot).is_wrapped is not before


async def keep(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, "g", "e")
    pilot.app.screen.query_one(Editor).text += " Now."
    await settle(pilot)
    await press(pilot, key)
    assert decisions(pilot)[-1] == "rewrite"
    assert not isinstance(pilot.app.screen, Rewrite)


async def other_text(pilot: Pilot[Any], key: str) -> None:
    await press(pilot, "e", key)
    assert pilot.app.screen.query_one(Editor).text == "Run the tests with `npm test`."


async def offered(pilot: Pilot[Any]) -> Editor:
    """Open the editor on a word for which there are names."""
    await press(pilot, "e")
    editor = pilot.app.screen.query_one(Editor)
    editor.text = "It lives in `src/in"
    editor.move_cursor(editor.document.end)
    await until(pilot, lambda: "tab src/index.py" in screen_text(pilot))
    return editor


async def complete(pilot: Pilot[Any], key: str) -> None:
    editor = await offered(pilot)
    await press(pilot, key)
    assert editor.text == "It lives in `src/index.py"


async def next_name(pilot: Pilot[Any], key: str) -> None:
    editor = await offered(pilot)
    await press(pilot, key, "tab")
    assert editor.text == "It lives in `src/intake.py"


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
    "review.take_all": take_all,
    "review.accept_held": accept_held,
    "review.undo": undo,
    "review.redo": redo,
    "review.choose": choose,
    "review.next": go_next,
    "review.save": opens(SavePreview, "a"),
    "review.export": opens(ExportDialog),
    "review.search": search,
    "review.filter": opens(FilterDialog),
    "review.sort": opens(SortDialog),
    "review.show_all": show_all,
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
    "review.commit": opens(CommitDialog),
    "review.edit_memory": edits("+7", "CLAUDE.md"),
    "review.edit_evidence": edits("+4", "package.json"),
    "review.try_check": try_check,
    "review.draft_check": draft_check,
    "review.copy": copy,
    "review.ask_model": opens(PlanDialog),
    "review.draft_rewrites": opens(PlanDialog),
    "review.reload": read_again,
    "review.recap": opens(RecapDialog),
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
    "list.mark_run": mark_run,
    "list.mark_others": mark_others,
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
    "diff.wrap": wrap,
    "rewrite.keep": keep,
    "rewrite.suggestion": other_text,
    "rewrite.complete": complete,
    "rewrite.next_name": next_name,
    "anywhere.switch": switch,
    "anywhere.palette": opens(CommandPalette),
    "anywhere.back": back,
    "anywhere.leave": leave,
}
"""What pressing a key of each action must bring about, by the action's binding."""


FILES = {"review.try_check": {"CLAUDE.md": CHECKED}}
"""The memory that some actions need, by the action's binding."""


def test_every_action_has_a_row() -> None:
    assert {action.binding_id for action in ACTIONS} == set(EXERCISES)


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.binding_id)
@pytest.mark.usefixtures("editing")
async def test_each_of_its_keys_does_it(scene: Scene, action: Action) -> None:
    if action.binding_id in FILES:
        scene = Scene(scene.folder, dict(FILES[action.binding_id]))
    lines = [f"line {number} {'wide ' * 40 if number % 9 == 0 else ''}" for number in range(200)]
    changed = [
        f"new {line}" if number % 3 == 0 and number > 30 else line for number, line in enumerate(lines)
    ]
    scene.contents["base:package.json"] = "\n".join(lines) + "\n"
    scene.contents["head:package.json"] = "\n".join(changed) + "\n"
    scene.rejudged = {"*": holding(scene.claims[0])}
    scene.names = {"src/in": ["src/index.py", "src/intake.py"]}
    exercise = EXERCISES[action.binding_id]
    async with scene.app().run_test(size=(120, 40)) as pilot:
        await judged(pilot)
        for key in action.keys:
            await exercise(pilot, key)

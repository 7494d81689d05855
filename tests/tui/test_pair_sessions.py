"""Somebody else in the same review: seen at once, by name, and never overwritten."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from typing import Any

import pytest
from driving import judged, press, review, screen_text, settle, until
from scenes import BASE, HEAD, MEMORY, Scene, holding, store
from textual.pilot import Pilot

from memaudit.domain import DecisionKind, Range
from memaudit.review.place import place_of
from memaudit.review.presence import Presence
from memaudit.review.session import Review
from memaudit.tui.dialogs.confirm import Confirm
from memaudit.tui.dialogs.save import SavePreview
from memaudit.tui.dialogs.waiting import Waiting

SIZE = (120, 40)
NAME = "Mara \x1b[31m[/]\u202e"
SHOWN = "Mara \\x1b[31m[/]\\u202e"


@pytest.fixture
def partner(scene: Scene) -> Review:
    """The same review in another process' stead, by a person with a hostile name."""
    return join(scene, NAME)


def join(scene: Scene, name: str) -> Review:
    place = place_of(scene.root / ".git", "", "")
    range_ = Range(BASE, HEAD, "last pull (reflog: HEAD@{0})")
    return Review(scene.stores, place.journal(), author=name, range_=range_, root=scene.root)


def decide(scene: Scene, who: Review, part: str, kind: DecisionKind, text: str | None = None) -> None:
    who.decide([who.decision(scene.claim(part).id, kind, text)])


def notices(pilot: Pilot[Any]) -> str:
    return "\n".join(one.message for one in pilot.app._notifications)


def flowing(pilot: Pilot[Any]) -> str:
    """What the screen shows, its sentences not broken into lines."""
    return " ".join(screen_text(pilot).replace("│", " ").split())


async def looked(pilot: Pilot[Any], condition: Callable[[], bool]) -> None:
    """Wait until the screen has looked around by itself, and came to this."""
    await until(pilot, condition)
    await settle(pilot)


async def test_a_decision_of_another_is_shown_with_its_name(scene: Scene, partner: Review) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        decide(scene, partner, "npm test", DecisionKind.RETIRE)
        await looked(pilot, lambda: bool(screen.sitting.board.decisions))
        text = screen_text(pilot)
        assert "− retired" in text
        assert f"retired by {SHOWN}" in text
        assert f"{SHOWN} retired CLAUDE.md:7." in notices(pilot)
        await press(pilot, "4")
        assert f"by {SHOWN}" in screen_text(pilot)
        assert "1 unsaved" in screen_text(pilot)


async def test_several_decisions_of_another_are_told_together(scene: Scene, partner: Review) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        ids = [one.id for one in scene.claims[:5] if not one.locked]
        partner.decide([partner.decision(one, DecisionKind.ACCEPT) for one in ids])
        decide(scene, partner, "8080", DecisionKind.RETIRE)
        await looked(pilot, lambda: len(screen.sitting.board.decisions) == len(ids) + 1)
        assert f"{SHOWN} accepted {len(ids)} and retired 1." in notices(pilot)
        partner.undo()
        await looked(pilot, lambda: len(screen.sitting.board.decisions) == len(ids))
        assert f"{SHOWN} took a decision back: AGENTS.md:4." in notices(pilot)


async def test_undo_takes_back_only_ones_own(scene: Scene, partner: Review) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        decide(scene, partner, "8080", DecisionKind.RETIRE)
        await looked(pilot, lambda: bool(screen.sitting.board.decisions))
        await press(pilot, "u")
        assert "nothing of yours to undo" in notices(pilot)
        await press(pilot, "r", "u", "u")
        assert list(screen.sitting.board.decisions) == [scene.claim("8080").id]


@pytest.mark.parametrize("key", ["m", "t"])
async def test_a_contested_claim_is_shown_and_one_decision_chosen(
    scene: Scene, partner: Review, key: str
) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        decide(scene, partner, "npm test", DecisionKind.REWRITE, "Run the tests \u202e[/] some way.")
        await press(pilot, "a")
        assert screen.contested == 1
        await press(pilot, "k", "3")
        text = screen_text(pilot)
        assert "≠ contested" in text
        assert f"{SHOWN} rewrote it: Run the" in text
        assert "\\u202e[/] some way" in text
        assert not set("\x1b\u202e") & set(text)
        assert "you accepted it" in text
        await press(pilot, "4")
        assert "you accepted it" in screen_text(pilot)
        await press(pilot, "C")
        assert isinstance(pilot.app.screen, Confirm)
        await press(pilot, key)
        assert screen.contested == 0
        decision = screen.sitting.decision(scene.claim("npm test").id)
        assert decision is not None
        assert decision.kind is (DecisionKind.ACCEPT if key == "m" else DecisionKind.REWRITE)
        assert decision.by == ("Tess" if key == "m" else NAME)
        partner.look_around()
        assert not partner.contested
        assert partner.decisions == screen.sitting.board.decisions


async def test_a_save_asks_for_contested_claims_first_and_can_leave_them(
    scene: Scene, partner: Review
) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        decide(scene, partner, "npm test", DecisionKind.REWRITE, "Run the tests some way.")
        await press(pilot, "a", "r", "s")
        assert isinstance(pilot.app.screen, Confirm)
        assert "decided differently" in screen_text(pilot)
        await press(pilot, "s")
        assert isinstance(pilot.app.screen, SavePreview)
        await press(pilot, "enter")
        assert scene.text() == MEMORY.replace("- The importer lives in `src/importer.py`.\n", "")
        assert screen.unsaved == 1
        await press(pilot, "s", "t", "enter")
    assert "- Run the tests some way.\n" in scene.text()


async def test_what_lies_under_a_dialog_counts_as_not_seen(scene: Scene, partner: Review) -> None:
    scene.rejudged = {"*": holding(scene.claim("npm test"))}
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "e")
        decide(scene, partner, "npm test", DecisionKind.RETIRE)
        for _ in range(3):
            screen.look_around()
        await press(pilot, "enter")
        assert screen.contested == 1


async def test_what_was_on_the_screen_for_a_moment_only_counts_as_not_seen(
    scene: Scene, partner: Review
) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        now = [100.0]
        screen.sitting.together.clock = lambda: now[0]
        for part in ("npm test", "importer"):
            decide(scene, partner, part, DecisionKind.RETIRE)
            id_ = scene.claim(part).id
            await looked(pilot, lambda id_=id_: id_ in screen.sitting.board.decisions)
            now[0] += 0.5 if part == "npm test" else 1.5
            screen.claims.select(screen.sitting.board.index(id_))
            await press(pilot, "a")
        assert list(screen.sitting.board.contested) == [scene.claim("npm test").id]


async def test_a_change_that_others_overtake_is_shown_again(scene: Scene, partner: Review) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "r", "s")
        decide(scene, partner, "8080", DecisionKind.RETIRE)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, SavePreview)
        assert "nothing was written" in notices(pilot)
        assert scene.text() == MEMORY
        await press(pilot, "enter")
    assert "npm test" not in scene.text()
    assert "8080" not in scene.text("AGENTS.md")


async def test_a_file_saved_by_another_is_taken_over(scene: Scene, partner: Review) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "r")
        partner.save()
        await looked(pilot, lambda: not screen.unsaved)
        assert f"{SHOWN} saved CLAUDE.md." in notices(pilot)
        await press(pilot, "r", "s", "enter")
    gone = ("- Run the tests with `npm test`.\n", "- The importer lives in `src/importer.py`.\n")
    assert scene.text() == MEMORY.replace(gone[0], "").replace(gone[1], "")


async def test_the_header_says_who_else_is_here(scene: Scene, partner: Review) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        assert "with " not in screen_text(pilot).splitlines()[0]
        folder = place_of(scene.root / ".git", "", "").folder
        here = [Presence(folder, partner.key, name) for name in (NAME, "Tess")]
        Presence(folder, "another review", "Nobody")
        await looked(pilot, lambda: len(screen.sitting.together.others) == 2)
        assert f"with {SHOWN}, you elsewhere" in screen_text(pilot).splitlines()[0]
        for one in here:
            one.leave()
        await looked(pilot, lambda: not screen.sitting.together.others)
        assert "with " not in screen_text(pilot).splitlines()[0]


async def test_a_locked_journal_is_told_at_once_and_waited_for(scene: Scene, partner: Review) -> None:
    other = sqlite3.connect(place_of(scene.root / ".git", "", "").folder / "journal.sqlite")
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        other.execute("BEGIN IMMEDIATE")
        await press(pilot, "r")
        assert isinstance(pilot.app.screen, Waiting)
        assert not screen.sitting.board.decisions
        assert "Waiting for the review journal" in screen_text(pilot)
        other.rollback()
        await looked(pilot, lambda: bool(screen.sitting.board.decisions))
        other.execute("BEGIN IMMEDIATE")
        await press(pilot, "u")
        assert isinstance(pilot.app.screen, Waiting)
        await press(pilot, "escape")
        other.rollback()
        assert len(screen.sitting.board.decisions) == 1
    other.close()


async def test_a_journal_that_is_removed_is_told_once_and_takes_nothing_more(scene: Scene) -> None:
    app = scene.app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "r")
        await press(pilot, "q")
        assert "come back at the next start" in flowing(pilot)
        await press(pilot, "escape")
        shutil.rmtree(place_of(scene.root / ".git", "", "").folder)
        await looked(pilot, lambda: "removed or replaced" in notices(pilot))
        before = dict(screen.sitting.board.decisions)
        for _ in range(3):
            screen.look_around()
        assert notices(pilot).count("removed or replaced") == 1
        await press(pilot, "a")
        assert screen.sitting.board.decisions == before
        # The key took the notices before it away: this one is new.
        assert notices(pilot).count("removed or replaced") == 1
        await press(pilot, "s", "enter")
        assert scene.text() == MEMORY
        assert notices(pilot).count("removed or replaced") == 1
        await press(pilot, "q")
        assert "leaving loses them. x exports them as a patch." in flowing(pilot)
        await pilot.press("q")
    assert app.return_code == 0


async def test_a_journal_that_is_locked_at_the_start_is_waited_for(scene: Scene) -> None:
    join(scene, NAME).close()
    other = sqlite3.connect(place_of(scene.root / ".git", "", "").folder / "journal.sqlite")
    other.execute("PRAGMA journal_mode = DELETE")
    other.execute("BEGIN EXCLUSIVE")
    async with scene.app().run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "Waiting for the review journal" in screen_text(pilot))
        assert review(pilot).sitting.opened is None
        other.rollback()
        other.close()
        screen = await judged(pilot)
        assert len(screen.sitting.board.judgements) == 12
        assert None not in screen.sitting.board.judgements


async def test_another_window_of_the_same_person_is_seen(scene: Scene) -> None:
    other = join(scene, "Tess")
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        decide(scene, other, "npm test", DecisionKind.RETIRE)
        await looked(pilot, lambda: bool(screen.sitting.board.decisions))
        assert "− retired" in screen_text(pilot)
        assert "Elsewhere you retired CLAUDE.md:7." in notices(pilot)
        screen.claims.select(screen.sitting.board.index(scene.claim("npm test").id))
        await press(pilot, "u")
        assert not screen.sitting.board.decisions
        (seen,) = other.look_around().happenings
        assert seen.author == "Tess"
        other.redo()
        await looked(pilot, lambda: bool(screen.sitting.board.decisions))
        # The first notice went with the step that undid what it told of.
        assert notices(pilot).count("Elsewhere you retired CLAUDE.md:7.") == 1
        other.save()
        await looked(pilot, lambda: not screen.unsaved)
        assert "Elsewhere you saved CLAUDE.md." in notices(pilot)


async def test_a_contested_claim_counts_as_not_decided(scene: Scene, partner: Review) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        contested = scene.claim("npm test").id
        decide(scene, partner, "npm test", DecisionKind.RETIRE)
        await press(pilot, "a")
        assert list(screen.sitting.board.contested) == [contested]
        for _ in range(12):
            if screen.claims.cursor == contested:
                break
            await press(pilot, "a")
        assert screen.claims.cursor == contested, "going on comes back to it"
        assert "Every stale and unknown claim is decided" not in notices(pilot)
        screen.claims.select(screen.sitting.board.index(scene.claim("3.10").id))
        await press(pilot, "n")
        assert screen.claims.cursor == contested
        await press(pilot, "n")
        await press(pilot, "C", "m")
        assert screen.contested == 0


async def test_words_changed_on_disk_below_a_decision_are_told(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "r", "s")
        changed = MEMORY.replace("Run the tests with", "Run all tests with")
        (scene.root / "CLAUDE.md").write_text(changed)
        await press(pilot, "enter")
        text = " ".join(screen_text(pilot).split())
        assert "1 decision now stands on words that were changed since:" in text
        assert "Run all tests with `npm test`." in text
    scene.stores = [store(path, scene.text(path)) for path in scene.files]
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        assert "1 decision now stands on words that were changed since: look" in notices(pilot)

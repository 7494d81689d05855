"""Earlier reviews on the screen: one line on start, all of it by a key."""

from __future__ import annotations

from driving import judged, press, screen_text, settle, until
from scenes import Scene, store
from test_pair_sessions import NAME, SHOWN, decide, join

from memaudit.domain import DecisionKind
from memaudit.tui.dialogs.recap import RecapDialog

SIZE = (120, 40)


async def test_the_first_review_has_nothing_to_recall(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        assert not screen.has_class("-recap")
        await press(pilot, "H")
        assert isinstance(pilot.app.screen, RecapDialog)
        assert "Nothing was decided here before." in screen_text(pilot)


async def test_a_line_recalls_earlier_reviews_until_it_is_sent_away(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "a", "r", "H")
        assert "2 decisions are not in a file yet: s writes." in screen_text(pilot)
        await press(pilot, "escape", "s", "enter", "H")
        assert "not in a file yet" not in screen_text(pilot)
    mara = join(scene, NAME)
    decide(scene, mara, "8080", DecisionKind.ACCEPT)
    mara.close()
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await until(pilot, lambda: screen.has_class("-recap"))
        await settle(pilot)
        assert f"2 decided by you, 1 by {SHOWN}" in screen_text(pilot)
        await press(pilot, "escape")
        assert not screen.has_class("-recap")
        await press(pilot, "H")
        text = screen_text(pilot)
        assert "you: 1 accepted, 1 retired" in text
        assert f"{SHOWN}: 1 accepted" in text
        await press(pilot, "escape")
        assert pilot.app.screen is screen


async def test_a_click_sends_the_line_away(scene: Scene) -> None:
    mara = join(scene, "Mara")
    decide(scene, mara, "8080", DecisionKind.ACCEPT)
    mara.close()
    async with scene.app().run_test(size=(60, 20)) as pilot:
        screen = await judged(pilot)
        await until(pilot, lambda: screen.has_class("-recap"))
        await settle(pilot)
        assert "1 decided by Mara" in screen_text(pilot)
        await pilot.click("#recap")
        await settle(pilot)
        assert not screen.has_class("-recap")


async def test_what_a_save_took_out_is_not_listed_at_the_next_start(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "r", "s", "enter")
        listed = len(screen.sitting.board.claims)
        await press(pilot, "a")
        # Leaving without saving: the decision was made on the text from before the save.
    assert "npm test" not in scene.text()
    scene.stores = [store(path, scene.text(path)) for path in scene.files]
    lines = {claim.id: claim.line_start for claim in scene.claims}
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        board = screen.sitting.board
        assert len(board.claims) == listed - 1
        assert {claim.id: claim.line_start for claim in board.claims} == lines
        assert (screen.unsaved, None in board.judgements) == (1, False)
        await press(pilot, "u", "u")
        assert len(screen.sitting.board.claims) == listed
        await press(pilot, "U", "U")
        assert screen.unsaved == 1

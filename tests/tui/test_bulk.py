"""Decisions for many claims at once, by key and mouse: looked at first, single ones left out, one step."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from driving import judged, press, review, screen_text, settle
from scenes import MEMORY, Scene, verdict
from textual.pilot import Pilot

from memaudit.domain import Decision, DecisionKind, Suggestion, Tier
from memaudit.tui.board import FOLD
from memaudit.tui.claim_list import ClaimList
from memaudit.tui.dialogs.batch import Batch
from memaudit.tui.dialogs.batch_list import BatchList

SIZE = (120, 40)


def decisions(pilot: Pilot[Any], scene: Scene) -> dict[str, Decision]:
    """What was decided, by the words of the claims."""
    found = review(pilot).sitting.board.decisions
    return {claim.text: found[claim.id] for claim in scene.claims if claim.id in found}


def notices(pilot: Pilot[Any]) -> str:
    return "\n".join(one.message for one in pilot.app._notifications)


def marked(pilot: Pilot[Any]) -> list[int]:
    """The rows that are marked."""
    screen = review(pilot)
    board, marks = screen.sitting.board, screen.claims.marks
    return [row for row in range(len(board)) if board[row] != FOLD and board.claims[board[row]].id in marks]


async def test_all_proved_suggestions_are_looked_at_and_taken_as_one_step(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "P")
        assert isinstance(pilot.app.screen, Batch)
        text = screen_text(pilot)
        assert "Take 2 proved suggestions?" in text
        assert "[x] CLAUDE.md:7  package.json has no script test any more" in text
        assert "- Run the tests with `npm test`." in text
        assert "+ Run the tests with `npm run test:unit`." in text
        assert "- The importer lives in `src/importer.py`." in text
        assert "enter take 2" in text
        assert not decisions(pilot, scene)
        await press(pilot, "enter")
        taken = decisions(pilot, scene)
        assert {one.text for one in taken.values()} == {
            "Run the tests with `npm run test:unit`.",
            "The importer lives in `src/intake/importer.py`.",
        }
        assert "2 suggestions taken. u takes it back." in notices(pilot)
        assert screen.claim is not None
        assert "parse_weight" in screen.claim.text
        await press(pilot, "P")
        assert "no undecided claim of this filter has a proved suggestion" in notices(pilot)
        await press(pilot, "u")
        assert not decisions(pilot, scene)
        await press(pilot, "U")
        assert len(decisions(pilot, scene)) == 2


async def test_a_reason_that_has_no_room_beside_the_place_stands_whole_below_it(scene: Scene) -> None:
    async with scene.app().run_test(size=(50, 30)) as pilot:
        await judged(pilot)
        await press(pilot, "P")
        shown = " ".join(re.sub("[│▌]", " ", screen_text(pilot)).split())
        assert (
            "[x] CLAUDE.md:7 package.json has no script test any more; test:unit runs vitest. - Run" in shown
        )


async def test_single_suggestions_are_left_out_and_taken_in_again(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "P", "space")
        assert "Take 1 of 2 proved suggestions?" in screen_text(pilot)
        assert "[ ] CLAUDE.md:7" in screen_text(pilot)
        await press(pilot, "t")
        assert list(decisions(pilot, scene)) == ["The importer lives in `src/importer.py`."]
        await press(pilot, "u", "P", "space", "space", "k", "space", "enter")
        assert list(decisions(pilot, scene)) == ["Run the tests with `npm test`."]


async def test_with_all_left_out_or_esc_nothing_is_taken(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "P", "asterisk")
        assert "None of 2 proved suggestions is left." in screen_text(pilot)
        await press(pilot, "asterisk")
        assert "Take 2 proved suggestions?" in screen_text(pilot)
        await press(pilot, "asterisk", "enter")
        assert not decisions(pilot, scene)
        await press(pilot, "P", "escape")
        assert not decisions(pilot, scene)


async def test_boxes_are_clicked(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "P")
        await pilot.click(BatchList, offset=(2, 3))
        await settle(pilot)
        assert "[ ] CLAUDE.md:13" in screen_text(pilot)
        await pilot.click(BatchList, offset=(30, 0))
        await settle(pilot)
        assert "[x] CLAUDE.md:7" in screen_text(pilot)
        await press(pilot, "enter")
        assert list(decisions(pilot, scene)) == ["Run the tests with `npm test`."]


async def test_suggestions_keep_to_the_filter_and_say_so(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "slash", *"importer", "enter", "P")
        assert "Take 1 proved suggestion?" in screen_text(pilot)
        assert "of those listed: “importer”" in screen_text(pilot)
        await press(pilot, "enter")
        assert list(decisions(pilot, scene)) == ["The importer lives in `src/importer.py`."]


async def test_long_suggestions_wrap_and_the_cursor_brings_each_into_view(scene: Scene) -> None:
    scene.judgements = {}
    for claim in scene.claims:
        text = f"{claim.text} " + "and so on and on " * 30 + "to the end."
        given = replace(verdict(claim), suggestion=Suggestion(Tier.APPLY, text))
        scene.judgements[claim.id] = given
    async with scene.app().run_test(size=(80, 24)) as pilot:
        await judged(pilot)
        await press(pilot, "P")
        assert "Take 12 proved suggestions?" in screen_text(pilot)
        await press(pilot, "G")
        assert "to the end." in screen_text(pilot)
        assert "▌[x] CLAUDE.md:21" in screen_text(pilot)
        await press(pilot, "g", "pagedown", "pageup", "down", "up")
        assert "▌[x] CLAUDE.md:7" in screen_text(pilot)
        for size in ((60, 20), (30, 10), (12, 8), (200, 60)):
            await pilot.resize_terminal(*size)
            await settle(pilot)
        assert "enter take 12" in screen_text(pilot)


async def test_accept_all_held_can_be_looked_at_and_narrowed(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "A")
        text = screen_text(pilot)
        assert "Accept 5 held claims?" in text
        assert "[x] Orchard sorts apples" in text
        assert "CLAUDE.md:3" in text
        await press(pilot, "space", "G", "space", "enter")
        accepted = decisions(pilot, scene)
        assert len(accepted) == 3
        assert {one.kind for one in accepted.values()} == {DecisionKind.ACCEPT}
        assert "3 held claims accepted. u takes it back." in notices(pilot)


async def test_what_is_folded_is_accepted_from_its_line(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "G", "a")
        assert "Accept 2 claims that no repository state can decide?" in screen_text(pilot)
        await press(pilot, "a")
        assert set(decisions(pilot, scene)) == {"Answer in plain words.", "Never push to `main` directly."}
        await press(pilot, "G", "a")
        assert "Every one of them is decided already" in notices(pilot)


async def test_the_fold_opens_by_a_click(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await pilot.click(ClaimList, offset=(20, 10))
        await settle(pilot)
        assert screen.claim is not None
        assert screen.claim.text == "Answer in plain words."


async def test_a_run_is_marked_from_the_last_mark_to_here(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "j", "space", "j", "j", "V")
        assert marked(pilot) == [1, 2, 3, 4]
        await press(pilot, "G", "k", "V")
        assert marked(pilot) == list(range(1, 10))
        await press(pilot, "escape", "g", "j", "V")
        assert marked(pilot) == [1]
        await press(pilot, "k", "V")
        assert marked(pilot) == [0, 1]
        await press(pilot, "r")
        assert len(decisions(pilot, scene)) == 2
        await press(pilot, "u")
        assert not decisions(pilot, scene)


async def test_a_run_is_marked_by_shift_click(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await pilot.click(ClaimList, offset=(1, 2))
        await pilot.click(ClaimList, offset=(20, 5), shift=True)
        await settle(pilot)
        assert marked(pilot) == [2, 3, 4, 5]


async def test_marks_are_inverted_within_what_is_listed(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "space", "space", "i")
        assert marked(pilot) == list(range(2, 10))
        await press(pilot, "slash", *"src", "enter", "i")
        assert marked(pilot) == [0]
        assert "7 of them not listed" in screen_text(pilot)
        await press(pilot, "F", "i")
        assert marked(pilot) == [0, 2]


async def test_after_a_decision_on_marks_the_cursor_goes_on_from_a_decided_claim(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "space", "V", "k", "r")
        assert len(decisions(pilot, scene)) == 2
        assert screen.claim is not None
        assert "parse_weight" in screen.claim.text


async def test_it_opens_on_the_first_claim_that_is_not_decided_yet(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "P", "enter")
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        assert screen.claim is not None
        assert "parse_weight" in screen.claim.text
        assert "2 of 4 stale decided" in screen_text(pilot)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_taking_all_is_in_the_footer_while_there_is_what_to_take(
    scene: Scene, size: tuple[int, int]
) -> None:
    async with scene.app().run_test(size=size) as pilot:
        await judged(pilot)
        assert "P take all proved" in screen_text(pilot).splitlines()[-1]
        await press(pilot, "P", "enter")
        assert "P take all proved" not in screen_text(pilot).splitlines()[-1]


async def test_progress_goes_on_with_the_unknown_ones_when_the_stale_ones_are_done(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "P", "enter", "r", "r")
        assert "4 of 4 stale decided, 0 of 1 unknown" in screen_text(pilot)
        await press(pilot, "a")
        assert "4 of 4 stale decided, 1 of 1 unknown" in screen_text(pilot)


async def test_words_that_would_act_on_a_terminal_are_inert_in_the_preview(scene: Scene) -> None:
    claim = scene.claim("npm test")
    bad = "Run [/red] \x1b[31m`npm\ttest` \u202enow."
    scene.judgements = {
        claim.id: replace(
            verdict(claim), why="It [b]is\x1b]0;x\x07 gone.", suggestion=Suggestion(Tier.APPLY, bad)
        )
    }
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "P")
        text = screen_text(pilot)
        assert "+ Run [/red] \\x1b[31m`npm test` \\u202enow." in text
        assert "It [b]is\\x1b]0;x\\x07 gone." in text
        assert "\x1b" not in text
    assert scene.text() == MEMORY

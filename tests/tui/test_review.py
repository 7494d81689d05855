"""Every action of the review screen, through keys, with a scripted audit process."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from driving import judged, press, review, screen_text, settle, until
from scenes import MEMORY, Scene, verdict
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from memaudit.domain import Decision, DecisionKind, Judgement, Reference, Verdict
from memaudit.tui.actions import ACTIONS
from memaudit.tui.bars import KeyBar, TabBar
from memaudit.tui.board import FOLD
from memaudit.tui.claim_list import ClaimList
from memaudit.tui.dialogs.confirm import Confirm
from memaudit.tui.dialogs.filter import FilterDialog
from memaudit.tui.dialogs.help import HelpDialog
from memaudit.tui.dialogs.rewrite import Editor, Rewrite
from memaudit.tui.dialogs.save import SavePreview
from memaudit.tui.panes.evidence_head import EvidenceList
from memaudit.tui.split_diff import SplitDiff

SIZE = (120, 40)


def decision(pilot: Pilot[Any], scene: Scene, part: str) -> Decision | None:
    return review(pilot).sitting.decision(scene.claim(part).id)


def selected(pilot: Pilot[Any]) -> str:
    claim = review(pilot).claim
    return claim.text if claim else ""


def notices(pilot: Pilot[Any]) -> str:
    return "\n".join(one.message for one in pilot.app._notifications)


async def test_claims_are_listed_before_the_first_verdict(scene: Scene) -> None:
    scene.judgements = {}
    scene.finished = False
    async with scene.app().run_test(size=SIZE) as pilot:
        await until(pilot, lambda: review(pilot).sitting.opened is not None)
        await settle(pilot)
        text = screen_text(pilot)
        assert "· pending  Orchard sorts apples" in text
        assert "0/12" in text
        assert "no claim is judged yet" in text.splitlines()[1]
        assert "stale" not in text.splitlines()[1], "nothing that looks like a clean result"


async def test_counts_are_called_counts_so_far_until_every_claim_is_judged(scene: Scene) -> None:
    first = scene.claim("npm test")
    scene.judgements = {first.id: verdict(first)}
    scene.finished = False
    async with scene.app().run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "so far" in screen_text(pilot).splitlines()[1])
        assert "✗ 1 stale  ? 0 unknown  ✓ 0 held  so far" in screen_text(pilot).splitlines()[1]


async def test_it_opens_on_the_first_stale_claim_and_says_how_the_range_was_chosen(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        assert selected(pilot) == "Run the tests with `npm test`."
        text = screen_text(pilot)
        assert "1f0c2b7a..9ad4e3c1" in text
        assert "last pull (reflog: HEAD@{0})" in text
        assert "4 stale" in text
        assert "5 held" in text
        assert "0 of 4 stale decided" in text


async def test_accept_goes_on_to_the_next_undecided(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "a")
        found = decision(pilot, scene, "npm test")
        assert found is not None
        assert (found.kind, found.by) == (DecisionKind.ACCEPT, "Tess")
        assert selected(pilot) == "The importer lives in `src/importer.py`."
        assert "✓ accepted" in screen_text(pilot)
        assert "1 of 4 stale decided" in screen_text(pilot)


async def test_retire_is_shown_in_the_list_and_in_the_memory(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "j", "r", "k", "2")
        text = screen_text(pilot)
        assert "− retired" in text
        assert "- - The importer lives in" in text


async def test_retiring_a_parent_asks_and_takes_its_items_along(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        screen.claims.select(screen.sitting.board.index(scene.claim("orchard.toml").id))
        await press(pilot, "r")
        assert isinstance(pilot.app.screen, Confirm)
        assert "The key `grade.limit` is 40." in screen_text(pilot)
        await press(pilot, "escape")
        assert decision(pilot, scene, "orchard.toml") is None
        await press(pilot, "r", "r")
        for part in ("orchard.toml", "grade.limit"):
            found = decision(pilot, scene, part)
            assert found is not None
            assert found.kind is DecisionKind.RETIRE
        await press(pilot, "u")
        assert not screen.sitting.board.decisions


async def test_take_uses_a_proved_suggestion_at_once(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "t")
        found = decision(pilot, scene, "npm test")
        assert found is not None
        assert (found.kind, found.text) == (DecisionKind.REWRITE, "Run the tests with `npm run test:unit`.")


@pytest.mark.parametrize("holds", [True, False])
async def test_take_judges_a_suggestion_that_is_not_proved_first(scene: Scene, holds: bool) -> None:
    claim = scene.claim("parse_weight")
    scene.rejudged = {"*": held(claim.id) if holds else verdict(claim)}
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "j", "j", "t")
        found = decision(pilot, scene, "parse_weight")
        if holds:
            assert found is not None
            assert found.text == "Weights are parsed by `weight_from_label` in `src/weights.py`."
        else:
            assert found is None
            assert isinstance(pilot.app.screen, Rewrite)
            assert "weight_from_label" in pilot.app.screen.query_one(Editor).text


async def test_take_says_why_there_is_nothing_to_take(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "j", "j", "j", "t")
        assert "part of it still holds" in notices(pilot)
        assert decision(pilot, scene, "3.10") is None


def held(claim_id: str) -> Judgement:
    return Judgement(claim_id, Verdict.HELD, "supported", "Both names are there.", "grounded", 0.9)


async def test_rewrite_starts_from_the_suggestion_and_judges_while_typing(scene: Scene) -> None:
    claim = scene.claim("npm test")
    scene.rejudged = {
        "Run the tests with `npm run test:unit`.": held(claim.id),
        "*": replace(verdict(claim), why="There is no such script."),
    }
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "e")
        await until(pilot, lambda: "Both names are there." in screen_text(pilot))
        await pilot.press(*" now")
        await until(pilot, lambda: "There is no such script." in screen_text(pilot))
        await pilot.press(*["backspace"] * 4)
        await until(pilot, lambda: "Both names are there." in screen_text(pilot))
        await press(pilot, "enter")
        found = decision(pilot, scene, "npm test")
        assert found is not None
        assert found.text == "Run the tests with `npm run test:unit`."
        assert "» rewritten" in screen_text(pilot)


async def test_a_text_that_is_still_stale_is_kept_only_when_asked_twice(scene: Scene) -> None:
    claim = scene.claim("npm test")
    scene.rejudged = {"*": replace(verdict(claim), why="There is no such script.")}
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "e")
        await until(pilot, lambda: "There is no such script." in screen_text(pilot))
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, Rewrite)
        assert "Still stale" in screen_text(pilot)
        await press(pilot, "enter")
        assert decision(pilot, scene, "npm test") is not None


async def test_rewrite_switches_between_suggestion_and_old_text(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "e", "ctrl+t")
        assert pilot.app.screen.query_one(Editor).text == "Run the tests with `npm test`."
        await press(pilot, "enter")
        assert "This is the old text" in screen_text(pilot)
        await press(pilot, "escape")
        assert decision(pilot, scene, "npm test") is None


async def test_a_pasted_text_of_several_lines_becomes_one_without_escapes(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "e")
        editor = pilot.app.screen.query_one(Editor)
        editor.text = ""
        pilot.app.post_message(events.Paste("Run the\n  tests \x1b[31mby hand.\n"))
        await settle(pilot)
        await press(pilot, "enter", "enter")
        found = decision(pilot, scene, "npm test")
        assert found is not None
        assert found.text == "Run the tests \\x1b[31mby hand."


async def test_marks_take_one_decision_as_one_step(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "space", "space", "space")
        assert "3 marked" in screen_text(pilot)
        await press(pilot, "a")
        assert len(screen.sitting.board.decisions) == 3
        assert not screen.claims.marks
        await press(pilot, "u")
        assert not screen.sitting.board.decisions
        await press(pilot, "U")
        assert len(screen.sitting.board.decisions) == 3


async def test_take_takes_the_proved_suggestions_of_all_marked_claims_as_one_step(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "space", "space", "space", "space", "t")
        for part in ("npm test", "importer"):
            found = decision(pilot, scene, part)
            assert found is not None
            assert found.kind is DecisionKind.REWRITE
        assert len(screen.sitting.board.decisions) == 2
        assert "2 suggestions taken. 2 claims without a proved one." in notices(pilot)
        assert not screen.claims.marks
        await press(pilot, "u")
        assert not screen.sitting.board.decisions


async def test_take_keeps_the_marks_when_no_marked_claim_has_a_proved_suggestion(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "j", "j", "space", "space", "t")
        assert "No marked claim has a proved suggestion" in notices(pilot)
        assert len(screen.claims.marks) == 2
        assert not screen.sitting.board.decisions


async def test_rewrite_is_refused_while_claims_are_marked(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "space", "space", "e")
        assert pilot.app.screen is screen
        assert "words are for one claim" in notices(pilot)
        assert len(screen.claims.marks) == 2


@pytest.mark.parametrize(("key", "kind"), [("a", DecisionKind.ACCEPT), ("r", DecisionKind.RETIRE)])
async def test_marked_claims_that_are_decided_are_left_alone(
    scene: Scene, key: str, kind: DecisionKind
) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "t", "k", "space", "space", "space", key)
        first, second = decision(pilot, scene, "npm test"), decision(pilot, scene, "importer")
        assert first is not None
        assert first.kind is DecisionKind.REWRITE
        assert second is not None
        assert second.kind is kind
        assert "1 marked claim decided before: left as decided." in notices(pilot)
        assert len(screen.sitting.board.decisions) == 3


async def test_marks_stay_when_every_marked_claim_is_decided(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "t", "k", "space", "r")
        found = decision(pilot, scene, "npm test")
        assert found is not None
        assert found.kind is DecisionKind.REWRITE
        assert len(screen.claims.marks) == 1
        assert "Every marked claim is decided already" in notices(pilot)


async def test_accept_all_held_says_how_many_and_is_one_step(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "A")
        assert "5 held claims" in screen_text(pilot)
        await press(pilot, "escape")
        assert not screen.sitting.board.decisions
        await press(pilot, "A", "a")
        assert len(screen.sitting.board.decisions) == 5
        await press(pilot, "A")
        assert "no held claim of this filter is undecided" in notices(pilot)
        await press(pilot, "u")
        assert not screen.sitting.board.decisions


async def test_accept_all_held_keeps_to_the_filter(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "slash", *"agents", "enter", "A", "enter")
        assert len(screen.sitting.board.decisions) == 1


async def test_next_goes_round_the_undecided(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "a", "k", "n", "n", "n", "n", "n")
        assert selected(pilot) == "The importer lives in `src/importer.py`."


async def test_after_the_last_claim_that_needs_a_person_it_says_so(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "a", "a", "a", "a", "a")
        assert "Every stale and unknown claim is decided. A accepts the 5 held ones" in notices(pilot)


async def test_undo_and_redo_go_back_to_the_claim(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "a", "r", "u")
        assert selected(pilot) == "The importer lives in `src/importer.py`."
        await press(pilot, "u", "u")
        assert "nothing to undo" in notices(pilot)
        assert selected(pilot) == "Run the tests with `npm test`."
        await press(pilot, "U")
        assert decision(pilot, scene, "npm test") is not None


async def test_save_shows_the_change_and_writes_only_what_was_decided(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "t", "r", "a", "s")
        assert isinstance(pilot.app.screen, SavePreview)
        text = screen_text(pilot)
        assert "Save 3 decisions to 1 file?" in text
        assert "1 accepted, 1 retired, 1 rewritten" in text
        assert "-2 +1 lines" in text
        await press(pilot, "escape")
        assert scene.text() == MEMORY
        await press(pilot, "s", "enter")
        assert scene.text() == MEMORY.replace("npm test", "npm run test:unit").replace(
            "- The importer lives in `src/importer.py`.\n", ""
        )
        assert "Saved" in notices(pilot)
        assert "unsaved" not in screen_text(pilot)
        await press(pilot, "s")
        assert "already in the files" in notices(pilot)


async def test_saving_several_files_is_told_in_one_notice(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "t", "n", "n", "r", "s", "enter")
        (notice,) = [one.message for one in pilot.app._notifications]
        assert notice.startswith("Saved 2 files. What they held before is in ")


async def test_a_decided_claim_still_says_where_it_stands(scene: Scene) -> None:
    for size in (SIZE, (80, 24)):
        async with scene.app().run_test(size=size) as pilot:
            screen = await judged(pilot)
            claim = scene.claim("importer")
            screen.claims.select(screen.sitting.board.index(claim.id))
            await press(pilot, "r")
            (row,) = [one for one in screen_text(pilot).splitlines() if "✗ stale" in one and "import" in one]
            assert "−" in row
            assert f"CLAUDE.md:{claim.line_start}" in row
            await press(pilot, "u")


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_the_footer_has_save_as_soon_as_there_is_what_to_save(
    scene: Scene, size: tuple[int, int]
) -> None:
    async with scene.app().run_test(size=size) as pilot:
        await judged(pilot)
        await press(pilot, "a")
        assert " s save " in screen_text(pilot).splitlines()[-1]


async def test_save_says_when_nothing_is_decided(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "s")
        assert "Save: nothing is decided yet." in notices(pilot)


async def test_the_card_tells_who_decided_before_that_it_is_not_saved(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "r", "k")
        assert "− retired by Tess, not saved yet" in screen_text(pilot)


async def test_a_suggestion_without_words_is_called_none(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "j", "j", "j")
        assert "no suggestion: part of it still holds: reword it" in screen_text(pilot)


@pytest.mark.parametrize("size", [(120, 40), (100, 30), (60, 20)])
async def test_the_place_of_a_claim_stays_when_the_reason_is_long(
    scene: Scene, size: tuple[int, int]
) -> None:
    claim = scene.claim("npm test")
    scene.judgements = {claim.id: replace(verdict(claim), reason="a-reason-as-long-as-none-ever-was-before")}
    async with scene.app().run_test(size=size) as pilot:
        await judged(pilot)
        assert " CLAUDE.md:7 " in screen_text(pilot)


async def test_save_turns_from_file_to_file(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "t", "n", "n", "r", "s")
        assert "1 of 2  CLAUDE.md" in screen_text(pilot)
        await press(pilot, "right_square_bracket")
        assert "2 of 2  AGENTS.md" in screen_text(pilot)


async def test_a_file_changed_by_somebody_else_is_not_overwritten_and_read_again(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "t")
        changed = MEMORY.replace("## House rules", "## Rules of the house")
        (scene.root / "CLAUDE.md").write_text(changed)
        await press(pilot, "s", "enter")
        assert scene.text() == changed
        assert "was changed by somebody else" in screen_text(pilot)
        before = screen.engine
        await press(pilot, "enter")
        await until(pilot, lambda: screen.engine is not before and screen.engine.running)


async def test_decisions_come_back_at_the_next_start(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "a", "r")
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        assert len(screen.sitting.board.decisions) == 2
        assert "2 earlier decisions taken up, 2 not saved yet." in notices(pilot)
        await press(pilot, "u")
        assert len(screen.sitting.board.decisions) == 1


async def test_quit_asks_only_when_something_is_not_saved(scene: Scene) -> None:
    app = scene.app()
    async with app.run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "a", "q")
        assert "in the journal" in screen_text(pilot)
        await press(pilot, "escape")
        assert app.is_running
        await press(pilot, "u")
        await pilot.press("q")
    assert app.return_code == 0


async def test_the_demo_does_not_promise_that_decisions_come_back(scene: Scene) -> None:
    app = scene.app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        screen.engine.request = replace(screen.engine.request, throw_away=True)
        await press(pilot, "a", "q")
        shown = " ".join(screen_text(pilot).replace("│", " ").split())
        assert "come back" not in shown
        assert "its copy of the sample project is removed when you leave" in shown
        await pilot.press("q")
    assert app.return_code == 0


async def test_quit_can_save_first(scene: Scene) -> None:
    app = scene.app()
    async with app.run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "t", "q")
        await pilot.press("s")
    assert app.return_code == 0
    assert "test:unit" in scene.text()


async def test_ctrl_c_twice_leaves_from_anywhere(scene: Scene) -> None:
    app = scene.app()
    async with app.run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "a", "e", "ctrl+c")
        assert app.is_running
        await pilot.press("ctrl+c")
    assert app.return_code == 0


async def test_search_filters_while_typing_and_esc_brings_all_back(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "slash", *"src")
        assert len(screen.sitting.board) == 2
        assert "“src”" in screen_text(pilot)
        await press(pilot, "down")
        assert selected(pilot).startswith("Weights")
        await press(pilot, "enter")
        assert isinstance(screen.focused, ClaimList)
        await press(pilot, "escape")
        assert len(screen.sitting.board) == 11
        await press(pilot, "slash", *"nothing here")
        assert "No claim matches." in screen_text(pilot)
        await press(pilot, "escape")
        assert len(screen.sitting.board) == 11
        assert isinstance(screen.focused, ClaimList)


async def test_filter_dialog_applies_at_once(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "f", "space")
        assert isinstance(pilot.app.screen, FilterDialog)
        assert len(screen.sitting.board) == 4
        await press(pilot, "escape")
        assert "4 of 12" in screen_text(pilot)
        await press(pilot, "f", "c", "escape")
        assert len(screen.sitting.board) == 11


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_the_filter_dialog_shows_its_keys_and_its_whole_title(
    scene: Scene, size: tuple[int, int]
) -> None:
    async with scene.app().run_test(size=size) as pilot:
        await judged(pilot)
        await press(pilot, "f")
        text = screen_text(pilot)
        assert "what is marked is listed; nothing marked: all" in text
        assert "space mark   enter list these" in text
        assert "esc back" in text
        await press(pilot, "G")
        assert "AGENTS.md" in screen_text(pilot)
        assert "Nothing to choose by decision" in screen_text(pilot), (
            "a part of one value says that it is one"
        )
        await press(pilot, "g")
        assert "Verdict" in screen_text(pilot), "the heading comes into view with the first choice"


async def test_the_fold_opens_by_key_enter_and_search(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "G", "enter")
        assert selected(pilot) == "Answer in plain words."
        await press(pilot, "full_stop")
        assert "Answer in plain words." not in screen_text(pilot)
        await press(pilot, "G")
        assert screen.claims.index == FOLD
        assert "2 claims that no state of the repository can decide." in screen_text(pilot)
        await press(pilot, "r")
        assert "no claim is selected" in notices(pilot)


async def test_tabs_by_key_and_by_click(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        assert '"test": "jest"' in screen_text(pilot)
        await press(pilot, "2")
        assert "## Commands" in screen_text(pilot)
        await press(pilot, "3")
        assert "grounded, 97% sure" in screen_text(pilot)
        assert "jest → not there" in screen_text(pilot)
        await press(pilot, "4")
        assert "Move the importer into its own package" in screen_text(pilot)
        await pilot.click(TabBar, offset=(3, 0))
        await settle(pilot)
        assert '"test": "jest"' in screen_text(pilot)


async def test_why_says_of_a_name_only_what_was_noted_of_it(scene: Scene) -> None:
    claim = scene.claim("parse_weight")
    references = (
        Reference("symbol", "parse_weight", None, None),
        Reference("path", "src/weights.py", None, "src/weights.py"),
        Reference("path", "src/old.py", "src/old.py", None),
    )
    touched = Judgement(
        claim.id, Verdict.UNKNOWN, "touched", "Its code changed.", "grounded", 0.5, references=references
    )
    scene.judgements = {claim.id: touched}
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        screen.claims.select(screen.sitting.board.index(claim.id))
        await press(pilot, "3")
        text = screen_text(pilot)
        assert "symbol parse_weight" in text
        assert "not there" not in text
        assert "src/weights.py at head" in text
        assert "src/old.py at base" in text


async def test_evidence_names_the_commit_and_turns(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        assert "5c1e77d0" in screen_text(pilot)
        assert "Ada Author" in screen_text(pilot)
        await press(pilot, "j", "j")
        assert "1 of 2" in screen_text(pilot)
        await press(pilot, "right_square_bracket")
        assert "2 of 2" in screen_text(pilot)
        await press(pilot, "left_square_bracket")
        assert "1 of 2" in screen_text(pilot)


async def test_all_evidence_is_listed_and_can_be_clicked(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "j", "j")
        text = screen_text(pilot)
        assert "• 1 parse_weight" in text
        assert "  2 src/weights.py" in text
        await pilot.click(EvidenceList, offset=(4, 1))
        await settle(pilot)
        assert "• 2 src/weights.py" in screen_text(pilot)
        assert "2 of 2" in screen_text(pilot)
        await press(pilot, "k")
        assert "• 1" not in screen_text(pilot)


async def test_the_list_of_evidence_gives_way_to_the_comparison_where_there_is_no_room(scene: Scene) -> None:
    async with scene.app().run_test(size=(80, 24)) as pilot:
        await judged(pilot)
        await press(pilot, "j", "j")
        assert "• 1" not in screen_text(pilot)
        assert "1 of 2" in screen_text(pilot)
        await press(pilot, "z")
        await pilot.resize_terminal(80, 40)
        await settle(pilot)
        assert "• 1" in screen_text(pilot)


async def test_a_file_that_is_gone_shows_what_it_was(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "j")
        text = screen_text(pilot)
        assert "+ head  not there" in text
        assert "- import csv" in text
        assert "moved to src/intake/importer.py" in text


async def test_the_deciding_line_is_in_view_after_a_comparison_that_needed_no_scrolling(
    scene: Scene,
) -> None:
    async with scene.app().run_test(size=(80, 20)) as pilot:
        screen = await judged(pilot)
        screen.claims.select(screen.sitting.board.index(scene.claim("orchard.toml").id))
        await settle(pilot)
        assert "limit = 40" in screen_text(pilot)
        screen.claims.select(screen.sitting.board.index(scene.claim("parse_weight").id))
        await settle(pilot)
        text = screen_text(pilot)
        assert "- def parse_weight" in text
        assert "+ def weight_from_label" in text


async def test_zoom_gives_two_columns_their_room(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        diff = screen.query_one("#evidence-diff", SplitDiff)
        assert not diff.is_split
        await press(pilot, "z")
        assert diff.is_split
        assert diff.has_focus
        await press(pilot, "escape")
        assert not diff.is_split
        assert isinstance(screen.focused, ClaimList)


async def test_d_switches_columns(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        diff = screen.query_one("#evidence-diff", SplitDiff)
        await press(pilot, "d")
        assert diff.is_split
        await press(pilot, "d")
        assert not diff.is_split


async def test_focus_goes_right_and_back(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "enter")
        assert isinstance(screen.focused, SplitDiff)
        assert "next change" in screen_text(pilot)
        await press(pilot, "escape")
        assert isinstance(screen.focused, ClaimList)
        await press(pilot, "tab")
        assert isinstance(screen.focused, SplitDiff)
        await press(pilot, "tab")
        assert isinstance(screen.focused, ClaimList)


async def test_the_right_side_scrolls_from_the_list(scene: Scene) -> None:
    async with scene.app().run_test(size=(120, 20)) as pilot:
        screen = await judged(pilot)
        await press(pilot, "j")
        diff = screen.query_one("#evidence-diff", SplitDiff)
        await press(pilot, "J")
        assert diff.scroll_offset.y == 3
        await press(pilot, "K")
        assert diff.scroll_offset.y == 0


async def test_help_lists_every_action_and_says_why_not(scene: Scene) -> None:
    async with scene.app().run_test(size=(120, 110)) as pilot:
        await judged(pilot)
        await press(pilot, "question_mark")
        assert isinstance(pilot.app.screen, HelpDialog)
        text = screen_text(pilot)
        for action in ACTIONS:
            assert action.name in text
        assert "not now: nothing to undo" in text
        await press(pilot, "question_mark")
        assert not isinstance(pilot.app.screen, HelpDialog)


async def test_the_palette_finds_actions(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await pilot.press("ctrl+p")
        await pilot.press(*"history")
        await until(pilot, lambda: "Commits and decisions" in screen_text(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: review(pilot).tab == "history")


async def test_keys_at_the_bottom_can_be_clicked(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await pilot.click(KeyBar, offset=(2, 0))
        await settle(pilot)
        assert decision(pilot, scene, "npm test") is not None


async def test_theme_is_tried_while_choosing_and_kept_or_not(scene: Scene) -> None:
    app = scene.app()
    async with app.run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "T", "down")
        assert app.theme == "ansi-16"
        await press(pilot, "escape")
        assert app.theme == "dark"
        await press(pilot, "T", "end", "enter")
        assert app.theme == "light"


async def test_export_writes_the_cleaned_memory(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    monkeypatch.chdir(folder)
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "t", "x", "enter")
        written = (folder / "memory.md").read_text()
        assert "npm run test:unit" in written
        assert scene.text() == MEMORY
        await press(pilot, "x", "enter")
        assert "there already is such a file" in screen_text(pilot)
        await press(pilot, "down", "tab")
        assert pilot.app.screen.query_one(Input).value.endswith("memory.json")
        await press(pilot, "enter")
        assert (folder / "memory.json").exists()


async def test_a_locked_claim_says_why_it_cannot_be_edited(tmp_path: Path) -> None:
    text = "# X\n\n<!-- BEGIN GENERATED -->\n- made by a tool\n<!-- END GENERATED -->\n\n- plain\n"
    scene = Scene(tmp_path, files={"CLAUDE.md": text})
    if not any(claim.locked for claim in scene.claims):
        pytest.skip("no generated region is recognised here")
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        locked = next(claim for claim in scene.claims if claim.locked)
        screen.claims.select(screen.sitting.board.index(locked.id))
        await press(pilot, "r")
        assert "cannot be edited" in notices(pilot)


async def test_a_crash_of_the_audit_leaves_the_review_usable(scene: Scene) -> None:
    scene.crash = "fatal: out of memory\n"
    scene.judgements = {one.id: verdict(one) for one in scene.claims[:3]}
    async with scene.app().run_test(size=SIZE) as pilot:
        await until(pilot, lambda: bool(review(pilot).stopped))
        await settle(pilot)
        assert "out of memory" in notices(pilot)
        assert "audit stopped" in screen_text(pilot)
        await press(pilot, "a", "e", "enter")
        await press(pilot, "escape")
        await press(pilot, "s", "enter")
        assert len(review(pilot).sitting.board.decisions) >= 1


async def test_what_cannot_be_opened_says_what_to_do(scene: Scene) -> None:
    scene.events = [
        {"event": "failed", "what": "not a git repository", "where": "/somewhere", "fix": "run git init"}
    ]
    async with scene.app().run_test(size=SIZE) as pilot:
        await until(pilot, lambda: bool(review(pilot).stopped))
        await settle(pilot)
        text = screen_text(pilot)
        assert "/somewhere: not a git repository (run git init)" in text
        assert "q leaves" in text
        await press(pilot, "a", "s", "A", "slash", "escape")


async def test_nothing_stale_is_a_good_state(tmp_path: Path) -> None:
    scene = Scene(tmp_path, files={"CLAUDE.md": "# X\n\n- Settings come from `orchard.toml`.\n"})
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        assert "nothing stale" in screen_text(pilot)


async def test_a_memory_without_claims_says_so(tmp_path: Path) -> None:
    scene = Scene(tmp_path, files={"CLAUDE.md": "# Only a heading\n"})
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        assert "No claims in this memory." in screen_text(pilot)
        await press(pilot, "j", "a", "n", "A", "e", "y", "space", "enter", "escape")


async def test_read_only_memory_can_be_decided_and_exported_but_not_saved(scene: Scene) -> None:
    scene.read_only = "the store was read as of v1.0"
    app = scene.app()
    async with app.run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "a", "s")
        assert "the store was read as of v1.0" in notices(pilot)
        assert "read only" in screen_text(pilot)
        await pilot.press("q")
    assert app.return_code == 0


@pytest.mark.parametrize("size", [(120, 40), (100, 30), (99, 30), (80, 24), (60, 20), (40, 12), (250, 70)])
async def test_every_size_can_be_worked_in(scene: Scene, size: tuple[int, int]) -> None:
    async with scene.app().run_test(size=size) as pilot:
        screen = await judged(pilot)
        await press(pilot, "j", "2", "3", "4", "1", "z", "z", "a", "e", "escape", "question_mark", "escape")
        await press(
            pilot, "f", "escape", "s", "escape", "x", "escape", "T", "escape", "A", "escape", "q", "escape"
        )
        assert len(screen.sitting.board.decisions) == 1


async def test_deciding_lines_stand_in_while_the_audit_process_is_busy(scene: Scene) -> None:
    scene.silent = True
    async with scene.app().run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "only the deciding lines" in screen_text(pilot))
        text = screen_text(pilot)
        assert '- "test": "jest",' in text
        assert '+ "test:unit": "vitest run",' in text

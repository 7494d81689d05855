"""Search, filter and order through keys: what is listed, what the header says, what is kept."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from driving import judged, press, review, screen_text, settle, until
from scenes import BASE, COMMIT, HEAD, Scene, plain_claims, verdict
from textual.pilot import Pilot

from memaudit import wire
from memaudit.domain import Document, Judgement, Origin, Range, Store, Verdict
from memaudit.paths import repository_state
from memaudit.tui.board import FOLD, Group, Sort
from memaudit.tui.claim_list import ClaimList
from memaudit.tui.dialogs.filter import FilterDialog
from memaudit.tui.dialogs.sort import SortDialog
from memaudit.tui.filtering import AT_ONCE
from memaudit.tui.search_bar import FilterLine
from memaudit.tui.view_state import View, load_view, save_view

SIZE = (120, 40)
OTHER = replace(COMMIT, sha="d" * 40, summary="Rename parse_weight", author="Ben Builder", date="2024-04-01")


def rows(pilot: Pilot[Any]) -> list[str]:
    board = review(pilot).sitting.board
    return ["…" if board[row] == FOLD else board.claims[board[row]].text for row in range(len(board))]


def line(pilot: Pilot[Any]) -> str:
    """The line that says what is listed, as it stands on the screen."""
    bar = review(pilot).query_one(FilterLine)
    return screen_text(pilot).splitlines()[bar.region.y] if bar.region.height else ""


@pytest.fixture
def two_authors(scene: Scene) -> Scene:
    """The scene with another author's commit behind one claim."""
    scene.judgements = {claim.id: verdict(claim) for claim in scene.claims}
    claim = scene.claim("parse_weight")
    given = scene.judgements[claim.id]
    evidence = tuple(replace(one, commit=OTHER) for one in given.evidence)
    scene.judgements[claim.id] = replace(given, evidence=evidence)
    return scene


async def test_a_misspelt_word_finds_what_is_near_and_says_so(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "slash", *"wieghts")
        assert rows(pilot) == ["Weights are parsed by `parse_weight` in `src/weights.py`."]
        assert "“wieghts”  near matches only" in line(pilot)
        await press(pilot, *["backspace"] * 7, *"weights", "enter")
        assert len(rows(pilot)) == 1
        assert "near" not in line(pilot)


async def test_what_was_searched_for_is_underlined_in_the_rows(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "slash", *"apples", "enter")
        strip = screen.claims.render_line(0)
        underlined = [part.text for part in strip if part.style and part.style.underline]
        assert underlined == ["apples"]


async def test_a_match_beyond_the_edge_is_brought_into_the_row(scene: Scene) -> None:
    async with scene.app().run_test(size=(100, 30)) as pilot:
        screen = await judged(pilot)
        await press(pilot, "slash", *"weights.py", "enter")
        shown = "".join(part.text for part in screen.claims.render_line(0))
        assert "src/weights.py" in shown
        assert "…" in shown


async def test_filters_by_author_and_commit_of_what_made_claims_stale(two_authors: Scene) -> None:
    async with two_authors.app().run_test(size=(120, 60)) as pilot:
        await judged(pilot)
        await press(pilot, "f", "shift+tab")
        assert "Author of that commit" in screen_text(pilot)
        await press(pilot, "j", "space", "escape")
        assert rows(pilot) == ["Weights are parsed by `parse_weight` in `src/weights.py`."]
        assert "by Ben Builder" in line(pilot)
        await press(pilot, "F")
        assert len(rows(pilot)) == 11
        await press(pilot, "f", "shift+tab", "shift+tab", "space")
        assert "[x] dddddddd Rename parse_weight" in screen_text(pilot)
        await press(pilot, "escape")
        assert rows(pilot) == ["Weights are parsed by `parse_weight` in `src/weights.py`."]
        assert "commit dddddddd" in line(pilot)


async def test_filters_by_origin_and_by_decision(scene: Scene) -> None:
    async with scene.app().run_test(size=(120, 60)) as pilot:
        await judged(pilot)
        await press(pilot, "f", "tab", "j", "space", "escape")
        assert rows(pilot) == ["Python 3.10 or newer is needed."]
        assert "false before it" in line(pilot)
        await press(pilot, "r", "F", "f", "tab", "tab", "j", "space", "escape")
        assert rows(pilot) == ["Python 3.10 or newer is needed."]
        assert "retired" in line(pilot)


async def test_in_the_filter_dialog_space_marks_and_enter_lists(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "f", "enter")
        assert pilot.app.screen is screen
        assert {group.value for group in screen.sitting.board.filter.groups} == {"stale"}
        await press(pilot, "f", "enter")
        assert screen.sitting.board.filter.active, "what is marked already stays"
        await press(pilot, "f", "down", "space", "down")
        assert "enter list these" in screen_text(pilot)
        await press(pilot, "enter")
        assert {group.value for group in screen.sitting.board.filter.groups} == {"stale", "unknown"}


def numbers(pilot: Pilot[Any], part: str) -> list[int]:
    """The numbers of claims beside the values of a part of the filter."""
    lines = screen_text(pilot).splitlines()
    first = next(number for number, line in enumerate(lines) if f"│ {part} " in line)
    found = []
    for line in lines[first + 1 :]:
        if not (value := re.search(r"^│ .*?\[.\] .*?(\d+) +│", line)):
            break
        found.append(int(value[1]))
    return found


async def test_the_numbers_of_a_part_of_the_filter_follow_the_other_parts(scene: Scene) -> None:
    async with scene.app().run_test(size=(120, 60)) as pilot:
        screen = await judged(pilot)
        await press(pilot, "f")
        verdicts = numbers(pilot, "Verdict")
        assert sum(verdicts) == sum(numbers(pilot, "Kind")) == len(screen.sitting.board.claims)
        await press(pilot, "space")
        assert sum(numbers(pilot, "Kind")) == verdicts[0]
        assert numbers(pilot, "Verdict") == verdicts, "one more verdict would list as many more"


async def test_filter_list_and_header_agree_after_a_save(scene: Scene) -> None:
    async with scene.app().run_test(size=(120, 60)) as pilot:
        screen = await judged(pilot)
        board = screen.sitting.board
        stale = board.counts()[Group.STALE]
        await press(pilot, "t", "r", "s", "enter")
        counts = board.counts()
        assert counts[Group.STALE] == stale - 2
        await press(pilot, "f")
        assert numbers(pilot, "Verdict") == [counts[one] for one in Group if counts[one]]
        assert sum(numbers(pilot, "Stale")) == counts[Group.STALE]
        await press(pilot, "space", "enter")
        assert board.matched == len(screen.claims.board.listed()) == counts[Group.STALE]
        await press(pilot, "r", "s", "enter")
        assert board.matched == board.counts()[Group.STALE] == counts[Group.STALE] - 1
        await press(pilot, "u")
        assert board.matched == board.counts()[Group.STALE]


async def test_the_first_mark_leaves_the_list_where_it_is(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        before = screen.claims.region
        await press(pilot, "space")
        assert screen.claims.region == before
        assert "1 marked" in screen_text(pilot)


async def test_the_filter_dialog_goes_round_its_parts(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "f")
        dialog = pilot.app.screen
        assert isinstance(dialog, FilterDialog)
        choices = dialog.query_one("Choices")
        seen = []
        for _ in range(6):
            seen.append(choices.value.partition(":")[0])  # type: ignore[attr-defined]
            await press(pilot, "tab")
        assert seen == ["groups", "origins", "kinds", "files", "groups", "origins"]


async def test_another_order_is_chosen_shown_and_left_again(two_authors: Scene) -> None:
    async with two_authors.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "S")
        assert isinstance(pilot.app.screen, SortDialog)
        await press(pilot, "down", "down", "down", "enter")
        assert screen.sitting.board.sort is Sort.NEWEST
        assert rows(pilot)[0].startswith("Weights are parsed")
        assert "by newest commit" in line(pilot)
        await press(pilot, "S", "home", "enter")
        assert line(pilot) == ""
        assert rows(pilot)[0] == "Run the tests with `npm test`."
        await press(pilot, "S", "down", "escape")
        assert screen.sitting.board.sort is Sort.VERDICT


async def test_the_cursor_stays_on_its_claim_in_another_order(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "j", "j", "S", "down", "enter")
        assert screen.claim is not None
        assert "parse_weight" in screen.claim.text
        assert rows(pilot)[0].startswith("Orchard sorts apples")


async def test_show_all_takes_search_and_filter_away_from_anywhere(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "F")
        assert "nothing is searched for" in "\n".join(one.message for one in pilot.app._notifications)
        await press(pilot, "slash", *"src", "enter", "f", "space", "escape", "tab", "F")
        assert len(rows(pilot)) == 11
        assert line(pilot) == ""
        await press(pilot, "tab", "slash")
        assert screen.query_one("#search").value == ""  # type: ignore[attr-defined]


async def test_filter_search_and_order_are_there_again_at_the_next_start(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "slash", *"src", "enter", "f", "space", "escape", "S", "down", "enter")
        listed = rows(pilot)
        assert len(listed) == 2
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        assert rows(pilot) == listed
        assert "stale · “src”" in line(pilot)
        assert "by file order" in line(pilot)
        assert "2 of 12" in line(pilot)
        await press(pilot, "slash", "escape")
        assert len(rows(pilot)) == 4
        await press(pilot, "F")
        assert screen.sitting.board.sort is Sort.PLACE
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        assert len(rows(pilot)) == 11


async def test_a_view_that_cannot_be_kept_is_said_and_does_no_harm(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        folder = repository_state(scene.root / ".git")
        (folder / "view.json").mkdir()
        await press(pilot, "f", "space", "escape")
        assert len(rows(pilot)) == 4
        assert "The filter is not kept" in "\n".join(one.message for one in pilot.app._notifications)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "nonsense",
        "[" * 100_000,
        '{"query": 3, "groups": "stale", "kinds": [1, "made up"], "sort": []}',
    ],
)
def test_a_view_that_was_spoilt_is_the_plain_one(scene: Scene, text: str) -> None:
    (scene.folder / "view.json").write_text(text)
    assert load_view(scene.folder) == View()


def test_what_another_version_knew_is_left_out_of_a_view(scene: Scene) -> None:
    (scene.folder / "view.json").write_text(
        '{"groups": ["stale", "rotten"], "origins": ["range"], "sort": "by moon"}'
    )
    view = load_view(scene.folder)
    assert [group.value for group in view.filter.groups] == ["stale"]
    assert view.filter.origins == {Origin.RANGE}
    assert view.sort is Sort.VERDICT
    save_view(scene.folder, view)
    assert load_view(scene.folder) == view


def big(scene: Scene, count: int) -> Scene:
    """A scene whose one document has very many claims, half of them stale."""
    claims = plain_claims(count)
    document = Document("CLAUDE.md", "claude", b"", tuple(claims))
    one = Store("CLAUDE.md", "claude", "project", (document,))
    stale = [
        Judgement(claim.id, Verdict.STALE, "path-gone", "Gone.", "grounded", 0.9, Origin.RANGE)
        for claim in claims[: count // 2]
    ]
    items = [{"id": judgement.claim_id, **wire.judgement_to_json(judgement)} for judgement in stale]
    scene.events = [
        {
            "event": "opened",
            "repo": "orchard",
            "root": str(scene.root),
            "common_dir": str(scene.root / ".git"),
            "prefix": "",
            "range": wire.range_to_json(Range(BASE, HEAD, "named")),
            "stores": [wire.store_to_wire(one)],
            "read_only": "",
            "origin": "",
        },
        {"event": "judged", "items": items},
        {"event": "done", "summary": {}, "cost": {"model_calls": 0, "usd": 0.0}, "warning": ""},
    ]
    return scene


async def test_a_large_list_is_searched_and_sorted_bit_by_bit(scene: Scene) -> None:
    async with big(scene, AT_ONCE + 1_000).app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await pilot.press("slash", *"n5999")
        await settle(pilot)
        assert rows(pilot) == ["Number 5999 is kept in `src/n5999.py`."]
        await press(pilot, "escape")
        assert len(rows(pilot)) == AT_ONCE + 1_000
        await press(pilot, "S", "down", "enter", "G")
        assert isinstance(screen.focused, ClaimList)
        assert screen.claims.cursor == "id5999"
        await pilot.press("slash", *"nubmer")
        await settle(pilot)
        assert screen.sitting.board.near


async def test_letters_typed_into_a_search_of_a_large_list_are_all_searched_for(scene: Scene) -> None:
    async with big(scene, AT_ONCE + 1_000).app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await pilot.press("slash")
        for letter in "src/n47":
            await pilot.press(letter)
        await until(pilot, lambda: screen.sitting.board.filter.query == "src/n47")
        await settle(pilot)
        assert len(rows(pilot)) == 111

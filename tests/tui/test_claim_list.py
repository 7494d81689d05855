"""The list widget on its own: cursor, order, marks, mouse, odd widths."""

from __future__ import annotations

from typing import Any

import pytest
from scenes import AGENTS, MEMORY, store, verdict
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from memaudit.domain import Block, Claim, ClaimKind, Judgement, Origin, Span, Verdict
from memaudit.tui.board import FOLD, Board, Filter
from memaudit.tui.claim_list import FOLD_ROW, ClaimList
from memaudit.tui.themes import load_themes


def claim(number: int, text: str | None = None, document: str = "CLAUDE.md") -> Claim:
    return Claim(
        id=f"id{number}",
        store=document,
        document=document,
        text=text if text is not None else f"claim number {number}",
        kind=ClaimKind.FACT,
        block=Block.ITEM,
        span=Span(0, 1),
        item_span=Span(0, 1),
        line_start=number + 1,
        line_end=number + 1,
    )


def stale(claim_: Claim) -> Judgement:
    return Judgement(claim_.id, Verdict.STALE, "path-gone", "", "grounded", 0.9, Origin.RANGE)


class ListApp(App[None]):
    """Nothing but the list."""

    def __init__(self, board: Board) -> None:
        super().__init__()
        for theme_file in load_themes()[0].values():
            self.register_theme(theme_file.theme)
        self.theme = "dark"
        self.board = board
        self.moves: list[str | None] = []

    def compose(self) -> ComposeResult:
        yield ClaimList(self.board)

    def on_mount(self) -> None:
        self.list.show(self.board)
        self.list.focus()

    def on_claim_list_moved(self, event: ClaimList.Moved) -> None:
        self.moves.append(event.claim_id)

    @property
    def list(self) -> ClaimList:
        return self.query_one(ClaimList)


def rows(pilot: Pilot[Any]) -> list[str]:
    lines = pilot.app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in line) for line in lines]


def memory_board() -> Board:
    board = Board([*store("CLAUDE.md", MEMORY).claims, *store("AGENTS.md", AGENTS).claims])
    board.judge(verdict(one) for one in board.claims)
    return board


async def test_a_row_shows_sign_and_word_text_and_place() -> None:
    async with ListApp(memory_board()).run_test(size=(90, 14)) as pilot:
        shown = rows(pilot)
        assert shown[0].startswith("▌ ✗ stale    Run the tests with `npm test`.")
        assert shown[0].rstrip().endswith("CLAUDE.md:7")
        assert shown[4].startswith("  ? unknown  Build")
        assert shown[5].startswith("  ✓ held     Orchard")
        assert "2 claims no repository state can decide" in shown[10]


async def test_the_file_is_named_where_there_are_several() -> None:
    async with ListApp(Board([claim(1), claim(2)])).run_test(size=(80, 5)) as pilot:
        assert rows(pilot)[0].rstrip().endswith("  :2")
    async with ListApp(Board([claim(1), claim(2, document="AGENTS.md")])).run_test(size=(80, 5)) as pilot:
        assert rows(pilot)[0].rstrip().endswith("CLAUDE.md:2")


@pytest.mark.parametrize(
    ("keys", "row"),
    [
        ("j", 1),
        ("down down", 2),
        ("j j k", 1),
        ("up", 0),
        ("G", 99_999),
        ("end k", 99_998),
        ("G g", 0),
        ("pagedown", 19),
        ("pagedown pagedown pageup", 19),
        ("G j", 99_999),
        ("home", 0),
    ],
)
async def test_keys_move_the_cursor_in_a_hundred_thousand_rows(keys: str, row: int) -> None:
    app = ListApp(Board([claim(number) for number in range(100_000)]))
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press(*keys.split())
        await pilot.pause()
        assert app.list.cursor_row == row
        assert f"claim number {row} " in "\n".join(rows(pilot))


async def test_moving_the_cursor_draws_two_rows_only() -> None:
    app = ListApp(Board([claim(number) for number in range(1_000)]))
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.pause()
        drawn: list[int] = []
        original = app.list.render_line

        def counting(y: int) -> Any:
            drawn.append(y)
            return original(y)

        app.list.render_line = counting  # type: ignore[method-assign]
        await pilot.press("j")
        await pilot.pause()
        assert sorted(set(drawn)) == [0, 1]


async def test_the_selected_claim_keeps_its_place_when_verdicts_reorder_the_list() -> None:
    board = Board([claim(number) for number in range(200)])
    app = ListApp(board)
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press(*["j"] * 50)
        await pilot.pause()
        place = [y for y, line in enumerate(rows(pilot)) if line.startswith("▌")]
        board.judge(stale(board.claims[number]) for number in range(100, 140))
        app.list.sync()
        await pilot.pause()
        assert app.list.cursor == "id50"
        assert app.list.cursor_row == 90
        assert [y for y, line in enumerate(rows(pilot)) if line.startswith("▌")] == place


async def test_an_untouched_cursor_stays_on_the_first_row_as_stale_claims_come_in() -> None:
    board = Board([claim(number) for number in range(20)])
    app = ListApp(board)
    async with app.run_test(size=(80, 10)) as pilot:
        board.judge([stale(board.claims[13])])
        app.list.sync()
        await pilot.pause()
        assert app.list.cursor == "id13"


async def test_the_cursor_survives_a_filter_and_falls_back_when_its_claim_is_filtered_out() -> None:
    board = Board([claim(number, f"apple n{number}x") for number in range(30)])
    app = ListApp(board)
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.press(*["j"] * 21)
        board.select(Filter(query="apple n2"))
        app.list.sync()
        await pilot.pause()
        assert app.list.cursor == "id21"
        board.select(Filter(query="n7x"))
        app.list.sync()
        await pilot.pause()
        assert app.list.cursor == "id7"
        board.select(Filter(query="no such claim"))
        app.list.sync()
        await pilot.pause()
        assert app.list.cursor is None
        await pilot.press("j", "k", "space", "G", "enter")
        board.select(Filter())
        app.list.sync()
        await pilot.pause()
        assert app.list.cursor_row == 0


async def test_marks_are_set_by_key_and_click() -> None:
    app = ListApp(memory_board())
    async with app.run_test(size=(80, 14)) as pilot:
        await pilot.press("space", "space")
        await pilot.click(ClaimList, offset=(1, 5))
        await pilot.pause()
        assert len(app.list.marks) == 3
        assert [y for y, line in enumerate(rows(pilot)) if line[1] == "●"] == [0, 1, 5]
        assert app.list.cursor_row == 2
        await pilot.press("asterisk")
        assert len(app.list.marks) == 10
        await pilot.press("asterisk")
        assert not app.list.marks


async def test_a_click_selects_and_the_wheel_scrolls() -> None:
    app = ListApp(Board([claim(number) for number in range(100)]))
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.click(ClaimList, offset=(20, 4))
        assert app.list.cursor == "id4"
        app.list.scroll_to(y=50, animate=False)
        await pilot.pause()
        await pilot.click(ClaimList, offset=(20, 4))
        assert app.list.cursor == "id54"


async def test_the_fold_row_can_be_reached_and_is_no_claim() -> None:
    app = ListApp(memory_board())
    async with app.run_test(size=(80, 14)) as pilot:
        await pilot.press("G")
        assert app.list.cursor == FOLD_ROW
        assert app.list.index == FOLD
        await pilot.press("space")
        assert not app.list.marks


@pytest.mark.parametrize("width", [1, 2, 3, 5, 10, 20, 33, 40, 79, 130, 250])
async def test_every_width_is_filled_exactly(width: int) -> None:
    board = Board([claim(0, "日本語の主張はここにあります" * 9), claim(1, "x" * 300), claim(2, "")])
    board.judge([stale(board.claims[0])])
    app = ListApp(board)
    async with app.run_test(size=(width, 6)) as pilot:
        await pilot.pause()
        available = app.list.scrollable_content_region.width
        for y in range(6):
            assert app.list.render_line(y).cell_length == max(available, 0)


async def test_no_width_and_no_rows_are_survived() -> None:
    app = ListApp(Board())
    async with app.run_test(size=(40, 5)) as pilot:
        app.list.styles.width = 0
        await pilot.pause()
        await pilot.press("j", "G", "space", "enter", "pagedown")
        assert app.list.cursor is None

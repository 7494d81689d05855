"""The diff widget on its own: columns, folds, changes, scrolling, colour, odd inputs."""

from __future__ import annotations

from typing import Any

import pytest
from rich.cells import cell_len
from scenes import WEIGHTS_BASE, WEIGHTS_HEAD
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.scrollbar import ScrollBar

from memaudit.tui.diff_model import LineDiff
from memaudit.tui.diff_paint import window
from memaudit.tui.split_diff import SplitDiff
from memaudit.tui.themes import load_themes


class DiffApp(App[None]):
    """Nothing but the comparison."""

    def __init__(self, diff: LineDiff, **options: Any) -> None:
        super().__init__()
        for theme_file in load_themes()[0].values():
            self.register_theme(theme_file.theme)
        self.theme = "dark"
        self._shown = (diff, options)

    def compose(self) -> ComposeResult:
        yield SplitDiff()

    def on_mount(self) -> None:
        diff, options = self._shown
        self.diff.focus()
        self.diff.show(diff, **options)

    @property
    def diff(self) -> SplitDiff:
        return self.query_one(SplitDiff)


def rows(pilot: Pilot[Any]) -> list[str]:
    lines = pilot.app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in line).rstrip() for line in lines]


def edited(count: int, *where: int) -> LineDiff:
    before = [f"value_{number} = {number}" for number in range(count)]
    after = [f"{line}0" if number in where else line for number, line in enumerate(before)]
    return LineDiff("\n".join(before) + "\n", "\n".join(after) + "\n")


async def test_wide_screens_get_two_columns_narrow_ones_one() -> None:
    app = DiffApp(edited(5, 2))
    async with app.run_test(size=(120, 10)) as pilot:
        await pilot.pause()
        assert app.diff.is_split
        assert rows(pilot)[2].count("value_2 = 2") == 2
        await pilot.resize_terminal(80, 10)
        await pilot.pause()
        assert not app.diff.is_split
        assert [line[4:] for line in rows(pilot)[2:4]] == ["- value_2 = 2", "+ value_2 = 20"] or [
            line.strip() for line in rows(pilot)[2:4]
        ] == ["3   - value_2 = 2", "3 + value_2 = 20"]


async def test_columns_can_be_forced_either_way() -> None:
    app = DiffApp(edited(5, 2))
    async with app.run_test(size=(80, 10)) as pilot:
        app.diff.split = True
        await pilot.pause()
        assert app.diff.is_split
        app.diff.split = False
        await pilot.pause()
        assert not app.diff.is_split


async def test_a_file_that_is_only_on_one_side_takes_one_column() -> None:
    app = DiffApp(LineDiff(None, "new\n"))
    async with app.run_test(size=(120, 10)) as pilot:
        await pilot.pause()
        assert not app.diff.is_split
        assert rows(pilot)[0].endswith("+ new")


async def test_signs_are_there_without_colour() -> None:
    async with DiffApp(LineDiff(WEIGHTS_BASE, WEIGHTS_HEAD)).run_test(size=(120, 20)) as pilot:
        await pilot.pause()
        changed = [line for line in rows(pilot) if "parse_weight" in line]
        assert changed
        left, right = changed[0].split("│")
        assert left.split()[1] == "-"
        assert right.split()[1] == "+"


async def test_n_and_p_step_through_the_changes() -> None:
    app = DiffApp(edited(400, 50, 150, 250))
    async with app.run_test(size=(120, 12)) as pilot:
        await pilot.pause()
        app.diff.action_unfold()
        app.diff.action_unfold()
        await pilot.press("g")
        seen = []
        for _ in range(3):
            await pilot.press("n")
            await pilot.pause()
            seen.append(next(line for line in rows(pilot) if " - " in line).split()[1:3])
        assert len({tuple(one) for one in seen}) >= 1
        assert app.diff.hunks == 3
        bottom = app.diff.scroll_offset.y
        await pilot.press("p")
        await pilot.pause()
        assert app.diff.scroll_offset.y < bottom


async def test_deciding_lines_are_marked_and_in_view() -> None:
    app = DiffApp(edited(900, 3, 850), deciding=(frozenset({600}), frozenset({600})))
    async with app.run_test(size=(120, 12)) as pilot:
        await pilot.pause()
        marked = [line for line in rows(pilot) if line.startswith("▶")]
        assert len(marked) == 1
        assert "value_600 = 600" in marked[0]


async def test_deciding_lines_stay_in_view_when_the_room_changes_until_somebody_scrolls() -> None:
    app = DiffApp(edited(30, 3, 20), deciding=(frozenset({20}), frozenset({20})))
    async with app.run_test(size=(80, 6)) as pilot:
        for height in (6, 40, 6, 14, 5):
            await pilot.resize_terminal(80, height)
            await pilot.pause()
            assert [line for line in rows(pilot) if line.startswith("▶")], height
        await pilot.press("g")
        for height in (12, 6):
            await pilot.resize_terminal(80, height)
            await pilot.pause()
            assert rows(pilot)[0].endswith("value_0 = 0")


async def test_folds_open_by_key_and_by_click() -> None:
    app = DiffApp(edited(100, 50))
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.pause()
        assert "⋮ 47 unchanged lines" in rows(pilot)[0]
        await pilot.press("enter")
        await pilot.pause()
        assert "value_0 = 0" in rows(pilot)[0]
        await pilot.press("G")
        await pilot.pause()
        (fold,) = [y for y, line in enumerate(rows(pilot)) if "unchanged" in line]
        await pilot.click(SplitDiff, offset=(10, fold))
        await pilot.press("G")
        await pilot.pause()
        assert "value_99 = 99" in "\n".join(rows(pilot))


async def test_code_scrolls_sideways_on_both_sides_together() -> None:
    long = "start " + "word " * 60 + "end"
    app = DiffApp(LineDiff(f"{long}\n", f"{long}!\n"))
    async with app.run_test(size=(110, 5)) as pilot:
        await pilot.pause()
        assert "›" in rows(pilot)[0]
        for _ in range(60):
            await pilot.press("right")
        await pilot.pause()
        left, right = rows(pilot)[0].split("│")
        assert left.rstrip().endswith("end")
        assert right.rstrip().endswith("end!")


@pytest.mark.parametrize("prose", [False, True])
async def test_w_wraps_long_lines_or_scrolls_them(prose: bool) -> None:
    long = "start " + "word " * 60 + "end"
    app = DiffApp(LineDiff(f"{long}\n", f"{long}!\n"), prose=prose)
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.pause()
        seen = []
        for _ in range(3):
            seen.append((app.diff.is_wrapped, "end!" in "\n".join(rows(pilot))))
            await pilot.press("w")
            await pilot.pause()
        assert seen == [(prose, prose), (not prose, not prose), (prose, prose)]
        # The next text of the same sort is shown the way that was chosen.
        app.diff.show(LineDiff("a\n", f"{long}\n"), prose=prose)
        await pilot.pause()
        assert app.diff.is_wrapped is not prose


@pytest.mark.parametrize("text", ["", "abc", "abcdefghij", "日本語の主張", "a日b本c語d", "x" * 30])
@pytest.mark.parametrize("shift", [0, 1, 2, 3, 8, 40])
@pytest.mark.parametrize("room", [1, 2, 3, 7, 12])
def test_the_part_of_a_line_in_view_fills_its_room(text: str, shift: int, room: int) -> None:
    view = window(text, (0, len(text)), shift, room)
    shown = view.before + text[view.start : view.end] + view.after + " " * view.blank
    assert cell_len(shown) == room
    if shift == 0 and cell_len(text) <= room:
        assert shown.rstrip() == text
    if "›" in view.after:
        assert view.end < len(text)


async def test_the_scroll_bar_can_be_dragged_and_looks_like_any_other() -> None:
    app = DiffApp(edited(300, *range(0, 300, 3)))
    async with app.run_test(size=(80, 12)) as pilot:
        await pilot.pause()
        bar = app.diff.vertical_scrollbar
        assert bar.display
        textuals = ScrollBar.render_lines(bar, bar.size.region)
        ours = bar.render_lines(bar.size.region)
        assert [line.text for line in ours] == [line.text for line in textuals]
        await pilot.mouse_down(bar, offset=(0, 0))
        await pilot.hover(bar, offset=(0, 6))
        await pilot.mouse_up(bar, offset=(0, 6))
        await pilot.pause()
        assert app.diff.scroll_offset.y > 10


async def test_prose_is_wrapped_to_the_same_width_on_both_sides() -> None:
    sentence = "The quick brown fox jumps over the lazy dog and goes on for a while after that. " * 3
    app = DiffApp(LineDiff(sentence + "\n", sentence + "Really.\n"), prose=True)
    async with app.run_test(size=(120, 12)) as pilot:
        await pilot.pause()
        lines = [line.split("│") for line in rows(pilot) if "│" in line]
        assert len(lines) > 3
        assert [len(left) for left, _ in lines] == [59] * len(lines)
        words = " ".join(" ".join(left[5:] for left, _ in lines).split()).removeprefix("- ")
        assert words == sentence.strip()


async def test_syntax_colour_comes_after_the_text() -> None:
    app = DiffApp(LineDiff(WEIGHTS_BASE, WEIGHTS_HEAD), paths=("src/weights.py", "src/weights.py"))
    async with app.run_test(size=(120, 20)) as pilot:
        for _ in range(200):
            await pilot.pause()
            await app.workers.wait_for_complete()
            lines = app.screen._compositor.render_strips()
            keyword = [one.style for line in lines for one in line if one.text == "def"]
            if keyword:
                break
        expected = app.theme_variables["syntax-keyword"].lower()
        assert keyword[0] is not None and keyword[0].color is not None
        assert keyword[0].color.name == expected


@pytest.mark.parametrize("width", [1, 2, 6, 11, 30, 99, 100, 101])
@pytest.mark.parametrize("split", [None, True, False])
async def test_every_width_is_filled_exactly(width: int, split: bool | None) -> None:
    before = "日本語の主張\n\tindented\n" + "x" * 400 + "\nsame\n"
    after = "日本語の主題\n\tindented more\n" + "x" * 399 + "y\nsame\nnew\n"
    app = DiffApp(LineDiff(before, after))
    async with app.run_test(size=(width, 12)) as pilot:
        app.diff.split = split
        await pilot.pause()
        available = app.diff.scrollable_content_region.width
        for y in range(10):
            assert app.diff.render_line(y).cell_length == max(available, 0)
        await pilot.press("j", "k", "n", "p", "m", "right", "left", "G", "g", "enter")


async def test_notes_stand_under_the_lines() -> None:
    async with DiffApp(LineDiff("a", "a\n")).run_test(size=(100, 5)) as pilot:
        await pilot.pause()
        assert "line feed" in "\n".join(rows(pilot))


def test_a_blank_that_has_no_room_hides_no_letter() -> None:
    view = window("for tools that are out", (0, 19), 0, 18)
    assert "for tools that are out"[view.start : view.end] == "for tools that are"
    assert view.after == ""
    cut = window("for tools that are out", (0, 20), 0, 18)
    assert cut.after == "›"

"""Two texts compared: rows, pairs, words, and what is left out with a note."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from memaudit.tui.diff_layout import Layout, Show, wrapped
from memaudit.tui.diff_model import MAX_LINE_CHARS, MAX_LINES, LineDiff, Row, showable, word_changes

lines = st.lists(
    st.sampled_from(["", "a", "b", "alpha beta", "alpha gamma", "}", "return x", "x\ty"]), max_size=30
)


@given(lines, lines)
@settings(max_examples=200, deadline=None)
def test_rows_hold_every_line_of_both_sides_once_and_in_order(before: list[str], after: list[str]) -> None:
    diff = LineDiff("".join(f"{line}\n" for line in before), "".join(f"{line}\n" for line in after))
    assert [row.before for row in diff.rows if row.before >= 0] == list(range(len(before)))
    assert [row.after for row in diff.rows if row.after >= 0] == list(range(len(after)))
    for row in diff.rows:
        if not row.changed:
            assert before[row.before] == after[row.after]
        elif row.before >= 0 and row.after >= 0:
            assert before[row.before] != after[row.after]


@given(lines)
def test_equal_texts_have_no_change(same: list[str]) -> None:
    text = "\n".join(same)
    diff = LineDiff(text, text)
    assert not diff.changed
    assert diff.counts() == (0, 0)


def test_an_edited_line_stands_beside_its_old_self_not_beside_a_new_one() -> None:
    diff = LineDiff("keep\nlimit = grade(40)\n", "keep\nimport os\nlimit = grade(45)\n")
    assert diff.rows == [Row(0, 0, False), Row(-1, 1, True), Row(1, 2, True)]
    before, after = diff.emphasis(diff.rows[2])
    assert [diff.shown(0, 1)[slice(*span)] for span in before] == ["40"]
    assert [diff.shown(1, 2)[slice(*span)] for span in after] == ["45"]


def test_words_are_emphasised_whole_and_neighbours_are_joined() -> None:
    before, after = word_changes("run npm test now", "run pnpm run check now")
    assert before == ((4, 12),)
    assert after == ((4, 18),)


def test_lines_with_nothing_in_common_get_no_emphasis() -> None:
    assert word_changes("alpha beta gamma", "x = 1") == ((), ())


def test_words_of_scripts_without_blanks_are_told_apart() -> None:
    before, after = word_changes("重さを量る", "重さを測る")
    assert ("重さを量る"[slice(*before[0])], "重さを測る"[slice(*after[0])]) == ("量", "測")


def test_unmatched_lines_of_a_block_share_rows() -> None:
    diff = LineDiff("one two\nthree four\n", "1 2 3 4\n5 6 7\n9 9 9\n")
    assert diff.rows == [Row(0, 0, True), Row(1, 1, True), Row(-1, 2, True)]


@pytest.mark.parametrize(
    ("before", "after", "note"),
    [
        ("a\r\nb\r\n", "a\nb\n", "CRLF"),
        ("a", "a\n", "line feed"),
        ("x\n" * (MAX_LINES + 5), "x\n", "5 lines at the end of the before side are not shown"),
    ],
    ids=["carriage returns", "no last line feed", "too many lines"],
)
def test_what_would_not_be_seen_is_said(before: str, after: str, note: str) -> None:
    assert any(note in one for one in LineDiff(before, after).notes)


def test_a_missing_side_is_not_an_empty_one() -> None:
    assert not LineDiff(None, "a\n").has_before
    assert LineDiff("", "a\n").has_before


def test_large_inputs_are_still_matched_line_by_line() -> None:
    before = [f"line {number % 5000}" for number in range(30_000)]
    after = list(before)
    for number in range(0, 30_000, 500):
        after[number] += " edited"
    diff = LineDiff("\n".join(before), "\n".join(after))
    assert diff.counts() == (60, 60)


@pytest.mark.parametrize("hostile", ["\x1b[31mred", "a\u202eb", "bell\x07", "\x9b2J", "zero\u200bwidth"])
def test_shown_lines_hold_nothing_a_terminal_would_act_on(hostile: str) -> None:
    shown = showable(hostile)
    assert shown.isprintable()
    assert "\\" in shown


def test_tabs_are_expanded_and_absurd_lines_cut() -> None:
    assert showable("a\tb") == "a   b"
    assert showable("x" * (MAX_LINE_CHARS + 12)).endswith("… 12 more characters")


def changed_in_the_middle(count: int) -> LineDiff:
    before = [f"line {number}" for number in range(count)]
    after = list(before)
    after[count // 2] = "something else"
    return LineDiff("\n".join(before), "\n".join(after))


def test_unchanged_runs_fold_and_open() -> None:
    diff = changed_in_the_middle(41)
    layout = Layout(diff, split=True)
    assert [line.show for line in layout.lines].count(Show.FOLD) == 2
    assert layout.lines[0].part == 17
    opened = Layout(diff, split=True, opened={0})
    assert [line.show for line in opened.lines].count(Show.FOLD) == 1
    assert len(opened.lines) == len(layout.lines) + 16


def test_deciding_lines_are_never_folded() -> None:
    layout = Layout(changed_in_the_middle(200), split=False, deciding=({10}, ()))
    assert [layout.lines[y].row for y in layout.deciding] == [10]


def test_a_text_without_changes_is_shown_whole() -> None:
    diff = LineDiff("a\nb\nc\n", "a\nb\nc\n")
    assert [line.show for line in Layout(diff, split=False).lines] == [Show.SAME] * 3


def test_one_column_shows_removed_before_added() -> None:
    diff = LineDiff("alpha one\nalpha two\n", "alpha 1\nalpha 2\n")
    shows = [line.show for line in Layout(diff, split=False).lines]
    assert shows == [Show.BEFORE, Show.BEFORE, Show.AFTER, Show.AFTER]


def test_hunks_start_at_every_changed_run() -> None:
    before = [str(number) for number in range(60)]
    after = list(before)
    after[5] = after[6] = after[40] = "x"
    layout = Layout(LineDiff("\n".join(before), "\n".join(after)), split=True)
    assert [layout.lines[y].row for y in layout.hunks] == [5, 40]


@given(st.text(alphabet="ab 日本-語é", max_size=80), st.integers(min_value=1, max_value=20))
def test_wrapping_keeps_every_character_and_fits(text: str, width: int) -> None:
    parts = wrapped(text, width)
    assert "".join(text[start:end] for start, end in parts) == text
    for start, end in parts:
        assert cell_len(text[start:end].rstrip()) <= max(width, 2)

"""The rewrite editor: names offered while typing, the verdict before anything is kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from driving import judged, press, review, screen_text, settle, until
from scenes import Scene, verdict
from textual.pilot import Pilot

from memaudit.domain import Decision, Judgement, Verdict
from memaudit.tui.dialogs.candidates import Word, word_at
from memaudit.tui.dialogs.rewrite import Editor, Rewrite, flat

SIZE = (120, 40)


def decision(pilot: Pilot[Any], scene: Scene, part: str) -> Decision | None:
    return review(pilot).sitting.decision(scene.claim(part).id)


def judgement(scene: Scene, part: str, word: Verdict, why: str) -> Judgement:
    return replace(verdict(scene.claim(part)), verdict=word, reason="because", why=why, origin=None)


async def rewrite(pilot: Pilot[Any], scene: Scene, part: str, text: str) -> Editor:
    """Open the editor on a claim with this text in it, the cursor at its end."""
    screen = await judged(pilot)
    (index,) = [number for number, one in enumerate(screen.sitting.board.claims) if part in one.text]
    screen.claims.select(index)
    await press(pilot, "e")
    editor = pilot.app.screen.query_one(Editor)
    editor.text = text
    editor.move_cursor(editor.document.end)
    await settle(pilot)
    return editor


async def test_tab_takes_the_name_that_is_offered(scene: Scene) -> None:
    scene.names = {"src/in": ["src/intake/importer.py", "src/index.py"]}
    async with scene.app().run_test(size=SIZE) as pilot:
        editor = await rewrite(pilot, scene, "importer", "It lives in `src/in` now.")
        editor.move_cursor((0, len("It lives in `src/in")))
        await until(pilot, lambda: "tab src/intake/importer.py  src/index.py" in screen_text(pilot))
        await press(pilot, "tab")
        assert editor.text == "It lives in `src/intake/importer.py` now."
        assert editor.cursor_location == (0, len("It lives in `src/intake/importer.py"))


async def test_the_next_name_can_be_taken(scene: Scene) -> None:
    scene.names = {"src/in": ["src/intake/importer.py", "src/index.py"]}
    async with scene.app().run_test(size=SIZE) as pilot:
        editor = await rewrite(pilot, scene, "importer", "It lives in `src/in")
        await until(pilot, lambda: "tab src/intake" in screen_text(pilot))
        await press(pilot, "ctrl+n", "tab")
        assert editor.text == "It lives in `src/index.py"


async def test_names_go_when_the_cursor_leaves_the_word(scene: Scene) -> None:
    scene.names = {"src/in": ["src/index.py"]}
    async with scene.app().run_test(size=SIZE) as pilot:
        await rewrite(pilot, scene, "importer", "It lives in `src/in")
        await until(pilot, lambda: "tab src/index.py" in screen_text(pilot))
        await press(pilot, "home")
        assert "tab src/index.py" not in screen_text(pilot)


async def test_tab_without_a_name_leaves_the_cursor_where_words_are_typed(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        editor = await rewrite(pilot, scene, "importer", "Plain words.")
        await press(pilot, "tab", "x")
        assert editor.text == "Plain words.x"
        await press(pilot, "shift+tab")
        assert pilot.app.focused is not editor
        await press(pilot, "tab", "y")
        assert editor.text == "Plain words.xy"


async def test_all_before_the_cursor_goes_wherever_lines_are_wrapped(scene: Scene) -> None:
    async with scene.app().run_test(size=(60, 20)) as pilot:
        editor = await rewrite(pilot, scene, "importer", "Many words " * 12)
        await press(pilot, "ctrl+u", "x")
        assert editor.text == "x"


async def test_what_is_typed_right_after_the_key_is_not_lost(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await pilot.press("e", "ctrl+u", *"abc")
        await until(pilot, lambda: isinstance(pilot.app.screen, Rewrite))
        await settle(pilot)
        assert pilot.app.screen.query_one(Editor).text == "abc"


async def test_a_name_with_escapes_is_written_out(scene: Scene) -> None:
    scene.names = {"src/in": ["src/in\x1b[31m.py"]}
    async with scene.app().run_test(size=SIZE) as pilot:
        editor = await rewrite(pilot, scene, "importer", "It lives in `src/in")
        await until(pilot, lambda: "tab src/in" in screen_text(pilot))
        await press(pilot, "tab")
        assert editor.text == "It lives in `src/in\\x1b[31m.py"


async def test_a_text_typed_faster_than_it_is_judged_is_judged_before_it_is_kept(scene: Scene) -> None:
    scene.rejudged = {"*": judgement(scene, "npm test", Verdict.STALE, "There is no such script.")}
    async with scene.app().run_test(size=SIZE) as pilot:
        await rewrite(pilot, scene, "npm test", "Run it with `npm nothing`.")
        await pilot.press("!", "enter")
        await settle(pilot)
        assert isinstance(pilot.app.screen, Rewrite)
        text = screen_text(pilot)
        assert "There is no such script." in text
        assert "Still stale. Enter once more" in text
        assert decision(pilot, scene, "npm test") is None


@pytest.mark.parametrize(
    ("word", "said"),
    [
        (Verdict.STALE, "It would be stale."),
        (Verdict.UNKNOWN, "The old text is held, this would be unknown."),
    ],
)
async def test_a_text_that_is_worse_off_than_the_old_one_is_asked_for_twice(
    scene: Scene, word: Verdict, said: str
) -> None:
    scene.rejudged = {"*": judgement(scene, "npm run lint", word, "Nothing there.")}
    async with scene.app().run_test(size=SIZE) as pilot:
        await rewrite(pilot, scene, "npm run lint", "Lint with something else.")
        await press(pilot, "enter")
        assert said in screen_text(pilot)
        assert decision(pilot, scene, "npm run lint") is None
        await press(pilot, "enter")
        found = decision(pilot, scene, "npm run lint")
        assert found is not None
        assert found.text == "Lint with something else."


async def test_another_text_is_asked_for_anew(scene: Scene) -> None:
    scene.rejudged = {"*": judgement(scene, "npm run lint", Verdict.STALE, "Nothing there.")}
    async with scene.app().run_test(size=SIZE) as pilot:
        await rewrite(pilot, scene, "npm run lint", "Lint with something else.")
        await press(pilot, "enter", "x", "enter")
        assert isinstance(pilot.app.screen, Rewrite)
        assert decision(pilot, scene, "npm run lint") is None


async def test_a_better_text_is_kept_at_once(scene: Scene) -> None:
    scene.rejudged = {"*": judgement(scene, "npm test", Verdict.UNKNOWN, "Nothing speaks against it.")}
    async with scene.app().run_test(size=SIZE) as pilot:
        await rewrite(pilot, scene, "npm test", "Run the tests by hand.")
        await press(pilot, "enter")
        assert decision(pilot, scene, "npm test") is not None


async def test_without_an_answer_it_can_still_be_kept(scene: Scene) -> None:
    scene.silent = True
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = review(pilot)
        await until(pilot, lambda: screen.sitting.opened is not None and screen.progress is None)
        await pilot.press("e")
        await until(pilot, lambda: isinstance(pilot.app.screen, Rewrite))
        for said in ("Judging it first", "Not judged yet"):
            await pilot.press("enter")
            await until(pilot, lambda said=said: said in screen_text(pilot))  # type: ignore[misc]
        await pilot.press("enter")
        await until(pilot, lambda: decision(pilot, scene, "npm test") is not None)


async def test_an_audit_that_ended_leaves_the_choice(scene: Scene) -> None:
    scene.crash = "gone"
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = review(pilot)
        await until(pilot, lambda: bool(screen.stopped))
        await press(pilot, "e", "enter")
        assert "Nobody can say now whether it holds." in screen_text(pilot)
        await press(pilot, "enter")
        assert decision(pilot, scene, "npm test") is not None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Code is in `src/a|` now", Word(12, 17, "src/a")),
        ("Code is in `sr|c/a.py`", Word(12, 20, "sr")),
        ("Call `fe|`", Word(6, 8, "fe")),
        ("Call fetch_us|.", Word(5, 13, "fetch_us")),
        ("It is src/a|. Then", Word(6, 11, "src/a")),
        ("Plain wor|ds", None),
        ("Done.|", None),
        ("`a|`", None),
        ("|", None),
        ("see fooBar|", Word(4, 10, "fooBar")),
    ],
)
def test_the_word_that_a_name_would_replace(line: str, expected: Word | None) -> None:
    column = line.index("|")
    assert word_at(line.replace("|", ""), column) == expected


def test_every_word_of_a_command_may_be_a_name() -> None:
    assert word_at("make di", 7, code=True) == Word(5, 7, "di")


async def test_typed_words_are_dropped_on_the_second_request_only(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await rewrite(pilot, scene, "importer", "It lives somewhere else.")
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, Rewrite)
        assert "drops what you typed" in screen_text(pilot)
        await press(pilot, "escape")
        assert pilot.app.screen is review(pilot)
        await press(pilot, "e", "escape")
        assert pilot.app.screen is review(pilot)


CODE = """\
# Layout

```
src/
  intake/   # importers live here
  main.py   # the entry
```

```
agents/   # one   file each
```
"""


async def test_code_of_several_lines_is_not_taken_apart_in_the_editor(tmp_path: Path) -> None:
    scene = Scene(tmp_path, files={"CLAUDE.md": "# Run\n\n```\nfirst() {\n  go\n}\n```\n"})
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        (claim,) = screen.sitting.board.claims
        lines = claim.text.count("\n") + 1
        assert lines > 1
        screen.claims.select(0)
        await press(pilot, "e")
        assert pilot.app.screen is screen
        wanted = f"Rewrite: this claim is {lines} lines of code: E opens the file in your editor."
        assert wanted in [notice.message for notice in pilot.app._notifications]
        await press(pilot, "r", "s", "enter")
        assert "go" not in scene.text()


async def test_blanks_inside_a_line_stay_as_typed(tmp_path: Path) -> None:
    scene = Scene(tmp_path, files={"CLAUDE.md": CODE})
    async with scene.app().run_test(size=SIZE) as pilot:
        editor = await rewrite(pilot, scene, "intake", "intakes/   # importers live here")
        assert editor.text == "intakes/   # importers live here"
        await press(pilot, "enter", "enter")
        await press(pilot, "s", "enter")
        assert "  intakes/   # importers live here\n" in scene.text()


async def test_the_title_says_whose_words_are_in_the_editor(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await rewrite(pilot, scene, "importer", "The importer is gone.")
        assert "· your text" in screen_text(pilot)
        await press(pilot, "ctrl+t")
        assert "· filled in: " in screen_text(pilot)
        await press(pilot, "x")
        assert "· your text" in screen_text(pilot)
        assert "filled in" not in screen_text(pilot)


@pytest.mark.parametrize(
    ("text", "line"),
    [("a/   # b", "a/   # b"), ("  one\n\n   two ", "one two"), ("x\ty\r\nz", "x y z"), ("\n", "")],
)
def test_a_text_on_one_line(text: str, line: str) -> None:
    assert flat(text) == line

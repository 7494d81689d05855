"""After a save the whole store is judged again, with the real audit; a save that made it worse is undone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from driving import judged, press, review, screen_text, settle, until
from scenes import Scene
from textual.pilot import Pilot

from memaudit.domain import AuditRequest
from memaudit.settings import Settings
from memaudit.tui.app import MemauditApp

SIZE = (120, 40)
MEMORY = """\
# Kiosk

- Tickets are printed by `src/printer.py`.
- Prices come from `src/prices.py`.
- The receipt is written in `src/receipt.py`.
- Keep answers short.
"""


@pytest.fixture
def repository(git_repo: Any) -> Any:
    files = {f"src/{name}.py": f"{name} = 1\n" for name in ("printer", "prices", "receipt")}
    git_repo.commit("Start", {"CLAUDE.md": MEMORY, **files})
    git_repo.commit("Drop the printer", {"src/printer.py": None})
    return git_repo


def app_on(repository: Any) -> MemauditApp:
    app = MemauditApp(AuditRequest(path=repository.root, range="HEAD~1.."), Settings(author="Tess"))
    app.animation_level = "none"
    return app


def memory(repository: Any) -> bytes:
    return (repository.root / "CLAUDE.md").read_bytes()


def select(pilot: Pilot[Any], part: str) -> None:
    screen = review(pilot)
    (index,) = [number for number, one in enumerate(screen.sitting.board.claims) if part in one.text]
    screen.claims.select(index)


def notices(app: MemauditApp) -> list[str]:
    return [notice.message for notice in app._notifications]


@pytest.fixture
def splice_bug() -> Iterator[pytest.MonkeyPatch]:
    """Retiring a claim damages its neighbour, and the proof before a save does not see it."""
    from memaudit.stores import writer

    def damaged(document: Any, decisions: Any) -> bytes:
        after = writer.edit(document, decisions)
        return after if after == document.raw else after.replace(b"src/prices.py", b"src/price.py")

    with pytest.MonkeyPatch.context() as planted:
        planted.setattr("memaudit.review.table.edit", damaged)
        planted.setattr("memaudit.review.found.edit", damaged)
        planted.setattr("memaudit.review.saving.verify", lambda *_: None)
        yield planted


async def retire_and_save(pilot: Pilot[Any]) -> None:
    await judged(pilot)
    select(pilot, "printer.py")
    await press(pilot, "r", "s", "enter")


async def test_a_good_save_is_kept_and_counted(repository: Any) -> None:
    app = app_on(repository)
    async with app.run_test(size=SIZE) as pilot:
        await retire_and_save(pilot)
        assert notices(app)[-1].startswith("Saved CLAUDE.md.")
        assert notices(app)[-1].endswith(" 2 of 2 claims that held still hold.")
        assert review(pilot).sitting.unsaved == 0
    assert memory(repository) == MEMORY.replace("- Tickets are printed by `src/printer.py`.\n", "").encode()


async def rewrite(pilot: Pilot[Any], part: str, *texts: str) -> None:
    """Open the editor on a claim and keep these texts, one after the other, until one is taken."""
    await judged(pilot)
    select(pilot, part)
    await press(pilot, "e")
    for text in texts:
        pilot.app.screen.query_one("Editor").text = text
        await press(pilot, "enter")


@pytest.mark.parametrize("rewriting", [False, True])
async def test_a_splice_bug_is_caught_and_the_save_undone(
    repository: Any, splice_bug: pytest.MonkeyPatch, rewriting: bool
) -> None:
    app = app_on(repository)
    async with app.run_test(size=SIZE) as pilot:
        if rewriting:
            await rewrite(pilot, "printer.py", "Tickets are printed by `src/receipt.py`.")
            await press(pilot, "s", "enter")
        else:
            await retire_and_save(pilot)
        shown = " ".join(screen_text(pilot).split())
        assert "Save undone" in shown
        assert "1 of 2 claims that held still hold." in shown
        assert "CLAUDE.md:4" in shown
        assert memory(repository) == MEMORY.encode()
        await press(pilot, "enter")
        assert review(pilot).sitting.unsaved == 1
        assert "Save undone" not in screen_text(pilot)
    async with app_on(repository).run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        assert screen.sitting.unsaved == 1, "the decision is found again, not saved"


async def test_a_bad_rewrite_is_rolled_back_and_a_better_one_kept_saved_and_judged_with_the_store(
    repository: Any,
) -> None:
    app = app_on(repository)
    async with app.run_test(size=SIZE) as pilot:
        await rewrite(pilot, "printer.py", "Tickets are printed by `src/paper.py`.")
        screen = review(pilot)
        shown = " ".join(screen_text(pilot).split())
        assert "Still stale. Enter once more keeps it all the same." in shown
        assert not screen.sitting.board.decisions, "nothing of it is kept"
        await press(pilot, "ctrl+t")
        assert pilot.app.screen.query_one("Editor").text == "Tickets are printed by `src/printer.py`."
        pilot.app.screen.query_one("Editor").text = "Tickets are printed by `src/receipt.py`."
        await press(pilot, "enter")
        assert len(screen.sitting.board.decisions) == 1
        await press(pilot, "s", "enter")
        assert notices(app)[-1].endswith(" 2 of 2 claims that held still hold.")
        assert screen.sitting.unsaved == 0
        select(pilot, "printer.py")
        await press(pilot, "3")
        shown = " ".join(screen_text(pilot).split())
        assert "✓ held as saved, was ✗ stale" in shown, "the card tells the verdict on the new words"
        assert "as saved ✓ held" in shown and "before ✗ stale" in shown, "so does the tab, with both"
    assert memory(repository) == MEMORY.replace("src/printer.py", "src/receipt.py").encode()


async def test_a_scripted_store_is_judged_again_too(tmp_path: Path) -> None:
    """Whatever is tested on a scripted store goes through the gate as on a real one."""
    scene = Scene(tmp_path)
    app = scene.app()
    async with app.run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "r", "s", "enter")
        assert notices(app)[-1].endswith("claims that held still hold.")
        assert not any("could not be judged again" in notice for notice in notices(app))


async def test_saving_again_after_that_goes_through_the_gate_too(
    repository: Any, splice_bug: pytest.MonkeyPatch
) -> None:
    app = app_on(repository)
    async with app.run_test(size=SIZE) as pilot:
        await retire_and_save(pilot)
        await press(pilot, "enter")
        splice_bug.undo()
        for sheet in review(pilot).sitting._require()._table.sheets.values():
            sheet.applied = None
        await press(pilot, "s", "enter")
        assert notices(app)[-1].startswith("Saved CLAUDE.md.")
        assert notices(app)[-1].endswith(" 2 of 2 claims that held still hold.")
    assert b"printer" not in memory(repository)
    assert b"src/prices.py" in memory(repository)


async def test_save_and_leave_waits_for_the_gate_and_stays_where_it_was_undone(
    repository: Any, splice_bug: pytest.MonkeyPatch
) -> None:
    app = app_on(repository)
    async with app.run_test(size=SIZE) as pilot:
        await judged(pilot)
        select(pilot, "printer.py")
        await press(pilot, "r", "q", "s")
        assert app.return_code is None
        assert "Save undone" in screen_text(pilot)
        assert memory(repository) == MEMORY.encode()


async def test_save_and_leave_leaves_after_a_good_save(repository: Any) -> None:
    app = app_on(repository)
    async with app.run_test(size=SIZE) as pilot:
        await judged(pilot)
        select(pilot, "printer.py")
        await press(pilot, "r", "q")
        await pilot.press("s")
        for _ in range(3_000):
            if app.return_code is None:
                await asyncio.sleep(0.005)
    assert app.return_code == 0
    assert b"printer" not in memory(repository)


async def test_without_an_audit_the_save_stands_and_that_is_said(tmp_path: Path) -> None:
    scene = Scene(tmp_path, crash="Killed")
    app = scene.app()
    async with app.run_test(size=SIZE) as pilot:
        screen = review(pilot)
        await until(pilot, lambda: bool(screen.stopped) and screen.sitting.opened is not None)
        await settle(pilot)
        await press(pilot, "r", "s", "enter")
        assert any("could not be judged again" in notice for notice in notices(app))
        assert review(pilot).sitting.unsaved == 0


async def test_a_rewrite_that_names_nothing_any_more_is_warned_of_and_kept_only_when_asked_twice(
    repository: Any,
) -> None:
    app = app_on(repository)
    async with app.run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        select(pilot, "printer.py")
        await press(pilot, "e")
        app.screen.query_one("Editor").text = "Tickets are printed somewhere."
        await until(pilot, lambda: "It says nothing any more of src/printer.py" in screen_text(pilot))
        await press(pilot, "enter")
        assert "Enter once more keeps it all the same" in screen_text(pilot)
        assert not screen.sitting.board.decisions
        app.screen.query_one("Editor").text = "Tickets are printed by `src/receipt.py`."
        await until(pilot, lambda: "held" in screen_text(pilot) and "any more of" not in screen_text(pilot))
        await press(pilot, "enter")
        assert [one.text for one in screen.sitting.board.decisions.values()] == [
            "Tickets are printed by `src/receipt.py`."
        ]


async def test_while_a_save_is_judged_another_one_and_leaving_wait(tmp_path: Path) -> None:
    scene = Scene(tmp_path, silent=True)
    app = scene.app()
    async with app.run_test(size=SIZE) as pilot:
        screen = review(pilot)
        await until(pilot, lambda: screen.sitting.opened is not None and screen.progress is None)
        screen.do_accept()
        screen.do_retire()
        screen.save_now()
        assert screen.judging_save
        screen.do_save()
        screen.do_quit()
        await until(pilot, lambda: any(one.startswith("Leaving as soon as") for one in notices(app)))
        assert "The last save is still being judged." in notices(app)
        assert app.return_code is None
        screen.do_quit()
        await until(pilot, lambda: app.return_code is not None)


async def test_after_a_save_header_and_rows_say_what_the_file_says(repository: Any) -> None:
    app = app_on(repository)
    async with app.run_test(size=(200, 40)) as pilot:
        await judged(pilot)
        assert "1 stale" in screen_text(pilot)
        select(pilot, "printer.py")
        await press(pilot, "r")
        assert "1 of 1 stale decided" in screen_text(pilot)
        await press(pilot, "s", "enter")
        assert "0 stale" in screen_text(pilot)
        assert "nothing stale" in screen_text(pilot)
        assert "− gone" in screen_text(pilot)
        await press(pilot, "u")
        assert "1 stale" in screen_text(pilot)
        assert "0 of 1 stale decided" in screen_text(pilot)
        await press(pilot, "e")
        app.screen.query_one("Editor").text = "Tickets are printed by `src/receipt.py`."
        await press(pilot, "enter", "s", "enter")
        assert "0 stale" in screen_text(pilot)
        assert "3 held" in screen_text(pilot)
        rows = [line for line in screen_text(pilot).splitlines() if "✓ held" in line and "Tickets" in line]
        assert "`src/receipt.py`" in rows[0]

"""Stories on real repositories with the real audit process: keys in, bytes of the memory file out."""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from driving import judged, press, review, screen_text, settle, until
from test_real_audit import Terminal
from textual.pilot import Pilot

from memaudit.domain import AuditRequest
from memaudit.settings import Settings
from memaudit.tui.app import MemauditApp
from memaudit.tui.dialogs.candidates import Candidates
from memaudit.tui.dialogs.rewrite import Editor, Rewrite

SIZE = (120, 40)

MEMORY = """\
# Kiosk

- Tickets are printed by `src/kiosk/printer.py`.
- Prices come from `price_of` in `src/kiosk/prices.py`.
- The kiosk listens on port 8080.
- The receipt is written in `src/kiosk/receipt.py`.
- Keep answers short.
"""
PRINTER = "\n".join(f"line_{number} = {number}" for number in range(40)) + "\n"


@pytest.fixture
def repository(git_repo: Any) -> Any:
    """Two commits: the second moves the printer, renames a function and changes the port."""
    base = git_repo.commit(
        "Start",
        {
            "CLAUDE.md": MEMORY,
            "src/kiosk/printer.py": PRINTER,
            "src/kiosk/prices.py": "def price_of(name):\n    return {'day': 4}[name]\n",
            "src/kiosk/receipt.py": "def receipt():\n    return 'paid'\n",
            "src/kiosk/settings.py": "DAYS = 3\nPORT = 8080\n",
        },
    )
    git_repo.commit(
        "Move the printer\n\nThe old place was taken by the second kiosk.\n",
        {
            "src/kiosk/printer.py": None,
            "src/kiosk/output/printer.py": PRINTER,
            "src/kiosk/prices.py": "def price_for_ticket(name):\n    return {'day': 5}[name]\n",
            "src/kiosk/settings.py": "DAYS = 3\nPORT = 8090\n",
        },
    )
    git_repo.base = base
    return git_repo


def app_on(repository: Any, head: str = "") -> MemauditApp:
    request = AuditRequest(path=repository.root, range=f"{repository.base}..{head}")
    app = MemauditApp(request, Settings(author="Tess"))
    app.animation_level = "none"
    return app


def select(pilot: Pilot[Any], part: str) -> None:
    screen = review(pilot)
    (index,) = [number for number, one in enumerate(screen.sitting.board.claims) if part in one.text]
    screen.claims.select(index)


async def edit(pilot: Pilot[Any], part: str, text: str) -> Editor:
    """Open the rewrite editor with this text, the cursor at its end."""
    select(pilot, part)
    await press(pilot, "e")
    editor = pilot.app.screen.query_one(Editor)
    editor.text = text
    editor.move_cursor(editor.document.end)
    await settle(pilot)
    return editor


async def test_a_port_that_nothing_has_is_contradicted_while_it_is_typed(repository: Any) -> None:
    async with app_on(repository).run_test(size=SIZE) as pilot:
        await judged(pilot)
        await edit(pilot, "port", "The kiosk listens on port 9999.")
        await until(pilot, lambda: "src/kiosk/settings.py has PORT = 8090" in screen_text(pilot))
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, Rewrite)
        editor = pilot.app.screen.query_one(Editor)
        await press(pilot, *["backspace"] * 5, *"8090.")
        assert editor.text == "The kiosk listens on port 8090."
        await press(pilot, "enter", "s", "enter")
    assert (repository.root / "CLAUDE.md").read_text() == MEMORY.replace("port 8080", "port 8090")


async def test_a_symbol_is_completed_and_saved(repository: Any) -> None:
    async with app_on(repository).run_test(size=SIZE) as pilot:
        await judged(pilot)
        editor = await edit(pilot, "price_of", "Prices come from `price_f` in `src/kiosk/prices.py`.")
        editor.move_cursor((0, len("Prices come from `price_f")))
        candidates = pilot.app.screen.query_one(Candidates)
        await until(pilot, lambda: candidates.name == "price_for_ticket")
        await press(pilot, "tab", "enter", "s", "enter")
    assert (repository.root / "CLAUDE.md").read_text() == MEMORY.replace("`price_of`", "`price_for_ticket`")


async def test_a_misspelt_path_is_mended_by_the_nearest(repository: Any) -> None:
    async with app_on(repository).run_test(size=SIZE) as pilot:
        await judged(pilot)
        await edit(pilot, "printer.py", "Tickets are printed by `src/kiosk/output/pinter.py")
        candidates = pilot.app.screen.query_one(Candidates)
        await until(pilot, lambda: candidates.name == "src/kiosk/output/printer.py")
        await press(pilot, "tab", "`", "full_stop", "enter", "s", "enter")
    assert (repository.root / "CLAUDE.md").read_text() == MEMORY.replace(
        "src/kiosk/printer.py", "src/kiosk/output/printer.py"
    )


async def test_the_proved_suggestion_is_taken_undone_and_taken_again(repository: Any) -> None:
    async with app_on(repository).run_test(size=SIZE) as pilot:
        await judged(pilot)
        select(pilot, "port")
        await press(pilot, "t", "u", "U", "s", "enter")
    assert (repository.root / "CLAUDE.md").read_text() == MEMORY.replace("port 8080", "port 8090")


async def test_the_commit_tells_why(repository: Any) -> None:
    async with app_on(repository).run_test(size=SIZE) as pilot:
        await judged(pilot)
        select(pilot, "port")
        await press(pilot, "c")
        text = screen_text(pilot)
        assert "The old place was taken by the second kiosk." in text
        assert "src/kiosk/settings.py" in text


@contextmanager
def _no_terminal(self: MemauditApp) -> Iterator[None]:
    # A test has no terminal that could be handed over.
    yield


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script that is the user's editor; it is given the file as its last argument."""
    script = tmp_path / "edit.py"
    monkeypatch.setenv("VISUAL", shlex.join([sys.executable, str(script)]))
    return script


def exchanging(old: str, new: str, *, also: str = "") -> str:
    """The source of an editor that exchanges a text."""
    return (
        "import sys\nfrom pathlib import Path\nfile = Path(sys.argv[-1])\n"
        f"{also}\n"
        f"file.write_bytes(file.read_bytes().replace({old.encode()!r}, {new.encode()!r}))\n"
    )


CASH_BOX = "- The cash box is in `src/kiosk/nowhere.py`.\n- Tickets"


async def test_what_the_editor_changed_is_judged_and_both_changes_are_saved(
    repository: Any, editor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MemauditApp, "suspend", _no_terminal)
    editor.write_text(exchanging("- Tickets", CASH_BOX))
    async with app_on(repository).run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        select(pilot, "port")
        await press(pilot, "t")
        select(pilot, "receipt")
        await press(pilot, "E")
        await until(pilot, lambda: any("cash box" in one.text for one in screen.sitting.board.claims))
        await until(pilot, lambda: None not in screen.sitting.board.judgements)
        await judged(pilot)
        board = screen.sitting.board
        (index,) = [number for number, one in enumerate(board.claims) if "cash box" in one.text]
        found = board.judgements[index]
        assert found is not None
        assert found.verdict.value == "stale"
        await press(pilot, "s", "enter")
    assert (repository.root / "CLAUDE.md").read_text() == MEMORY.replace("port 8080", "port 8090").replace(
        "- Tickets", CASH_BOX
    )


async def test_an_edit_of_the_code_is_judged_where_the_range_ends_in_the_work_tree(
    repository: Any, editor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MemauditApp, "suspend", _no_terminal)
    editor.write_text(exchanging("8090", "8080"))
    repository.write({"src/kiosk/receipt.py": "def receipt():\n    return 'paid now'\n"})
    async with app_on(repository, "WORKTREE").run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        select(pilot, "port")
        await settle(pilot)
        claim = screen.claim
        assert claim is not None
        assert screen.judgement is not None
        assert screen.judgement.verdict.value == "stale"
        await press(pilot, "O")

        def mended() -> bool:
            found = screen.sitting.judgement(claim.id)
            return found is not None and found.verdict.value == "held"

        await until(pilot, mended)
    assert (repository.root / "src/kiosk/settings.py").read_text() == "DAYS = 3\nPORT = 8080\n"


@pytest.mark.skipif(not hasattr(signal, "SIGWINCH"), reason="needs a pseudo terminal")
def test_a_real_terminal_is_handed_to_the_editor_and_taken_back(repository: Any, editor: Path) -> None:
    editor.write_text(
        exchanging(
            "- Tickets", CASH_BOX, also="print('editing', file.name, sys.stdin.isatty(), flush=True)\ninput()"
        )
    )
    terminal = Terminal(
        ["-m", "memaudit", str(repository.root), "--range", f"{repository.base}.."], (120, 40)
    )
    terminal.wait_for(lambda output: b"of 3 stale decided" in output)
    terminal.keys("E")
    terminal.wait_for(lambda output: b"editing CLAUDE.md True" in output)
    assert b"\x1b[?1049l" in terminal.written
    terminal.keys("\n")
    terminal.wait_for(lambda output: b"\x1b[?1049h" in output and b"of 4 stale decided" in output)
    terminal.keys("q")
    assert terminal.exit_code() == 0
    assert (repository.root / "CLAUDE.md").read_text() == MEMORY.replace("- Tickets", CASH_BOX)


async def test_a_fact_that_stood_at_base_already_has_its_place_there(git_repo: Any) -> None:
    git_repo.base = git_repo.commit(
        "Start", {"CLAUDE.md": "- The kiosk listens on port 8080.\n", "kiosk.py": "DAYS = 3\nPORT = 8080\n"}
    )
    git_repo.commit("Say how long", {"kiosk.py": "DAYS = 3\nHOURS = 24\nPORT = 8080\n"})
    async with app_on(git_repo).run_test(size=SIZE) as pilot:
        await judged(pilot)
        await until(pilot, lambda: "- base  kiosk.py:2" in screen_text(pilot))
        assert "+ head  kiosk.py:3" in screen_text(pilot)


async def test_the_commit_shows_a_file_that_was_moved_and_edited_as_that(git_repo: Any) -> None:
    git_repo.base = git_repo.commit(
        "Start", {"CLAUDE.md": "- See `src/printer.py`.\n", "src/printer.py": PRINTER}
    )
    edited = PRINTER.replace("line_20 = 20", "line_20 = 21")
    git_repo.commit("Move it", {"src/printer.py": None, "src/output/printer.py": edited})
    async with app_on(git_repo).run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "c")
        await until(pilot, lambda: "moved    src/printer.py → src/output/printer.py" in screen_text(pilot))
        text = screen_text(pilot)
        assert "-line_20 = 20" in text
        assert "+line_20 = 21" in text
        assert "+line_0 = 0" not in text

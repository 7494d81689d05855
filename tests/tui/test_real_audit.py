"""The screen on real repositories with the real audit process, keys in, bytes of the files out."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from driving import judged, press, review, screen_text, settle, until
from scenes import Scene
from terminal import Terminal
from textual.pilot import Pilot

from memaudit.domain import AuditRequest, Verdict
from memaudit.settings import Settings
from memaudit.tui.app import MemauditApp

SIZE = (120, 40)

MEMORY = """\
# Kiosk

- Tickets are printed by `src/kiosk/printer.py`.
- Prices come from `price_of` in `src/kiosk/prices.py`.
- The receipt is written in `src/kiosk/receipt.py`.
- Keep answers short.
"""
PRICES = "def price_of(name):\n    return {'day': 4}[name]\n"
PRINTER = "\n".join(f"line_{number} = {number}" for number in range(40)) + "\n"


@pytest.fixture
def repository(git_repo: Any) -> Any:
    """Two commits: the second moves the printer and renames a function."""
    base = git_repo.commit(
        "Start",
        {
            "CLAUDE.md": MEMORY,
            "src/kiosk/printer.py": PRINTER,
            "src/kiosk/prices.py": PRICES,
            "src/kiosk/receipt.py": "def receipt():\n    return 'paid'\n",
        },
    )
    git_repo.commit(
        "Move the printer",
        {
            "src/kiosk/printer.py": None,
            "src/kiosk/output/printer.py": PRINTER,
            "src/kiosk/prices.py": PRICES.replace("price_of", "price_for"),
        },
    )
    git_repo.base = base
    return git_repo


def app_on(repository: Any, **options: Any) -> MemauditApp:
    request = AuditRequest(path=repository.root, range=f"{repository.base}..", **options)
    app = MemauditApp(request, Settings(author="Tess"))
    app.animation_level = "none"
    return app


def select_claim(pilot: Pilot[Any], part: str) -> None:
    screen = review(pilot)
    (index,) = [number for number, one in enumerate(screen.sitting.board.claims) if part in one.text]
    screen.claims.select(index)


async def test_a_whole_review_changes_only_what_was_decided(repository: Any) -> None:
    app = app_on(repository)
    async with app.run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        stale = [one.verdict for one in screen.sitting.board.judgements if one].count(Verdict.STALE)
        assert stale == 2
        select_claim(pilot, "printer.py")
        await settle(pilot)
        assert "src/kiosk/printer.py" in screen_text(pilot)
        assert "Move the printer" in screen_text(pilot)
        await press(pilot, "t")
        select_claim(pilot, "price_of")
        await press(pilot, "r")
        select_claim(pilot, "receipt")
        await press(pilot, "a", "s", "enter")
    after = (repository.root / "CLAUDE.md").read_text()
    assert after == MEMORY.replace("src/kiosk/printer.py", "src/kiosk/output/printer.py").replace(
        "- Prices come from `price_of` in `src/kiosk/prices.py`.\n", ""
    )
    assert repository.git("status", "--porcelain") == "M CLAUDE.md"


async def test_evidence_shows_the_code_of_both_sides(repository: Any) -> None:
    async with app_on(repository).run_test(size=(160, 40)) as pilot:
        await judged(pilot)
        select_claim(pilot, "price_of")
        await settle(pilot)
        text = screen_text(pilot)
        assert "def price_of(name):" in text
        assert "def price_for(name):" in text


async def test_a_typed_text_is_judged_by_the_real_judge(repository: Any) -> None:
    async with app_on(repository).run_test(size=SIZE) as pilot:
        await judged(pilot)
        select_claim(pilot, "printer.py")
        await press(pilot, "e")
        editor = pilot.app.screen.query_one("Editor")
        editor.text = "Tickets are printed by `src/kiosk/nowhere.py`."  # type: ignore[attr-defined]
        await until(pilot, lambda: pilot.app.screen._judged is not None)  # type: ignore[attr-defined]
        await until(pilot, lambda: "judging" not in screen_text(pilot))
        worse = screen_text(pilot)
        editor.text = "Tickets are printed by `src/kiosk/output/printer.py`."  # type: ignore[attr-defined]
        await until(pilot, lambda: "✓ held · " in screen_text(pilot).split("Judged", 1)[1])
        assert "✓ held · " not in worse.split("Judged", 1)[1]


async def test_a_folder_that_is_no_repository_says_so(tmp_path: Path) -> None:
    app = MemauditApp(AuditRequest(path=tmp_path), Settings(author="Tess"))
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: bool(review(pilot).stopped))
        await settle(pilot)
        assert "memaudit cannot open this." in screen_text(pilot)
        assert str(tmp_path)[:40] in screen_text(pilot)


async def test_a_store_of_a_revision_cannot_be_saved(repository: Any) -> None:
    async with app_on(repository, store_at=repository.base).run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        assert screen.why_no_save
        await press(pilot, "a", "s")
        assert (repository.root / "CLAUDE.md").read_text() == MEMORY


async def test_an_audit_that_is_killed_leaves_the_review_usable(repository: Any) -> None:
    async with app_on(repository).run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        process = screen.engine._process
        assert process is not None
        process.kill()
        await until(pilot, lambda: bool(screen.stopped))
        select_claim(pilot, "receipt")
        await press(pilot, "r", "s", "enter")
    assert "receipt" not in (repository.root / "CLAUDE.md").read_text()


@pytest.mark.skipif(not hasattr(signal, "SIGWINCH"), reason="needs a pseudo terminal")
def test_in_a_real_terminal_it_starts_decides_resizes_and_leaves_it_as_it_was(repository: Any) -> None:
    terminal = Terminal(
        ["-m", "memaudit", str(repository.root), "--range", f"{repository.base}.."], (120, 40)
    )
    terminal.wait_for(lambda output: b"0 of 2 stale decided" in output)
    terminal.keys("t")
    terminal.wait_for(lambda output: b"rewritten" in output)
    terminal.resize((80, 24))
    os.kill(terminal.pid, signal.SIGWINCH)
    terminal.keys("\x1b[B")
    terminal.wait_for(lambda output: len(output) > 500)
    terminal.keys("q")
    terminal.wait_for(lambda output: b"Leave?" in output)
    terminal.keys("q")
    assert terminal.exit_code() == 0
    assert b"\x1b[?1049l" in terminal.written
    assert b"\x1b[?25h" in terminal.written


def test_scene_and_real_audit_agree_on_the_protocol(tmp_path: Path) -> None:
    """The script that other tests play has the events and fields of the real worker."""
    import ast

    source = Path(sys.modules["memaudit.wire"].__file__ or "").with_name("worker.py").read_text()
    sent = {
        node.args[0].value: {keyword.arg for keyword in node.keywords}
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "send"
        and isinstance(node.args[0], ast.Constant)
    }
    for event in Scene(tmp_path)._events():
        assert set(event) - {"event"} == sent[event["event"]], event["event"]

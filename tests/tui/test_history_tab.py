"""The History tab: what the ledger tells, from the real audit process and from a scripted one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from driving import judged, press, review, screen_text, until
from scenes import Scene

from memaudit.domain import AuditRequest
from memaudit.paths import repository_state
from memaudit.settings import Settings
from memaudit.tui.app import MemauditApp

SIZE = (120, 40)
MEMORY = "- Tickets are printed by `src/printer.py`.\n- Keep answers short.\n"


def app_on(root: Path) -> MemauditApp:
    app = MemauditApp(AuditRequest(path=root), Settings(author="Tess"))
    app.animation_level = "none"
    return app


async def test_the_ledger_tells_of_a_stale_claim_what_it_was_and_who_decided(git_repo: Any) -> None:
    git_repo.commit("Start", {"CLAUDE.md": MEMORY, "src/printer.py": "x = 1\n"})
    gone = git_repo.commit("Sell the printer", {"src/printer.py": None})
    async with app_on(git_repo.root).run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "4")
        await until(pilot, lambda: "false since" in screen_text(pilot))
        shown = screen_text(pilot)
        assert f"{gone[:10]}" in shown
        assert "Sell the printer" in shown
        assert "src/printer.py  (src/printer.py:1)" in shown
        await press(pilot, "a", "s", "enter")
        await until(pilot, lambda: review(pilot).sitting.unsaved == 0)
    async with app_on(git_repo.root).run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "4")
        await until(pilot, lambda: "accepted by Tess" in screen_text(pilot))


async def test_hostile_words_of_the_ledger_are_only_shown(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    words = [("[bold]label", "[/] \x1b[31m \u202e text")]
    scene.history = {claim.id: words for claim in scene.claims}
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "4")
        await until(pilot, lambda: "[/]" in screen_text(pilot))
        assert "\\x1b[31m" in screen_text(pilot)


async def test_a_damaged_ledger_is_told_of_and_the_verdicts_come(git_repo: Any) -> None:
    git_repo.commit("Start", {"CLAUDE.md": MEMORY, "src/printer.py": "x = 1\n"})
    folder = repository_state(git_repo.root / ".git")
    folder.mkdir(parents=True)
    (folder / "ledger.sqlite").write_bytes(b"no database" * 400)
    async with app_on(git_repo.root).run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        assert [one.verdict.value for one in screen.sitting.board.judgements if one] == ["held", "unknown"]
        notices = "\n".join(one.message for one in pilot.app._notifications)
        assert "the ledger was damaged" in notices

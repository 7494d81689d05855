"""Export from the screen: what is written, and what is never written over."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from driving import judged, press, screen_text, settle
from scenes import MEMORY, Scene
from textual.pilot import Pilot
from textual.widgets import Input

from memaudit.tui.dialogs.export import FORMATS, ExportDialog

SIZE = (120, 40)


async def export(pilot: Pilot[Any], format_: str, path: Path, *more: str) -> None:
    """Open the dialog, go to a format, name a file, write."""
    await press(pilot, "x", *["down"] * list(FORMATS).index(format_), "tab")
    assert isinstance(pilot.app.screen, ExportDialog)
    assert pilot.app.screen.query_one(Input).value == FORMATS[format_][0]
    pilot.app.screen.query_one(Input).value = str(path)
    await press(pilot, "enter", *more)
    await settle(pilot)


@pytest.mark.parametrize("format_", ["report", "html"])
async def test_a_report_has_evidence_and_decisions(scene: Scene, tmp_path: Path, format_: str) -> None:
    to = tmp_path / "out"
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "t", "r")
        await export(pilot, format_, to)
    text = to.read_text()
    for part in ("rewritten by Tess", "retired by Tess", "Move the importer into its own package", "stale"):
        assert part in text
    assert "def parse" in text.replace("\\", "")
    assert "def weight" in text.replace("\\", "")


async def test_a_patch_is_what_a_save_writes(scene: Scene, tmp_path: Path) -> None:
    to = tmp_path / "out.patch"
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "t", "r")
        await export(pilot, "patch", to)
        assert scene.text() == MEMORY
        copy = tmp_path / "copy"
        copy.mkdir()
        (copy / "CLAUDE.md").write_text(MEMORY)
        subprocess.run(["git", "apply", str(to)], cwd=copy, check=True)
        await press(pilot, "s", "enter")
    assert (copy / "CLAUDE.md").read_text() == scene.text() != MEMORY


async def test_a_patch_of_nothing_is_not_written(scene: Scene, tmp_path: Path) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await export(pilot, "patch", tmp_path / "out.patch")
        assert not (tmp_path / "out.patch").exists()
        notices = " ".join(one.message for one in pilot.app._notifications)
        assert "no decision changes a file" in notices


@pytest.mark.parametrize("name", ["CLAUDE.md", "other.md"])
async def test_a_memory_file_is_never_written_over(scene: Scene, name: str) -> None:
    (scene.root / "other.md").symlink_to("CLAUDE.md")
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "r")
        await export(pilot, "markdown", scene.root / name, "enter")
        assert isinstance(pilot.app.screen, ExportDialog)
        assert "is one of the audited memory files" in screen_text(pilot)
        assert scene.text() == MEMORY


async def test_another_file_is_replaced_on_the_second_request(scene: Scene, tmp_path: Path) -> None:
    to = tmp_path / "out.json"
    to.write_text("mine")
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await export(pilot, "json", to)
        assert "there already is such a file" in screen_text(pilot)
        assert to.read_text() == "mine"
        await press(pilot, "enter")
        await settle(pilot)
    assert to.read_text().startswith("{")

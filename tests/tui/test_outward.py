"""What leads out of the screen: copies, the user's editor, a commit read whole."""

from __future__ import annotations

import base64
import os
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from driving import judged, press, review, screen_text, settle, until
from editing import Editing, needs_shell
from scenes import COMMIT, MEMORY, WEIGHTS_HEAD, Scene
from textual.pilot import Pilot

from memaudit.domain import DecisionKind
from memaudit.tui.clipboard import MOST_BYTES, copy, local_tool, passthrough
from memaudit.tui.dialogs.commit import CommitDialog
from memaudit.tui.dialogs.copy import CopyMenu

SIZE = (120, 40)


def notices(pilot: Pilot[Any]) -> str:
    return "\n".join(notification.message for notification in pilot.app._notifications)


def select(pilot: Pilot[Any], part: str) -> None:
    screen = review(pilot)
    (index,) = [number for number, one in enumerate(screen.sitting.board.claims) if part in one.text]
    screen.claims.select(index)


# Copy


@pytest.mark.parametrize(
    ("key", "text", "word"),
    [
        (
            "y",
            "CLAUDE.md:14: Weights are parsed by `parse_weight` in `src/weights.py`.",
            "claim with its place",
        ),
        ("enter", "CLAUDE.md:14: Weights are parsed by `parse_weight` in `src/weights.py`.", "claim"),
        ("t", "Weights are parsed by `parse_weight` in `src/weights.py`.", "words of the claim"),
        ("p", "CLAUDE.md:14", "place of the claim"),
        ("s", "Weights are parsed by `weight_from_label` in `src/weights.py`.", "suggested words"),
        ("w", "parse_weight is now weight_from_label.", "reason of the verdict"),
        ("l", "src/weights.py:8", "line of the evidence"),
        ("c", COMMIT.sha, "commit id"),
        (
            "e",
            "- base src/weights.py:8: def parse_weight(text: str) -> int:\n"
            "+ head src/weights.py:8: def weight_from_label(text: str) -> int:\n"
            f"{COMMIT.sha} {COMMIT.summary} (Ada Author, 2024-03-02)",
            "evidence",
        ),
    ],
)
async def test_the_copy_menu_copies_each_thing_and_says_what(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, key: str, text: str, word: str
) -> None:
    monkeypatch.setenv("SSH_CONNECTION", "there")
    monkeypatch.delenv("TMUX", raising=False)
    app = scene.app()
    async with app.run_test(size=SIZE) as pilot:
        await judged(pilot)
        select(pilot, "parse_weight")
        await press(pilot, "y")
        assert isinstance(app.screen, CopyMenu)
        await press(pilot, key)
        assert app.clipboard == text
        assert f"Copied the {word}" in notices(pilot)
        assert "OSC 52" in notices(pilot)


async def test_the_menu_has_only_what_there_is(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        select(pilot, "npm run lint")
        await press(pilot, "y")
        text = screen_text(pilot)
        assert "the words of the claim" in text
        assert "the commit id" not in text
        await press(pilot, "escape")
        assert pilot.app.clipboard == ""


async def test_marked_claims_are_copied_at_once(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSH_CONNECTION", "there")
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "space", "j", "space", "y")
        assert len(pilot.app.clipboard.splitlines()) == 2
        assert "Copied 2 claims" in notices(pilot)


async def test_the_evidence_that_is_shown_is_copied(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSH_CONNECTION", "there")
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        select(pilot, "parse_weight")
        await press(pilot, "right_square_bracket", "y", "l")
        assert pilot.app.clipboard == "src/weights.py:1"


async def test_nothing_that_acts_on_a_terminal_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSH_CONNECTION", "there")
    scene = Scene(tmp_path, {"CLAUDE.md": "- Say \x1b]0;title\x07 and \u202eback.\n"}, judgements={})
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "y", "t")
        assert pilot.app.clipboard == "Say \\x1b]0;title\\x07 and \\u202eback."


def fake_tool(folder: Path, name: str, *, code: int = 0) -> Path:
    """A program that keeps what it is given, and its arguments."""
    tool = folder / name
    tool.write_text(
        f'#!/bin/sh\necho "$@" > {folder}/{name}.arguments\ncat > {folder}/{name}.given\nexit {code}\n'
    )
    tool.chmod(0o755)
    return tool


@pytest.mark.skipif(sys.platform == "win32", reason="needs programs with a shebang")
@pytest.mark.parametrize(
    ("name", "variable"),
    [("pbcopy", ""), ("wl-copy", "WAYLAND_DISPLAY"), ("xclip", "DISPLAY"), ("xsel", "DISPLAY")],
)
async def test_a_local_clipboard_tool_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, variable: str
) -> None:
    for gone in ("SSH_CONNECTION", "TMUX", "WAYLAND_DISPLAY", "DISPLAY"):
        monkeypatch.delenv(gone, raising=False)
    fake_tool(tmp_path, name)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
    if variable:
        assert local_tool({"PATH": str(tmp_path)}) is None
        monkeypatch.setenv(variable, ":0")
    told: list[str] = []
    assert await copy("größe", told.append) == f"with {name}"
    assert (tmp_path / f"{name}.given").read_text() == "größe"
    assert told == []
    monkeypatch.setenv("SSH_CONNECTION", "there")
    assert "OSC 52" in await copy("far", told.append)
    assert told == ["far"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs programs with a shebang")
async def test_inside_tmux_its_buffer_takes_the_text_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSH_CONNECTION", "there")
    monkeypatch.setenv("TMUX", "/tmp/tmux,1,0")
    fake_tool(tmp_path, "tmux")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
    told: list[str] = []
    assert "buffer of tmux" in await copy("text", told.append)
    assert (tmp_path / "tmux.given").read_text() == "text"
    assert (tmp_path / "tmux.arguments").read_text().split() == ["load-buffer", "-w", "-"]
    assert told == ["text"]


async def test_a_text_that_no_terminal_takes_is_not_said_to_be_copied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SSH_CONNECTION", "there")
    monkeypatch.delenv("TMUX", raising=False)
    told: list[str] = []
    assert "too long" in await copy("x" * (MOST_BYTES + 1), told.append)
    assert told == []


def test_the_request_is_wrapped_for_what_runs_in_between() -> None:
    coded = base64.b64encode(b"a").decode()
    assert passthrough("a", {}) == ""
    assert passthrough("a", {"TMUX": "x"}) == f"\x1bPtmux;\x1b\x1b]52;c;{coded}\a\x1b\\"
    assert passthrough("a", {"STY": "x"}) == f"\x1bP\x1b]52;c;{coded}\a\x1b\\"


# Commit


async def test_a_commit_is_read_whole(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSH_CONNECTION", "there")
    scene.commits = {
        COMMIT.sha: {
            "info": asdict(COMMIT),
            "message": "Move the importer\n\nIt had outgrown [b]its[/b] file.\x1b[31m",
            "files": [["D", "src/importer.py"], ["A", "src/intake/importer.py"]],
            "more_files": 7,
            "parents": ["1" * 40, "2" * 40],
            "changed": "src/importer.py",
            "change": ["@@ -1,2 +0,0 @@", "-\timport csv\x1b[31m", "+[b]it[/b]"],
            "cut": True,
        }
    }
    app = scene.app()
    async with app.run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "c")
        assert isinstance(app.screen, CommitDialog)
        text = screen_text(pilot)
        for part in (
            COMMIT.sha,
            "Ada Author",
            "2024-03-02 10:00:00",
            "It had outgrown [b]its[/b] file.\\x1b[31m",
            "removed  src/importer.py",
            "added    src/intake/importer.py",
            "and 7 more",
            "a merge",
            "change      src/importer.py",
            "-   import csv\\x1b[31m",
            "+[b]it[/b]",
            "only the first 3 lines",
        ):
            assert part in text
        await press(pilot, "j", "k", "y")
        assert app.clipboard == COMMIT.sha
        assert app.screen is review(pilot)


async def test_a_commit_that_cannot_be_read_shows_what_is_known(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "c")
        text = screen_text(pilot)
        assert COMMIT.summary in text
        assert "no verdict in the script" in text
        await press(pilot, "escape", "G", "c")
        assert "Commit: " in notices(pilot)


# Editor


@needs_shell
async def test_the_memory_file_opens_at_the_line_of_the_claim(scene: Scene, editing: Editing) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        select(pilot, "parse_weight")
        await press(pilot, "E")
        assert editing.arguments == ["+14", str(scene.root / "CLAUDE.md")]
        assert "judged anew" not in notices(pilot)


@needs_shell
async def test_a_memory_file_that_was_edited_is_read_again_and_decisions_stay(
    scene: Scene, editing: Editing
) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        select(pilot, "importer")
        await press(pilot, "r")
        edited = MEMORY.replace("Answer in plain words.", "Answer in short words.")
        editing.does(f"cat > {scene.root}/CLAUDE.md <<'END'\n{edited}END\n")
        # What the audit process reads when it is started again.
        scene.files["CLAUDE.md"] = edited
        again = replace(scene)
        again.command()
        scene.root.joinpath("CLAUDE.md").write_text(MEMORY)
        select(pilot, "parse_weight")
        await press(pilot, "E")
        await until(pilot, lambda: any("short words" in one.text for one in screen.sitting.board.claims))
        await judged(pilot)
        assert "CLAUDE.md changed: read again and judged anew" in notices(pilot)
        found = screen.sitting.decision(again.claim("importer").id)
        assert found is not None
        assert found.kind is DecisionKind.RETIRE
        await press(pilot, "s", "enter")
    text = scene.text()
    assert "Answer in short words." in text
    assert "The importer lives" not in text


@needs_shell
async def test_the_evidence_file_opens_where_its_line_is_now(scene: Scene, editing: Editing) -> None:
    path = scene.root / "src" / "weights.py"
    path.parent.mkdir()
    path.write_text("# moved\n# down\n" + WEIGHTS_HEAD)
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        select(pilot, "parse_weight")
        await press(pilot, "O")
        assert editing.arguments == ["+10", str(path)]
        editing.does(f"echo '# more' >> {path}")
        await press(pilot, "O")
        assert "The range ends at a commit" in notices(pilot)


@needs_shell
async def test_what_cannot_be_opened_is_said(scene: Scene, editing: Editing) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        select(pilot, "importer")
        await press(pilot, "O")
        assert "gone at head" in notices(pilot)
        select(pilot, "parse_weight")
        await press(pilot, "O")
        assert "no such file in the working tree" in notices(pilot)
        select(pilot, "npm run lint")
        await press(pilot, "O")
        assert "there is no evidence for this claim" in notices(pilot)
        assert not (editing.folder / "arguments").exists()


@needs_shell
async def test_an_editor_that_fails_or_is_missing_is_told(
    scene: Scene, editing: Editing, monkeypatch: pytest.MonkeyPatch
) -> None:
    editing.does("exit 3")
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "E")
        assert "exit code 3" in notices(pilot)
        monkeypatch.setenv("EDITOR", "no-such-editor --wait")
        await press(pilot, "E")
        assert "there is no such editor" in notices(pilot)


async def test_a_terminal_that_cannot_be_handed_over_is_told(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", sys.executable)
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "E")
        assert "cannot be handed to an editor" in notices(pilot)


async def test_memory_of_a_revision_has_no_file(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", sys.executable)
    scene.read_only = "the store was read as of v1"
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "E")
        assert "the store was read as of v1" in notices(pilot)
        await settle(pilot)

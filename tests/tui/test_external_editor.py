"""Which command the user's editor is, how it is told a line, and which files it may be given."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from memaudit.errors import UsageError
from memaudit.tui.external_editor import at_line, editor_of, file_inside, nearest_line


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("vim", "code", "my editor"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (["vim"], ["vim", "+7", "/r/a b.md"]),
        (["/usr/bin/nvim", "-R"], ["/usr/bin/nvim", "-R", "+7", "/r/a b.md"]),
        (["nano"], ["nano", "+7", "/r/a b.md"]),
        (["emacsclient", "-nw"], ["emacsclient", "-nw", "+7", "/r/a b.md"]),
        (["code", "--wait"], ["code", "--wait", "--goto", "/r/a b.md:7"]),
        (["hx"], ["hx", "/r/a b.md:7"]),
        (["zed", "--wait"], ["zed", "--wait", "/r/a b.md:7"]),
        (["C:/x/Code.exe"], ["C:/x/Code.exe", "--goto", "/r/a b.md:7"]),
        (["my-editor"], ["my-editor", "/r/a b.md"]),
    ],
)
def test_known_editors_are_told_the_line(command: list[str], expected: list[str]) -> None:
    assert at_line(command, Path("/r/a b.md"), 7) == expected


@pytest.mark.skipif(sys.platform == "win32", reason="needs programs without an extension")
def test_visual_comes_before_editor_and_both_before_what_is_there(tools: Path) -> None:
    path = str(tools)
    assert editor_of({"VISUAL": "code --wait", "EDITOR": "vim", "PATH": path}) == ["code", "--wait"]
    assert editor_of({"VISUAL": " ", "EDITOR": "vim -u 'my rc'", "PATH": path}) == ["vim", "-u", "my rc"]
    assert editor_of({"EDITOR": f"'{tools}/my editor'", "PATH": path}) == [f"{tools}/my editor"]
    assert editor_of({"PATH": path}) == [str(tools / "vim")]


@pytest.mark.parametrize(
    "environment", [{"PATH": ""}, {"EDITOR": "nowhere", "PATH": ""}, {"EDITOR": "vim 'open", "PATH": ""}]
)
def test_no_editor_is_an_error_of_one_line(environment: dict[str, str]) -> None:
    with pytest.raises(UsageError) as caught:
        editor_of(environment)
    assert "\n" not in caught.value.line()


def test_only_files_inside_are_opened(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    root.mkdir()
    (root / "a.py").write_text("A = 1\n")
    (tmp_path / "secret").write_text("no")
    assert file_inside(root, "a.py") == root / "a.py"
    for path in ("../secret", str(tmp_path / "secret"), "nowhere.py", "."):
        with pytest.raises(UsageError):
            file_inside(root, path)
    with pytest.raises(UsageError):
        file_inside(None, "a.py")


def test_links_that_lead_out_are_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    root.mkdir()
    (tmp_path / "secret").write_text("no")
    try:
        (root / "link").symlink_to(tmp_path / "secret")
    except OSError:
        pytest.skip("no symbolic links here")
    with pytest.raises(UsageError, match="leads out"):
        file_inside(root, "link")


def test_the_line_is_looked_for_where_the_file_changed(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("- one\n- two\n\n- one\n  - deep\n")
    assert nearest_line(path, "- two", 5) == 2
    assert nearest_line(path, "- one", 1) == 1
    assert nearest_line(path, "- one", 4) == 4
    assert nearest_line(path, "- deep", 1) == 5
    assert nearest_line(path, "- gone", 3) == 3
    assert nearest_line(tmp_path / "nowhere", "x", 9) == 9

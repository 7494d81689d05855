"""What a check leaves behind is removed, whatever it is."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from oraclekit import Court

from memaudit.domain import Verdict
from memaudit.oracle import removing
from memaudit.oracle.removing import remove

DEPTH = 3_000
"""Deeper than Python recurses, and a path far longer than the system takes."""


def _nest(folder: Path, depth: int) -> None:
    place = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=place)
        below = os.open("d", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = below
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=place))
    os.close(place)


def test_folders_of_any_depth_are_removed(tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    _nest(folder, DEPTH)
    assert remove(folder) == ""
    assert not folder.exists()


def test_links_are_not_followed_and_what_is_shut_is_removed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "in").mkdir(parents=True)
    (outside / "in" / "file").write_text("x")
    folder = tmp_path / "copies"
    (folder / "shut" / "in").mkdir(parents=True)
    (folder / "way").symlink_to(outside)
    (folder / "shut" / "way").symlink_to(outside)
    os.mkfifo(folder / "pipe")
    (folder / "shut" / "in").chmod(0)
    (folder / "shut").chmod(0)
    folder.chmod(0)
    assert remove(folder) == ""
    assert not folder.exists()
    assert (outside / "in" / "file").read_text() == "x"


def test_a_link_in_place_of_the_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir(mode=0o755)
    (tmp_path / "copies").symlink_to(tmp_path / "outside")
    assert "copies" in remove(tmp_path / "copies")
    assert (tmp_path / "outside").stat().st_mode & 0o777 == 0o755


def test_what_cannot_be_removed_is_told_in_one_line_and_the_rest_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "copies"
    (folder / "a").mkdir(parents=True)
    for name in ("a/kept", "a/other", "file"):
        (folder / name).write_text("x")
    unlink = os.unlink

    def refusing(name: str, *, dir_fd: int) -> None:
        if name == "kept":
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
        unlink(name, dir_fd=dir_fd)

    monkeypatch.setattr(removing.os, "unlink", refusing)
    told = remove(folder)
    assert told == (
        f"not all of the throw-away copies could be removed: {folder}: {os.strerror(errno.EPERM)}"
    )
    assert [str(one.relative_to(folder)) for one in folder.rglob("*")] == ["a", "a/kept"]


def test_what_is_not_there_is_removed(tmp_path: Path) -> None:
    assert remove(tmp_path / "no") == ""


def test_a_check_that_nests_folders_has_its_verdict(
    git_repo: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "copies"))
    (tmp_path / "copies").mkdir()
    nests = f"import os\nfor _ in range({DEPTH}):\n    os.mkdir('d')\n    os.chdir('d')\n"
    court = Court(git_repo).states(
        {"CLAUDE.md": f"- `{sys.executable} -S nest.py` works.\n", "nest.py": nests}, {"notes.txt": "x"}
    )
    assert court.judge().verdict is Verdict.HELD
    assert list((tmp_path / "copies").iterdir()) == []

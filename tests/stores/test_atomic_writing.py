"""A file on disk is replaced whole or not at all, and keeps what is not its content."""

from __future__ import annotations

import os
import random
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from memaudit.errors import ConflictError, WriteError
from memaudit.stores.writer import write_file


def _names(target: Path) -> list[str]:
    return [path.name for path in target.parent.iterdir()]


posix = pytest.mark.skipif(os.name != "posix", reason="modes and links as POSIX has them")


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "project" / "CLAUDE.md"
    path.parent.mkdir()
    path.write_bytes(b"old\n")
    return path


@pytest.fixture
def backups(tmp_path: Path) -> Path:
    return tmp_path / "state" / "backups"


def test_written_backed_up_and_nothing_left_over(target: Path, backups: Path) -> None:
    written = write_file(target, b"old\n", b"new\n", backups)
    assert target.read_bytes() == b"new\n"
    assert written.path == target
    assert written.backup.read_bytes() == b"old\n"
    assert written.backup.parent == backups
    assert written.sha256 == "7aa7a5359173d05b63cfd682e3c38487f3cb4f7f1d60659fe59fab1505977d4c"
    assert _names(target) == ["CLAUDE.md"]


def test_every_write_keeps_its_own_backup(target: Path, backups: Path) -> None:
    first = write_file(target, b"old\n", b"new\n", backups)
    second = write_file(target, b"new\n", b"newer\n", backups)
    assert (first.backup.read_bytes(), second.backup.read_bytes()) == (b"old\n", b"new\n")


def test_a_file_changed_meanwhile_is_left_alone(target: Path, backups: Path) -> None:
    target.write_bytes(b"theirs\n")
    with pytest.raises(ConflictError, match="was changed"):
        write_file(target, b"old\n", b"new\n", backups)
    assert target.read_bytes() == b"theirs\n"
    assert _names(target) == ["CLAUDE.md"]


def test_a_file_removed_meanwhile_is_not_made_again(target: Path, backups: Path) -> None:
    target.unlink()
    with pytest.raises(ConflictError, match="was removed"):
        write_file(target, b"old\n", b"new\n", backups)
    assert _names(target) == []


@posix
@pytest.mark.parametrize("mode", [0o644, 0o600, 0o755])
def test_mode_stays(target: Path, backups: Path, mode: int) -> None:
    target.chmod(mode)
    write_file(target, b"old\n", b"new\n", backups)
    assert stat.S_IMODE(target.stat().st_mode) == mode


@posix
def test_symbolic_link_stays_and_its_target_is_written(target: Path, backups: Path) -> None:
    link = target.with_name("AGENTS.md")
    link.symlink_to("CLAUDE.md")
    assert write_file(link, b"old\n", b"new\n", backups).path == target
    assert link.is_symlink()
    assert target.read_bytes() == b"new\n"


@posix
def test_hard_links_stay_one_file(target: Path, backups: Path) -> None:
    twin = target.with_name("AGENTS.md")
    twin.hardlink_to(target)
    written = write_file(target, b"old\n", b"n\n", backups)
    assert twin.read_bytes() == target.read_bytes() == b"n\n"
    assert twin.samefile(target)
    assert written.backup.read_bytes() == b"old\n"


def test_what_is_no_file_is_refused(target: Path, backups: Path) -> None:
    with pytest.raises(WriteError, match="not a regular file"):
        write_file(target.parent, b"", b"new\n", backups)


def test_a_backup_that_cannot_be_kept_stops_the_write(target: Path, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the folder should be")
    with pytest.raises(WriteError, match="backups: the backup cannot be kept"):
        write_file(target, b"old\n", b"new\n", tmp_path / "state" / "backups")
    assert target.read_bytes() == b"old\n"


_WRITER = """
import sys
from pathlib import Path
from memaudit.stores.writer import write_file
target, backups = Path(sys.argv[1]), Path(sys.argv[2])
texts = [letter.encode() * 200_000 for letter in "ab"]
print("ready", flush=True)
while True:
    before = target.read_bytes()
    write_file(target, before, texts[before == texts[0]], backups)
    for old in backups.iterdir():
        old.unlink()
"""


@posix
def test_killed_at_any_moment_it_leaves_the_old_file_or_the_new(target: Path, backups: Path) -> None:
    whole = [letter.encode() * 200_000 for letter in "ab"]
    target.write_bytes(whole[0])
    chance = random.Random(7)
    for _ in range(10):
        with subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(target), str(backups)], stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            try:
                process.wait(timeout=chance.uniform(0.001, 0.06))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
        assert target.read_bytes() in whole
    write_file(target, target.read_bytes(), b"last\n", backups)
    assert _names(target) == ["CLAUDE.md"], "what killed writers left behind is gone"

"""What keeps a check in: no writing elsewhere, no network, and where it has them, that is said."""

from __future__ import annotations

import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest
from oraclekit import Court

from memaudit.domain import Verdict
from memaudit.oracle.cage import NO_CAGE, Cage, cages, find_cage
from memaudit.oracle.running import Limits, launcher


def works(cage: Cage, folder: Path) -> bool:
    """Whether the machine lets this cage be built."""
    from memaudit.oracle import cage as room

    given = room.cages
    try:
        room.cages = lambda: [cage]
        return find_cage(folder, lambda one: launcher(folder, one, Limits(), folder)) is cage
    finally:
        room.cages = given


def name(cage: Cage) -> str:
    more = ("-files" if cage.shuts_files else "") + ("-proc" if cage.with_proc else "")
    return Path(cage.tool).name + more


@pytest.mark.parametrize("cage", [cage for cage in cages() if cage.shuts_files], ids=name)
def test_a_check_cannot_write_outside_its_copy(cage: Cage, git_repo: Any, tmp_path: Path) -> None:
    if not works(cage, tmp_path):
        pytest.skip("this machine does not allow it")
    outside = tmp_path / "outside.txt"
    outside.write_text("as it was")
    tries = (
        "import os\nimport pathlib\nimport subprocess\n\n\n"
        "def test_half():\n"
        f"    memory = {str(git_repo.root / 'CLAUDE.md')!r}\n"
        f"    for place in ({str(outside)!r}, memory, '/etc/memaudit-was-here'):\n"
        "        try:\n"
        "            pathlib.Path(place).write_text('reached')\n"
        "        except OSError:\n"
        "            pass\n"
        "    subprocess.run(['mount', '-o', 'remount,bind,rw', '/'], check=False)\n"
        "    try:\n"
        f"        pathlib.Path({str(outside)!r}).write_text('reached')\n"
        "    except OSError:\n"
        "        pass\n"
        "    pathlib.Path('inside.txt').write_text('fine')\n"
        "    assert pathlib.Path('inside.txt').read_text() == 'fine'\n"
        "    assert pathlib.Path(os.environ['TMPDIR'], 'x').write_text('fine')\n"
    )
    court = Court(git_repo).states({"tests/test_sums.py": tries}, {"notes.txt": "x"})
    judgement = court.judge(cage=cage)
    assert judgement.verdict is Verdict.HELD, judgement.why
    assert outside.read_text() == "as it was"
    assert not Path("/etc/memaudit-was-here").exists()
    assert git_repo.git("status", "--porcelain") == ""


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="there is no such folder here")
@pytest.mark.parametrize("cage", [cage for cage in cages() if cage.shuts_files], ids=name)
def test_an_environment_is_seen_also_where_the_cage_puts_an_empty_folder(cage: Cage, tmp_path: Path) -> None:
    if not works(cage, tmp_path):
        pytest.skip("this machine does not allow it")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        program = Path(folder) / "env" / "bin" / "python"
        program.parent.mkdir(parents=True)
        program.write_text("#!/bin/sh\nexit 7\n")
        program.chmod(0o755)
        argv = [*launcher(tmp_path, cage, Limits(), tmp_path, [str(program)]), str(program)]
        done = subprocess.run(cage.wrapped(argv, tmp_path, tmp_path), cwd=tmp_path, check=False)
        assert done.returncode == 7


@pytest.mark.parametrize("cage", [cage for cage in cages() if cage.cuts_network], ids=name)
def test_a_check_cannot_reach_the_network(cage: Cage, git_repo: Any, tmp_path: Path) -> None:
    if not works(cage, tmp_path):
        pytest.skip("this machine does not allow it")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        port = server.getsockname()[1]
        calls = (
            "import socket\n\n\ndef test_half():\n    try:\n"
            f"        socket.create_connection(('127.0.0.1', {port}), timeout=5)\n"
            "    except OSError:\n        return\n"
            "    raise AssertionError('reached')\n"
        )
        court = Court(git_repo).states({"tests/test_sums.py": calls}, {"notes.txt": "x"})
        judgement = court.judge(cage=cage)
        assert judgement.verdict is Verdict.HELD, judgement.why
        with pytest.raises(BlockingIOError):
            server.accept()


def test_the_working_tree_is_not_seen(git_repo: Any, tmp_path: Path) -> None:
    cage = next((one for one in cages() if one.tool.endswith("bwrap") and works(one, tmp_path)), None)
    if cage is None:
        pytest.skip("bubblewrap cannot be used here")
    looks = f"import os\n\n\ndef test_half():\n    assert os.listdir({str(git_repo.root)!r}) == []\n"
    court = Court(git_repo).states({"tests/test_sums.py": looks}, {"notes.txt": "x"})
    assert court.judge(cage=cage).verdict is Verdict.HELD


def test_without_a_cage_it_is_run_all_the_same_and_said_so(git_repo: Any) -> None:
    court = Court(git_repo).states({}, {"notes.txt": "x"})
    assert court.judge(cage=NO_CAGE).verdict is Verdict.HELD
    assert "NOT cut off" in NO_CAGE.network
    assert "NOT protected" in NO_CAGE.files


def test_a_machine_without_tools_has_no_cage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_cage(tmp_path, lambda one: launcher(tmp_path, one, Limits(), tmp_path)) is NO_CAGE

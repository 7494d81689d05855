"""Checks that are run at base and at head of real repositories, and the verdicts that follow."""

from __future__ import annotations

import os
import select
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest
from oraclekit import PROJECT, QUICK, SUMS, TEST, Court, fingerprint

from memaudit.domain import Origin, Verdict
from memaudit.errors import MemauditError, UsageError
from memaudit.oracle.cage import NO_CAGE
from memaudit.oracle.running import Limits
from memaudit.oracle.trial import StoppedError

DOWN = SUMS.replace("(n + 1)", "n")


@pytest.fixture
def court(git_repo: Any) -> Court:
    return Court(git_repo)


def outcome(court: Court, **options: Any) -> tuple[Verdict, str]:
    judgement = court.judge(**options)
    return judgement.verdict, judgement.reason


def test_stale_where_the_test_passes_at_base_and_fails_at_head(court: Court) -> None:
    judgement = court.states({}, {"app/sums.py": DOWN}).judge()
    assert (judgement.verdict, judgement.reason) == (Verdict.STALE, "fails-at-head")
    assert judgement.origin is Origin.RANGE
    assert judgement.judge == "oracle"
    assert "assert 1 == 2" in judgement.why
    assert len(court.heard) == 4, "base and head, each twice"


def test_held_where_it_passes_on_both_sides(court: Court) -> None:
    court.states({}, {"app/sums.py": SUMS + "\n\ndef third(n):\n    return n // 3\n"})
    assert outcome(court) == (Verdict.HELD, "passes-at-head")


def test_the_test_of_base_is_run_on_both_sides(court: Court) -> None:
    follows = TEST.replace("== 2", "== 1")
    court.states({}, {"app/sums.py": DOWN, "tests/test_sums.py": follows})
    judgement = court.judge()
    assert judgement.verdict is Verdict.STALE
    assert "the one from base" in judgement.why


def test_a_test_that_is_gone_at_head_is_run_there_too(court: Court) -> None:
    court.states({}, {"tests/test_sums.py": None})
    assert outcome(court) == (Verdict.HELD, "passes-at-head")


def test_the_working_tree_can_be_head(court: Court) -> None:
    court.states({}, {"notes.txt": "x"})
    court.repo.write({"app/sums.py": DOWN})
    assert outcome(court, head="WORKTREE") == (Verdict.STALE, "fails-at-head")


def test_failing_at_base_proves_nothing(court: Court) -> None:
    court.states({"app/sums.py": DOWN}, {"app/sums.py": SUMS})
    judgement = court.judge()
    assert (judgement.verdict, judgement.reason) == (Verdict.UNKNOWN, "fails-at-base")
    assert "proves nothing" in judgement.why
    assert len(court.heard) == 2, "head is not run"


def test_flaky_at_base_gives_no_verdict(court: Court) -> None:
    # Every run has a folder of its own: chance has no part in it.
    flaky = "import os\n\n\ndef test_half():\n    assert '/run-2/' not in os.getcwd()\n"
    court.states({"tests/test_sums.py": flaky}, {"notes.txt": "x"})
    assert outcome(court) == (Verdict.UNKNOWN, "flaky")
    assert len(court.heard) == 2, "head is not run"


def test_flaky_at_head_gives_no_verdict(court: Court) -> None:
    flaky = "import os\n\n\ndef half(n):\n    return 2 if '/run-4/' in os.getcwd() else 1\n"
    court.states({}, {"app/sums.py": flaky})
    assert outcome(court) == (Verdict.UNKNOWN, "flaky")
    assert len(court.heard) == 4


def test_a_collection_error_gives_no_verdict(court: Court) -> None:
    court.states({}, {"app/sums.py": "def halve(n):\n    return n // 2\n"})
    judgement = court.judge()
    assert (judgement.verdict, judgement.reason) == (Verdict.UNKNOWN, "no-result")
    assert judgement.why.startswith("at head")


def test_a_fixture_that_fails_gives_no_verdict(court: Court) -> None:
    court.states(
        {
            "tests/conftest.py": "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef desk():\n    pass\n",
        },
        {
            "tests/conftest.py": "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef desk():\n    1 / 0\n",
        },
    )
    assert outcome(court) == (Verdict.UNKNOWN, "no-result")


def test_a_skipped_test_gives_no_verdict(court: Court) -> None:
    skipping = TEST.replace("def test", 'import pytest\n\n\n@pytest.mark.skip("later")\ndef test')
    court.states({"tests/test_sums.py": skipping}, {"app/sums.py": DOWN})
    assert outcome(court) == (Verdict.UNKNOWN, "no-result")


def test_what_is_not_installed_here_gives_no_verdict(court: Court) -> None:
    court.states({}, {"app/sums.py": "def half(n):\n    import no_such_library\n\n    return 2\n"})
    judgement = court.judge()
    assert (judgement.verdict, judgement.reason) == (Verdict.UNKNOWN, "no-result")
    assert "no_such_library" in judgement.why


def test_a_check_without_end_is_ended(court: Court) -> None:
    court.states({"app/sums.py": "import signal\n\n\ndef half(n):\n    signal.pause()\n"}, {"notes.txt": "x"})
    assert outcome(court, limits=Limits(seconds=2)) == (Verdict.UNKNOWN, "timed-out")


def test_a_flood_of_output_is_ended(court: Court) -> None:
    court.states({"CLAUDE.md": "- `yes` works.\n"}, {"notes.txt": "x"})
    assert outcome(court, limits=Limits(output=100_000)) == (Verdict.UNKNOWN, "flood")


def test_too_much_memory_gives_no_verdict(court: Court) -> None:
    court.states({}, {"app/sums.py": "def half(n):\n    return len(bytearray(2**31)) and 2\n"})
    assert outcome(court, limits=Limits(memory=2**30)) == (Verdict.UNKNOWN, "no-result")


def _is_let_go(reader: int) -> bool:
    """Whether nobody writes to a pipe any more: what was killed takes a moment to be gone."""
    try:
        return os.read(reader, 1) == b""
    except BlockingIOError:
        select.select([reader], [], [], 20)
        return os.read(reader, 1) == b""


@pytest.mark.parametrize("caged", [True, False])
def test_what_a_check_starts_is_not_left_running(court: Court, caged: bool) -> None:
    # Not below a folder for temporary files, which may lie where a check cannot look.
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        pipe = Path(folder) / "alive"
        os.mkfifo(pipe)
        leaves = (
            "import os\nimport subprocess\nimport sys\n\n\ndef half(n):\n"
            "    waits = 'import signal; signal.pause()'\n"
            f"    end = os.open({str(pipe)!r}, os.O_RDWR)\n"
            "    subprocess.Popen([sys.executable, '-c', waits], pass_fds=[end], start_new_session=True,\n"
            "                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
            "    return 2\n"
        )
        court.states({"app/sums.py": leaves}, {"notes.txt": "x"})
        assert outcome(court, cage=None if caged else NO_CAGE) == (Verdict.HELD, "passes-at-head")
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        try:
            assert _is_let_go(reader), "nobody holds the other end any more"
        finally:
            os.close(reader)


def test_a_check_that_is_stopped_ends_at_once_with_all_it_started(court: Court) -> None:
    court.states({"app/sums.py": "import signal\n\n\ndef half(n):\n    signal.pause()\n"}, {"notes.txt": "x"})
    trial = court.trial()
    folder = trial._folder
    try:
        timer = threading.Timer(0.3, trial.stop)
        timer.start()
        with pytest.raises(StoppedError, match="stopped"):
            trial.judge()
        with pytest.raises(StoppedError):
            trial.judge()
    finally:
        trial.close()
    assert not folder.exists()


def test_a_command_counts_by_its_exit_code(court: Court) -> None:
    court.states(
        {"CLAUDE.md": f"- `{sys.executable} tool.py` works.\n", "tool.py": ""},
        {"tool.py": "raise SystemExit(3)\n"},
    )
    judgement = court.judge()
    assert (judgement.verdict, judgement.reason) == (Verdict.STALE, "fails-at-head")
    assert "exit code 3" in judgement.why


def test_a_command_that_lacks_a_program_gives_no_verdict(court: Court) -> None:
    court.states(
        {"CLAUDE.md": "- `sh run.sh` works.\n", "run.sh": "true\n"}, {"run.sh": "no-such-program-here\n"}
    )
    assert outcome(court) == (Verdict.UNKNOWN, "no-result")


@pytest.mark.parametrize(
    "snippet",
    [
        "from app.sums import half\nassert half(3) == 2",
        ">>> from app.sums import half\n>>> half(3)\n2",
        "from app.sums import half\n\ndef test_it():\n    assert half(3) == 2",
    ],
)
def test_a_snippet_is_run_as_a_test(court: Court, snippet: str) -> None:
    court.states({"CLAUDE.md": f"# Sums\n\n```python\n{snippet}\n```\n"}, {"app/sums.py": DOWN})
    assert outcome(court, line=4) == (Verdict.STALE, "fails-at-head")
    assert "test_memaudit" not in court.repo.git("status", "--porcelain")


def test_a_test_of_a_project_in_a_sub_folder_is_run_there(court: Court) -> None:
    court.states(
        {
            "CLAUDE.md": "- Halves are rounded up: `tests/test_it.py::test_half`.\n",
            "service/pyproject.toml": f"[tool.pytest.ini_options]\naddopts='{QUICK}'\npythonpath = ['lib']\n",
            "service/lib/sums.py": SUMS,
            "service/tests/test_it.py": TEST.replace("app.sums", "sums"),
        },
        {"service/lib/sums.py": DOWN},
    )
    assert court.planned()[2].folder == "service"
    assert outcome(court) == (Verdict.STALE, "fails-at-head")


def test_a_test_that_base_does_not_have_is_refused(court: Court) -> None:
    court.states({"CLAUDE.md": "- See `tests/test_no.py::test_a`.\n"}, {"notes.txt": "x"})
    with pytest.raises(UsageError, match="no such file at base"):
        court.judge()


def test_nothing_of_the_repository_is_touched_and_none_of_its_hooks_or_filters_run(
    court: Court, tmp_path: Path
) -> None:
    marker = tmp_path / "ran"
    court.states({".gitattributes": "*.py filter=spy\n"}, {"app/sums.py": DOWN})
    court.repo.git("config", "filter.spy.smudge", f"touch {marker}; cat")
    court.repo.git("config", "filter.spy.clean", f"touch {marker}; cat")
    hook = court.repo.root / ".git" / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {marker}\n")
    hook.chmod(0o755)
    before = fingerprint(court.repo.root)
    assert outcome(court) == (Verdict.STALE, "fails-at-head")
    assert fingerprint(court.repo.root) == before
    assert not marker.exists()


def test_a_check_gets_next_to_nothing_of_our_environment(
    court: Court, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "not-for-others")
    monkeypatch.setenv("DEPLOY_TOKEN", "not-for-others")
    looks = (
        "import os\n\n"
        "ours = 'PATH LANG LANGUAGE LC_ALL LC_CTYPE TZ HOME TMPDIR TERM PWD SHLVL _ OLDPWD'.split()\n"
        "told = [name for name in os.environ if not name.startswith(('PYTHON', 'GIT_'))]\n"
        "other = set(told) - set(ours)\n"
        f"home = os.environ['HOME']\nassert os.path.isdir(home) and home != {os.environ['HOME']!r}\n"
        "assert not other, other\n"
    )
    court.states(
        {"CLAUDE.md": f"- `{sys.executable} look.py` works.\n", "look.py": looks}, {"notes.txt": "x"}
    )
    judgement = court.judge()
    assert judgement.verdict is Verdict.HELD, judgement.why


def test_a_link_that_leads_out_is_not_followed(court: Court, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("x")
    court.states({}, {"notes.txt": "x"})
    (court.repo.root / "way").symlink_to(outside)
    (court.repo.root / "beside").symlink_to("app/sums.py")
    court.repo.commit("links")
    court.repo.commit(
        "more",
        {
            "tests/test_sums.py": "import os\n\n\ndef test_half():\n"
            "    assert not os.path.lexists('way')\n    assert 'half' in open('beside').read()\n"
        },
    )
    court.repo.commit("last", {"notes.txt": "y"})
    assert outcome(court) == (Verdict.HELD, "passes-at-head")


def test_what_cannot_be_started_is_an_error_of_one_line(
    court: Court, monkeypatch: pytest.MonkeyPatch
) -> None:
    court.states({}, {"notes.txt": "x"})
    monkeypatch.setattr("sys.executable", "/no/such/python")
    with pytest.raises(MemauditError):
        court.judge()


def test_the_throw_away_copies_are_gone_afterwards(
    court: Court, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    shuts = (
        "\n    import os\n\n    os.mkdir('shut')\n    open('shut/a', 'w').close()\n    os.chmod('shut', 0)\n"
    )
    locks = TEST + shuts
    court.states({"tests/test_sums.py": locks}, {"notes.txt": "x"})
    assert outcome(court) == (Verdict.HELD, "passes-at-head")
    assert list(place.iterdir()) == []
    assert PROJECT["app/sums.py"] == (court.repo.root / "app" / "sums.py").read_text()

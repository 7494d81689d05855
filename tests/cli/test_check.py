"""``memaudit check``, run as a process the way scripts run it: output, exit codes, one-line errors."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

MEMORY = """# Project

- Code lives in `src/app.py`.
- Old code lives in `src/old.py`.
- Prefer small functions.
"""


def memaudit(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "memaudit", *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )


@pytest.fixture
def repo(git_repo: Any) -> Any:
    """A repository whose second commit makes one of three claims false."""
    git_repo.commit("one", {"CLAUDE.md": MEMORY, "src/app.py": "APP = 1\n", "src/old.py": "OLD = 'old'\n"})
    git_repo.commit("drop the old code", {"src/old.py": None})
    return git_repo


def test_version_names_itself() -> None:
    run = memaudit("--version")
    assert run.returncode == 0
    assert run.stdout.startswith("memaudit ")


def test_stale_exits_1_and_names_line_commit_and_reason(repo: Any) -> None:
    run = memaudit("check", "--range", "HEAD~1..HEAD", cwd=repo.root)
    assert run.returncode == 1
    assert "CLAUDE.md:4" in run.stdout
    assert "drop the old code" in run.stdout
    assert "path-gone" in run.stdout
    assert "3 claims: 1 stale, 1 held, 1 unknown" in run.stdout


def test_nothing_stale_exits_0(repo: Any) -> None:
    (repo.root / "CLAUDE.md").write_text("- Code lives in `src/app.py`.\n")
    run = memaudit("check", "--range", "HEAD~1..HEAD", cwd=repo.root)
    assert run.returncode == 0
    assert "Nothing stale." in run.stdout


@pytest.mark.parametrize(("fail_on", "code"), [("stale", 1), ("unknown", 1), ("never", 0)])
def test_fail_on_decides_the_exit_code(repo: Any, fail_on: str, code: int) -> None:
    assert (
        memaudit("check", "--range", "HEAD~1..HEAD", "--fail-on", fail_on, cwd=repo.root).returncode == code
    )


def test_json_has_the_promised_shape(repo: Any) -> None:
    run = memaudit("check", "--range", "HEAD~1..HEAD", "--format", "json", cwd=repo.root)
    report = json.loads(run.stdout)
    assert report["schema"] == 1
    assert report["range"]["base"] == repo.git("rev-parse", "HEAD~1")
    assert report["range"]["head"] == repo.git("rev-parse", "HEAD")
    assert report["range"]["chosen_by"]
    assert report["summary"]["claims"] == 3
    assert report["summary"]["by_reason"]["path-gone"] == 1
    assert report["cost"] == {"model_calls": 0, "usd": 0.0}
    stale = next(claim for claim in report["claims"] if claim["verdict"] == "stale")
    place = {"id", "store", "file", "line_start", "line_end", "heading", "text", "kind"}
    verdict = {"verdict", "reason", "origin", "confidence", "judge", "references", "evidence", "suggestion"}
    assert place | verdict <= stale.keys()
    assert (stale["file"], stale["line_start"], stale["line_end"]) == ("CLAUDE.md", 4, 4)
    assert stale["heading"] == ["Project"]
    assert stale["origin"] == "range"
    assert 0 <= stale["confidence"] <= 1
    evidence = stale["evidence"][0]
    assert evidence["base"]["path"] == "src/old.py"
    assert evidence["head"] is None
    assert evidence["commit"]["summary"] == "drop the old code"
    assert {"kind", "text", "base", "head"} <= stale["references"][0].keys()


def test_jsonl_has_a_claim_a_line(repo: Any) -> None:
    run = memaudit("check", "--range", "HEAD~1..HEAD", "--format", "jsonl", cwd=repo.root)
    claims = [json.loads(line) for line in run.stdout.splitlines()]
    assert [claim["line_start"] for claim in claims] == [3, 4, 5]


def test_ids_stay_when_lines_move(repo: Any) -> None:
    def ids() -> set[str]:
        run = memaudit("check", "--range", "HEAD~1..HEAD", "--format", "json", cwd=repo.root)
        return {claim["id"] for claim in json.loads(run.stdout)["claims"]}

    before = ids()
    (repo.root / "CLAUDE.md").write_text(MEMORY.replace("# Project\n", "# Project\n\n<!-- note -->\n"))
    assert ids() == before


def test_a_full_stop_takes_no_stale_claim_from_the_red_ones(git_repo: Any) -> None:
    memory = "# Notes\n\n- Call `parse()` to read a file\n- Main is `src/main.py`\n"
    git_repo.commit("one", {"CLAUDE.md": memory, "src/a.py": "def parse(): ...\n", "src/main.py": "x = 1\n"})
    git_repo.commit("drop it", {"src/a.py": None})
    (git_repo.root / "CLAUDE.md").write_text(memory.replace("a file\n", "a file.\n"))
    for arguments in ((), ("--range", "HEAD~1..")):
        run = memaudit("check", *arguments, cwd=git_repo.root)
        assert "2 claims: 1 stale, 1 held, 0 unknown" in run.stdout
        assert "[symbol-gone, since base]" in run.stdout


def test_a_rule_about_what_git_ignores_is_outside_like_other_rules(git_repo: Any) -> None:
    memory = "# Notes\n\n- Never commit `.env` files.\n- Never use `src/old.py`.\n"
    git_repo.commit("one", {"CLAUDE.md": memory, ".gitignore": ".env\n", "a.py": "x = 1\n"})
    run = memaudit("check", "--format", "jsonl", cwd=git_repo.root)
    assert [json.loads(line)["reason"] for line in run.stdout.splitlines()] == ["outside", "ambiguous"]


def test_store_at_reads_the_store_of_a_revision(repo: Any) -> None:
    repo.commit("rewrite memory", {"CLAUDE.md": "- Nothing to say.\n"})
    run = memaudit(
        "check", "--store-at", "HEAD~1", "--range", "HEAD~2..HEAD", "--format", "json", cwd=repo.root
    )
    assert json.loads(run.stdout)["summary"]["stale"] == 1


def test_bare_repository(repo: Any, tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    repo.git("clone", "-q", "--bare", ".", str(bare))
    run = memaudit("check", str(bare), "--range", "HEAD~1..HEAD", "--format", "json")
    assert run.returncode == 1, run.stderr
    assert json.loads(run.stdout)["range"]["head"] == repo.git("rev-parse", "HEAD")


def test_sub_folder_leaves_out_what_does_not_apply_there(repo: Any) -> None:
    repo.commit("nested", {"a/CLAUDE.md": "- A is `src/app.py`.\n", "b/CLAUDE.md": "- B is `src/app.py`.\n"})
    run = memaudit("check", "a", "--range", "HEAD~1..HEAD", "--format", "json", cwd=repo.root)
    assert {claim["file"] for claim in json.loads(run.stdout)["claims"]} == {"CLAUDE.md", "a/CLAUDE.md"}


def test_default_range_after_a_pull(repo: Any, make_repo: Any, tmp_path: Path) -> None:
    repo.git("clone", "-q", ".", str(tmp_path / "clone"))
    clone = make_repo("clone")
    repo.commit("move on", {"src/app.py": None, "src/main.py": "APP = 1\n"})
    clone.git("pull", "-q")
    run = memaudit("check", "--format", "json", cwd=clone.root)
    report = json.loads(run.stdout)
    assert report["range"]["base"] == clone.git("rev-parse", "HEAD~1")
    assert "pull" in report["range"]["chosen_by"]
    news = [claim["line_start"] for claim in report["claims"] if claim["origin"] == "range"]
    assert news == [3]


def test_without_pull_each_claim_starts_where_it_was_written(repo: Any) -> None:
    run = memaudit("check", "--format", "json", cwd=repo.root)
    report = json.loads(run.stdout)
    assert report["range"]["per_claim"] is True
    assert report["summary"]["stale"] == 1


def test_uncommitted_changes_count_at_head(repo: Any) -> None:
    (repo.root / "src/app.py").unlink()
    run = memaudit("check", "--since", "HEAD", "--format", "json", cwd=repo.root)
    report = json.loads(run.stdout)
    assert report["range"]["head"] == "WORKTREE"
    assert [claim["line_start"] for claim in report["claims"] if claim["origin"] == "range"] == [3]


def test_base_equal_to_head_breaks_nothing(repo: Any) -> None:
    run = memaudit("check", "--range", "HEAD..HEAD", "--format", "json", cwd=repo.root)
    assert not [claim for claim in json.loads(run.stdout)["claims"] if claim["origin"] == "range"]


def test_reversed_range_does_not_crash(repo: Any) -> None:
    run = memaudit("check", "--range", "HEAD..HEAD~1", "--format", "json", cwd=repo.root)
    assert json.loads(run.stdout)["summary"]["claims"] == 3


def test_output_goes_to_a_file(repo: Any, tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    run = memaudit(
        "check", "--range", "HEAD~1..HEAD", "--format", "json", "--output", str(target), cwd=repo.root
    )
    assert run.stdout == ""
    assert json.loads(target.read_text())["summary"]["stale"] == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "/nowhere/at/all"),
        ("check", "--range", "no-such..HEAD"),
        ("check", "--range", "nonsense"),
        ("check", "--store", "MISSING.md"),
        ("check", "--store-at", "no-such"),
        ("check", "--format", "xml"),
        ("check", "--judge", "nobody"),
        ("check", "--output", "/nowhere/at/all/report.txt"),
        ("check", "--no-such-option"),
        ("check", "--config", "missing.toml"),
        ("check", "--since", "HEAD", "--range", "HEAD..HEAD"),
        ("export", "--to", "/nowhere/at/all/store.md"),
    ],
    ids=lambda arguments: " ".join(arguments),
)
def test_bad_input_gets_one_line_and_exit_2(repo: Any, arguments: tuple[str, ...]) -> None:
    run = memaudit(*arguments, cwd=repo.root)
    assert run.returncode == 2
    assert len(run.stderr.strip().splitlines()) == 1, run.stderr
    assert "Traceback" not in run.stderr


def test_no_repository_and_no_store_say_what_to_do(tmp_path: Path, git_repo: Any) -> None:
    run = memaudit("check", cwd=tmp_path)
    assert run.returncode == 2
    assert len(run.stderr.strip().splitlines()) == 1
    git_repo.commit("one", {"a.txt": "1\n"})
    run = memaudit("check", cwd=git_repo.root)
    assert run.returncode == 2
    assert "--store" in run.stderr


def test_hostile_text_is_printed_inert(git_repo: Any) -> None:
    git_repo.commit(
        "one",
        {"CLAUDE.md": "- See `src/\x1b[31mred.py` and `src/gone.py` \u202eevil\n", "src/gone.py": "x = 1\n"},
    )
    git_repo.commit("drop \x1b]0;title\x07 it", {"src/gone.py": None})
    run = memaudit("check", "--range", "HEAD~1..HEAD", cwd=git_repo.root)
    assert run.returncode == 1
    assert "\x1b" not in run.stdout
    assert "\u202e" not in run.stdout


def test_stores_lists_documents_with_aliases(repo: Any) -> None:
    (repo.root / "AGENTS.md").symlink_to("CLAUDE.md")
    run = memaudit("stores", cwd=repo.root)
    assert run.returncode == 0
    assert "CLAUDE.md" in run.stdout
    assert "also AGENTS.md" in run.stdout


def test_screen_without_terminal_prints_the_report(repo: Any) -> None:
    run = memaudit(cwd=repo.root)
    assert run.returncode == 1
    assert "1 stale" in run.stdout


def test_what_is_kept_of_an_audit_is_the_users_alone(repo: Any, isolated_home: Path) -> None:
    memaudit("check", "--range", "HEAD~1..HEAD", cwd=repo.root)
    folders = [path for path in (isolated_home / ".local").rglob("*") if path.is_dir()]
    assert folders
    assert {path.stat().st_mode & 0o777 for path in folders} == {0o700}


def test_the_demo_leaves_nothing_behind(isolated_home: Path) -> None:
    run = memaudit("demo")
    assert run.returncode == 1
    assert "stale" in run.stdout
    assert not list((isolated_home / ".local").rglob("*")) if (isolated_home / ".local").exists() else True


def test_a_name_gone_before_the_range_is_stale_from_earlier(git_repo: Any) -> None:
    git_repo.commit(
        "one", {"CLAUDE.md": "- `get_total()` adds it up.\n", "a.py": "def get_total():\n    return 1\n"}
    )
    git_repo.commit("drop it", {"a.py": "def other():\n    return 1\n"})
    git_repo.commit("more", {"b.py": "B = 1\n"})
    run = memaudit("check", "--range", "HEAD~1..HEAD", "--format", "json", cwd=git_repo.root)
    (claim,) = json.loads(run.stdout)["claims"]
    assert (claim["verdict"], claim["origin"]) == ("stale", "earlier")
    assert claim["evidence"][0]["commit"]["summary"] == "drop it"


@pytest.mark.parametrize(("word", "fix"), [("chek", "did you mean memaudit check?"), ("nowhere/x", "--help")])
def test_a_word_that_is_no_command_and_no_folder_is_refused_at_once(word: str, fix: str) -> None:
    run = memaudit(word)
    assert run.returncode == 2
    assert run.stdout == ""
    (line,) = run.stderr.splitlines()
    assert f"no such folder or command: {word}" in line or f"{word}: no such folder or command" in line
    assert fix in line

"""The patch of a review: git itself takes it, and gives the very bytes that a save would write."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reviewing import PULLED

from memaudit.domain import DecisionKind, Store
from memaudit.errors import StoreError
from memaudit.review.exporting import patch_of
from memaudit.review.journal import Journal
from memaudit.review.session import Review
from memaudit.stores.document import load_document

RULES = "".join(f"- Rule number {number} is kept by everybody.\n" for number in range(30))

NAMES = (
    "CLAUDE.md",
    "deep/er/CLAUDE.md",
    "with space/notes and more.md",
    "na\u00efve \u65e5\u672c.md",
    'quo"te.md',
    "back\\slash.md",
    "tab\tand\nline.md",
    "-dash.md",
    "a/b/a/b/x.md",
)


def store(path: str, raw: bytes) -> Store:
    return Store(path, "claude", "project", (load_document(path, raw, store=path, format="claude"),))


def reviewed(root: Path, files: dict[str, bytes], state: Path) -> Review:
    """A review in which every third claim is retired and every fifth rewritten."""
    stores = [store(path, raw) for path, raw in files.items()]
    review = Review(stores, Journal(state / "journal.sqlite"), author="ada", range_=PULLED, root=root)
    decisions = []
    for one in stores:
        for number, claim in enumerate(one.claims):
            if number % 3 == 0:
                decisions.append(review.decision(claim.id, DecisionKind.RETIRE))
            elif number % 5 == 0:
                text = f"Rule number {number} is new \u2014 here."
                decisions.append(review.decision(claim.id, DecisionKind.REWRITE, text))
    review.decide(decisions)
    return review


def applied(root: Path, patch: bytes, *options: str) -> None:
    for check in (("--check",), ()):
        run = subprocess.run(
            ["git", *options, "apply", *check, "-"], cwd=root, input=patch, capture_output=True, check=False
        )
        assert run.returncode == 0, (run.stderr, patch)


@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("final", [True, False], ids=["final line end", "no final line end"])
def test_git_applies_the_patch_of_many_files(git_repo: Any, tmp_path: Path, ending: str, final: bool) -> None:
    text = RULES.replace("\n", ending)
    raw = (text if final else text.removesuffix(ending)).encode()
    files = dict.fromkeys(NAMES, raw)
    git_repo.commit("memory", files)
    review = reviewed(git_repo.root, files, tmp_path / "state")
    wanted = {change.document.path: change.after for change in review.preview()}
    assert wanted.keys() == files.keys()
    patch = patch_of(review)
    applied(git_repo.root, patch)
    assert {name: (git_repo.root / name).read_bytes() for name in NAMES} == wanted
    assert {path for path in git_repo.git("ls-files", "-m", "-z").split("\0") if path} == set(NAMES)
    for name in NAMES:
        git_repo.git("checkout", "--", name)
    review.save()
    saved = subprocess.run(
        ["git", "-c", "core.quotePath=true", "diff"], cwd=git_repo.root, capture_output=True, check=True
    ).stdout
    headers = (b"diff --git", b"--- a", b'--- "a', b"+++ b", b'+++ "b')
    ours, gits = (
        sorted(line for line in one.split(b"\n") if line.startswith(headers)) for one in (patch, saved)
    )
    assert ours == gits


@pytest.mark.parametrize("setting", ["true", "input"])
def test_git_applies_it_where_it_converts_line_ends(git_repo: Any, tmp_path: Path, setting: str) -> None:
    ending = b"\r\n" if setting == "true" else b"\n"
    raw = RULES.encode().replace(b"\n", ending)
    git_repo.git("config", "core.autocrlf", setting)
    git_repo.commit("memory", {"CLAUDE.md": raw})
    review = reviewed(git_repo.root, {"CLAUDE.md": raw}, tmp_path / "state")
    (change,) = review.preview()
    applied(git_repo.root, patch_of(review))
    assert (git_repo.root / "CLAUDE.md").read_bytes() == change.after


def test_a_file_that_ends_up_empty(git_repo: Any, tmp_path: Path) -> None:
    git_repo.commit("memory", {"CLAUDE.md": "- Only this.\n"})
    review = reviewed(git_repo.root, {"CLAUDE.md": b"- Only this.\n"}, tmp_path / "state")
    applied(git_repo.root, patch_of(review))
    assert (git_repo.root / "CLAUDE.md").read_bytes() == review.preview()[0].after == b""


def test_a_file_behind_a_link_is_patched_by_its_own_name(git_repo: Any, tmp_path: Path) -> None:
    git_repo.commit("memory", {"docs/rules.md": RULES})
    (git_repo.root / "CLAUDE.md").symlink_to("docs/rules.md")
    git_repo.commit("link")
    review = reviewed(git_repo.root, {"CLAUDE.md": RULES.encode()}, tmp_path / "state")
    (change,) = review.preview()
    patch = patch_of(review)
    assert b"a/docs/rules.md" in patch
    applied(git_repo.root, patch)
    assert (git_repo.root / "docs/rules.md").read_bytes() == change.after


def test_only_line_feeds_end_lines(git_repo: Any, tmp_path: Path) -> None:
    raw = b"- Rule one.\n\n```\n\xc2\x85 raw\x0c\x0b\n```\n\n- Rule two.\x1c\n- Rule three.\n- Rule four.\n"
    git_repo.commit("memory", {"CLAUDE.md": raw})
    review = reviewed(git_repo.root, {"CLAUDE.md": raw}, tmp_path / "state")
    (change,) = review.preview()
    applied(git_repo.root, patch_of(review))
    assert (git_repo.root / "CLAUDE.md").read_bytes() == change.after


def test_nothing_to_change_is_said(git_repo: Any, tmp_path: Path) -> None:
    stores = [store("CLAUDE.md", b"- One.\n")]
    review = Review(
        stores, Journal(tmp_path / "state" / "j"), author="ada", range_=PULLED, root=git_repo.root
    )
    with pytest.raises(StoreError, match="no decision changes a file"):
        patch_of(review)


def test_a_file_outside_the_repository_is_left_out(git_repo: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "elsewhere.md")
    Path(path).write_text(RULES)
    git_repo.commit("memory", {"CLAUDE.md": RULES})
    review = reviewed(git_repo.root, {path: RULES.encode()}, tmp_path / "state")
    with pytest.raises(StoreError, match="outside the repository"):
        patch_of(review)
    both = reviewed(git_repo.root, {path: RULES.encode(), "CLAUDE.md": RULES.encode()}, tmp_path / "state 2")
    patch = patch_of(both)
    assert b"elsewhere" not in patch
    applied(git_repo.root, patch)


@pytest.fixture(scope="module")
def empty_repository(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    root = tmp_path_factory.mktemp("generated")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

    def fresh() -> Path:
        shutil.rmtree(root)
        root.mkdir()
        subprocess.run(["git", "init", "-q", "."], cwd=root, env=environment, check=True)
        return root

    return fresh


texts = st.lists(
    st.tuples(
        st.sampled_from(
            ["- One.", "- Two two.", "", "## Head", "Words.", "- Three\twith tab", "* \u00e9t\u00e9"]
        ),
        st.sampled_from(["\n", "\n", "\r\n"]),
    ),
    min_size=1,
    max_size=25,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts, st.booleans())
def test_git_applies_whatever_a_review_changes(
    empty_repository: Callable[[], Path], lines: list[tuple[str, str]], final: bool
) -> None:
    root = empty_repository()
    text = "".join(line + end for line, end in lines)
    raw = (text if final else text.rstrip("\r\n")).encode()
    (root / "x.md").write_bytes(raw)
    review = reviewed(root, {"x.md": raw}, root / ".git" / "state")
    changes = review.preview()
    if changes:
        applied(root, patch_of(review))
        assert (root / "x.md").read_bytes() == changes[0].after
    review.close()

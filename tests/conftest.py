"""Fixtures for every test: an isolated home, and real git repositories built in a temporary folder."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pygit2
import pytest

# A shell's background job ignores control-C, and nohup hang-ups; so would all that a test starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(autouse=True)
def isolated_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home, settings and state folder of the test's own, and a git that reads no outside settings."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / ".local" / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / ".cache"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    for name in (
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "ANTHROPIC_BASE_URL",
        "GIT_DIR",
        "MEMAUDIT_STATE",
        "NO_COLOR",
    ):
        monkeypatch.delenv(name, raising=False)
    return home


class GitRepo:
    """A real git repository in a folder. Plain commits are made by libgit2, ten times sooner than by git."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self._clock = 1_700_000_000
        self.git("init", "-q", "--template=", "-b", "main")

    def git(self, *arguments: str) -> str:
        """Run git in the repository and return what it printed."""
        stamp = f"{self._clock} +0000"
        environment = {
            **os.environ,
            "GIT_AUTHOR_NAME": "Ada Author",
            "GIT_AUTHOR_EMAIL": "ada@example.invalid",
            "GIT_COMMITTER_NAME": "Ada Author",
            "GIT_COMMITTER_EMAIL": "ada@example.invalid",
            "GIT_AUTHOR_DATE": stamp,
            "GIT_COMMITTER_DATE": stamp,
        }
        run = subprocess.run(
            ["git", *arguments], cwd=self.root, env=environment, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stderr
        return run.stdout.strip()

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """Write files; None deletes one."""
        for name, content in files.items():
            path = self.root / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(self, message: str, files: Mapping[str, str | bytes | None] | None = None) -> str:
        """Write ``files``, commit everything and return the new commit's id; time moves on a minute."""
        if files:
            self.write(files)
        self._clock += 60
        dotgit = self.root / ".git"
        if (self.root / ".gitattributes").exists() or (dotgit / "MERGE_HEAD").exists() or not dotgit.is_dir():
            self.git("add", "-A")
            self.git("commit", "-q", "--allow-empty", "-m", message)
            return self.git("rev-parse", "HEAD")
        repository = pygit2.Repository(str(self.root))
        index = repository.index
        index.add_all()
        index.write()
        who = pygit2.Signature("Ada Author", "ada@example.invalid", self._clock, 0)
        parents = [] if repository.head_is_unborn else [repository.head.target]
        text = message.strip() + "\n"
        return str(repository.create_commit("HEAD", who, who, text, index.write_tree(), parents))


@pytest.fixture
def git_repo(tmp_path: Path) -> GitRepo:
    """An empty repository on branch ``main``."""
    return GitRepo(tmp_path / "project")


@pytest.fixture
def make_repo(tmp_path: Path) -> Callable[[str], GitRepo]:
    """A maker of further repositories, by folder name."""
    return lambda name: GitRepo(tmp_path / name)

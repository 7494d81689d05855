"""Helpers for tests on real repositories: a plain git command for folders that no builder made."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

_IDENTITY = {
    "GIT_AUTHOR_NAME": "Ada Author",
    "GIT_AUTHOR_EMAIL": "ada@example.invalid",
    "GIT_COMMITTER_NAME": "Ada Author",
    "GIT_COMMITTER_EMAIL": "ada@example.invalid",
}


@pytest.fixture
def run_git() -> Callable[..., str]:
    """Run git in a folder and return what it printed."""

    def run(folder: Path, *arguments: str, **environment: str) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=folder,
            env={**os.environ, **_IDENTITY, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run

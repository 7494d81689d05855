"""Fixtures of the screen's tests."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from editing import Editing
from modelfixtures import pages_repo, server
from scenes import Scene
from tmuxkit import Tmux

__all__ = ["pages_repo", "server"]


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """Two memory files with every kind of verdict."""
    return Scene(tmp_path)


@pytest.fixture
def editing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editing:
    """An editor for the screen to open files in."""
    return Editing(tmp_path, monkeypatch)


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    """A real terminal of 120 columns and 40 rows."""
    server = Tmux(tmp_path, 120, 40)
    yield server
    server("kill-server")


@pytest.fixture(autouse=True)
def _let_go() -> Iterator[None]:
    """Give up what a screen has kept from collection: a test's process sees many screens, a user's one."""
    yield
    gc.unfreeze()

"""Fixtures of the screen's tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from editing import Editing
from scenes import Scene


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """Two memory files with every kind of verdict."""
    return Scene(tmp_path)


@pytest.fixture
def editing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editing:
    """An editor for the screen to open files in."""
    return Editing(tmp_path, monkeypatch)

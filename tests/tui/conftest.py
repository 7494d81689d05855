"""Fixtures of the screen's tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from scenes import Scene


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """Two memory files with every kind of verdict."""
    return Scene(tmp_path)

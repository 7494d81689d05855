"""The fixture of the review tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from reviewing import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A working folder with a CLAUDE.md, and the journal kept for it."""
    desk = Desk(tmp_path)
    yield desk
    desk.close()

"""Fixtures with a model server on this machine, for the tests of the model and of the screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from modelkit import ModelServer


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model server that says ``held`` unless told otherwise."""
    running = ModelServer()
    yield running
    running.close()


@pytest.fixture
def pages_repo(git_repo: Any) -> Any:
    """Four functions that logged and now raise, and the memory of what they did."""
    from pageskit import LOGS, RAISES, memory, pages

    git_repo.commit("log", {"CLAUDE.md": memory(), "src/pages.py": pages(LOGS)})
    git_repo.commit("raise", {"src/pages.py": pages(RAISES)})
    return git_repo

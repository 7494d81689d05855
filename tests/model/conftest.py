"""A model server on this machine, and a repository to ask it about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from modelkit import ModelServer
from pageskit import LOGS, RAISES, Asking, memory, pages


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model server that says ``held`` unless told otherwise."""
    running = ModelServer()
    yield running
    running.close()


@pytest.fixture
def pages_repo(git_repo: Any) -> Any:
    """Four functions that logged and now raise, and the memory of what they did."""
    git_repo.commit("log", {"CLAUDE.md": memory(), "src/pages.py": pages(LOGS)})
    git_repo.commit("raise", {"src/pages.py": pages(RAISES)})
    return git_repo


@pytest.fixture
def asking(pages_repo: Any, server: ModelServer) -> Callable[..., Asking]:
    """Makes an audit of the repository with pages, with settings that lead to the server."""
    return lambda **values: Asking(pages_repo.root, server.settings(**values))

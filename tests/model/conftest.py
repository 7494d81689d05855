"""A model server on this machine, and a repository to ask it about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from modelfixtures import pages_repo, server
from modelkit import ModelServer
from pageskit import Asking

__all__ = ["pages_repo", "server"]


@pytest.fixture
def asking(pages_repo: Any, server: ModelServer) -> Callable[..., Asking]:
    """Makes an audit of the repository with pages, with settings that lead to the server."""
    return lambda **values: Asking(pages_repo.root, server.settings(**values))

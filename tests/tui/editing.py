"""The user's own editor in tests: a script that keeps its arguments and edits as it is told."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memaudit.tui.app import MemauditApp


class Editing:
    """An editor that is a script: it keeps its arguments and edits as it is told."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str = "nano") -> None:
        self.folder = folder
        self.edit = folder / "edit.sh"
        self.edit.write_text("")
        tool = folder / name
        tool.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {folder}/arguments\n. {self.edit}\n')
        tool.chmod(0o755)
        monkeypatch.delenv("VISUAL", raising=False)
        monkeypatch.setenv("EDITOR", str(tool))
        monkeypatch.setattr(MemauditApp, "suspend", self._suspend)

    @contextmanager
    def _suspend(self) -> Iterator[None]:
        # A test has no terminal that could be handed over.
        yield

    def does(self, script: str) -> None:
        self.edit.write_text(script)

    @property
    def arguments(self) -> list[str]:
        return (self.folder / "arguments").read_text().splitlines()


needs_shell = pytest.mark.skipif(sys.platform == "win32", reason="the editor is a shell script")

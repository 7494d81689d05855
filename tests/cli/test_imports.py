"""What starting costs: nothing heavy is imported before it is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = (
    "textual",
    "rich",
    "anthropic",
    "pygit2",
    "keyring",
    "rapidfuzz",
    "tree_sitter",
    "markdown_it",
    "yaml",
)


def imported_by(code: str) -> set[str]:
    program = f"import sys\n{code}\nprint(*sys.modules, sep='\\n', file=sys.__stderr__)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in run.stderr.splitlines()}


def test_version_imports_nothing_heavy() -> None:
    names = imported_by("sys.argv = ['memaudit', '--version']\nfrom memaudit.__main__ import main\nmain()")
    assert "memaudit" in names
    assert not names & {*HEAVY, "argparse"}


@pytest.mark.parametrize(
    "module", ["memaudit.domain", "memaudit.cli", "memaudit.wire", "memaudit.settings", "memaudit.paths"]
)
def test_foundations_import_nothing_heavy(module: str) -> None:
    assert not imported_by(f"import {module}") & set(HEAVY)


def test_audit_imports_neither_screen_nor_model() -> None:
    assert not imported_by("import memaudit.audit") & {"textual", "rich", "anthropic", "keyring"}


def test_screen_does_not_import_git_or_model() -> None:
    assert not imported_by("import memaudit.tui.app") & {"pygit2", "anthropic", "keyring"}

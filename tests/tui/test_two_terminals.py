"""Two people at two real terminals, in one real repository: real keys in, the bytes of the file out."""

from __future__ import annotations

import re
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from test_real_audit import MEMORY, Terminal, repository

__all__ = ["repository"]

_STYLES = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGWINCH"), reason="needs a pseudo terminal")


def terminal(repository: Any, name: str, folder: Path, *options: str, root: Path | None = None) -> Terminal:
    settings = folder / f"{name}.toml"
    settings.write_text(f'author = "{name}"\n')
    base = f"{repository.base}.."
    arguments = ["-m", "memaudit", str(root or repository.root), "--range", base, "--config", str(settings)]
    found = Terminal([*arguments, *options], (120, 40))
    found.wait_for(lambda output: b"0 of 2 stale decided" in output)
    return found


def shown(one: Terminal, text: bytes, *others: Terminal) -> None:
    """Wait until one terminal shows a text; what the others write is read too, so that none has to wait."""

    def condition(output: bytes) -> bool:
        for other in others:
            other.read(0.0)
        return text in _STYLES.sub(b"", output)

    one.wait_for(condition)


def leave(*terminals: Terminal) -> None:
    for one in terminals:
        one.keys("\x03\x03")
        assert one.exit_code() == 0


def test_decisions_cross_and_one_saves_for_both(repository: Any, tmp_path: Path) -> None:
    ada, mara = (terminal(repository, name, tmp_path) for name in ("Ada", "Mara"))
    shown(ada, b"with Mara", mara)
    mara.keys("r")
    shown(ada, b"Mara retired CLAUDE.md:3", mara)
    ada.keys("n")
    shown(ada, b"price_of was defined", mara)
    ada.keys("r")
    shown(mara, b"Ada retired CLAUDE.md:4", ada)
    ada.keys("s")
    shown(ada, b"Save 2 decisions to 1 file?", mara)
    ada.keys("\r")
    shown(mara, b"Ada saved CLAUDE.md", ada)
    leave(ada, mara)
    wanted = [line for line in MEMORY.splitlines() if "printer" not in line and "price_of" not in line]
    assert (repository.root / "CLAUDE.md").read_text().splitlines() == wanted


def test_one_is_killed_and_the_other_goes_on_in_another_clone(repository: Any, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(repository.root), str(clone)], check=True)
    shared = tmp_path / "shared"
    shared.mkdir()
    options = ("--review-folder", str(shared))
    mara = terminal(repository, "Mara", tmp_path, *options)
    mara.keys("t")
    shown(mara, b"rewritten")
    signal_sent = subprocess.run(["kill", "-9", str(mara.pid)], check=False)
    assert signal_sent.returncode == 0
    assert mara.exit_code() == -signal.SIGKILL
    settings = tmp_path / "Ada.toml"
    settings.write_text('author = "Ada"\n')
    base = ["--range", f"{repository.base}..", "--config", str(settings)]
    ada = Terminal(["-m", "memaudit", str(clone), *base, *options], (120, 40))
    shown(ada, b"1 of 2 stale decided")
    ada.keys("s")
    shown(ada, b"Save 1 decision to 1 file?")
    ada.keys("\r")
    shown(ada, b"Saved CLAUDE.md")
    leave(ada)
    assert (clone / "CLAUDE.md").read_text() == MEMORY.replace(
        "src/kiosk/printer", "src/kiosk/output/printer"
    )
    assert (repository.root / "CLAUDE.md").read_text() == MEMORY

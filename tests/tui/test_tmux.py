"""The program in a real terminal, with real keys, from start to exit."""

from __future__ import annotations

import sys
from typing import Any

from tmuxkit import Tmux, needs_tmux

MEMORY = """\
# Kiosk

- Tickets are printed by `src/printer.py`.
- Prices come from `price_of` in `src/prices.py`.
- Keep answers short.
"""
PRINTER = "\n".join(f"line_{number} = {number}" for number in range(40)) + "\n"


@needs_tmux
def test_start_move_decide_resize_quit(tmux: Tmux, git_repo: Any) -> None:
    base = git_repo.commit(
        "Start",
        {"CLAUDE.md": MEMORY, "src/printer.py": PRINTER, "src/prices.py": "def price_of(x):\n    return x\n"},
    )
    git_repo.commit(
        "Move the printer",
        {
            "src/printer.py": None,
            "src/output/printer.py": PRINTER,
            "src/prices.py": "def price_for(x):\n    return x\n",
        },
    )
    tmux.type(
        f"{sys.executable} -m memaudit {git_repo.root} --since {base}; echo LEFT=$?; stty -a | tr ';' '\\n'"
    )
    tmux.press("Enter")
    tmux.wait_for("0 of 2 stale decided")

    tmux.press("j")
    tmux.wait(lambda screen: any(line.startswith("▌") and "price_of" in line for line in screen.splitlines()))
    tmux.press("k", "t")
    tmux.wait_for("1 of 2 stale decided")
    assert git_repo.git("status", "--porcelain") == ""

    tmux("resize-window", "-x", "80", "-y", "24")
    narrow = tmux.wait(lambda screen: len(screen.splitlines()) == 24 and "q quit" in screen.splitlines()[-1])
    assert "» rewritten" in narrow
    tmux("resize-window", "-x", "30", "-y", "8")
    tmux.wait_for("memaudit needs")
    tmux("resize-window", "-x", "110", "-y", "40")
    # The terminal puts back what it showed before: two panes under an own first line are drawn anew.
    tmux.wait(lambda screen: screen.startswith(" memaudit") and "│" in screen.splitlines()[2])
    tmux.press("s")
    tmux.wait_for("Save 1 decision to 1 file?")
    tmux.press("Enter")
    tmux.wait_for("Saved CLAUDE.md")
    assert "src/output/printer.py" in (git_repo.root / "CLAUDE.md").read_text()

    tmux.press("q")
    restored = tmux.wait(lambda screen: "LEFT=" in screen.replace("LEFT=$", "") and " icanon" in screen)
    assert "LEFT=0" in restored
    assert "-m memaudit" in restored.splitlines()[0], "what stood on the terminal before is not back"
    flags = "#{alternate_on} #{mouse_any_flag} #{cursor_flag} #{pane_dead}"
    assert tmux("display-message", "-p", flags).split() == ["0", "0", "1", "0"]
    settings = tmux("capture-pane", "-p").split()
    assert {"icanon", "echo", "isig"} <= set(settings)

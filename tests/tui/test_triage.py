"""A whole triage of a real repository, counted in key presses: 200 claims, 23 of them stale."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from driving import judged, press, screen_text
from textual.pilot import Pilot

from memaudit.domain import AuditRequest
from memaudit.settings import Settings
from memaudit.tui.app import MemauditApp
from memaudit.tui.board import Group

MOST_KEYS = 60

MOVED, GONE, TOUCHED, RULES = 12, 11, 4, 20
HELD = 200 - MOVED - GONE - TOUCHED - RULES


def code(name: str) -> str:
    """A file that is like no other, so that git sees where it was moved and takes none for another."""
    marks = (hashlib.sha256(f"{name} {number}".encode()).hexdigest() for number in range(12))
    return "".join(f"x_{mark[:20]} = '{mark[20:]}'\n" for mark in marks)


def memory() -> list[str]:
    """The lines of the memory, claims of every sort mixed."""
    lines = [f"- Part {n} of the mill is in `src/part{n}.py`." for n in range(MOVED)]
    lines += [f"- Gear {n} turns by what `src/gear{n}.py` says." for n in range(GONE)]
    lines += [f"- `spin{n}()` refuses a wheel that is broken." for n in range(TOUCHED)]
    lines += [f"- Speak of wheel {n} in plain words." for n in range(RULES)]
    lines += [f"- Sack {n} is filled by `src/sack{n}.py`." for n in range(HELD)]
    return [lines[number * 7 % len(lines)] for number in range(len(lines))]


@pytest.fixture
def mill(git_repo: Any) -> Any:
    """Two commits: the second moves twelve files, takes eleven out and changes four functions."""
    files: dict[str, str | None] = {}
    for number in range(MOVED):
        files[f"src/part{number}.py"] = code(f"part{number}")
    for number in range(GONE):
        files[f"src/gear{number}.py"] = code(f"gear{number}")
    for number in range(HELD):
        files[f"src/sack{number}.py"] = code(f"sack{number}")
    for number in range(TOUCHED):
        files[f"src/spin{number}.py"] = f"def spin{number}(wheel):\n    return wheel.turn({number})\n"
    lines = memory()
    files["CLAUDE.md"] = "# Mill\n\n" + "\n".join(lines[:120]) + "\n"
    files["AGENTS.md"] = "# For agents\n\n" + "\n".join(lines[120:]) + "\n"
    git_repo.base = git_repo.commit("Build the mill", files)
    changed: dict[str, str | None] = {}
    for number in range(MOVED):
        changed[f"src/part{number}.py"] = None
        changed[f"src/parts/part{number}.py"] = code(f"part{number}")
    for number in range(GONE):
        changed[f"src/gear{number}.py"] = None
    changed["src/gearbox4.py"] = "teeth = 40\n"
    for number in range(TOUCHED):
        changed[f"src/spin{number}.py"] = (
            f"def spin{number}(wheel):\n    for try_ in range(3):\n        wheel.turn({number}, try_)\n"
        )
    git_repo.commit("Rebuild the mill", changed)
    return git_repo


class Hands:
    """Presses keys and counts them."""

    def __init__(self, pilot: Pilot[Any]) -> None:
        self._pilot = pilot
        self.pressed = 0

    async def press(self, *keys: str) -> None:
        self.pressed += len(keys)
        await press(self._pilot, *keys)


async def test_a_store_of_200_claims_is_triaged_in_under_60_key_presses(mill: Any) -> None:
    app = MemauditApp(AuditRequest(path=mill.root, range=f"{mill.base}.."), Settings(author="Tess"))
    app.animation_level = "none"
    before = {name: (mill.root / name).read_text() for name in ("CLAUDE.md", "AGENTS.md")}
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await judged(pilot)
        board, hands = screen.sitting.board, Hands(pilot)
        assert len(board.claims) == 200
        counts = board.counts()
        assert counts[Group.STALE] == MOVED + GONE
        assert screen.takeable == MOVED
        assert counts[Group.UNKNOWN] == TOUCHED

        def selected() -> str:
            return screen.claim.text if screen.claim else ""

        assert "src/part" in selected()
        assert "0 of 23 stale decided" in screen_text(pilot)
        await hands.press("P", "enter")
        assert "12 of 23 stale decided" in screen_text(pilot)
        while "src/gear" in selected():
            if "src/gear4.py" in selected():
                # The name is one that can be put right: gearbox4.
                await hands.press("e", "end", *["left"] * 11, *"box", "enter")
            else:
                await hands.press("r")
        assert "23 of 23 stale decided" in screen_text(pilot)
        while "spin" in selected():
            await hands.press("a")
        await hands.press("A", "enter")
        await hands.press("G", "a", "enter")
        assert len(board.decisions) == 200
        await hands.press("s", "enter")
        assert not screen.unsaved
        assert hands.pressed < MOST_KEYS, hands.pressed
    for name, text in before.items():
        kept = []
        for line in text.splitlines(keepends=True):
            if "src/gear4.py" in line:
                kept.append(line.replace("src/gear4.py", "src/gearbox4.py"))
            elif "src/gear" not in line:
                kept.append(line.replace("src/part", "src/parts/part"))
        assert (mill.root / name).read_text() == "".join(kept)
    assert mill.git("status", "--porcelain").split() == ["M", "AGENTS.md", "M", "CLAUDE.md"]

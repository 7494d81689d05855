"""kill -9 at random moments of a review and of a save: nothing is lost, no file is ever half written.

A real child process reviews and saves in a loop. What must be found afterwards is worked out by a
model of a dozen lines that shares no code with the product.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from killed_child import OPERATIONS, RULES, planned
from reviewing import Desk

CHILD = Path(__file__).with_name("killed_child.py")
RULE = "Rule number {} stands as it was written."


class Model:
    """What the child has decided after so many operations, and what its file then holds."""

    def __init__(self, operations: int, every: int) -> None:
        steps: list[tuple[int, str | None]] = []
        self.on_disk = self._file([])
        for operation in range(operations):
            if every and operation % every == every - 1:
                self.on_disk = self._file(steps)
            elif operation % 5 == 4:
                steps = steps[:-1]
            else:
                steps = [*steps, planned(operation)]
        self.all_saved = self._file(steps)

    @staticmethod
    def _file(steps: list[tuple[int, str | None]]) -> str:
        rules: dict[int, str | None] = {number: RULE.format(number) for number in range(RULES)}
        rules.update(steps)
        return "# Rules\n\n" + "".join(f"- {text}\n" for text in rules.values() if text is not None)


def spawn(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(CHILD), *map(str, arguments)], stdout=subprocess.PIPE, text=True
    )


def check(folder: Path, operations: int, every: int) -> None:
    """The file is whole, and a new start that saves loses nothing of what the child had done."""
    possible = [Model(operations, every), Model(operations + 1, every)]
    desk = Desk(folder, memory=None)
    try:
        assert desk.file.read_text() in [model.on_disk for model in possible]
        review = desk.review()
        report = review.save()
        assert (report.conflicts, report.failed, review.unmatched) == ((), (), ())
        assert desk.file.read_text() in [model.all_saved for model in possible]
        assert [path.name for path in desk.root.iterdir()] == ["CLAUDE.md"]
    finally:
        desk.close()


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("every", [0, 3], ids=["while reviewing", "while saving"])
def test_a_killed_process_loses_nothing(tmp_path: Path, every: int, seed: int) -> None:
    chance = random.Random(f"{every} {seed}")
    Desk(tmp_path, Model(0, every).on_disk)
    child = spawn("loop", tmp_path, every)
    assert child.stdout is not None
    acknowledged = [child.stdout.readline() for _ in range(chance.randint(1, 60))]
    for _ in range(chance.randint(0, 40_000)):
        pass
    os.kill(child.pid, signal.SIGKILL)
    acknowledged += child.stdout.read().splitlines()
    child.stdout.close()
    assert child.wait() == -signal.SIGKILL
    operations = int(acknowledged[-1]) + 1
    assert operations < OPERATIONS
    check(tmp_path, operations, every)


def test_a_save_killed_before_any_one_of_its_calls_loses_nothing(tmp_path: Path) -> None:
    operations = 8
    folders = [tmp_path / f"{number:03}" for number in range(300)]
    for folder in folders:
        folder.mkdir()
        Desk(folder, Model(0, 0).on_disk)
    output, _ = spawn("calls", operations, *folders).communicate()
    killed = output.split()
    assert 10 < len(killed) < len(folders)
    for folder in killed:
        check(Path(folder), operations, operations + 1)

"""A process that reviews and saves until it is killed: run by test_killed.py.

    killed_child.py loop FOLDER EVERY    review in FOLDER, save at each EVERY-th operation (0: never)
    killed_child.py calls OPERATIONS FOLDER...   save in each FOLDER, killed before a later call to the
                                         operating system or SQLite in each, until one save is through

Prints a line after each operation, or each kill.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from types import FrameType

from reviewing import Desk, claim

from memaudit.domain import DecisionKind
from memaudit.review.session import Review

RULES = 6
OPERATIONS = 2_000


def planned(operation: int) -> tuple[int, str | None]:
    """Which rule an operation decides, and its new wording; None retires it."""
    rule = operation % RULES
    return rule, None if operation % 7 == 3 else f"Rule number {rule} in wording {operation}."


def operate(review: Review, ids: list[str], operation: int) -> None:
    """Do one operation that is no save: every fifth is an undo."""
    rule, text = planned(operation)
    if operation % 5 == 4:
        review.undo()
    elif text is None:
        review.decide([review.decision(ids[rule], DecisionKind.RETIRE)])
    else:
        review.decide([review.decision(ids[rule], DecisionKind.REWRITE, text)])


def opened(folder: Path) -> tuple[Review, list[str]]:
    review = Desk(folder, memory=None).review()
    return review, [claim(review, f"Rule number {number} ").id for number in range(RULES)]


def loop(folder: Path, every: int) -> None:
    review, ids = opened(folder)
    for operation in range(OPERATIONS):
        if every and operation % every == every - 1:
            review.save()
        else:
            operate(review, ids, operation)
        print(operation, flush=True)


def killed_before_call(folder: Path, number: int, operations: int) -> bool:
    """Save in a child of our own that kills itself; whether it got as far as dying."""
    child = os.fork()
    if child == 0:
        review, ids = opened(folder)
        for operation in range(operations):
            operate(review, ids, operation)
        calls = 0

        def count(frame: FrameType, event: str, called: object) -> None:
            nonlocal calls
            if event == "c_call" and _reaches_outside(called):
                calls += 1
                if calls == number:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.setprofile(count)
        review.save()
        sys.setprofile(None)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def _reaches_outside(called: object) -> bool:
    owner = getattr(called, "__self__", None)
    module = getattr(called, "__module__", None) or type(owner).__module__
    return module in ("posix", "_io", "sqlite3", "fcntl")


if __name__ == "__main__":
    if sys.argv[1] == "loop":
        loop(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        for number, name in enumerate(sys.argv[3:], start=1):
            if not killed_before_call(Path(name), number, int(sys.argv[2])):
                break
            print(name, flush=True)

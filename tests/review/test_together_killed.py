"""Two real processes in one review, one of them killed at a random moment: nothing confirmed is lost."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from reviewing import Desk
from together_child import act, memory

from memaudit.review.journal import Journal

CHILD = Path(__file__).with_name("together_child.py")


@pytest.mark.parametrize("seed", range(20))
def test_what_was_confirmed_to_either_is_there_after_a_kill(tmp_path: Path, seed: int) -> None:
    chance = random.Random(f"kill {seed}")
    desk = Desk(tmp_path, memory())
    ada = desk.review()
    mara = subprocess.Popen(
        [sys.executable, str(CHILD), str(tmp_path), f"mara {seed}"], stdout=subprocess.PIPE, text=True
    )
    assert mara.stdout is not None
    told = [json.loads(mara.stdout.readline())]
    turns = chance.randint(5, 60)
    for number in range(turns):
        told.append(act(ada, chance, number))
        if chance.random() < 0.6:
            told.append(json.loads(mara.stdout.readline()))
    for _ in range(chance.randint(0, 40_000)):
        pass
    os.kill(mara.pid, signal.SIGKILL)
    told += [json.loads(line) for line in mara.stdout.read().splitlines() if line.endswith("}")]
    mara.stdout.close()
    assert mara.wait() == -signal.SIGKILL

    saves = [one for one in told if one["did"] == "save"]
    assert {(one["conflicts"], one["failed"]) for one in saves} <= {(0, 0)}
    confirmed = {(one["kind"], one["text"], one["at"], one["by"]) for one in told if "kind" in one}
    assert {by for *_, by in confirmed} == {"ada", "Mara"}
    with Journal(desk.journal_path) as journal:
        log = journal.log(os.path.realpath(desk.root))
    kept = {
        (entry.decision.kind.value, entry.decision.text, entry.decision.at, entry.decision.by)
        for entries in log.entries.values()
        for entry in entries
    }
    assert confirmed <= kept

    again = desk.review(author="Mara")
    ada.look_around()
    for review in (ada, again):
        assert review.unmatched == ()
    assert outcome(desk, ada) == outcome(desk, again)
    assert [path.name for path in desk.root.iterdir() if not path.name.startswith(".")] == ["CLAUDE.md"]
    for claim, stands in list(again.contested.items()):
        again.decide([stands[-1] if claim < "8" else stands[0]])
    report = again.save()
    assert (report.conflicts, report.failed, again.unsaved) == ((), (), 0)
    ada.look_around()
    assert (ada.unsaved, ada.contested) == (0, {})
    desk.close()


def outcome(desk: Desk, review: object) -> bytes:
    """What the file would hold if everything were saved now."""
    (change,) = review.preview() or [None]  # type: ignore[attr-defined]
    return change.after if change else desk.file.read_bytes()

"""A second person in a review, in a process of her own, until she is killed: run by test_together_killed.py.

    together_child.py FOLDER SEED    decide, undo, look around and save in FOLDER

Prints a line as soon as a call has returned: what was confirmed by then has to be found afterwards.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

from reviewing import Desk, claim

from memaudit.domain import DecisionKind
from memaudit.errors import MemauditError, StoreError
from memaudit.review.session import Review

RULES = 8


def memory() -> str:
    return "# Rules\n\n" + "".join(f"- Rule number {one} stands as it was written.\n" for one in range(RULES))


def act(review: Review, chance: random.Random, number: int) -> dict[str, object]:
    """Do something at random, and tell what is certain now."""
    what = chance.choice(["decide"] * 5 + ["undo", "look", "look", "save"])
    if what == "look":
        review.look_around()
    elif what == "undo":
        try:
            review.undo()
        except StoreError:
            what = "refused"
    elif what == "save":
        report = review.save()
        return {"did": what, "conflicts": len(report.conflicts), "failed": len(report.failed)}
    else:
        return {"did": what, **decide(review, chance.randrange(RULES), number)}
    return {"did": what}


def decide(review: Review, rule: int, number: int) -> dict[str, object]:
    words = f"Rule number {rule} "
    try:
        one = claim(review, words)
    except AssertionError:
        return {}
    text = f"Rule number {rule} stands as {review.author} wrote it in turn {number}."
    decision = review.decision(one.id, DecisionKind.REWRITE, text)
    if number % 7 == 3:
        decision = review.decision(one.id, DecisionKind.RETIRE)
    try:
        review.decide([decision])
    except MemauditError as error:
        return {"refused": str(error)}
    return {"kind": decision.kind.value, "text": decision.text, "at": decision.at, "by": decision.by}


def main(folder: Path, seed: str) -> None:
    review = Desk(folder, memory=None).review(author="Mara")
    chance = random.Random(seed)
    for number in range(5_000):
        print(json.dumps(act(review, chance, number)), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])

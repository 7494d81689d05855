"""What the results of tests show, as evidence: each test with its place at base and at head."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memaudit.domain import Evidence, Location
from memaudit.oracle.junit import Case, Result, cut
from memaudit.oracle.plan import Plan
from memaudit.repo.snapshot import Snapshot

_MOST = 8
_MOST_SAID = 300
"""Characters of why a test failed beside its place: all of it stands in the verdict."""
_LONGEST_NAME = 500


def evidence(
    plan: Plan, base: Snapshot, head: Snapshot, first: Sequence[Case], after: Sequence[Case]
) -> tuple[Evidence, ...]:
    """The tests that were run, those that came out otherwise at head in front, where they stand, and how
    they ended on either side.
    """
    at_head = {case.name: case for case in after}
    cases = sorted(first, key=lambda case: _differs(case, at_head.get(case.name)), reverse=True)
    found = []
    for case in cases[:_MOST]:
        function = case.name.rpartition("::")[2].partition("[")[0]
        module = case.name.rpartition("::")[0]
        if len(function) > _LONGEST_NAME:
            continue
        # Where several files have a test of that name, the one that the results name is looked at first.
        files = sorted(plan.laid.items(), key=lambda item: _stem(item[0]) not in module)
        for path, laid in files:
            line = _line_of(function, laid.decode("utf-8", "replace"))
            if line is None:
                continue
            # A test that memaudit made itself is in no revision.
            own = base.text(path) is None
            other = None if own else _place(function, path, head.text(path))
            place = None if own else Location(path, *line)
            name = f"{path}::{function}"
            note = _note(case, at_head.get(case.name), ran=bool(after))
            found.append(Evidence(name, place, other, note=note))
            break
    return tuple(found)


def counted(cases: Sequence[Case]) -> str:
    """How many tests ended how: ``1 failed, 2 passed``; empty for none."""
    order = (Result.FAILED, Result.ERROR, Result.PASSED, Result.SKIPPED)
    counts = [(sum(case.result is result for case in cases), result) for result in order]
    return ", ".join(f"{count} {result.value}" for count, result in counts if count)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".py")


def _differs(case: Case, other: Case | None) -> bool:
    return other is not None and other.result is not case.result


def _line_of(function: str, text: str) -> tuple[int, str] | None:
    """The number of the line a test begins at, from 1, and the line."""
    begins = re.compile(rf"\s*(?:async )?def {re.escape(function)}\b")
    for number, line in enumerate(text.split("\n"), 1):
        if begins.match(line):
            return number, line.strip()
    return None


def _place(function: str, path: str, text: str | None) -> Location | None:
    line = _line_of(function, text) if text is not None else None
    return Location(path, *line) if line is not None else None


def _note(case: Case, other: Case | None, *, ran: bool) -> str:
    told = f"the test {_said(case)} at base"
    if other is not None:
        return f"{told}, {_said(other)} at head"
    return f"{told}, not run at head" if ran else told


def _said(case: Case) -> str:
    return case.result.value + (f" ({cut(case.message, _MOST_SAID)})" if case.message else "")

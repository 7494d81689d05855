"""The trial of one claim: its check at base and at head, twice each at most, and the verdict."""

from __future__ import annotations

import enum
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from memaudit.domain import Claim, Judgement, Origin, Verdict
from memaudit.errors import MemauditError, UsageError
from memaudit.oracle import facts
from memaudit.oracle.cage import Cage, find_cage
from memaudit.oracle.checkout import check_out, put
from memaudit.oracle.ending import Stop
from memaudit.oracle.junit import Case, Result, cut, read_results
from memaudit.oracle.leftovers import Folder, remove_leftovers
from memaudit.oracle.plan import RESULTS, Plan
from memaudit.oracle.removing import remove
from memaudit.oracle.running import STOPPED, Ended, Limits, Room, launcher, run
from memaudit.patterns import lazy_regex
from memaudit.repo.snapshot import Snapshot

NAME = "oracle"

_NOT_STARTED = 97
_MOST_WHY = 4_000
_LACKING = lazy_regex(
    r"command not found|: not found|No such file or directory|ModuleNotFoundError|Cannot find module"
    r"|MemoryError|Read-only file system|Network is unreachable"
)
"""What a command says that lacks something here, rather than fails by what it does."""
_RULER = lazy_regex(r"^([=!_-])\1.*\1\1\s*$", re.MULTILINE)
"""Lines that pytest draws across: they count, and say nothing of why."""
_NO_MODULE = lazy_regex(r"No module named '([\w.]+)'")
_OF_THE_MACHINE = lazy_regex(r"\bMemoryError\b|Read-only file system|Network is unreachable|No space left")
_BY_ASSERTION = ("assert ", "AssertionError", "Failed: DID NOT RAISE")
"""How a test says that what it asserts is not so, rather than that it could not be run to its end."""


class StoppedError(MemauditError):
    """A check was stopped before its end, so there is no verdict."""

    def __init__(self) -> None:
        super().__init__("the check was stopped, with all that it had started")


class Outcome(enum.StrEnum):
    """What one run of a check shows."""

    PASSED = "passed"
    FAILED = "failed"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Ran:
    """One run: ``why`` says in words why it failed or shows nothing, ``reason`` is its short token,
    ``tests`` are the names of those that passed, ``cases`` is all that the results file tells.
    """

    outcome: Outcome
    reason: str = ""
    why: str = ""
    tests: frozenset[str] = frozenset()
    cases: tuple[Case, ...] = ()


class Trial:
    """A check that is ready to run; nothing of it runs before :meth:`judge`.

    Everything happens in a folder for temporary files, which :meth:`close` removes. Raises MemauditError
    when that cannot be made.
    """

    def __init__(
        self,
        claim: Claim,
        plan: Plan,
        base: Snapshot,
        head: Snapshot,
        *,
        limits: Limits,
        hidden: Path | None = None,
        cage: Cage | None = None,
    ) -> None:
        self.plan = plan
        self.limits = limits
        self._claim = claim
        self._base = base
        self._head = head
        self._hidden = hidden
        self._runs = 0
        self._stop = Stop()
        self._shown: list[Ran] = []
        """The runs that count: the first one at base, the first one at head."""
        remove_leftovers()
        try:
            self._kept = Folder()
        except OSError as error:
            raise _no_room(error) from error
        self._folder = self._kept.path
        try:
            self.cage = cage or find_cage(
                self._folder, lambda one: launcher(self._folder, one, Limits(), self._folder)
            )
        except BaseException:
            self.close()
            raise

    def close(self) -> str:
        """Remove the throw-away copies; what cannot be removed is told in one line, empty for nothing."""
        self._stop.close()
        return self._kept.close()

    def stop(self) -> None:
        """End what is running at once, from any thread; :meth:`judge` then raises StoppedError."""
        self._stop.give()

    def judge(self, told: Callable[[str], None] = lambda _: None) -> Judgement:
        """Run the check and give the verdict; ``told`` hears what is being run.

        A check that fails at base, that shows nothing, or that does not always show the same gives no
        verdict. Raises MemauditError when a copy cannot be made or the check cannot be started, StoppedError
        when it was stopped.
        """
        name = self.plan.called
        told(f"base {self._base.rev[:10]}, first run")
        first = self._once(self._base)
        self._shown = [first]
        if first.outcome is Outcome.NOTHING:
            return self._unknown(first.reason, f"at base {first.why}")
        told(f"base {self._base.rev[:10]}, second run")
        if not _agree(first, self._once(self._base)):
            return self._unknown("flaky", f"at base {name} does not always give the same result")
        if first.outcome is Outcome.FAILED:
            return self._unknown("fails-at-base", f"{name} proves nothing, at base it fails: {first.why}")
        told(f"head {self._head.rev[:10]}")
        after = self._compared(first, self._once(self._head))
        self._shown.append(after)
        if after.outcome is Outcome.NOTHING:
            return self._unknown(after.reason, f"at head {after.why}")
        if after.outcome is Outcome.PASSED:
            why = f"{name} passes at base and at head{_tests(after)}"
            return self._verdict(Verdict.HELD, "passes-at-head", why, 0.7 if self.plan.drafted else 0.95)
        told(f"head {self._head.rev[:10]}, again")
        if not _agree(after, self._compared(first, self._once(self._head))):
            return self._unknown("flaky", f"at head {name} does not always give the same result")
        why = f"{name} passes at base and fails at head: {after.why}{_tests(after)}"
        return self._verdict(Verdict.STALE, "fails-at-head", why, 0.85 if self.plan.drafted else 0.97)

    def _once(self, side: Snapshot) -> Ran:
        """One run in a copy of its own."""
        if self._stop.given:
            raise StoppedError
        self._runs += 1
        try:
            room = Room(self._folder / f"run-{self._runs}")
            check_out(side, room.tree)
            for path, data in self.plan.laid.items():
                put(room.tree, path, data)
            folder = room.tree / self.plan.folder
            if not folder.resolve().is_relative_to(room.tree):
                raise UsageError("it leads out of the throw-away copy", self.plan.folder)
            folder.mkdir(parents=True, exist_ok=True)
            imports = os.pathsep.join(str(room.tree / one) for one in self.plan.imports)
            before = launcher(room.folder, self.cage, self.limits, room.folder, self.plan.argv)
            argv = [*before, *self.plan.argv]
            ended = run(
                self.cage.wrapped(argv, room.folder, folder, self._hidden),
                folder,
                room.environment({"PYTHONPATH": imports}),
                self.limits,
                self._stop,
            )
            if ended.over == STOPPED:
                raise StoppedError
            return self._read(ended, room.folder / RESULTS)
        except OSError as error:
            raise _no_room(error) from error
        finally:
            remove(self._folder / f"run-{self._runs}")

    def _read(self, ended: Ended, results: Path) -> Ran:
        if ended.over:
            token = "flood" if ended.over == "output" else "timed-out"
            return Ran(Outcome.NOTHING, token, f"the check went over its limit of {ended.over}")
        if ended.code == _NOT_STARTED:
            raise MemauditError("the check could not be started", "oracle", _last_line(ended.output))
        if not self.plan.tests:
            return self._by_exit_code(ended)
        cases = read_results(results)
        if cases is None or ended.code not in (0, 1):
            if gone := self._gone(ended.output):
                return Ran(Outcome.NOTHING, "no-result", gone)
            what = _last_line(_RULER.sub("", ended.output))
            return Ran(Outcome.NOTHING, "no-result", f"the tests gave no results: {what}")
        return replace(self._by_tests(cases), cases=tuple(cases))

    def _gone(self, output: str) -> str:
        """In words, that a test which was asked for is not in its file; empty where it is."""
        for word in self.plan.argv:
            file, _, test = word.partition("::")
            if test and re.search(rf"not found: .*{re.escape(word)}\s*$", output, re.MULTILINE):
                path = f"{self.plan.folder}/{file}" if self.plan.folder else file
                return f"{test} is not among the tests of {path}"
        return ""

    def _by_exit_code(self, ended: Ended) -> Ran:
        if ended.code == 0:
            return Ran(Outcome.PASSED)
        lacking = _LACKING.search(ended.output)
        if ended.code < 0 or ended.code in (126, 127) or ended.code > 128 or lacking:
            what = f": {_last_line(ended.output)}" if lacking else f" (exit code {ended.code})"
            return Ran(Outcome.NOTHING, "no-result", f"the command could not do its work here{what}")
        return Ran(Outcome.FAILED, "", f"exit code {ended.code}: {_last_line(ended.output)}")

    def _by_tests(self, cases: Sequence[Case]) -> Ran:
        told = [case for case in cases if case.result is not Result.SKIPPED]
        if not told:
            return Ran(Outcome.NOTHING, "no-result", "no test was run, or all were skipped")
        for case in told:
            if case.result is Result.ERROR:
                why = f"a test could not be set up or collected: {case.message}"
                return Ran(Outcome.NOTHING, "no-result", why)
        failed = [case for case in told if case.result is Result.FAILED]
        for case in failed:
            if lacking := self._lacking(case):
                return Ran(Outcome.NOTHING, "no-result", f"a test lacks something here: {lacking}")
            if self.plan.drafted and not case.message.startswith(_BY_ASSERTION):
                why = f"the drafted check ended otherwise than by what it asserts: {case.message}"
                return Ran(Outcome.NOTHING, "no-result", why)
        passed = frozenset(case.name for case in told if case.result is Result.PASSED)
        if failed:
            return Ran(Outcome.FAILED, "", failed[0].message, passed)
        return Ran(Outcome.PASSED, tests=passed)

    def _lacking(self, case: Case) -> str:
        """What a test failed for want of, if that is no part of the repository."""
        module = _NO_MODULE.search(case.text)
        if module is not None:
            name = module[1].partition(".")[0]
            ours = self._base.by_name(name) or self._base.by_name(f"{name}.py")
            return "" if ours else cut(module[0])
        machine = _OF_THE_MACHINE.search(case.text)
        return machine[0] if machine else ""

    def _compared(self, base: Ran, head: Ran) -> Ran:
        """The run at head, in which every test that passed at base must have been run."""
        if head.outcome is Outcome.PASSED and base.tests - head.tests:
            return Ran(Outcome.NOTHING, "no-result", "not every test that passed at base was run")
        return head

    def _unknown(self, reason: str, why: str) -> Judgement:
        return self._verdict(Verdict.UNKNOWN, reason, why, 0.5)

    def _verdict(self, verdict: Verdict, reason: str, why: str, confidence: float) -> Judgement:
        return Judgement(
            claim_id=self._claim.id,
            verdict=verdict,
            reason=reason,
            why=cut("; ".join([why, *self.plan.notes]), _MOST_WHY),
            judge=NAME,
            confidence=confidence,
            origin=Origin.RANGE if verdict is Verdict.STALE else None,
            evidence=facts.evidence(self.plan, self._base, self._head, *self._results()),
        )

    def _results(self) -> tuple[tuple[Case, ...], tuple[Case, ...]]:
        """What the tests came to at base and at head, as far as that was run."""
        first, after = (*self._shown, Ran(Outcome.NOTHING), Ran(Outcome.NOTHING))[:2]
        return first.cases, after.cases


def _tests(ran: Ran) -> str:
    """How many tests ended how, behind what is said of a run; nothing of one test alone."""
    return f" ({facts.counted(ran.cases)})" if len(ran.cases) > 1 else ""


def _agree(one: Ran, other: Ran) -> bool:
    return (one.outcome, one.tests) == (other.outcome, other.tests)


def _last_line(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "no output"


def _no_room(error: OSError) -> MemauditError:
    what = error.strerror or str(error)
    return MemauditError(f"no throw-away copy can be made: {what}", str(error.filename or ""), "see TMPDIR")

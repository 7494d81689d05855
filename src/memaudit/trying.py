"""The check of a claim, made ready: what a person agrees to, then the trial. Both front doors call this."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from memaudit.domain import Claim
from memaudit.oracle.checks import Check, CheckKind
from memaudit.oracle.plan import Plan, find_python, plan
from memaudit.oracle.running import Limits
from memaudit.oracle.trial import Trial
from memaudit.repo.snapshot import Snapshot

Entries: TypeAlias = Iterable[tuple[str, str]]
"""What a person is asked to agree to: labels and words; an empty label goes on with the one before.

The words hold text of the repository as it is: whoever shows them makes it visible.
"""

_SHORT = 10
_NOTE = "This runs code of the repository. It gets none of your environment but PATH and the language."


@dataclass(frozen=True, slots=True)
class Sides:
    """Where a check is run: the files at base and at head, and the working tree that it must not see."""

    base: Snapshot
    head: Snapshot
    root: Path | None

    @property
    def hidden(self) -> Path | None:
        """The working tree; None where all programs would be hidden with it."""
        return self.root if self.root is not None and len(self.root.parts) > 2 else None


def make_ready(
    claim: Claim, check: Check, sides: Sides, python: str | None = None, limits: Limits | None = None
) -> Trial:
    """The trial of the check that a claim carries; nothing runs yet, and it has to be closed.

    Raises UsageError for a check that base does not have, MemauditError where no copy can be made.
    """
    planned = plan(claim, check, sides.base, sides.head, find_python(python, sides.root))
    return trial_of(claim, planned, sides, limits)


def trial_of(claim: Claim, planned: Plan, sides: Sides, limits: Limits | None = None) -> Trial:
    """The trial of a check of which it is known how to run it."""
    return Trial(claim, planned, sides.base, sides.head, limits=limits or Limits(), hidden=sides.hidden)


def asked(claim: Claim, check: Check | None, trial: Trial, sides: Sides) -> Entries:
    """What a person is asked to agree to before a check runs.

    Without a ``check`` that the claim carries, it is a drafted one, and that is shown whole.
    """
    planned, limits = trial.plan, trial.limits
    yield "claim", f"{claim.document}:{claim.line_start}  {' '.join(claim.text.split())}"
    yield "command", shlex.join(planned.argv)
    below = f", folder {planned.folder}" if planned.folder else ""
    base, head = sides.base.rev[:_SHORT], sides.head.rev[:_SHORT]
    yield "run in", f"throw-away copies of base {base} and head {head}{below}, each up to twice"
    output = limits.output // 1024**2
    yield "limits", f"{limits.seconds} s and {limits.memory // 1024**2:,} MB a run, {output} MB of output"
    yield "network", trial.cage.network
    yield "files", trial.cage.files
    yield "note", _NOTE
    yield from (("", note) for note in planned.notes)
    if check is None:
        yield "draft", "written by a model, put into the copies only:"
        for source in planned.laid.values():
            yield from (("", line) for line in source.decode("utf-8", "replace").splitlines())
    elif check.kind is CheckKind.SNIPPET:
        yield "snippet", "as a test of its own:"
        yield from (("", line) for line in check.words[0].splitlines())

"""``memaudit oracle``: the check of one claim, run at base and at head after consent."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from memaudit.domain import AuditRequest, Claim, Judgement, Verdict
from memaudit.errors import UsageError
from memaudit.text import visible

if TYPE_CHECKING:
    from memaudit.audit import Audit
    from memaudit.oracle.checks import Check
    from memaudit.oracle.trial import Trial
    from memaudit.repo.snapshot import Snapshot

_SHORT = 10


def add_options(parser: argparse.ArgumentParser) -> None:
    """What can be given on the command line beside what every audit takes."""
    parser.add_argument("place", metavar="FILE:LINE", help="the claim, as memaudit check shows it")
    parser.add_argument("--yes", action="store_true", help="run it without asking")
    parser.add_argument("--python", metavar="FILE", help="the Python that runs tests (default: see the docs)")
    parser.add_argument("--timeout", type=int, default=60, metavar="SECONDS", help="for a run; default: 60")
    parser.add_argument("--memory", type=int, default=4096, metavar="MB", help="for a process; default: 4096")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


def oracle(
    request: AuditRequest, options: argparse.Namespace, told: Callable[[str], None]
) -> tuple[str, bool]:
    """Run the check of the claim at ``options.place``: the report, and whether the claim is stale.

    ``told`` hears what is about to happen, and nothing of the repository runs before the user agrees,
    by ``--yes`` or at the terminal. Raises MemauditError, UsageError where nobody agreed.
    """
    from memaudit.audit import Audit
    from memaudit.oracle.plan import find_python, plan
    from memaudit.oracle.running import Limits
    from memaudit.oracle.trial import Trial

    if options.timeout < 1 or options.memory < 1:
        raise UsageError("not a limit", "--timeout, --memory", "give whole numbers from 1 on")
    limits = Limits(seconds=options.timeout, memory=options.memory * 1024**2)
    audit = Audit(request)
    claim, check = _claim_at(audit, options.place)
    base, head = audit.sides(claim)
    planned = plan(claim, check, base, head, find_python(options.python, audit.repository.root))
    trial = Trial(claim, planned, base, head, limits=limits, hidden=_hidden(audit))
    try:
        told("\n".join(visible(line) for line in _asked(claim, check, trial, base, head)))
        if not (options.yes or _agreed()):
            raise UsageError("nothing was run", options.place, "answer y, or give --yes")
        judgement = trial.judge(lambda line: told(f"running  {line}"))
    finally:
        trial.close()
    return _report(claim, judgement, options.format), judgement.verdict is Verdict.STALE


def _agreed() -> bool:
    """Whether the person at the terminal says yes; where there is none, nobody does."""
    if sys.stdin is None or not sys.stdin.isatty():
        return False
    sys.stderr.write("Run it? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _claim_at(audit: Audit, place: str) -> tuple[Claim, Check]:
    """The claim on a line that carries a check, and the check."""
    from memaudit.oracle.checks import find_check

    file, _, number = place.rpartition(":")
    if not file or not number.isdecimal():
        raise UsageError("not a line", place, "write it as FILE:LINE, as memaudit check shows it")
    names = {file.removeprefix("./"), f"{audit.repository.prefix}/{file}", str(Path(file).absolute())}
    if audit.repository.root is not None:
        real = Path(file).resolve()
        names |= {real.relative_to(audit.repository.root).as_posix()} if _lies_in(real, audit) else set()
    documents = [one for store in audit.stores for one in store.documents]
    on_line: list[tuple[Claim, bytes]] = []
    for document in documents:
        if names.intersection((document.path, *document.aliases)):
            on_line += [
                (claim, document.raw)
                for claim in document.claims
                if claim.line_start <= int(number) <= claim.line_end
            ]
    if not on_line:
        raise UsageError("no claim stands there", place, "memaudit check --all lists claims with their lines")
    refusals: list[UsageError] = []
    found: list[tuple[Claim, Check]] = []
    for claim, raw in on_line:
        try:
            found.append((claim, find_check(claim, raw)))
        except UsageError as error:
            refusals.append(error)
    if not found:
        raise refusals[0]
    return found[0]


def _lies_in(path: Path, audit: Audit) -> bool:
    return audit.repository.root is not None and path.is_relative_to(audit.repository.root)


def _hidden(audit: Audit) -> Path | None:
    """The working tree, which a check has no business in; nothing where all programs would go with it."""
    root = audit.repository.root
    return root if root is not None and len(root.parts) > 2 else None


def _asked(claim: Claim, check: Check, trial: Trial, base: Snapshot, head: Snapshot) -> Iterator[str]:
    """What the user is asked to agree to."""
    planned, limits = trial.plan, trial.limits
    yield f"{claim.document}:{claim.line_start}  {' '.join(claim.text.split())}"
    yield ""
    yield f"command  {shlex.join(planned.argv)}"
    if check.kind == "snippet":
        yield "snippet  the one above, as a test of its own"
        yield from (f"         {line}" for line in check.words[0].splitlines())
    yield f"run in   throw-away copies of base {base.rev[:_SHORT]} (twice) and head {head.rev[:_SHORT]}" + (
        f", folder {planned.folder}" if planned.folder else ""
    )
    yield f"limits   {limits.seconds} s and {limits.memory // 1024**2:,} MB a run, 1 MB of output"
    yield f"network  {trial.cage.network}"
    yield f"files    {trial.cage.files}"
    yield "This runs code of the repository. It gets none of your environment but PATH and the language."
    yield from planned.notes


def _report(claim: Claim, judgement: Judgement, form: str) -> str:
    if form == "json":
        from memaudit import wire

        value = wire.claim_to_json(claim, judgement)
        return wire.printable(json.dumps(value, ensure_ascii=False, indent=1)) + "\n"
    mark = {Verdict.STALE: "✗ stale", Verdict.HELD: "✓ held", Verdict.UNKNOWN: "? unknown"}
    return (
        visible(f"{mark[judgement.verdict]}  {claim.document}:{claim.line_start}  [{judgement.reason}]")
        + "\n    "
        + visible(judgement.why)
        + "\n"
    )

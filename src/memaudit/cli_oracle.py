"""``memaudit oracle``: the check of one claim, run at base and at head after consent."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from memaudit.domain import AuditRequest, Claim, Judgement, Verdict
from memaudit.errors import UsageError
from memaudit.oracle.checks import find_check
from memaudit.text import visible

if TYPE_CHECKING:
    from memaudit.audit import Audit
    from memaudit.oracle.checks import Check
    from memaudit.oracle.running import Limits
    from memaudit.oracle.trial import Trial
    from memaudit.settings_model import ModelSettings


def add_options(parser: argparse.ArgumentParser) -> None:
    """What can be given on the command line beside what every audit takes."""
    parser.add_argument("place", metavar="FILE:LINE", help="the claim, as memaudit check shows it")
    parser.add_argument("--yes", action="store_true", help="run it without asking")
    parser.add_argument(
        "--draft", action="store_true", help="have a model write the check of a claim that carries none"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="with --draft: print the request, and send nothing"
    )
    parser.add_argument("--python", metavar="FILE", help="the Python that runs tests (default: see the docs)")
    parser.add_argument("--timeout", type=int, default=60, metavar="SECONDS", help="for a run; default: 60")
    parser.add_argument("--memory", type=int, default=4096, metavar="MB", help="for a process; default: 4096")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


def oracle(
    request: AuditRequest, options: argparse.Namespace, model: ModelSettings, told: Callable[[str], None]
) -> tuple[str, bool]:
    """Run the check of the claim at ``options.place``: the report, and whether the claim is stale.

    ``told`` hears what is about to happen, and nothing of the repository runs before the user agrees,
    by ``--yes`` or at the terminal. Raises MemauditError, UsageError where nobody agreed.
    """
    from memaudit import trying
    from memaudit.audit import Audit

    limits = _limits(options)
    if options.dry_run and not options.draft:
        raise UsageError("there is nothing to send", "--dry-run", "use it with --draft")
    audit = Audit(request)
    if options.draft:
        return _draft(audit, options, model, limits, told)
    claim, check = _checked(audit, options.place)
    sides = trying.Sides(*audit.sides(claim), audit.repository.root)
    trial = trying.make_ready(claim, check, sides, options.python, limits)
    try:
        told(shown(trying.asked(claim, check, trial, sides)))
        if not (options.yes or _agreed()):
            raise UsageError("nothing was run", options.place, "answer y, or give --yes")
        judgement = trial.judge(lambda line: told(f"running  {line}"))
    finally:
        _close(trial, told)
    return _report(claim, judgement, options.format), judgement.verdict is Verdict.STALE


def _draft(
    audit: Audit,
    options: argparse.Namespace,
    model: ModelSettings,
    limits: Limits,
    told: Callable[[str], None],
) -> tuple[str, bool]:
    """The same with a check that a model writes: consent and price first, then the draft is looked at."""
    from memaudit import drafted_checks, trying
    from memaudit.judges.model.check_call import check_cap
    from memaudit.judges.model.consent import require_consent
    from memaudit.judges.model.prompt import readable
    from memaudit.oracle.drafted import no_check

    if not options.dry_run:
        require_consent(audit.state_folder, model)
    claim = _unchecked(audit, options.place)
    judgements = {one.id: judgement for one, judgement in audit.run()}
    ask = drafted_checks.make_request(audit, claim, judgements[claim.id], model)
    most = drafted_checks.price(ask, model)
    if options.dry_run:
        head = f"{model.name} at {model.host}: {most}; nothing was sent"
        return f"{visible(head)}\n\n{visible(readable(ask.sent), keep_lines=True)}\n", False
    check_cap(ask, model)
    told(visible(f"{model.name} at {model.host}: {most}"))
    draft = drafted_checks.draft(audit, ask, model)
    told(drafted_checks.billed(draft))
    if why := drafted_checks.why_unusable(ask, draft.source):
        told(visible(draft.source, keep_lines=True))
        return _report(claim, no_check(claim, why), options.format), False
    sides = trying.Sides(*audit.sides(claim), audit.repository.root)
    trial = drafted_checks.make_ready(ask, draft.source, sides, options.python, limits)
    try:
        told(shown(trying.asked(claim, None, trial, sides)))
        # What nobody has read is not run with all rights.
        caged = trial.cage.shuts_files and trial.cage.cuts_network
        if not ((options.yes and caged) or _agreed()):
            fix = "answer y, or give --yes" if caged else "answer y: without a cage --yes is not enough"
            raise UsageError("nothing was run", options.place, fix)
        judgement = trial.judge(lambda line: told(f"running  {line}"))
    finally:
        _close(trial, told)
    return _report(claim, judgement, options.format), judgement.verdict is Verdict.STALE


def _close(trial: Trial, told: Callable[[str], None]) -> None:
    if left := trial.close():
        told(visible(f"memaudit: {left}"))


def _limits(options: argparse.Namespace) -> Limits:
    from memaudit.oracle.running import Limits

    if options.timeout < 1 or options.memory < 1:
        raise UsageError("not a limit", "--timeout, --memory", "give whole numbers from 1 on")
    return Limits(seconds=options.timeout, memory=options.memory * 1024**2)


def shown(entries: Iterable[tuple[str, str]]) -> str:
    """What is asked, as lines for a terminal."""
    (_, claim), *rest = entries
    return "\n".join(visible(line) for line in (claim, "", *(f"{label:<8} {text}" for label, text in rest)))


def _agreed() -> bool:
    """Whether the person at the terminal says yes; where there is none, nobody does."""
    if sys.stdin is None or not sys.stdin.isatty():
        return False
    sys.stderr.write("Run it? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _checked(audit: Audit, place: str) -> tuple[Claim, Check]:
    """The claim on a line that carries a check, and the check."""
    refusals: list[UsageError] = []
    for claim, raw in _claims_at(audit, place):
        try:
            return claim, find_check(claim, raw)
        except UsageError as error:
            refusals.append(error)
    raise refusals[0]


def _unchecked(audit: Audit, place: str) -> Claim:
    """The first claim on a line, if none there carries a check of its own."""
    on_line = _claims_at(audit, place)
    if any(_carries_check(claim, raw) for claim, raw in on_line):
        raise UsageError("this claim carries a check of its own", place, "leave --draft away")
    return on_line[0][0]


def _carries_check(claim: Claim, raw: bytes) -> bool:
    try:
        find_check(claim, raw)
    except UsageError:
        return False
    return True


def _claims_at(audit: Audit, place: str) -> list[tuple[Claim, bytes]]:
    """The claims on a line, each with the bytes of its document. Raises UsageError where there is none."""
    file, _, number = place.rpartition(":")
    if not file or not number.isdecimal():
        raise UsageError("not a line", place, "write it as FILE:LINE, as memaudit check shows it")
    names = {file.removeprefix("./"), f"{audit.repository.prefix}/{file}", str(Path(file).absolute())}
    if audit.repository.root is not None:
        real = Path(file).resolve()
        names |= {real.relative_to(audit.repository.root).as_posix()} if _lies_in(real, audit) else set()
    documents = [one for store in audit.stores for one in store.documents]
    on_line = [
        (claim, document.raw)
        for document in documents
        if names.intersection((document.path, *document.aliases))
        for claim in document.claims
        if claim.line_start <= int(number) <= claim.line_end
    ]
    if not on_line:
        raise UsageError("no claim stands there", place, "memaudit check --all lists claims with their lines")
    return on_line


def _lies_in(path: Path, audit: Audit) -> bool:
    return audit.repository.root is not None and path.is_relative_to(audit.repository.root)


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

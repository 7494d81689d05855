"""What an audit costs beside what git itself takes for the same range.

    python benchmarks/audit.py REPOSITORY... [--claims 200] [--commits 1000] [--base REV] [--store-at REV]

Each REPOSITORY is a work tree or a git directory. Its range ends at HEAD and begins so many first parents
before; the store is read as of the range's base, or as of its head where base has none with enough claims.
Four commands are run one after the other, each a process of its own, and measured from their start to their
end: ``git diff --stat -M``, ``git log --stat``, the first audit (nothing known) and the second. The whole
is repeated and the least of each figure kept, which is what the machine does when nothing else disturbs it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

_ENOUGH_COMMITS = 1000
_ENOUGH_CLAIMS = 200


class Cost(NamedTuple):
    """CPU of a process and its children, time on the wall, both in seconds; the most memory in MiB."""

    cpu: float
    wall: float
    memory: float

    def least(self, other: Cost) -> Cost:
        """The smaller times of two runs, and the larger memory."""
        return Cost(min(self.cpu, other.cpu), min(self.wall, other.wall), max(self.memory, other.memory))


class Range(NamedTuple):
    """What is audited: the commits of ``base..head`` and the revision that the store is read from."""

    base: str
    head: str
    commits: int
    files: int
    store_at: str
    claims: int


def main() -> None:
    """Measure the repositories named on the command line and print a table in Markdown."""
    options = _options()
    if options.audit:
        _audit(options)
        return
    print(f"{_git(None, 'version')}; Python {sys.version.split()[0]}\n")
    print("| repository | commits | files | claims | what | CPU s | wall s | peak MiB | CPU ratio | target |")
    print("| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | --- | ---: |")
    for repository in options.repositories:
        chosen = _chosen(repository, options)
        costs = _measured(repository, chosen, options)
        for row in _rows(repository, chosen, costs):
            print("| " + " | ".join(row) + " |", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path, metavar="REPOSITORY")
    parser.add_argument("--claims", type=int, default=_ENOUGH_CLAIMS, help="at most so many; 0 is all")
    parser.add_argument("--commits", type=int, default=_ENOUGH_COMMITS, help="first parents in the range")
    parser.add_argument("--base", metavar="REV", help="begin the range here instead")
    parser.add_argument("--store-at", metavar="REV", help="read the store as of this revision")
    parser.add_argument("--repeat", type=int, default=3, help="how often all is measured")
    parser.add_argument("--audit", metavar="RANGE", help=argparse.SUPPRESS)
    parser.add_argument("--report", type=Path, metavar="FILE", help=argparse.SUPPRESS)
    return parser.parse_args()


def _audit(options: argparse.Namespace) -> None:
    """One audit of the first claims of a store, as ``memaudit check --format json`` does it."""
    from memaudit.collecting import collect_seldom

    collect_seldom()
    from memaudit import wire
    from memaudit.audit import Audit
    from memaudit.domain import AuditRequest, Store
    from memaudit.domain import Cost as Price

    def first(stores: Sequence[Store], left: int) -> list[Store]:
        found = []
        for store in stores:
            documents = []
            for document in store.documents:
                documents.append(replace(document, claims=document.claims[:left]))
                left -= len(documents[-1].claims)
            found.append(replace(store, documents=tuple(documents)))
        return found

    audit = Audit(
        AuditRequest(options.repositories[0], range=options.audit, store_at=options.store_at, stores=())
    )
    if options.claims:
        audit.stores = first(audit.stores, options.claims)
    judged = list(audit.run())
    value = wire.report_to_json(audit.repository.name, audit.range, audit.stores, judged, Price())
    options.report.write_text(wire.printable(json.dumps(value, ensure_ascii=False, indent=1)), "utf-8")


def _chosen(repository: Path, options: argparse.Namespace) -> Range:
    head = _git(repository, "rev-parse", "HEAD")
    base = _git(
        repository, "rev-list", "--first-parent", f"--skip={options.commits}", "--max-count=1", head
    ) or _git(repository, "rev-list", "--first-parent", "--max-parents=0", head)
    if options.base:
        base = _git(repository, "rev-parse", options.base)
    wanted = options.claims or 1
    stores = [_git(repository, "rev-parse", options.store_at)] if options.store_at else [base, head]
    counts = {store: _claims(repository, store) for store in stores}
    store = next((store for store in stores if counts[store] >= wanted), max(stores, key=counts.__getitem__))
    if not counts[store]:
        sys.exit(f"{repository}: no memory store at {' or '.join(stores)}; name a revision with --store-at")
    return Range(
        base,
        head,
        int(_git(repository, "rev-list", "--count", f"{base}..{head}")),
        len(_git(repository, "ls-tree", "-r", "--name-only", head).splitlines()),
        store,
        min(counts[store], options.claims or counts[store]),
    )


def _claims(repository: Path, revision: str) -> int:
    from memaudit.audit import Audit
    from memaudit.domain import AuditRequest
    from memaudit.errors import StoreError

    try:
        return len(Audit(AuditRequest(repository, store_at=revision, range=f"{revision}..HEAD")).claims)
    except StoreError:
        return 0


def _measured(repository: Path, chosen: Range, options: argparse.Namespace) -> dict[str, Cost]:
    span = f"{chosen.base}..{chosen.head}"
    git = ["git", "-C", str(repository)]
    costs: dict[str, Cost] = {}
    for _ in range(options.repeat):
        with tempfile.TemporaryDirectory(prefix="memaudit-benchmark-") as folder:
            audit = [sys.executable, __file__, str(repository), "--audit", span]
            audit += ["--store-at", chosen.store_at, "--claims", str(options.claims)]
            audit += ["--report", f"{folder}/report.json"]
            state = {"MEMAUDIT_STATE": f"{folder}/state"}
            for what, command, settings in (
                ("git diff --stat -M", [*git, "diff", "--stat", "-M", span], {}),
                ("git log --stat", [*git, "log", "--stat", span], {}),
                ("first audit", audit, state),
                ("second audit", audit, state),
            ):
                cost = _cost(command, settings)
                costs[what] = cost.least(costs.get(what, cost))
    return costs


def _cost(command: Sequence[str], settings: dict[str, str]) -> Cost:
    # As installed: whatever was set for developing, modules are compiled once and not at every start.
    environment = {**os.environ, **settings}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    started = time.monotonic()
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return Cost(usage.ru_utime + usage.ru_stime, time.monotonic() - started, usage.ru_maxrss / unit)


def _rows(repository: Path, chosen: Range, costs: dict[str, Cost]) -> list[list[str]]:
    rows = []
    for what, cost in costs.items():
        beside, target = {
            "first audit": ("git log --stat", 1),
            "second audit": ("git diff --stat -M", 3),
        }.get(what, ("", 0))
        rows.append(
            [
                *([_name(repository), f"{chosen.commits:,}", f"{chosen.files:,}", f"{chosen.claims:,}"]),
                what,
                f"{cost.cpu:.2f}",
                f"{cost.wall:.2f}",
                f"{cost.memory:.0f}",
                f"{cost.cpu / costs[beside].cpu:.2f} of {beside}" if beside else "",
                f"{target:.2f}" if beside else "",
            ]
        )
    return rows


def _name(repository: Path) -> str:
    """The repository's name as its remote or its folder has it."""
    remote = _git(repository, "config", "--default", "", "--get", "remote.origin.url")
    parts = (remote or str(repository.resolve())).removesuffix("/").removesuffix(".git").split("/")
    return "/".join(parts[-2:]) if remote else parts[-1]


def _git(repository: Path | None, *arguments: str) -> str:
    where = ["-C", str(repository)] if repository else []
    done = subprocess.run(["git", *where, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


if __name__ == "__main__":
    main()

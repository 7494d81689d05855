#!/usr/bin/env python3
"""What asking a model costs, with and without the offline judge before it, measured on a server that counts.

    model_cost.py LABELS.jsonl --repos DIR

LABELS.jsonl names ranges of real memory files: `repo` (OWNER/NAME), `memory_path`, `base`, `head`; every
claim of each such file is counted. DIR/OWNER+NAME/repo (or DIR/OWNER+NAME) is the git dir of each repository.
The requests are sent over HTTP by the real SDK to a server in this process. It counts three characters as one
token and twenty tokens an answer, and keeps marked prefixes of at least so many tokens as a row says. Nothing
leaves the machine. Run it in an environment with memaudit installed from this checkout.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "model"))

from modelkit import ModelServer, verdict

from memaudit.asking import plan, start, start_batch
from memaudit.audit import Audit
from memaudit.domain import AuditRequest, Judgement, Verdict
from memaudit.errors import MemauditError
from memaudit.judges.model.answers import FILE
from memaudit.judges.model.consent import give_consent
from memaudit.settings_model import PRICES, ModelSettings

MODEL = "claude-haiku-5-5"
BATCH = "nothing kept, as a batch"
KEEPS = {"nothing kept": 10**9, "4,096 kept": 4096, "1,024 kept": 1024, BATCH: 10**9}


@dataclass
class Total:
    """What one way of asking took over all ranges."""

    calls: int = 0
    tokens: int = 0
    usd: float = 0.0


def main() -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--repos", type=Path, required=True)
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.labels.read_text().splitlines()]
    ranges = sorted({(row["repo"], row["memory_path"], row["base"], row["head"]) for row in rows})
    claims = 0
    totals: dict[tuple[str, str], Total] = {}
    with tempfile.TemporaryDirectory() as state:
        os.environ["MEMAUDIT_STATE"] = state
        for repo, memory, base, head in ranges:
            folder = options.repos / repo.replace("/", "+")
            path = folder / "repo" if (folder / "repo").exists() else folder
            request = AuditRequest(path=path, stores=(memory,), store_at=base, range=f"{base}..{head}")
            try:
                claims += measure(Audit(request), totals)
            except MemauditError as error:
                print(f"left out: {error.line()}", file=sys.stderr)
    print(f"{len(ranges)} ranges, {claims} claims, {MODEL}; all figures for 1,000 claims")
    print("| asked | kept by the server | calls | tokens in | dollars |\n|---|---|---|---|---|")
    for (asked, kept), total in totals.items():
        scale = 1000 / claims
        print(
            f"| {asked} | {kept} | {total.calls * scale:.0f} | {total.tokens * scale:,.0f} | "
            f"{total.usd * scale:.4f} |"
        )
    return 0


def measure(audit: Audit, totals: dict[tuple[str, str], Total]) -> int:
    """Add what the claims of one range take, asked in each way; returns how many claims there are."""
    judged = list(audit.run())
    opened = [(claim, opened_up(judgement)) for claim, judgement in judged]
    server = ModelServer()
    server.characters_a_token = 3
    server.respond = lambda _: verdict("unknown")
    try:
        settings = ModelSettings(
            name=MODEL, url=server.url, prices={MODEL: PRICES[MODEL]}, cap_usd=1000.0, at_once=8
        )
        give_consent(audit.state_folder, settings, "benchmark")
        for name, pairs in (("what the offline judge leaves open", judged), ("every claim", opened)):
            for kept, least in KEEPS.items():
                server.forget(least)
                (audit.state_folder / FILE).unlink(missing_ok=True)
                made = plan(audit, pairs, settings)
                run = start_batch(audit, made, lambda _: None) if kept == BATCH else start(audit, made)
                for _ in run.verdicts():
                    pass
                assert not run.ended, run.ended
                total = totals.setdefault((name, kept), Total())
                usage = run.bill.usage
                total.calls += run.bill.calls
                total.tokens += usage.input + usage.cache_read + usage.cache_write
                total.usd += run.bill.usd
    finally:
        server.close()
    return len(judged)


def opened_up(judgement: Judgement) -> Judgement:
    """The judgement as if nobody had judged before."""
    return replace(judgement, verdict=Verdict.UNKNOWN, reason="touched", evidence=(), references=())


if __name__ == "__main__":
    sys.exit(main())

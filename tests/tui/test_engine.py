"""The audit process seen from the screen: real child processes that speak, crash or babble."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from scenes import Scene, verdict

from memaudit.tui.engine import Done, Engine, EngineError, Event, Failed, Judged, Opened


@dataclass(frozen=True)
class Request:
    """The fields of an audit request."""

    path: Path


async def read(engine: Engine, until: type[Event] = Failed) -> list[Any]:
    """All events up to the first of a kind."""
    found = []
    async for event in engine.events():
        found.append(event)
        if isinstance(event, until):
            break
    return found


def saying(tmp_path: Path, source: str) -> Engine:
    """An engine whose process runs this Python source."""
    path = tmp_path / "child.py"
    path.write_text(source, encoding="utf-8")
    return Engine(Request(tmp_path), (sys.executable, str(path)))  # type: ignore[arg-type]


async def test_claims_come_before_verdicts_and_all_arrive(scene: Scene) -> None:
    engine = Engine(Request(scene.root), scene.command())  # type: ignore[arg-type]
    events = await read(engine, Done)
    assert isinstance(events[0], Opened)
    assert [claim.id for one in events[0].stores for claim in one.claims] == [one.id for one in scene.claims]
    judged = [one for event in events if isinstance(event, Judged) for one in event.judgements]
    assert judged == [verdict(claim) for claim in scene.claims]
    await engine.close()


async def test_files_and_other_words_are_asked_for_while_events_are_read(scene: Scene) -> None:
    claim = scene.claim("importer")
    scene.rejudged = {"better": verdict(claim)}
    engine = Engine(Request(scene.root), scene.command())  # type: ignore[arg-type]
    events = engine.events()
    asking = []
    async for event in events:
        if isinstance(event, Done):
            break
    import asyncio

    async def rest() -> None:
        async for _ in events:
            pass

    reading = asyncio.create_task(rest())
    asking = [
        await engine.content(claim.id, "base", "src/importer.py"),
        await engine.content(claim.id, "head", "src/importer.py"),
        await engine.rejudge(claim.id, "better"),
    ]
    assert asking == [scene.contents["base:src/importer.py"], None, verdict(claim)]
    with pytest.raises(EngineError, match="no verdict in the script"):
        await engine.rejudge(claim.id, "worse")
    await engine.close()
    await reading


async def test_a_crash_is_told_with_its_last_words(scene: Scene) -> None:
    scene.crash = "loading …\nSegmentation fault\n"
    events = await read(Engine(Request(scene.root), scene.command()))  # type: ignore[arg-type]
    assert isinstance(events[-1], Failed)
    assert events[-1].line == "the audit process ended (exit code 3) (Segmentation fault)"
    assert any(isinstance(event, Judged) for event in events)


async def test_lines_of_megabytes_are_read(tmp_path: Path) -> None:
    long = "x" * 3_000_000
    event = f"{{'event': 'failed', 'what': 'x' * {len(long)}, 'where': '', 'fix': ''}}"
    source = f"import json\ninput()\nprint(json.dumps({event}))"
    events = await read(saying(tmp_path, source))
    assert events == [Failed(long, "", "")]


@pytest.mark.parametrize(
    "line",
    ["not json", "[]", json.dumps({"event": "what"}), json.dumps({"event": "judged", "items": [{"id": 1}]})],
)
async def test_babble_ends_the_audit_with_one_line(tmp_path: Path, line: str) -> None:
    events = await read(saying(tmp_path, f"input()\nprint({line!r}, flush=True)\ninput()"))
    assert len(events) == 1
    assert "something unexpected" in events[0].line
    assert "\n" not in events[0].line


async def test_a_refusal_of_the_child_is_told_once(tmp_path: Path) -> None:
    event = json.dumps({"event": "failed", "what": "not a repository", "where": "/x", "fix": "git init"})
    events = [
        one async for one in saying(tmp_path, f"input()\nprint({event!r})\nraise SystemExit(2)").events()
    ]
    assert events == [Failed("not a repository", "/x", "git init")]


async def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    engine = Engine(Request(tmp_path), (str(tmp_path / "missing"),))  # type: ignore[arg-type]
    (event,) = await read(engine)
    assert "cannot be started" in event.line


async def test_after_the_end_requests_fail_instead_of_waiting(scene: Scene) -> None:
    scene.crash = "gone"
    engine = Engine(Request(scene.root), scene.command())  # type: ignore[arg-type]
    await read(engine)
    with pytest.raises(EngineError, match="gone"):
        await engine.content("any", "base", "x")


async def test_close_ends_a_process_that_does_not_listen(tmp_path: Path) -> None:
    source = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('{}', flush=True)\n"
    source += "signal.pause()"
    engine = saying(tmp_path, source)
    await read(engine)
    await engine.close()
    assert not engine.running


def test_the_audit_process_imports_nothing_from_the_audited_folder() -> None:
    assert "-P" in Engine(Request(Path())).command  # type: ignore[arg-type]

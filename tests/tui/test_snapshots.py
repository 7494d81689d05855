"""What the main states look like, pixel by pixel; behaviour is tested elsewhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from driving import judged, press, review, settle, until
from scenes import Scene, verdict
from textual.pilot import Pilot
from trialkit import CHECKED, Script, fails_at_head

from memaudit.domain import Judgement, Verdict
from memaudit.settings import Settings

Compare = Callable[..., bool]


def after(*keys: str) -> Callable[[Pilot[Any]], Awaitable[None]]:
    """Wait for the verdicts, then press keys."""

    async def run(pilot: Pilot[Any]) -> None:
        await judged(pilot)
        await press(pilot, *keys)
        pilot.app.clear_notifications()
        await settle(pilot)

    return run


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (60, 20)], ids=["120x40", "80x24", "60x20"])
def test_review(scene: Scene, snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(scene.app(), terminal_size=size, run_before=after("j", "j"))


@pytest.mark.parametrize("theme", ["light", "high-contrast", "ansi-16"])
def test_themes(scene: Scene, snap_compare: Compare, theme: str) -> None:
    scene.settings = Settings(author="Tess", theme=theme)
    assert snap_compare(scene.app(), terminal_size=(80, 24), run_before=after("t", "r"))


def test_two_columns(scene: Scene, snap_compare: Compare) -> None:
    assert snap_compare(scene.app(), terminal_size=(120, 30), run_before=after("j", "j", "z"))


def test_memory_after_decisions(scene: Scene, snap_compare: Compare) -> None:
    assert snap_compare(scene.app(), terminal_size=(120, 40), run_before=after("t", "r", "2"))


def test_rewrite(scene: Scene, snap_compare: Compare) -> None:
    claim = scene.claim("parse_weight")
    held = Judgement(claim.id, Verdict.HELD, "supported", "Both names are there.", "grounded", 0.9)
    scene.rejudged = {"*": held}

    async def run(pilot: Pilot[Any]) -> None:
        await after("j", "j", "e")(pilot)
        await until(pilot, lambda: pilot.app.screen._judged is not None)  # type: ignore[attr-defined]
        await settle(pilot)

    assert snap_compare(scene.app(), terminal_size=(120, 40), run_before=run)


def test_save_preview(scene: Scene, snap_compare: Compare) -> None:
    assert snap_compare(scene.app(), terminal_size=(120, 30), run_before=after("t", "t", "r", "s"))


def test_take_all(scene: Scene, snap_compare: Compare) -> None:
    assert snap_compare(scene.app(), terminal_size=(120, 30), run_before=after("P", "space"))


def test_near_matches_in_another_order(scene: Scene, snap_compare: Compare) -> None:
    keys = ("S", "down", "enter", "slash", *"wieghts", "enter", "space")
    assert snap_compare(scene.app(), terminal_size=(80, 24), run_before=after(*keys))


@pytest.mark.parametrize("size", [(80, 24), (60, 20)], ids=["80x24", "60x20"])
def test_help(scene: Scene, snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(scene.app(), terminal_size=size, run_before=after("question_mark"))


def test_narrow_save_preview_keeps_the_way_back(scene: Scene, snap_compare: Compare) -> None:
    assert snap_compare(scene.app(), terminal_size=(80, 24), run_before=after("t", "t", "r", "s"))


@pytest.mark.parametrize("tab", ["3", "4"], ids=["why", "history"])
def test_facts(scene: Scene, snap_compare: Compare, tab: str) -> None:
    assert snap_compare(scene.app(), terminal_size=(80, 24), run_before=after("j", tab))


def test_plan_to_ask_a_model(scene: Scene, snap_compare: Compare) -> None:
    assert snap_compare(scene.app(), terminal_size=(80, 24), run_before=after("v"))


def test_settings(scene: Scene, snap_compare: Compare) -> None:
    scene.settings = Settings(author="Tess", file=Path("/home/tess/.config/memaudit/settings.toml"))
    assert snap_compare(scene.app(), terminal_size=(80, 24), run_before=after("comma", "j"))


def test_letters_to_jump_by(scene: Scene, snap_compare: Compare) -> None:
    assert snap_compare(scene.app(), terminal_size=(80, 24), run_before=after("semicolon"))


@pytest.mark.parametrize("theme", ["dark", "ansi-16"])
def test_commands(scene: Scene, snap_compare: Compare, theme: str) -> None:
    scene.settings = Settings(author="Tess", theme=theme)
    assert snap_compare(scene.app(), terminal_size=(80, 24), run_before=after("ctrl+p"))


def test_few_colours_and_little_room(scene: Scene, snap_compare: Compare) -> None:
    scene.settings = Settings(author="Tess", theme="ansi-16")
    assert snap_compare(scene.app(), terminal_size=(60, 20), run_before=after("space", "space", "f"))


def test_a_notice_leaves_claims_and_evidence_in_view(scene: Scene, snap_compare: Compare) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await judged(pilot)
        pilot.app._disable_notifications = False
        await press(pilot, "A", "a")

    assert snap_compare(scene.app(), terminal_size=(80, 24), run_before=run)


def test_nothing_stale(tmp_path: Path, snap_compare: Compare) -> None:
    scene = Scene(tmp_path, files={"CLAUDE.md": "# X\n\n- Settings come from `orchard.toml`.\n"})
    assert snap_compare(scene.app(), terminal_size=(80, 24), run_before=after())


def test_no_room(scene: Scene, snap_compare: Compare) -> None:
    assert snap_compare(scene.app(), terminal_size=(39, 11), run_before=after())


def test_streaming(scene: Scene, snap_compare: Compare) -> None:
    scene.judgements = {claim.id: verdict(claim) for claim in scene.claims[:5]}
    scene.finished = False

    async def run(pilot: Pilot[Any]) -> None:
        def far_enough() -> bool:
            progress = review(pilot).progress
            return progress is not None and progress.done == 5

        await until(pilot, far_enough)
        await settle(pilot)

    assert snap_compare(scene.app(), terminal_size=(120, 30), run_before=run)


def test_nothing_to_open(tmp_path: Path, snap_compare: Compare) -> None:
    scene = Scene(tmp_path)
    scene.events = [
        {"event": "failed", "what": "not a git repository", "where": "/somewhere", "fix": "run git init"}
    ]

    async def run(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: bool(review(pilot).stopped))
        await settle(pilot)

    assert snap_compare(scene.app(), terminal_size=(80, 24), run_before=run)


def test_trial(tmp_path: Path, snap_compare: Compare) -> None:
    scene = Scene(tmp_path, {"CLAUDE.md": CHECKED})

    async def run(pilot: Pilot[Any]) -> None:
        await judged(pilot)
        Script(tmp_path, judgement=fails_at_head(scene.claims[0])).use(pilot)
        await after("X")(pilot)

    assert snap_compare(scene.app(), terminal_size=(80, 24), run_before=run)

"""Driving the screen in tests: press keys, wait until it has come to rest, read what it shows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from textual.pilot import Pilot
from textual.worker import WorkerState

from memaudit.tui.review_screen import ReviewScreen

_TURNS = 3_000


def review(pilot: Pilot[Any]) -> ReviewScreen:
    """The review screen, below whatever dialog is open."""
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, ReviewScreen)
    return screen


async def until(pilot: Pilot[Any], condition: Callable[[], bool]) -> None:
    """Let the screen work until the condition holds."""
    for _ in range(_TURNS):
        await pilot.pause()
        if condition():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("the screen did not come to the expected state")


def _at_rest(pilot: Pilot[Any]) -> bool:
    screen = review(pilot)
    if screen._refresh_timer is not None or screen._look_timer is not None:
        return False
    running = (WorkerState.PENDING, WorkerState.RUNNING)
    return not any(worker.state in running and worker.group != "audit" for worker in pilot.app.workers)


async def settle(pilot: Pilot[Any]) -> None:
    """Wait until nothing that was asked for is still on its way to the screen."""
    await until(pilot, lambda: _at_rest(pilot))
    # What comes to rest may have asked for one more look at where things stand by now.
    await pilot.pause()
    await until(pilot, lambda: _at_rest(pilot))


async def judged(pilot: Pilot[Any]) -> ReviewScreen:
    """Wait until every verdict is shown."""
    screen = review(pilot)
    await until(pilot, lambda: screen.sitting.opened is not None and screen.progress is None)
    await settle(pilot)
    return screen


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys one after the other, each when the screen is at rest."""
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


def screen_text(pilot: Pilot[Any]) -> str:
    """All that is on the screen now."""
    lines = pilot.app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in line) for line in lines)

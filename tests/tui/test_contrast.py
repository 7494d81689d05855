"""What is drawn can be read: every pair of text and background on the screen, by the WCAG's measure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from driving import judged, press
from rich.style import Style
from scenes import Scene
from textual.pilot import Pilot

from memaudit.settings import Settings

Triplet = tuple[int, int, int]

STATES = (
    ("t", "t"),
    ("j", "z"),
    ("d",),
    ("z", "2"),
    ("3",),
    ("4",),
    ("1", "tab"),
    ("escape", "space"),
    ("slash", "o"),
    ("escape", "f"),
    ("escape", "T"),
    ("escape", "comma"),
    ("escape", "question_mark"),
    ("escape", "ctrl+p"),
    ("escape", "escape", "e"),
    ("escape", "s"),
    ("escape", "q"),
    ("escape", "x"),
    ("escape", "A"),
    ("escape", "semicolon"),
)


def luminance(colour: Triplet) -> float:
    def channel(part: int) -> float:
        share = part / 255
        return share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4

    red, green, blue = map(channel, colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(style: Style) -> float:
    assert style.color is not None
    assert style.bgcolor is not None
    darker, lighter = sorted(
        (luminance(style.color.get_truecolor()), luminance(style.bgcolor.get_truecolor()))
    )
    return (lighter + 0.05) / (darker + 0.05)


def pieces(pilot: Pilot[Any]) -> Iterator[tuple[str, Style]]:
    """Text in front: what lies dimmed behind a dialog is not to be read."""
    screen = pilot.app.screen
    front = screen.children[0].region if screen.is_modal and screen.children else screen.region
    for y, line in enumerate(screen._compositor.render_strips()):
        x = 0
        for segment in line:
            if front.contains(x, y) and segment.style and any(map(str.isalnum, segment.text)):
                yield segment.text, segment.style
            x += segment.cell_length


@pytest.mark.parametrize(("theme", "least"), [("dark", 4.5), ("light", 4.5), ("high-contrast", 7.0)])
async def test_all_text_stands_out(scene: Scene, theme: str, least: float) -> None:
    scene.settings = Settings(author="Tess", theme=theme)
    faint = set()
    async with scene.app().run_test(size=(120, 40), notifications=True) as pilot:
        screen = await judged(pilot)
        for keys in ((), *STATES):
            await press(pilot, *keys)
            inactive = screen.query_one("#keys").rich_style.bgcolor
            for text, style in pieces(pilot):
                # Keys that cannot be used now may recede, as long as they can be made out.
                wanted = 3.0 if style.bgcolor == inactive and not style.bold else least
                if contrast(style) < wanted:
                    faint.add((" ".join(keys), text.strip(), str(style), round(contrast(style), 2)))
    assert not faint

"""Theme files: the shipped ones can be read by everybody, broken ones are told and never crash."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import judged, review, screen_text, settle, until
from scenes import Scene
from textual.color import Color

from memaudit.settings import Settings
from memaudit.tui import themes
from memaudit.tui.themes import ThemeFile, load_themes, user_folder

GROUNDS = ("background", "surface", "panel", "cursor", "added-line", "removed-line")
INKS = (
    "foreground",
    "primary",
    "accent",
    "success",
    "warning",
    "error",
    "deciding",
    "added",
    "removed",
    "muted",
)


def colour(theme_file: ThemeFile, role: str) -> Color:
    theme = theme_file.theme
    return Color.parse(theme.variables.get(role) or getattr(theme, role))


def luminance(value: Color) -> float:
    def channel(part: int) -> float:
        share = part / 255
        return share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4

    return 0.2126 * channel(value.r) + 0.7152 * channel(value.g) + 0.0722 * channel(value.b)


def contrast(one: Color, other: Color) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def write(name: str, text: str) -> Path:
    path = user_folder() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_the_default_comes_first_and_all_four_are_there() -> None:
    found, faults = load_themes()
    assert not faults
    assert next(iter(found)) == "dark"
    assert set(found) == {"dark", "light", "high-contrast", "ansi-16"}


@pytest.mark.parametrize(("name", "least"), [("dark", 4.5), ("light", 4.5), ("high-contrast", 7.0)])
def test_text_can_be_read_on_every_background(name: str, least: float) -> None:
    theme_file = load_themes()[0][name]
    for ground in GROUNDS:
        for ink in INKS:
            ratio = contrast(colour(theme_file, ink), colour(theme_file, ground))
            assert ratio >= least, f"{ink} on {ground}: {ratio:.2f}"


@pytest.mark.parametrize("name", ["dark", "light", "high-contrast"])
def test_code_can_be_read_where_it_changed(name: str) -> None:
    theme_file = load_themes()[0][name]
    grounds = ("background", "surface", "added-line", "removed-line", "added-word", "removed-word")
    for ground in grounds:
        for ink in ("foreground", *(f"syntax-{kind}" for kind in themes.SYNTAX)):
            ratio = contrast(colour(theme_file, ink), colour(theme_file, ground))
            assert ratio >= 4.5, f"{ink} on {ground}: {ratio:.2f}"


def test_sixteen_colours_are_really_only_those() -> None:
    theme = load_themes()[0]["ansi-16"].theme
    assert theme.ansi
    colours = [value for key, value in theme.variables.items() if not key.endswith("style")]
    assert all(value.startswith("ansi_") for value in colours)


def test_a_users_theme_says_only_what_differs() -> None:
    write("mine.toml", 'name = "mine"\nextends = "light"\n[colors]\nprimary = "#aa0066"\n')
    found, faults = load_themes()
    assert not faults
    assert found["mine"].theme.primary == "#aa0066"
    assert found["mine"].theme.background == found["light"].theme.background
    assert found["mine"].theme.dark is False


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("name = ", "not valid TOML"),
        ('name = "x y"', "no name for a theme"),
        ('nam = "x"', "did you mean name?"),
        ('extends = "nothing"', "extends names no shipped theme"),
        ('dark = "yes"', "dark is true or false"),
        ('[colors]\nbackgroud = "#000000"', "did you mean background?"),
        ('[colors]\nmuted = "greenish"', "is not a colour"),
        ('[colors]\nmuted = "#00000080"', "is see-through"),
        ("[colors]\nmuted = 3", "muted is a text"),
        ('[styles]\ncursor = "blink"', "unknown entry 'blink'"),
        ("colors = 3", "is a table of texts"),
    ],
)
def test_a_fault_is_one_line_that_names_the_file(text: str, fault: str) -> None:
    path = write("broken.toml", text)
    found, faults = load_themes()
    assert set(found) == {"dark", "light", "high-contrast", "ansi-16"}
    (one,) = faults
    assert fault in one.line()
    assert str(path) in one.line()
    assert "\n" not in one.line()


def test_a_file_that_is_no_text_is_told() -> None:
    write("binary.toml", "").write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8" in load_themes()[1][0].line()


async def test_a_broken_theme_is_a_notice_and_no_crash(scene: Scene) -> None:
    write("broken.toml", '[colors]\nmuted = "[/] no"\n')
    async with scene.app().run_test(size=(120, 40), notifications=True) as pilot:
        await judged(pilot)
        assert "colour (like #84b4e8 or ansi_blue)" in " ".join(screen_text(pilot).split())
        assert pilot.app.theme == "dark"


async def test_an_unknown_theme_in_the_settings_falls_back(scene: Scene) -> None:
    scene.settings = Settings(author="Tess", theme="drak")
    async with scene.app().run_test(size=(120, 40), notifications=True) as pilot:
        await judged(pilot)
        assert "no theme is called" in screen_text(pilot)
        assert pilot.app.theme == "dark"


async def test_a_saved_theme_is_taken_over_while_running(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("mine.toml", '[colors]\nbackground = "#101010"\n')
    monkeypatch.setattr("memaudit.tui.app._WATCH_SECONDS", 0.05)
    scene.settings = Settings(author="Tess", theme="mine")
    async with scene.app().run_test(size=(80, 24)) as pilot:
        await judged(pilot)
        assert review(pilot).styles.background.hex == "#101010"
        write("mine.toml", '[colors]\nbackground = "#203040"\n')
        await until(pilot, lambda: review(pilot).styles.background.hex == "#203040")
        await settle(pilot)


@pytest.mark.parametrize("color", ["ansi", "none"])
async def test_few_colours_take_the_sixteen_colour_theme(
    scene: Scene, color: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    monkeypatch.delenv("NO_COLOR")
    async with scene.app(color=color).run_test(size=(80, 24)) as pilot:
        await judged(pilot)
        assert pilot.app.theme == themes.ANSI
        assert pilot.app.console.color_system == "standard"
        assert pilot.app.no_color == (color == "none")


async def test_256_colours_are_all_that_is_sent_when_asked_for(scene: Scene) -> None:
    async with scene.app(color="256").run_test(size=(80, 24)) as pilot:
        await judged(pilot)
        assert pilot.app.console.color_system == "256"
        assert pilot.app.theme == "dark"


async def test_no_color_leaves_signs_words_and_reverse(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with scene.app().run_test(size=(80, 24)) as pilot:
        await judged(pilot)
        lines = pilot.app.screen._compositor.render_strips()
        styles = [segment.style for line in lines for segment in line if segment.style]
        assert any(style.reverse for style in styles)
        assert "✗ stale" in screen_text(pilot)

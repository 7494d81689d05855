"""Whatever stands in memory files, code, commits and verdicts is text and nothing else, in every widget."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import judged, press, screen_text, settle, until
from scenes import Scene

from memaudit.domain import (
    Claim,
    CommitInfo,
    Evidence,
    Judgement,
    Location,
    Origin,
    Reference,
    Suggestion,
    Tier,
    Verdict,
)

HOSTILE = {
    "closing markup": "ends [/] here [/bold] and [/red on blue]",
    "markup": "[b]bold[/b] [link=https://example.invalid]x[/link] [@click=app.exit]y[/]",
    "escape": "before \x1b[2J\x1b]0;owned\x07 after \x9b31m",
    "bidi": "abc \u202egnp.exe\u202c \u2066x\u2069",
    "wide": "日本語の主張 한국어 中文 ﾊﾝｶｸ e\u0301 👩‍👩‍👧",
    "tabs": "a\tb\tc\t\td",
    "format": "{0} %s ${HOME} `rm -rf /` $(reboot)",
    "long": "x" * 20_000,
    "long words": "word " * 4_000,
    "brackets": "[ ] todo [x] done [] [[a]] ]]",
}


def hostile_verdict(claim: Claim, text: str) -> Judgement:
    """A verdict with the text in every place that a text can stand."""
    short = text[:3_000]
    commit = CommitInfo("0123456789abcdef", short, short, short)
    return Judgement(
        claim.id,
        Verdict.STALE,
        short,
        short,
        short,
        0.5,
        Origin.RANGE,
        references=(Reference(short, short, short, short),),
        evidence=(
            Evidence(short, Location(short, 1, short), Location(short, 2, short), commit, short),
            Evidence(short, Location("src/x.py", 1, short), None, commit, short),
        ),
        suggestion=Suggestion(Tier.ASK, f"new {text}", short),
    )


@pytest.fixture(params=HOSTILE.values(), ids=list(HOSTILE))
def hostile(request: pytest.FixtureRequest, tmp_path: Path) -> Scene:
    text = str(request.param)
    scene = Scene(tmp_path, files={"CLAUDE.md": f"# {text}\n\n- {text}\n- plain words\n"})
    scene.judgements = {claim.id: hostile_verdict(claim, text) for claim in scene.claims}
    scene.contents = {
        f"{side}:{path}": f"{text} {side}\nsecond\n"
        for side in ("base", "head")
        for path in (text[:3_000], "src/x.py")
    }
    scene.rejudged = {"*": hostile_verdict(scene.claims[0], text)}
    return scene


def acts_on_a_terminal(text: str) -> list[str]:
    bidi = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f"
    return [
        hex(ord(char))
        for char in text
        if (ord(char) < 32 and char != "\n") or 127 <= ord(char) < 160 or char in bidi
    ]


@pytest.mark.parametrize("size", [(120, 40), (60, 20)])
async def test_every_view_shows_it_as_text(hostile: Scene, size: tuple[int, int]) -> None:
    app = hostile.app()
    async with app.run_test(size=size, notifications=True) as pilot:
        screen = await judged(pilot)
        seen = screen_text(pilot)
        for key in ("right_square_bracket", "d", "2", "d", "3", "4", "1", "z", "l", "G", "z", "y"):
            await press(pilot, key)
            seen += screen_text(pilot)
        await press(pilot, "escape", "b")
        seen += screen_text(pilot)
        await press(pilot, "escape", "a", "f")
        seen += screen_text(pilot)
        await press(pilot, "escape", "k", "e")
        await until(pilot, lambda: pilot.app.screen._judged is not None)  # type: ignore[attr-defined]
        seen += screen_text(pilot)
        await press(pilot, "escape", "r", "s", "d", "d")
        seen += screen_text(pilot)
        await press(pilot, "escape", "question_mark", "escape", "x", "escape", "q")
        seen += screen_text(pilot)
        await press(pilot, "escape")
        assert acts_on_a_terminal(seen) == []
        assert len(screen.sitting.board.decisions) >= 1


async def test_a_failure_with_markup_is_shown_as_it_is(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    scene.events = [{"event": "failed", "what": "[/] \x1b[31mno", "where": "[b]x", "fix": "[/]"}]
    async with scene.app().run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: pilot.app.screen.has_class("-failed"))
        await settle(pilot)
        assert "[b]x: [/] \\x1b[31mno ([/])" in screen_text(pilot)


async def test_a_crash_message_with_markup_becomes_a_notice(tmp_path: Path) -> None:
    scene = Scene(tmp_path, crash="boom [/] \x1b]0;x\x07\n")
    async with scene.app().run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "audit stopped" in screen_text(pilot))
        await settle(pilot)
        assert "boom [/] \\x1b]0;x\\x07" in " ".join(screen_text(pilot).split())


async def test_search_for_markup_is_a_search_for_its_letters(tmp_path: Path) -> None:
    scene = Scene(tmp_path, files={"CLAUDE.md": "# X\n\n- see [/docs] for it\n- other\n"}, judgements={})
    async with scene.app().run_test(size=(120, 40)) as pilot:
        screen = await judged(pilot)
        await press(pilot, "slash", *"[/docs]", "enter")
        assert len(screen.sitting.board) == 1
        assert "“[/docs]”" in screen_text(pilot)

"""Whatever stands in memory files, code, commits and verdicts is text and nothing else, in every widget."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from driving import judged, press, screen_text, settle, until
from scenes import BASE, HEAD, Scene
from terminal import Terminal

from memaudit import wire
from memaudit.domain import (
    Claim,
    CommitInfo,
    Evidence,
    Judgement,
    Location,
    Origin,
    Range,
    Reference,
    Suggestion,
    Tier,
    Verdict,
)
from memaudit.settings import Settings
from memaudit.text import visible

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
    "hidden": "zero\u200bwidth\ufeff \u2060and \u00adsoft \U000e0041tag",
    "line ends": "one\r two \x0b three \x0c four \u2028 five \u2029 six \x85 seven",
    "marks": "a" + "\u0301" * 300 + " z\u0335\u0336",
    "keys": "{quit} {accept} {undo.__class__} {0}",
}

FILE_NAME = "notes [/] \x1b[1m\u202e [b].md"


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


EVERYTHING = " ".join(text for text in HOSTILE.values() if len(text) < 500)


@pytest.fixture(params=HOSTILE.values(), ids=list(HOSTILE))
def text(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def hostile(text: str, tmp_path: Path) -> Scene:
    """The text in every place of a review where a text can come from outside."""
    short = text[:3_000]
    memory = f"# {text}\n\n- {text}\n- plain words\n  - under them {text}\n"
    scene = Scene(tmp_path, files={"CLAUDE.md": memory, FILE_NAME: f"- {text}\n"})
    scene.judgements = {claim.id: hostile_verdict(claim, text) for claim in scene.claims}
    scene.contents = {
        f"{side}:{path}": f"{text} {side}\nsecond\n"
        for side in ("base", "head")
        for path in (short, "src/x.py")
    }
    scene.rejudged = {"*": hostile_verdict(scene.claims[0], text)}
    scene.history = {claim.id: [(short[:60], short)] for claim in scene.claims}
    scene.events = scene._events()
    opened = scene.events[0]
    opened["repo"] = f"/home/{short}"
    opened["range"] = wire.range_to_json(Range(BASE, HEAD, short))
    file = tmp_path / "mine.toml"
    scene.settings = Settings(author=short, file=file)
    return scene


def acts_on_a_terminal(text: str) -> list[str]:
    bidi = "\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f"
    hidden = "\u200b\u2060\ufeff\u2028\u2029\u00ad\U000e0041"
    return [
        hex(ord(char))
        for char in text
        if (ord(char) < 32 and char != "\n") or 127 <= ord(char) < 160 or char in bidi + hidden
    ]


VIEWS: dict[str, tuple[str, ...]] = {
    "list, card, evidence": (),
    "next evidence": ("right_square_bracket",),
    "comparison, one column": ("d",),
    "memory": ("2",),
    "memory, side by side": ("d",),
    "why": ("3",),
    "why, scrolled": ("tab", "pagedown", "escape"),
    "history": ("4",),
    "comparison, zoomed and scrolled": ("1", "z", "l", "G", "enter"),
    "back": ("z",),
    "commit, whole": ("escape", "c"),
    "left again": ("escape",),
    "copied": ("y",),
    "filter": ("f",),
    "filter by file": ("G", "space"),
    "filter line": ("escape",),
    "search": ("escape", "slash", "x", "enter"),
    "marked": ("escape", "escape", "asterisk"),
    "letters over rows": ("escape", "semicolon"),
    "decided": ("escape", "g", "a"),
    "retire with what hangs under it": ("r",),
    "editor": ("escape", "g", "e"),
    "editor, other text": ("ctrl+t",),
    "all retired": ("escape", "asterisk", "r"),
    "answer": ("enter",),
    "what a save would change": ("s",),
    "the same of the next file": ("right_square_bracket", "d", "d"),
    "all keys": ("escape", "question_mark"),
    "commands": ("escape", "ctrl+p"),
    "settings": ("escape", "comma", "j", "j"),
    "author in its field": ("enter",),
    "themes": ("escape", "escape", "T"),
    "export": ("escape", "x"),
    "leave": ("escape", "q"),
    "saved": ("escape", "s", "enter"),
}
"""Everything that can be looked at, and the keys that lead from one to the next."""


@pytest.mark.parametrize(
    ("text", "size"),
    [
        (EVERYTHING, (120, 40)),
        (EVERYTHING, (60, 20)),
        (HOSTILE["long"], (120, 40)),
        (HOSTILE["long words"], (60, 20)),
        (HOSTILE["wide"] * 8, (61, 21)),
    ],
    ids=["everything", "everything, narrow", "long", "long words", "wide"],
)
async def test_every_view_shows_it_as_text(text: str, size: tuple[int, int], tmp_path: Path) -> None:
    app = hostile(text, tmp_path).app()
    async with app.run_test(size=size, notifications=True) as pilot:
        await judged(pilot)
        for view, keys in VIEWS.items():
            await press(pilot, *keys)
            if view == "editor":
                await until(pilot, lambda: pilot.app.screen._judged is not None)  # type: ignore[attr-defined]
            assert pilot.app.is_running, view
            seen = screen_text(pilot)
            assert acts_on_a_terminal(seen) == [], view
            widths = {line.cell_length for line in pilot.app.screen._compositor.render_strips()}
            assert widths == {size[0]}, view


async def test_it_is_there_letter_by_letter(text: str, tmp_path: Path) -> None:
    app = hostile(text, tmp_path).app()
    shown = visible(text)[:40].strip()
    async with app.run_test(size=(200, 50)) as pilot:
        await judged(pilot)
        for key in ("1", "3"):
            await press(pilot, key)
            assert shown in screen_text(pilot)


async def test_a_conflict_and_a_lost_decision_are_shown_as_text(tmp_path: Path) -> None:
    scene = hostile(EVERYTHING, tmp_path)
    async with scene.app().run_test(size=(120, 40), notifications=True) as pilot:
        await judged(pilot)
        await press(pilot, "r", "enter", "a", "n", "a")
        for name in scene.files:
            (scene.root / name).write_text("- something else entirely\n")
        await press(pilot, "s", "enter")
        assert acts_on_a_terminal(screen_text(pilot)) == []
        await press(pilot, "enter")
        await judged(pilot)
        assert acts_on_a_terminal(screen_text(pilot)) == []


def test_nothing_of_it_reaches_a_real_terminal(git_repo: Any) -> None:
    owned = "\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x07\x1b[2J\x9bH"
    base = git_repo.commit(
        f"Start {owned}", {"CLAUDE.md": f"- {owned} lives in `src/a.py`.\n", "src/a.py": f"# {owned}\n"}
    )
    git_repo.git("checkout", "-q", "-b", "we{quit}%sird")
    git_repo.commit(f"Drop it {owned}", {"src/a.py": None, FILE_NAME: f"- {owned}\n"})
    terminal = Terminal(["-m", "memaudit", str(git_repo.root), "--since", base], (120, 40))
    terminal.wait_for(lambda output: b"1 stale decided" in output)
    written = terminal.written
    for keys, sign in (
        ("2", b"Memory"),
        ("3", b"judge"),
        ("4", b"decision"),
        ("a", b"unsaved"),
        ("?", b"All keys"),
    ):
        terminal.keys(keys)
        terminal.wait_for(lambda output, sign=sign: sign in output)
        written += terminal.written
    terminal.keys("\x03\x03")
    assert terminal.exit_code() == 0
    written += terminal.written
    assert b"\\x1b]0;owned\\x07" in written
    for act in (b"\x1b]0;", b"\x1b]2;", b"\x1b]52;", b"owned\x07", b"\xc2\x9b"):
        assert act not in written


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
        assert "boom [/] \\x1b]0;x\\x07" in " ".join(screen_text(pilot).replace("▌", " ").split())


async def test_search_for_markup_is_a_search_for_its_letters(tmp_path: Path) -> None:
    scene = Scene(tmp_path, files={"CLAUDE.md": "# X\n\n- see [/docs] for it\n- other\n"}, judgements={})
    async with scene.app().run_test(size=(120, 40)) as pilot:
        screen = await judged(pilot)
        await press(pilot, "slash", *"[/docs]", "enter")
        assert len(screen.sitting.board) == 1
        assert "“[/docs]”" in screen_text(pilot)

"""What the screen costs: CPU per step without a terminal, bytes per key in a real one.

Prints a Markdown table. CPU is process time, so that other load on the machine matters little.
Run it with ``python benchmarks/ui.py``; ``--quick`` uses fewer repetitions.
"""

from __future__ import annotations

import argparse
import asyncio
import fcntl
import gc
import json
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.segment import Segment
from textual._compositor import CompositorUpdate
from textual.app import App, ComposeResult
from textual.geometry import Size
from textual.screen import Screen
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memaudit import wire
from memaudit.domain import Block, Claim, ClaimKind, Judgement, Origin, Range, Span, Store, Verdict
from memaudit.settings import Settings
from memaudit.stores.document import load_document
from memaudit.tui.board import Board, Filter
from memaudit.tui.claim_list import ClaimList
from memaudit.tui.dialogs.filter import FilterDialog
from memaudit.tui.diff_model import LineDiff
from memaudit.tui.split_diff import SplitDiff
from memaudit.tui.themes import load_themes

ROWS = 100_000
QUIET_SECONDS = 0.25
WORKER = Path(__file__).resolve().parent.parent / "tests" / "tui" / "scripted_worker.py"


def milliseconds(seconds: float) -> str:
    """Seconds as the table shows them."""
    return f"{seconds * 1000:.1f}"


@dataclass
class Figure:
    """One line of the table."""

    what: str
    value: str
    target: str = ""


class Covered(Screen[None]):
    """A screen that is covered by its widgets, as that of the review is."""

    BLANK = True


class BenchApp(App[None]):
    """One widget; every update is encoded as for a terminal, which a headless run leaves out."""

    def __init__(self, widget: Callable[[], Any]) -> None:
        super().__init__()
        for theme_file in load_themes()[0].values():
            self.register_theme(theme_file.theme)
        self.theme = "dark"
        self._make = widget
        self.painted = 0

    def get_default_screen(self) -> Screen[None]:
        return Covered()

    def compose(self) -> ComposeResult:
        yield self._make()

    def _display(self, screen: Any, renderable: Any) -> None:
        if isinstance(renderable, CompositorUpdate) and not self._batch_count:
            self.painted += len(renderable.render_segments(self.console))
        super()._display(screen, renderable)


@asynccontextmanager
async def running(app: App[None], size: tuple[int, int] = (120, 40)) -> Any:
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield pilot


async def starts(make: Callable[[], App[None]]) -> str:
    """CPU from nothing but imported modules to the first paint, of several apps after one to warm up."""
    spent = []
    for _ in range(8):
        start = time.process_time()
        async with running(make()):
            spent.append(time.process_time() - start)
    return spread(spent[1:])


async def cpu(pilot: Any, step: Callable[[], Any], times: int) -> list[float]:
    """CPU seconds of a step and all the painting that follows it."""
    spent = []
    for _ in range(times):
        start = time.process_time()
        result = step()
        if asyncio.iscoroutine(result):
            await result
        await pilot.pause()
        spent.append(time.process_time() - start)
    return spent


def claims(count: int) -> list[Claim]:
    words = "the service keeps every record in `src/store.py` for days and answers under".split()
    return [
        Claim(
            id=f"c{number}",
            store="CLAUDE.md",
            document=f"docs/area{number % 40}/CLAUDE.md",
            text=f"{number} " + " ".join(words[number % 7 :] + words[: number % 5]),
            kind=ClaimKind.FACT,
            block=Block.ITEM,
            span=Span(0, 1),
            item_span=Span(0, 1),
            line_start=number + 1,
            line_end=number + 1,
        )
        for number in range(count)
    ]


def stale(claim: Claim) -> Judgement:
    return Judgement(claim.id, Verdict.STALE, "path-gone", "It is gone.", "grounded", 0.9, Origin.RANGE)


class Plain(ScrollView, can_focus=True):
    """The least that a line widget can do: what it costs here is Textual's part of every other figure."""

    def on_mount(self) -> None:
        self.virtual_size = Size(1, ROWS)

    def render_line(self, y: int) -> Strip:
        return Strip([Segment("x" * self.size.width, self.rich_style)], self.size.width)


async def floor_figures(times: int) -> list[Figure]:
    """An app with nothing but a plain line widget."""
    first = await starts(lambda: BenchApp(Plain))
    app = BenchApp(Plain)
    async with running(app) as pilot:
        plain = app.query_one(Plain)
        pages = await cpu(pilot, lambda: plain.scroll_relative(y=39, animate=False), times)
    return [
        Figure("an app with one plain line widget: start to first paint, CPU ms (median / 95th)", first),
        Figure("— page down, CPU ms (median / 95th)", spread(pages)),
    ]


async def list_figures(times: int) -> list[Figure]:
    """The list of claims on its own."""
    many = claims(ROWS)
    # As the program does once it has read the claims.
    gc.freeze()
    first = await starts(lambda: BenchApp(lambda: ClaimList(Board(many))))
    board = Board(many)
    app = BenchApp(lambda: ClaimList(board))
    async with running(app) as pilot:
        list_ = app.query_one(ClaimList)
        moves = await cpu(pilot, list_.action_down, 30)
        list_.action_page_down()
        scrolls = await cpu(pilot, list_.action_down, times)
        pages = await cpu(pilot, list_.action_page_down, times)
        last = await cpu(pilot, list_.action_last, 1)

        def update(offset: int) -> None:
            board.judge(stale(claim) for claim in many[offset : offset + 1000])
            list_.sync()

        offsets = iter(range(0, ROWS, 1000))
        updates = await cpu(pilot, lambda: update(next(offsets)), min(times, 20))

        def narrow(query: str) -> None:
            board.select(Filter(query=query))
            list_.sync()

        filters = await cpu(pilot, lambda: narrow("days answers"), 3)
        queries = ("store", "answres", "xyzzy", "")
        longest = [await longest_step(pilot, board, list_, query) for query in queries]
        dialogs = await cpu(pilot, lambda: app.push_screen(FilterDialog(board, board.select)), 1)
    return [
        Figure(
            f"list of {ROWS:,} claims: start, board and first paint, CPU ms (median / 95th)", first, "100"
        ),
        Figure("— cursor move within the view, CPU ms (median / 95th)", spread(moves), "10"),
        Figure("— cursor move that scrolls, CPU ms (median / 95th)", spread(scrolls)),
        Figure("— page down, CPU ms (median / 95th)", spread(pages)),
        Figure("— to the last row, CPU ms", milliseconds(last[0])),
        Figure("— 1,000 verdicts that reorder the list, CPU ms (median / 95th)", spread(updates), "20"),
        Figure(
            "— search over all claims, CPU ms (first / again)",
            f"{milliseconds(filters[0])} / {milliseconds(filters[-1])}",
        ),
        Figure(
            "— the same bit by bit, as the program does it: longest step with its painting, CPU ms",
            milliseconds(max(longest)),
            "50",
        ),
        Figure("— the filter's dialog, every part counted, CPU ms", milliseconds(dialogs[0])),
    ]


async def longest_step(pilot: Any, board: Board, list_: ClaimList, query: str) -> float:
    """CPU seconds of the longest piece of work of a search: found as written, near, not at all, all again."""
    steps = board.arranging(Filter(query=query))
    spent = []
    while True:
        start = time.process_time()
        if next(steps, steps) is steps:
            list_.sync()
            await pilot.pause()
            return max(*spent, time.process_time() - start)
        spent.append(time.process_time() - start)


def spread(values: list[float]) -> str:
    ordered = sorted(values)
    return (
        f"{milliseconds(statistics.median(ordered))} / {milliseconds(ordered[int(len(ordered) * 0.95) - 1])}"
    )


def source(lines: int) -> list[str]:
    return [
        f"    def method_{number}(self, value_{number % 97}: int) -> str:  # {'note ' * (number % 9)}"
        for number in range(lines)
    ]


def versions() -> dict[str, tuple[str, str]]:
    before = source(5000)
    edited = list(before)
    for number in range(0, 5000, 20):
        edited[number] = edited[number].replace("value_", "argument_")
    block = list(before)
    block[2000:3000] = [line.replace("self", "cls") for line in block[2000:3000]]
    whole = [line.replace("self", "cls") for line in before] + source(50)
    return {
        "5,000 lines, 250 edits": ("\n".join(before), "\n".join(edited)),
        "5,000 lines, 1,000 in one block": ("\n".join(before), "\n".join(block)),
        "5,000 lines, all of them": ("\n".join(before), "\n".join(whole)),
    }


async def compared(diff: SplitDiff, before: str, after: str) -> None:
    """What the Evidence tab does with large files: compare in a thread, then show."""
    diff.show(
        await asyncio.to_thread(LineDiff, before, after), deciding=(frozenset({2000}), frozenset({2000}))
    )


async def longest_stall(pilot: Any, work: Any) -> float:
    """The most CPU seconds that the loop's own thread spent between two turns while something was done."""
    task = asyncio.ensure_future(work)
    longest, last = 0.0, time.thread_time()
    for _ in range(5_000):
        await asyncio.sleep(0)
        now = time.thread_time()
        longest, last = max(longest, now - last), now
        if task.done() and not pilot.app.screen._dirty_widgets:
            break
    await pilot.pause()
    return max(longest, time.thread_time() - last)


async def diff_figures(times: int) -> list[Figure]:
    """The diff widget on its own, syntax colour included where the table says so."""
    figures = []
    for name, (before, after) in versions().items():
        app = BenchApp(SplitDiff)
        async with running(app, (160, 45)) as pilot:
            diff = app.query_one(SplitDiff)

            def open_(before: str = before, after: str = after, diff: SplitDiff = diff) -> None:
                diff.show(LineDiff(before, after))

            opened = await cpu(pilot, open_, 5)
            stalls = [await longest_stall(pilot, compared(diff, before, after)) for _ in range(5)]
            diff.action_top()
            pages = await cpu(pilot, diff.action_page_down, min(times, 30))

            def narrow(diff: SplitDiff = diff) -> None:
                diff.split = not diff.is_split

            switched = await cpu(pilot, narrow, 6)
        target = ("100", "12") if "250" in name else ("", "")
        figures += [
            Figure(
                f"diff of {name}: compare and first paint, CPU ms (median)",
                milliseconds(statistics.median(opened)),
                target[0],
            ),
            Figure(
                "— longest stall of the event loop meanwhile, CPU ms (median)",
                milliseconds(statistics.median(stalls)),
                "50",
            ),
            Figure("— page down, CPU ms (median / 95th)", spread(pages), target[1]),
            Figure(
                "— two columns to one and back, CPU ms (median)", milliseconds(statistics.median(switched))
            ),
        ]
    return figures


def scripted(folder: Path, count: int) -> list[str]:
    """The command of an audit process that reports ``count`` verdicts from a script."""
    text = "# Memory\n\n" + "".join(
        f"- Claim {number} is about `src/file{number}.py`.\n" for number in range(count)
    )
    (folder / "CLAUDE.md").write_text(text, encoding="utf-8")
    document = load_document("CLAUDE.md", text.encode(), store="CLAUDE.md", format="claude")
    store = Store("CLAUDE.md", "claude", "project", (document,))
    events: list[dict[str, Any]] = [
        {
            "event": "opened",
            "repo": "bench",
            "root": str(folder),
            "common_dir": str(folder / ".git"),
            "prefix": "",
            "range": wire.range_to_json(Range("1" * 40, "2" * 40, "benchmark")),
            "stores": [wire.store_to_wire(store)],
            "read_only": "",
            "origin": "",
        }
    ]
    for start in range(0, count, 20):
        part = document.claims[start : start + 20]
        items = [{"id": one.id, **wire.judgement_to_json(stale(one))} for one in part]
        events.append({"event": "judged", "items": items})
        events.append({"event": "progress", "done": start, "total": count, "phase": "judging claims"})
    events.append({"event": "done", "summary": {}, "cost": {"model_calls": 0, "usd": 0.0}, "warning": ""})
    script = folder / "script.json"
    script.write_text(
        json.dumps({"events": events, "pause": 0.02, "contents": {}, "rejudged": {}}), encoding="utf-8"
    )
    return [sys.executable, str(WORKER), str(script)]


async def stall_figures() -> list[Figure]:
    """The longest time that the event loop did not turn, while 2,000 verdicts stream in."""
    from memaudit.audit import AuditRequest
    from memaudit.tui.app import MemauditApp
    from memaudit.tui.review_screen import ReviewScreen

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = scripted(folder, 2_000)
        app = MemauditApp(AuditRequest(path=folder), Settings(author="bench"), command=tuple(command))
        gaps: list[tuple[float, float]] = []
        async with app.run_test(size=(120, 40)) as pilot:
            screen = pilot.app.screen
            assert isinstance(screen, ReviewScreen)
            while screen.sitting.opened is None:
                assert not screen.stopped, screen.stopped
                await asyncio.sleep(0.005)
            last, turn, used = time.perf_counter(), time.thread_time(), time.process_time()
            while screen.progress is not None or None in screen.sitting.board.judgements:
                assert not screen.stopped, screen.stopped
                await asyncio.sleep(0.001)
                now, worked = time.perf_counter(), time.thread_time()
                gaps.append((now - last, worked - turn))
                last, turn = now, worked
            used = time.process_time() - used
    return [
        Figure(
            "2,000 verdicts streaming in: longest stall of the event loop, CPU ms (wall ms)",
            f"{milliseconds(max(cpu for _, cpu in gaps))} ({milliseconds(max(wall for wall, _ in gaps))})",
            "50",
        ),
        Figure("— CPU of the screen for all of it, ms", milliseconds(used)),
    ]


def terminal(command: list[str], environment: dict[str, str]) -> Iterator[int]:
    """Run a program in a pseudo terminal of 120x40; send it keys, get the bytes each one cost."""
    pid, descriptor = pty.fork()
    if pid == 0:
        os.execvpe(command[0], command, environment)
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))

    def quiet(seconds: float) -> int:
        count = 0
        while select.select([descriptor], [], [], seconds)[0]:
            try:
                data = os.read(descriptor, 1 << 16)
            except OSError:
                break
            if not data:
                break
            count += len(data)
        return count

    yield quiet(4.0)
    key = yield 0
    while key:
        os.write(descriptor, key.encode())
        key = yield quiet(QUIET_SECONDS)
    os.write(descriptor, b"\x03")
    quiet(0.3)
    os.write(descriptor, b"\x03")
    quiet(1.0)
    os.close(descriptor)
    os.waitpid(pid, 0)
    yield 0


def terminal_figures(times: int) -> list[Figure]:
    """Bytes written per key by the whole program in a pseudo terminal."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = scripted(folder, 400)
        source_ = (
            "import sys, json\nfrom pathlib import Path\n"
            "from memaudit.audit import AuditRequest\nfrom memaudit.settings import Settings\n"
            "from memaudit.tui.app import MemauditApp\n"
            f"app = MemauditApp(AuditRequest(path=Path({str(folder)!r})), Settings(author='bench'),"
            f" command=tuple({command!r}))\napp.run()\n"
        )
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "HOME": name}
        environment |= {"XDG_STATE_HOME": name, "XDG_CONFIG_HOME": name, "TEXTUAL_ANIMATIONS": "none"}
        session = terminal([sys.executable, "-c", source_], environment)
        start = next(session)
        next(session)
        moves = [session.send("j") for _ in range(times)]
        pages = [session.send("\x1b[6~") for _ in range(5)]
        session.send("")
    return [
        Figure("whole program in a terminal: bytes until all is shown", f"{start:,}"),
        Figure(
            "— bytes per cursor move, right side included (median)",
            f"{int(statistics.median(moves)):,}",
            "4,096",
        ),
        Figure("— bytes per page down (median)", f"{int(statistics.median(pages)):,}"),
    ]


def import_figures() -> list[Figure]:
    """What importing costs before anything can be drawn."""
    spent = []
    for _ in range(5):
        run = subprocess.run(
            [sys.executable, "-c", "import time, memaudit.tui.app; print(time.process_time())"],
            capture_output=True,
            text=True,
            check=True,
        )
        spent.append(float(run.stdout))
    return [Figure("importing memaudit.tui.app, CPU ms (best of 5)", milliseconds(min(spent)))]


async def measure(times: int) -> list[Figure]:
    figures = import_figures() + await floor_figures(times) + await list_figures(times)
    return figures + await diff_figures(times) + await stall_figures()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    quick = parser.parse_args().quick
    os.environ["TEXTUAL_ANIMATIONS"] = "none"
    figures = asyncio.run(measure(20 if quick else 100)) + terminal_figures(5 if quick else 30)
    print("| what | measured | target |\n| --- | --- | --- |")
    for figure in figures:
        print(f"| {figure.what} | {figure.value} | {figure.target} |")


if __name__ == "__main__":
    main()

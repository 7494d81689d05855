"""Wrong alarms of other people's memories: banned lists, tasks with slashes, versions of features."""

from __future__ import annotations

from pathlib import Path

from situationkit import HELD, Situation, check, rows, stale

MANIFEST = '{{"name": "desk", "scripts": {{{}}}, "dependencies": {{{}}}}}\n'
BOTH = {"package.json": MANIFEST.format('"test/desk": "run"', '"lamp": "1.0.0", "uuid": "9.0.0"')}
NO_UUID = {"package.json": MANIFEST.format('"test/desk": "run"', '"lamp": "1.0.0"')}
NO_TASK = {"package.json": MANIFEST.format("", '"lamp": "1.0.0", "uuid": "9.0.0"')}
GO = {"go.mod": "module desk\n\ngo 1.26.3\n"}
GO_ON = {"go.mod": "module desk\n\ngo 1.26.4\n"}
STORAGE = "export const mode = localStorage.getItem('mode');\n"
OWN = "export class Shelf {\n  getPlank() { return 1; }\n}\nexport const plank = new Shelf().getPlank();\n"
NO_OWN = "export const plank = 1;\n"
SHOWN = "```js\nconst mode = localStorage.getItem('mode');\n```"
PORTS = {"src/app.py": "PORT = 8000\n", "tests/desk_test.py": "PORT = 4444\nHOME = 'localhost:8000'\n"}

SITUATIONS = (
    Situation(
        "ban-on-a-list",
        "Never use `Math.random()`, `Date.now()` or the `uuid` package.",
        ("unknown",),
        BOTH,
        NO_UUID,
    ),
    Situation(
        "ban-on-a-list/inverse", "Ids come from the `uuid` package.", stale("dependency-gone"), BOTH, NO_UUID
    ),
    Situation("standard-and-package", "Ids are UUID v4.", ("unknown",), BOTH, NO_UUID),
    Situation(
        "standard-and-package/inverse", "Ids are made by `uuid`.", stale("dependency-gone"), BOTH, NO_UUID
    ),
    Situation("both-removed", "`lamp` and `uuid` were both removed.", HELD, NO_UUID, about="both"),
    Situation("task-with-a-slash", "Run `npm run test/desk` first.", HELD, BOTH),
    Situation(
        "task-with-a-slash/inverse", "Run `npm run test/desk` first.", stale("command-gone"), BOTH, NO_TASK
    ),
    Situation(
        "file-run-by-bun",
        "Run `bun run tools/check.ts --all`.",
        HELD,
        {**BOTH, "tools/check.ts": "export {};\n", "bun.lock": "{}\n"},
    ),
    Situation(
        "file-run-by-bun/inverse",
        "Run `bun run tools/check.ts --all`.",
        stale("path-gone"),
        {**BOTH, "tools/check.ts": "export {};\n", "bun.lock": "{}\n"},
        {"tools/check.ts": None},
    ),
    Situation(
        "version-of-a-feature",
        "Helpers use `sync.Map.Clear` (added in Go 1.23) and range-over-int (Go 1.22).",
        ("unknown",),
        GO,
        GO_ON,
    ),
    Situation(
        "version-of-a-feature/inverse",
        "The backend (Go 1.22) is small.",
        stale("version-changed", "earlier"),
        GO,
    ),
    Situation(
        "member-of-the-browser-in-examples",
        SHOWN,
        HELD,
        {"src/page.ts": STORAGE, "examples/a/page.ts": STORAGE},
        {"src/page.ts": "export const mode = 'light';\n"},
    ),
    Situation(
        "own-member-in-examples/inverse",
        "`Shelf.getPlank()` gives a plank.",
        stale("symbol-gone"),
        {"src/shelf.ts": OWN, "examples/a/shelf.ts": "getPlank();\n"},
        {"src/shelf.ts": NO_OWN},
    ),
    Situation(
        "port-in-the-file-named",
        "`tests/desk_test.py` opens port 8000.",
        HELD,
        PORTS,
        {"src/app.py": "PORT = 9000\n"},
    ),
    Situation(
        "port-in-the-file-named/inverse",
        "The desk listens on port 8000.",
        stale("value-changed"),
        PORTS,
        {"src/app.py": "PORT = 9000\n"},
    ),
)


@rows(SITUATIONS)
def test_what_readers_found_wrong(situation: Situation, tmp_path: Path) -> None:
    check(tmp_path / "desk", situation)


BUILT = "const args = ['--print', '--stream-all', '--verbose'];\nspawn('lamp', args);\n"
PARSED = "program.option('--stream-all', 'Stream all');\n"
NO_FLAG = "const args = ['--print'];\nspawn('lamp', args);\n"

FURTHER = (
    Situation(
        "flag-handed-on",
        "Run `lamp --stream-all`.",
        ("unknown",),
        {"src/run.ts": BUILT},
        {"src/run.ts": NO_FLAG},
    ),
    Situation(
        "flag-handed-on/inverse",
        "Run `desk --stream-all`.",
        stale("flag-gone"),
        {"src/run.ts": PARSED},
        {"src/run.ts": NO_FLAG},
    ),
    Situation(
        "recommended-layout",
        "```\ndesk/\n├── lamps.md\n└── shelf/\n```",
        ("unknown",),
        {"desk/notes.md": "x\n", "desk/shelf/a.md": "x\n"},
        heading="Recommended layout",
        about="lamps",
    ),
    Situation(
        "recommended-layout/inverse",
        "```\ndesk/\n├── lamps.md\n└── shelf/\n```",
        stale("path-gone", "earlier"),
        {"desk/notes.md": "x\n", "desk/shelf/a.md": "x\n"},
        heading="Layout",
        about="lamps",
    ),
)


@rows(FURTHER)
def test_what_readers_found_wrong_later(situation: Situation, tmp_path: Path) -> None:
    check(tmp_path / "desk", situation)

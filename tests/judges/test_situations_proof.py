"""Situations in which too little was seen to prove anything: samples of a search, files too large to be
searched, names that stand for any, paths that are none. Each has its counterpart that proves something.
"""

from __future__ import annotations

from pathlib import Path

from quickrepo import Files, Revision, build
from situationkit import HELD, OUTSIDE, Situation, check, rows, stale

from memaudit.audit import Audit
from memaudit.domain import AuditRequest

AMBIGUOUS = ("unknown", "ambiguous")
NOTHING = ("unknown", "no-reference")

MANY: Files = {f"aaa/part{number}.py": "def fetch():\n    return 1\n" for number in range(60)}
"""More places with a name than a search of it returns."""

ROUTES = {"shop/routes.py": 'ROUTES = [\n    "/parcels/fetch",\n]\n'}
NO_ROUTES: Files = {"shop/routes.py": "ROUTES = []\n"}
RUNS = {"shop/runs.py": "class RunDesk:\n    def fetch(self):\n        return 2\n"}
NO_RUNS: Files = {"shop/runs.py": "class RunDesk:\n    def drop(self):\n        return 2\n"}

SEND = "def send_parcel(to):\n    return to\n"
LARGE = SEND + "LIMIT = 1  # One more line of many.\n" * 40_000

PACKAGE = {"packages/parts/package.json": '{"name": "@shop/parts"}\n', "package.json": '{"name": "shop"}\n'}
COMPOSED = {"src/parts/composer.json": '{"name": "shop/parts"}\n', "composer.json": '{"name": "shop/all"}\n'}

DRAWN = "```\ntools/\n├── cut.py\n├── glue.py\n├── fold.py\n├── weigh.py\n├── post.py\n└── own/\n```"
TOOLS = {f"tools/{name}.py": "LIMIT = 1\n" for name in ("cut", "glue", "fold", "weigh", "post")}

MODULE = {"go.mod": "module shop\n\ngo 1.24\n"}
LABELLED = (
    "```\nshop-desk/\n├── tools/\n│   ├── cut.py\n│   ├── glue.py\n│   ├── fold.py\n│   ├── weigh.py\n"
    "│   ├── post.py\n│   └── made/\n└── README.md\n```"
)
CALLED = '```go\nrouter.GET("/open", desk.HandleOpening(desk.Open))\n```'
MAKE = {"Makefile": "build:\n\ttrue\n\ncheck:\n\ttrue\n\nclean:\n\ttrue\n"}
INKS = {"shop/inks.py": 'INK_COLOURS = ["crimson", "navy"]\n'}
FEWER_INKS: Files = {"shop/inks.py": 'INK_COLOURS = ["crimson", "olive"]\n'}

COMPOSE = {"compose.yml": "services:\n  base:\n    image: graphdb:5.2.6\n"}
STARTED = {
    ".github/workflows/all.yml": "jobs:\n  all:\n    steps:\n      - run: docker run graphdb:5.2-small\n"
}

E2E = {"tests/e2e/basket.ts": "test();\n", "tests/e2e/till.ts": "test();\n"}
FLOWS = {".github/workflows/all.yml": "name: All\n"}
GO = {
    "pkg/shelf/shelf_test.go": "package shelf\n\nfunc TestShelf(t *testing.T) {}\n",
    "go.mod": "module shop\n",
}
SWIFT = {
    f"Checks/{name}Tests.swift": f"final class {name}Tests: XCTestCase {{}}\n"
    for name in ("Basket", "Till", "Parcel", "Stamp", "Label", "Weight", "Ledger")
}

BUFFER = {
    "shop/__init__.py": "from shop._ring import put_log\n\nput_log()\n",
    "shop/_ring.py": "def put_log():\n    return 1\n",
}
NO_BUFFER = {"shop/__init__.py": "LIMIT = 1\n", "shop/_ring.py": "RING = 1\n"}

CLIENT = {
    "demo/desk/src/api/client.ts": "export const a = 1;\n",
    "src/api/client.ts": "export const b = 1;\n",
}
MESSAGES = {
    "src/basket/messages.ts": "export const messages = { open: 1 };\n",
    "src/till/messages.ts": "export const messages = { open: 1 };\n",
}
SAMPLE = "```tsx\nreturn <Words {...messages.emptyShelf} />;\n```"

COMMANDS = """import click


@click.group()
def main():
    pass


@main.command()
def pack():
    pass


@main.command()
def ship():
    pass


@main.command()
def weigh():
    pass


@main.command()
def label():
    pass
"""
BY_HAND = 'import sys\n\nif sys.argv[1] == "plugins":\n    run()\n'
PROGRAM = {
    "pyproject.toml": "[project]\nname = 'shop'\n[project.scripts]\nshop = 'shop.cli:main'\n",
    "shop/cli.py": COMMANDS,
}

SITUATIONS = (
    # What a search returns of a common word is a sample.
    Situation(
        "fp-route-not-in-sample",
        "`POST /parcels/fetch` fetches one.",
        NOTHING,
        ROUTES,
        {**MANY, "shop/routes.py": 'ROUTES = [\n    "/parcels"\n    "/fetch",\n]\n'},
    ),
    Situation(
        "fp-route-not-in-sample/inverse",
        "`POST /parcels/fetch` fetches one.",
        stale("route-gone"),
        ROUTES,
        {**MANY, **NO_ROUTES},
    ),
    Situation(
        "fp-member-not-in-sample",
        "`RunDesk.fetch()` waits for it.",
        HELD,
        RUNS,
        {**MANY, "shop/runs.py": "# Runs.\n" + RUNS["shop/runs.py"]},
    ),
    Situation(
        "fp-member-not-in-sample/inverse",
        "`RunDesk.fetch()` waits for it.",
        stale("symbol-gone"),
        RUNS,
        {**MANY, **NO_RUNS},
    ),
    # A path in a comment, or at the end of another one, is no route.
    Situation(
        "fp-folder-of-a-container",
        "The image mounts the sources at `/app/parcels`.",
        NOTHING,
        {"shop/scan.py": "# Such as ``/home/me/parcels``.\nLIMIT = 'a/home/me/parcels'\n"},
        {"shop/scan.py": "LIMIT = 1\n"},
    ),
    Situation(
        "fp-folder-of-a-container/inverse",
        "The server has `/app/parcels`.",
        stale("route-gone"),
        {"shop/scan.py": "serve(prefix, '/parcels')\n"},
        {"shop/scan.py": "LIMIT = 1\n"},
    ),
    # A file that grew too large to be searched.
    Situation(
        "fp-grown-too-large",
        "`send_parcel(to)` sends one.",
        AMBIGUOUS,
        {"shop/send.py": SEND},
        {"shop/send.py": LARGE},
    ),
    Situation(
        "fp-grown-too-large/inverse",
        "`send_parcel(to)` sends one.",
        stale("symbol-gone"),
        {"shop/send.py": SEND},
        {"shop/send.py": "LIMIT = 1\n"},
    ),
    # The name of a package is no path.
    Situation(
        "fp-package-name-with-slash",
        "**Demo server** (`shop/parts`): prompts come from `src/parts/`.",
        HELD,
        {**COMPOSED, "src/parts/main.php": "<?php\n"},
    ),
    Situation(
        "fp-package-name-in-bold",
        "**@shop/parts**: what all share; others import `@shop/parts`.",
        HELD,
        PACKAGE,
    ),
    Situation(
        "fp-package-name-with-slash/inverse",
        "`lib/parts` holds the package `@shop/parts`.",
        stale("path-gone", "earlier"),
        PACKAGE,
    ),
    # What git ignores is not there to be looked at.
    Situation(
        "fp-all-inside-ignored",
        DRAWN,
        HELD,
        {**TOOLS, ".gitignore": "tools/own/*\n"},
        about="own/",
    ),
    Situation(
        "fp-all-inside-ignored/inverse",
        DRAWN,
        stale("path-gone", "earlier"),
        TOOLS,
        about="own/",
    ),
    Situation(
        "fp-said-to-be-ignored",
        "`tools/own.toml` (gitignored) has your own values.",
        NOTHING,
        TOOLS,
    ),
    Situation(
        "fp-said-to-be-ignored/inverse",
        "`tools/own.toml` has the values.",
        stale("path-gone", "earlier"),
        TOOLS,
    ),
    # What is denied of the first is denied of all.
    Situation(
        "fp-denied-together",
        "There is no `make load` / `make save` task on purpose.",
        HELD,
        MAKE,
    ),
    Situation(
        "fp-denied-together/inverse",
        "Run `make build` / `make save`.",
        stale("command-gone", "earlier"),
        MAKE,
    ),
    # A run of names that goes on in words is no complete list.
    Situation(
        "fp-list-goes-on-in-words",
        "Ink colours: `crimson`, `navy`, colours of the house",
        ("unknown",),
        INKS,
        FEWER_INKS,
    ),
    Situation(
        "fp-list-goes-on-in-words/inverse",
        "Ink colours: `crimson`, `navy`",
        stale("list-changed"),
        INKS,
        FEWER_INKS,
    ),
    # An image that a script starts, and a version with a tail.
    Situation(
        "fp-image-of-a-script",
        "Start it: `docker run graphdb:5.2-small`",
        HELD,
        {**COMPOSE, **STARTED},
    ),
    Situation(
        "fp-image-of-a-script/inverse",
        "Start it: `docker run graphdb:5.2-small`",
        stale("version-changed", "earlier"),
        COMPOSE,
    ),
    Situation(
        "fp-tag-before-release",
        "Tags need not be numbers: Go `1.20rc1`, Node `lts`.",
        NOTHING,
        {"go.mod": "module shop\n\ngo 1.24\n"},
    ),
    Situation(
        "fp-tag-before-release/inverse",
        "It needs Go `1.20` or newer.",
        stale("version-changed", "earlier"),
        {"go.mod": "module shop\n\ngo 1.24\n"},
    ),
    # Names that only say what is to be named.
    Situation("fp-any-file", "Run one: `npx vitest tests/e2e/file.ts`", ("unknown",), E2E),
    Situation(
        "fp-any-file/inverse", "Run one: `npx vitest tests/e2e/stamp.ts`", stale("path-gone", "earlier"), E2E
    ),
    Situation("fp-any-flow", "Call it by `.github/workflows/flow-name.yml`.", NOTHING, FLOWS),
    Situation(
        "fp-any-flow/inverse",
        "Call it by `.github/workflows/ship.yml`.",
        stale("path-gone", "earlier"),
        FLOWS,
    ),
    Situation("fp-any-class", "Cases go to `ThingNameTests` by name.", NOTHING, SWIFT),
    Situation(
        "fp-any-class/inverse",
        "Cases go to `InvoiceSumTests` by name.",
        stale("symbol-gone", "earlier"),
        SWIFT,
    ),
    # A function told of with its module, in the file that imports it.
    Situation(
        "fp-imported-function",
        "`_ring.put_log` is called from `shop/__init__.py`.",
        HELD,
        BUFFER,
    ),
    Situation(
        "fp-imported-function/inverse",
        "`_ring.put_log` is called from `shop/__init__.py`.",
        stale("symbol-gone", "earlier"),
        NO_BUFFER,
    ),
    # A pattern of addresses is no glob.
    Situation(
        "fp-pattern-of-addresses",
        "The proxy hands `/api/*` on to the back end.",
        NOTHING,
        {"demo/desk/src/api/client.ts": CLIENT["demo/desk/src/api/client.ts"]},
        {"demo/desk/src/api/client.ts": None},
    ),
    Situation(
        "fp-pattern-of-addresses/inverse",
        "The clients are in `/src/api/*`.",
        stale("glob-empty"),
        CLIENT,
        {"src/api/client.ts": None},
    ),
    # A variable of a sample that several modules are called like.
    Situation("fp-one-of-several-modules", SAMPLE, NOTHING, MESSAGES),
    Situation(
        "fp-one-of-several-modules/inverse",
        SAMPLE,
        stale("symbol-gone", "earlier"),
        {"src/till/messages.ts": MESSAGES["src/till/messages.ts"]},
    ),
    Situation(
        "fp-receiver-of-a-sample",
        f"```go\nfunc (desk *Desk) Open(w http.ResponseWriter)\n```\n\n{CALLED}",
        NOTHING,
        {"web/desk.ts": "export const desk = { a: 1 };\n"},
        about="Handle",
    ),
    Situation(
        "fp-receiver-of-a-sample/inverse",
        CALLED,
        stale("symbol-gone", "earlier"),
        {"web/desk.ts": "export const desk = { a: 1 };\n"},
        about="Handle",
    ),
    # The header of a library, and what git ignores below the name that a tree gives the repository.
    Situation(
        "fp-header-of-a-library",
        "Its macros are those of `kit/log.h`.",
        OUTSIDE,
        {"src/kit/main.cc": "#include <kit/log.h>\nint a;\n"},
        memory="src/CLAUDE.md",
    ),
    Situation(
        "fp-header-of-a-library/inverse",
        "Its macros are those of `kit/log.h`.",
        stale("path-gone", "earlier"),
        {"src/kit/main.cc": "int a;\n"},
        memory="src/CLAUDE.md",
    ),
    Situation(
        "fp-ignored-below-a-label",
        LABELLED,
        HELD,
        {**TOOLS, ".gitignore": "tools/made/\n"},
        about="made/",
    ),
    Situation(
        "fp-ignored-below-a-label/inverse",
        LABELLED,
        stale("path-gone", "earlier"),
        TOOLS,
        about="made/",
    ),
    # A memory that came with a copy of somebody else's code.
    Situation(
        "fp-memory-of-a-copy",
        "`.github/workflows/units.yml` runs all.",
        OUTSIDE,
        {**FLOWS, "vendor/git.test/kit/kit.go": "package kit\n"},
        memory="vendor/git.test/kit/CLAUDE.md",
    ),
    Situation(
        "fp-memory-of-a-copy/inverse",
        "`.github/workflows/units.yml` runs all.",
        stale("path-gone", "earlier"),
        {**FLOWS, "kit/kit.go": "package kit\n"},
        memory="kit/CLAUDE.md",
    ),
    # Since when a language has something, and what the repository asks for.
    Situation("fp-since-version", "Since Go 1.20 each turn has its own copy.", NOTHING, MODULE),
    Situation(
        "fp-since-version/inverse",
        "It needs Go 1.20: each turn has its own copy.",
        stale("version-changed", "earlier"),
        MODULE,
    ),
    Situation(
        "fp-version-of-a-feature", "The `sync.OnceValue()` family (Go 1.20+) keeps it.", NOTHING, MODULE
    ),
    Situation(
        "fp-version-of-a-feature/inverse",
        "The back end (Go 1.20+) keeps it.",
        stale("version-changed", "earlier"),
        MODULE,
    ),
    # A runner that starts programs of packages where no script bears the name.
    Situation(
        "fp-program-for-a-script",
        "Check types: `bun run tsc --noEmit`",
        ("unknown",),
        {"package.json": '{"scripts": {"build": "x"}, "devDependencies": {"typescript": "5.0.0"}}\n'},
    ),
    Situation(
        "fp-program-for-a-script/inverse",
        "Check types: `bun run tsc --noEmit`",
        stale("command-gone", "earlier"),
        {"package.json": '{"scripts": {"build": "x"}}\n'},
    ),
    # A sub-command that no parser sees.
    Situation(
        "fp-command-taken-by-hand",
        "List them: `shop plugins`",
        HELD,
        {**PROGRAM, "shop/main.py": BY_HAND},
    ),
    Situation(
        "fp-command-taken-by-hand/inverse",
        "List them: `shop plugins`",
        stale("command-gone", "earlier"),
        PROGRAM,
    ),
)


@rows(SITUATIONS)
def test_what_is_not_proved_is_not_marked(situation: Situation, tmp_path: Path) -> None:
    check(tmp_path / "shop", situation)


def test_a_test_to_be_named_is_not_missed(tmp_path: Path) -> None:
    lines = [f"One: `go test -run TestShelf{last} ./pkg/shelf`" for last in ("Name", "Order")]
    before: Files = {**GO, "CLAUDE.md": "# Tests\n\n" + "\n\n".join(lines) + "\n"}
    after: Files = {"notes.txt": "x\n"}
    first, last = build(tmp_path / "shop", [Revision(before, "before"), Revision(after, "after")])
    found = Audit(AuditRequest(tmp_path / "shop", range=f"{first}..{last}")).run()
    assert [claim.text for claim, judgement in found if judgement.verdict.value == "stale"] == lines[1:]


def test_a_workflow_that_is_gone_is_told_by_its_file(tmp_path: Path) -> None:
    flow = "name: Measure\njobs:\n  all:\n    steps:\n      - run: 'true'\n"
    before: Files = {
        "CLAUDE.md": "# Flows\n\n- `Measure`: how fast it is\n",
        ".github/workflows/measure.yml": flow,
        ".github/workflows/all.yml": flow.replace("Measure", "All"),
    }
    gone: Files = {".github/workflows/measure.yml": None}
    first, last = build(tmp_path / "shop", [Revision(before, "before"), Revision(gone, "after")])
    [(_, judgement)] = Audit(AuditRequest(tmp_path / "shop", range=f"{first}..{last}")).run()
    assert judgement.verdict.value == "stale"
    assert ".github/workflows/measure.yml was there at base" in judgement.why

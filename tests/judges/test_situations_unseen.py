"""Situations that memories of many repositories bring up: wrong alarms, each with its counterpart."""

from __future__ import annotations

from pathlib import Path

from quickrepo import Files, Revision, build
from situationkit import HELD, OUTSIDE, Situation, check, rows, stale

from memaudit.audit import Audit
from memaudit.domain import AuditRequest

LOCKED = {"pnpm-lock.yaml": "lockfileVersion: '9.0'\n", "package.json": '{"name": "shop"}\n'}
ASKED = "Run it: `pytest tests -k test_share_file`"
AMBIGUOUS = ("unknown", "ambiguous")

PROGRAM = """import click


@click.group()
def main():
    pass


@main.command()
@click.option("--fast", help="Go faster (skips checks).", type=click.Choice(["a", "b"]))
def pack(fast):
    pass


@main.command(help=text("long"), name="ship-it")
def ship():
    pass


@main.command()
def clear_cmd():
    pass


@main.command()
def count():
    pass
"""
SCRIPTS = "[project]\nname = 'shop'\n[project.scripts]\nshop = 'shop.cli:main'\n"
SHOP = {"pyproject.toml": SCRIPTS, "shop/cli.py": PROGRAM}
NO_PACK = PROGRAM.replace("def pack(", "def wrap(")

PARCEL = {f"parcel-kit/src/part{number}.py": f"PART = {number}\n" for number in range(5)}
PARCEL["parcel-kit/src/send.py"] = "def send_parcel(to):\n    return to\n"
NO_PARCEL: dict[str, str | bytes | None] = dict.fromkeys(PARCEL, None)

COUNTER = {f"ui/src/parts/Counter/{name}": f"export const {name[0]} = 1;\n" for name in ("Row.ts", "Sum.ts")}
COUNTER_MOVED: dict[str, str | bytes | None] = {
    **dict.fromkeys(COUNTER, None),
    **{path.replace("parts/Counter", "pages/counter"): text for path, text in COUNTER.items()},
}
DRAWN = "```\nCounter/\n├── Row.ts\n├── Head.ts\n└── Sum.ts\n```"

CHECKS = "".join(f"TEST_CASE(Works{number}) {{ REQUIRE_OK({number}); }}\n" for number in range(20))
UNIT = {"store/unit2.cc": '#include "kit.h"\n' + CHECKS}
UNIT_RENAMED = {"store/unit2.cc": None, "store/more_unit2_test.cc": UNIT["store/unit2.cc"]}

GO_TESTS = {
    "go.mod": "module shop\n",
    "api/ware_test.go": "package api\nfunc TestWareList(t *testing.T) {}\n",
}
PY_TESTS = {"tests/test_bill.py": "def test_sums_all():\n    pass\n"}

DATA = {
    f"api/db/{name}_data.py": f"class {name.title()}Data:\n    pass\n" for name in ("user", "ware", "bill")
}
BOTS = {"shop/__init__.py": "", "shop/bots/__init__.py": '"""Bots."""\n', "shop/bots/talk.py": "LIMIT = 1\n"}

SITUATIONS = (
    # Words that keep off a name without a "not" right before it.
    Situation(
        "fp-before-using-directly",
        "Look at the list of recipes before using `cargo` or `npm` directly.",
        ("unknown",),
        LOCKED,
    ),
    Situation(
        "fp-before-using-directly/inverse",
        "Install everything using npm.",
        stale("manager-changed", "earlier"),
        LOCKED,
    ),
    Situation(
        "fp-heading-forbids",
        "Use npm or yarn in any package.",
        ("unknown",),
        LOCKED,
        heading="Do NOT",
    ),
    Situation(
        "fp-heading-forbids/inverse",
        "Use npm in any package.",
        stale("manager-changed", "earlier"),
        LOCKED,
        heading="Do",
    ),
    Situation(
        "fp-manager-of-users",
        "Users get the released tool with `npm install -g shop`.",
        HELD,
        LOCKED,
    ),
    Situation(
        "fp-manager-at-run-time",
        "The plugin fetches its binary on first use via `npm install` into its own cache.",
        HELD,
        LOCKED,
    ),
    Situation(
        "fp-manager-at-run-time/inverse",
        "Set the project up via `npm install` in the root.",
        stale("manager-changed", "earlier"),
        LOCKED,
    ),
    Situation(
        "fp-no-longer-registered",
        "Jobs are no longer registered in `shop/jobs.py`.",
        ("unknown",),
        {"shop/jobs.py": "JOBS = []\n"},
        {"shop/jobs.py": None},
    ),
    Situation(
        "fp-no-longer-registered/inverse",
        "Jobs are registered in `shop/jobs.py`.",
        stale("path-gone"),
        {"shop/jobs.py": "JOBS = []\n"},
        {"shop/jobs.py": None},
    ),
    Situation(
        "fp-mistake-in-a-gerund",
        "- Using `skip_faults: true` instead of `fail_late: false`",
        ("unknown",),
        {"play.yml": "skip_faults: true\n"},
        {"play.yml": "fail_late: false\n"},
    ),
    Situation(
        "fp-mistake-in-a-gerund/inverse",
        "- It runs with `skip_faults: true`",
        stale("symbol-gone"),
        {"play.yml": "skip_faults: true\n"},
        {"play.yml": "fail_late: false\n"},
    ),
    # A package manager that the project names exactly is newer than the lowest that will do.
    Situation(
        "fp-pinned-above-the-bound",
        "Needs pnpm 10+ on the machine.",
        HELD,
        {"package.json": '{"name": "shop", "packageManager": "pnpm@11.2.0"}\n'},
    ),
    Situation(
        "fp-pinned-above-the-bound/inverse",
        "Needs pnpm 12+ on the machine.",
        stale("version-changed"),
        {"package.json": '{"name": "shop", "packageManager": "pnpm@12.2.0"}\n'},
        {"package.json": '{"name": "shop", "packageManager": "pnpm@11.2.0"}\n'},
    ),
    # Commands that Python registers, whatever stands in the brackets of the decorators.
    Situation("fp-option-with-brackets", "Pack with `shop pack`.", HELD, SHOP),
    Situation("fp-command-named-last", "Send it with `shop ship-it`.", HELD, SHOP),
    Situation("fp-command-without-suffix", "Tidy up with `shop clear`.", HELD, SHOP),
    Situation(
        "fp-option-with-brackets/inverse",
        "Pack with `shop pack`.",
        stale("command-gone"),
        SHOP,
        {"shop/cli.py": NO_PACK},
    ),
    # A file that was a test by contents and is one by name now.
    Situation("fp-renamed-into-a-test", "Wrap results in `REQUIRE_OK`.", ("held",), UNIT, UNIT_RENAMED),
    Situation(
        "fp-renamed-into-a-test/inverse",
        "Switch it on with `SHOP_FAST`.",
        stale("symbol-gone"),
        {
            "shop/run.py": 'import os\n\nFAST = os.environ["SHOP_FAST"]\n',
            "tests/test_run.py": 'def test_it(env):\n    env["SHOP_FAST"] = "1"\n',
        },
        {"shop/run.py": "FAST = True\n"},
    ),
    # An attribute begins like a comment.
    Situation(
        "fp-attribute-is-no-comment",
        "It takes the rest as it is: `keep_tail = true`",
        HELD,
        {"src/args.rs": "#[arg(keep_tail = true, num = 2)]\nstruct Rest;\n"},
        {"src/args.rs": "#[arg(keep_tail = true, num = 3)]\nstruct Rest;\n"},
    ),
    Situation(
        "fp-attribute-is-no-comment/inverse",
        "It takes the rest as it is: `keep_tail = true`",
        stale("value-changed"),
        {"src/args.rs": "#[arg(keep_tail = true, num = 2)]\nstruct Rest;\n"},
        {"src/args.rs": "#[arg(keep_tail = false, num = 2)]\nstruct Rest;\n"},
    ),
    # What was taken out to a repository that the memory names is there.
    Situation(
        "fp-taken-out-and-linked",
        "The [parcel-kit](https://github.com/acme/parcel-kit) server does it: `send_parcel`",
        OUTSIDE,
        PARCEL,
        NO_PARCEL,
    ),
    Situation(
        "fp-taken-out-and-linked/inverse",
        "The server ([parts](https://github.com/acme/shop-parts)) does it: `send_parcel`",
        stale("symbol-gone"),
        PARCEL,
        NO_PARCEL,
    ),
    Situation(
        "fp-taken-out-path",
        "The [parcel-kit](https://github.com/acme/parcel-kit) server is in `parcel-kit/src/send.py`",
        stale("path-gone"),
        PARCEL,
        NO_PARCEL,
    ),
    # A memory that is handed out to other projects speaks of those.
    Situation(
        "fp-template",
        "Write the plan to keep in `docs/plan.md`: read `docs/outline.md` for its parts.",
        ("unknown",),
        {"docs/start.md": "Start.\n"},
        memory="templates/AGENTS.md",
    ),
    Situation(
        "fp-template/inverse",
        "Read `docs/outline.md` for its parts.",
        stale("path-gone", "earlier"),
        {"docs/start.md": "Start.\n"},
    ),
    # Runners take a part of a name.
    Situation("fp-test-by-part-go", "One test: `go test ./api -run TestWare`", HELD, GO_TESTS),
    Situation(
        "fp-test-by-part-go/inverse",
        "One test: `go test ./api -run TestWare`",
        stale("symbol-gone", "range"),
        GO_TESTS,
        {"api/ware_test.go": "package api\nfunc TestBill(t *testing.T) {}\n"},
    ),
    Situation("fp-test-by-part-py", "One test: `pytest tests -k test_sum`", HELD, PY_TESTS),
    Situation(
        "fp-test-by-part-py/inverse",
        "One test: `pytest tests/test_bill.py::test_sum`",
        stale("symbol-gone", "earlier"),
        PY_TESTS,
    ),
    # What is written as the work goes on need not be there, wherever the document names it.
    Situation(
        "fp-file-is-written",
        "- `docs/talk/reviewer.md`: from engineers\n- Everyone writes a report to `docs/talk/reviewer.md`.",
        ("unknown",),
        {"docs/talk/index.md": "Talk.\n"},
        about="from engineers",
    ),
    Situation(
        "fp-file-is-written/inverse",
        "- `docs/talk/reviewer.md`: reports from engineers",
        stale("path-gone", "earlier"),
        {"docs/talk/index.md": "Talk.\n"},
    ),
    # An import of a module beside it, from nobody knows which file.
    Situation(
        "fp-import-from-beside",
        "Imports end in `.js` (e.g. `import { Hill } from './hills.js'`).",
        ("unknown",),
        {"hills.js": "export const Hill = 1;\n"},
        {"hills.js": None, "src/hills.ts": "export const Hill = 1;\n"},
    ),
    Situation(
        "fp-import-from-beside/inverse",
        "Hills are in `hills.js`.",
        stale("path-moved", "range"),
        {"hills.js": "export const Hill = 1;\n"},
        {"hills.js": None, "src/hills.ts": "export const Hill = 1;\n"},
    ),
    # What a person types to an agent is no folder of that name.
    Situation(
        "fp-slash-command",
        "Type `/harvest` to file a note.",
        ("unknown",),
        {"tools/harvest/run.py": "pass\n"},
        {"tools/harvest/run.py": None},
    ),
    Situation(
        "fp-slash-command/inverse",
        "Notes are filed by `tools/harvest/`.",
        stale("path-gone", "range"),
        {"tools/harvest/run.py": "pass\n"},
        {"tools/harvest/run.py": None},
    ),
    # A branch of `case` starts no program.
    Situation(
        "fp-case-label",
        "The worker (`seed-picker`) takes one ticket.",
        ("unknown",),
        {"bin/stop.sh": "case $1 in\nseed-picker|picker|owner)\n  exit 0\n  ;;\nesac\n"},
        {"bin/stop.sh": "exit 0\n"},
    ),
    Situation(
        "fp-case-label/inverse",
        "The worker (`seed-picker`) takes one ticket.",
        stale("tool-gone", "range"),
        {"bin/stop.sh": "case $1 in\nowner)\n  exit 0\n  ;;\nesac\nseed-picker --all\n"},
        {"bin/stop.sh": "exit 0\n"},
    ),
    # A tree that is called an example is no drawing of what is there.
    Situation(
        "fp-tree-led-as-example",
        "**Example Structure**:\n\n```\nui/src/parts/\n├── Counter/\n└── index.ts   # exports\n```",
        ("unknown",),
        COUNTER,
        about="index.ts",
    ),
    Situation(
        "fp-tree-led-as-example/inverse",
        "**Structure**:\n\n```\nui/src/parts/\n├── Counter/\n└── index.ts   # exports\n```",
        stale("path-gone", "earlier"),
        COUNTER,
        about="index.ts",
    ),
    # A tree below rules is a shape, not a place.
    Situation(
        "fp-tree-is-a-shape",
        DRAWN,
        ("unknown",),
        COUNTER,
        COUNTER_MOVED,
        about="Row.ts",
        memory="ui/CLAUDE.md",
        heading="Rules for where parts are kept",
    ),
    Situation(
        "fp-tree-is-a-shape/inverse",
        "```\nCounter/\n└── Row.ts\n```",
        stale("path-moved"),
        {**COUNTER, "ui/src/parts/Counter/index.ts": ""},
        {**COUNTER_MOVED, "ui/src/parts/Counter/index.ts": ""},
        about="Row.ts",
        memory="ui/CLAUDE.md",
        heading="Layout",
    ),
    Situation(
        "fp-any-test-case",
        "Run a single test by `pytest tests/api/test_case.py -v`.",
        ("unknown",),
        {"tests/api/test_login.py": "def test_it():\n    pass\n"},
    ),
    Situation(
        "fp-any-test-case/inverse",
        "Run the test by `pytest tests/api/test_logout.py -v`.",
        stale("path-gone", "earlier"),
        {"tests/api/test_login.py": "def test_it():\n    pass\n"},
    ),
    Situation(
        "fp-two-crosses",
        "Calls of the server are in `web/calls/xx-call.ts`.",
        ("unknown",),
        {"web/calls/user-call.ts": "export const user = 1;\n"},
    ),
    Situation(
        "fp-two-crosses/inverse",
        "Calls of the server are in `web/calls/any-call.ts`.",
        stale("path-gone", "earlier"),
        {"web/calls/user-call.ts": "export const user = 1;\n"},
    ),
    # A family of files is one of the folder that the memory speaks for.
    Situation(
        "fp-family-of-another-folder",
        "Constants are written so: `FirstShopData`",
        ("unknown",),
        {**DATA, "web/src/main.ts": "export const start = 1;\n"},
        memory="web/CLAUDE.md",
    ),
    Situation(
        "fp-family-without-such-classes",
        "Constants are written so: `FirstShopData`",
        ("unknown",),
        dict.fromkeys(DATA, "ROWS = []\n"),
        memory="api/CLAUDE.md",
    ),
    Situation(
        "fp-family-of-another-folder/inverse",
        "Rows are held by `FirstShopData`",
        stale("symbol-gone", "earlier"),
        DATA,
        memory="api/CLAUDE.md",
    ),
    # A package that gives modules of another one has none of their files.
    Situation(
        "fp-package-under-another-name",
        "```python\nfrom shop.bots._names import register\n```",
        ("unknown",),
        {**BOTS, "shop/bots/__init__.py": "import sys\n\nsys.modules[__name__] = load()\n"},
    ),
    Situation(
        "fp-package-under-another-name/inverse",
        "```python\nfrom shop.bots._names import register\n```",
        stale("path-gone", "earlier"),
        BOTS,
    ),
    # Names that stand for a row of names.
    Situation(
        "fp-from-first-to-last",
        "Steps are in `shop/steps/step1-step4/`.",
        HELD,
        {f"shop/steps/step{number}/run.py": "RUN = 1\n" for number in (1, 2, 3, 4)},
    ),
    Situation(
        "fp-from-first-to-last/inverse",
        "Steps are in `shop/steps/step1-step4.py`.",
        stale("path-gone", "earlier"),
        {f"shop/steps/step{number}/run.py": "RUN = 1\n" for number in (1, 2)},
    ),
    # What a sample in the memory makes up.
    Situation(
        "fp-variable-of-a-sample",
        "```python\noutput = share_file(data)\nassert output.share_id\n```",
        ("unknown",),
        {"shop/output.py": "LIMIT = 1\n"},
    ),
    Situation(
        "fp-variable-of-a-sample/inverse",
        "```python\nfrom shop import output\nassert output.share_id\n```",
        stale("symbol-gone", "earlier"),
        {"shop/output.py": "LIMIT = 1\n"},
    ),
    Situation(
        "fp-test-of-a-sample",
        f"```python\ndef test_share_file():\n    assert share()\n```\n\n{ASKED}",
        AMBIGUOUS,
        {"tests/test_all.py": "def test_all():\n    pass\n"},
        about="Run it",
    ),
)


@rows(SITUATIONS)
def test_memories_of_unseen_repositories(situation: Situation, tmp_path: Path) -> None:
    check(tmp_path / "shop", situation)


def stale_lines(root: Path, before: Files, after: Files, *, old_store: bool = False) -> list[str]:
    """The texts of the claims that the change makes stale; of the store as it was, or as it is."""
    first, last = build(root, [Revision(before, "before"), Revision(after, "after")])
    audit = Audit(AuditRequest(root, range=f"{first}..{last}", store_at=first if old_store else None))
    return [claim.text for claim, judgement in audit.run() if judgement.verdict.value == "stale"]


def test_a_memory_made_from_a_shipped_template_speaks_of_any_project(tmp_path: Path) -> None:
    line = "Read `docs/outline.md` for the parts of a plan."
    own = {"docs/start.md": "Start.\n", "AGENTS.md": f"# Plan\n\n{line}\n"}
    made = {"docs/start.md": "Start.\n", ".shop/AGENTS.md": f"# Plan\n\n{line}\n"}
    shipped = {"assets/AGENTS.md": f"# Any plan\n\n{line}\n"}
    assert stale_lines(tmp_path / "own", own, {"notes.txt": "x\n"}) == [line]
    assert stale_lines(tmp_path / "made", {**made, **shipped}, {"notes.txt": "x\n"}) == []


def test_what_moved_together_with_the_memory_is_where_it_says(tmp_path: Path) -> None:
    types = "export type All = string;\nexport type None = never;\n"
    words = "# Kit\n\nTypes are in `types/all.ts`.\n\nEverything else is told in words that stay.\n"
    before = {"kit/CLAUDE.md": words, "kit/types/all.ts": types}
    along: Files = {
        **dict.fromkeys(before, None),
        "parts/CLAUDE.md": words,
        "parts/types/all.ts": types,
    }
    apart: Files = {"kit/types/all.ts": None, "parts/types/all.ts": types}
    assert stale_lines(tmp_path / "along", before, along, old_store=True) == []
    assert stale_lines(tmp_path / "apart", before, apart, old_store=True) == ["Types are in `types/all.ts`."]


def test_a_test_that_nothing_defines_is_missed(tmp_path: Path) -> None:
    before = {"tests/test_all.py": "def test_all():\n    pass\n", "CLAUDE.md": f"# Tests\n\n{ASKED}\n"}
    assert stale_lines(tmp_path / "shop", before, {"notes.txt": "x\n"}) == [ASKED]

"""Wrong alarms on unseen repositories: samples, shorthands, outputs, names of other people."""

from __future__ import annotations

from pathlib import Path

from quickrepo import Files
from situationkit import HELD, Situation, check, judged, rows, stale

UNKNOWN = ("unknown",)
NPM: Files = {"package.json": '{"name": "desk"}\n', "package-lock.json": "{}\n", "pnpm-lock.yaml": "x: 1\n"}
ROOT: Files = {
    "src/root.py": "import subprocess\nTOP = subprocess.run(['git', 'rev-parse', '--show-toplevel'])\n"
}
OWN_FLAG: Files = {"src/root.py": "parser.add_argument('--show-toplevel')\n"}
NO_ROOT: Files = {"src/root.py": "TOP = '.'\n"}
COMMANDS = ("serve", "lint", "build", "clean", "check")
CLI: Files = {
    "pyproject.toml": '[project]\nname = "mb"\nversion = "1"\n[project.scripts]\nmb = "mb.main:app"\n',
    "mb/main.py": "import typer\nfrom . import ci\napp = typer.Typer()\n"
    "app.add_typer(ci.app, name='ci', hidden=True)\n"
    + "".join(f"@app.command('{name}')\ndef {name}(): ...\n" for name in COMMANDS),
    "mb/ci.py": "import typer\napp = typer.Typer()\n@app.command('check-lock')\ndef lock(): ...\n",
}
MAKE: Files = {"Makefile": "docs:\n\ttrue\n\ndocs-check:\n\ttrue\n"}
NO_CHECK: Files = {"Makefile": "docs:\n\ttrue\n"}
USER: Files = {"api/user.ts": "export function load() { return 1; }\n"}
EXPORTED: Files = {"api/user.ts": "export const user = { name: 1 };\n"}
SHOWN = "```tsx\nreturn <img src={user.avatarUrl} />;\n```"
IMPORTED = "```tsx\nimport user from '../api/user';\nreturn <img src={user.avatarUrl} />;\n```"
BAR: Files = {"src/run.rs": 'fn run() {\n    bar.finish_with_message("done");\n}\n'}
OWN_BAR: Files = {
    "src/run.rs": "struct Bar;\nimpl Bar {\n    fn finish_with_message(&self, text: &str) {}\n}\n"
    'fn run(bar: Bar) {\n    bar.finish_with_message("done");\n}\n'
}
NO_BAR: Files = {"src/run.rs": "fn run() {}\n"}
BAR_SAMPLE = "```rust\nuse bars::Bar;\nlet bar = Bar::new();\nbar.finish_with_message(text);\n```"
CALL: Files = {"src/call.rs": "pub fn call_as(executor: u8, run: fn(u8)) -> u8 {\n    executor\n}\n"}
RENAMED: Files = {"src/call.rs": "pub fn call_as(device: u8, run: fn(u8)) -> u8 {\n    device\n}\n"}
FEWER: Files = {"src/call.rs": "pub fn call_as(run: fn(u8)) -> u8 {\n    1\n}\n"}
DATA: Files = {f"data/{name}.csv": "1\n" for name in ("a", "b", "c", "d", "e")} | {
    "data/datasets.md": "x\n",
    "data/references/.gitkeep": "",
}
TODO: Files = {"tasks/todo.md": "- [ ] one\n"}
NO_TODO: Files = {"tasks/todo.md": None, "tasks/lessons.md": "none\n"}
GIT: Files = {"packages/git/index.ts": "export {};\n", "packages/git-api/index.ts": "export {};\n"}
TREE = "```\npackages/\n├── {}   # clients of git\n└── git-api/\n```"
ECHIDNA: Files = {"echidna.yaml": "a: 1\n", "echidna-long.yaml": "a: 2\n", "foundry.toml": "x = 1\n"}
LOGS: Files = {"logs/2025-01-01-plan.md": "plan\n", "logs/keep.md": "x\n"}
TABLE = "| Type | Use | {} |\n|---|---|---|\n| plan | before work | `logs/2025-01-01-plan.md` |"
KOTLIN: Files = {"gradle/libs.versions.toml": '[versions]\nkotlin = "2.2.21"\n'}
NODE: Files = {".tool-versions": "nodejs 20.1.0\n"}
TWO: Files = {
    "package.json": '{"name": "desk", "dependencies": {"@account-abstraction/contracts": "1.0.0"}}\n'
}
NONE: Files = {"package.json": '{"name": "desk"}\n'}
SAMPLES: Files = {"samples/app/package.json": '{"name": "app", "dependencies": {"lamp": "1.0.0"}}\n'}
LAMP: Files = {"package.json": '{"name": "desk", "dependencies": {"lamp": "1.0.0"}}\n'}
SURVEY = "Slow imports: `lucide-icons`, `mui-all`, `lodash-es`, `date-kit`, `lamp`."
MODULE: Files = {"mb/__init__.py": "", "mb/main.py": "A = 1\n"}
PROGRAM: Files = {
    "cli/Cargo.toml": '[package]\nname = "cli"\n\n[[bin]]\nname = "cli"\npath = "src/main.rs"\n'
}
RENAMED_PROGRAM: Files = {
    "cli/src/main.rs": "fn main() {}\n",
    "cli/Cargo.toml": PROGRAM["cli/Cargo.toml"].replace('"cli"', '"desk-cli"'),
}  # type: ignore[union-attr]
PG: Files = {"package.json": '{"name": "desk", "dependencies": {"pg": "8.13.1"}}\n'}
CULTURE: tuple[Files, Files] = (
    {"src/a.cs": "[UseCulture] class A {}\n", "tests/Desk.Tests/b.cs": "[UseCulture] class B {}\n"},
    {"src/a.cs": "class A {}\n"},
)
OWN_CULTURE: Files = {"src/a.cs": "class UseCulture {}\n"}
NO_CULTURE: Files = {"src/a.cs": "class A {}\n"}
STORAGE: Files = {"src/a.ts": "export const a = sessionStorage.getItem(key);\n"}
NO_STORAGE: Files = {"src/a.ts": "export const a = 1;\n"}
SET: Files = {"src/a.ts": "let bookingNow = $state(false);\n", "src/b.ts": "export {};\n"}
TOOL: Files = {"src/tools.ts": "server.add('find_loans', run);\n"}
NO_TOOL: Files = {"src/tools.ts": "server.add('find', run);\n"}
LEADS: Files = {
    "app/page.tsx": "await fetch('/api/leads');\n",
    "app/api/leads/route.ts": "export function POST() {}\n",
}
BUILD: Files = {"Makefile": "gate: lint types\n\nlint:\n\truff\n\ntypes:\n\tmypy\n"}
LESS: Files = {"Makefile": "gate: lint\n\nlint:\n\truff\n"}
MAGE: Files = {"Makefile": "MAGE_RUN ?= go run tool\n\ngate:\n\t@$(MAGE_RUN) gate\n"}
LONG = (
    "`make gate` must pass before a workstream is closed, a batch is committed or a handoff written, since "
    "whoever comes next will check nothing and trust what the last run of it said about the tree."
)
KIT: Files = {
    "kit/Cargo.toml": '[package]\nname = "kit"\n',
    "bench/Cargo.toml": '[package]\nname = "bench"\n\n[dependencies]\nkit = { path = "../kit" }\n',
}
OTHER_KIT: Files = {"bench/Cargo.toml": '[package]\nname = "bench"\n'}
GO_LIB: Files = {"go.mod": "module desk\n\nrequire github.com/json-iterator/go v1.1.12\n"}
TYPES: Files = {"src/types.ts": "export type A = 1;\n", "src/a.ts": "import { A } from './types.js';\n"}
NOT_SPELLED: Files = {"src/types.ts": "export type A = 1;\n", "src/a.ts": "import { A } from './types';\n"}
LIB: Files = {"web/src/lib/a.ts": "export {};\n"}
PRESS: Files = {"bin/get.sh": "curl http://api.wordpress.test/core/version-check/1.7/\n"}
OPEN: Files = {"desk.go": "package desk\n\nfunc Open(ctx Ctx, id int) error {\n\treturn nil\n}\n"}
MORE: Files = {
    "desk.go": "package desk\n\nfunc Open(ctx Ctx, id int, opts ...Option) error {\n\treturn nil\n}\n"
}
TESTS: Files = {f"tests/test_{name}.py": f"def test_{name}():\n    assert {name!r}\n" for name in "abc"}
MOVED_TESTS: Files = {
    **dict.fromkeys(TESTS),
    **{f"web/{path}": text for path, text in TESTS.items()},
}

SITUATIONS = (
    Situation("managers-it-copes-with", "It works with npm, pnpm and partly with bun.", UNKNOWN, NPM),
    Situation(
        "managers-it-copes-with/inverse",
        "Use yarn for all installs.",
        stale("manager-changed"),
        {"package.json": NPM["package.json"], "yarn.lock": "x\n"},
        {"yarn.lock": None, "pnpm-lock.yaml": "x: 1\n"},
    ),
    Situation("flag-of-git", "Run `git rev-parse --show-toplevel` first.", UNKNOWN, ROOT, NO_ROOT),
    Situation("flag-handed-to-git", "Pass `--show-toplevel` on.", UNKNOWN, ROOT, NO_ROOT),
    Situation("flag-handed-to-git/inverse", "Pass `--show-toplevel`.", stale("flag-gone"), OWN_FLAG, NO_ROOT),
    Situation("group-in-its-own-module", "The hook runs `mb ci check-lock`.", HELD, CLI),
    Situation(
        "group-in-its-own-module/inverse",
        "The hook runs `mb ci check-lock`.",
        stale("command-gone"),
        CLI,
        {"mb/ci.py": "import typer\napp = typer.Typer()\n@app.command('check')\ndef lock(): ...\n"},
    ),
    Situation(
        "no-member-ships-it",
        "It is a namespace package: no member ships a `mb/__init__.py`.",
        UNKNOWN,
        MODULE,
        {"mb/__init__.py": None},
    ),
    Situation(
        "no-member-ships-it/inverse",
        "Each member ships a `mb/__init__.py`.",
        stale("path-gone"),
        MODULE,
        {"mb/__init__.py": None},
    ),
    Situation("commands-parted-by-a-slash", "```bash\nmake docs / make docs-check\n```", HELD, MAKE),
    Situation(
        "commands-parted-by-a-slash/inverse",
        "```bash\nmake docs / make docs-check\n```",
        stale("command-gone"),
        MAKE,
        NO_CHECK,
    ),
    Situation("variable-of-a-sample", SHOWN, UNKNOWN, USER),
    Situation("variable-of-a-sample/inverse", SHOWN, stale("symbol-gone", "earlier"), EXPORTED),
    Situation("module-of-a-sample", IMPORTED, stale("symbol-gone", "earlier"), USER),
    Situation("method-of-another-library", BAR_SAMPLE, UNKNOWN, BAR, NO_BAR),
    Situation("method-of-another-library/inverse", BAR_SAMPLE, stale("symbol-gone"), OWN_BAR, NO_BAR),
    Situation("argument-called-otherwise", "Use `call_as(executor, |s| 1)`.", HELD, CALL, RENAMED),
    Situation(
        "argument-called-otherwise/inverse",
        "Use `call_as(executor, |s| 1)`.",
        stale("signature-changed"),
        CALL,
        FEWER,
    ),
    Situation(
        "gloss-on-a-folder",
        "```\n.\n├── data/   # data files (datasets, references)\n└── src/\n```",
        HELD,
        {**DATA, "src/a.py": "a = 1\n"},
        {"data/references/.gitkeep": None},
        about="data/",
    ),
    Situation("file-the-work-writes", "Write the plan to `tasks/todo.md` first.", UNKNOWN, TODO, NO_TODO),
    Situation(
        "file-the-work-writes/inverse",
        "Open points are in `tasks/todo.md`.",
        stale("path-gone"),
        TODO,
        NO_TODO,
    ),
    Situation("shorthand-in-a-tree", TREE.format("git(-api)/"), UNKNOWN, GIT, about="git(-api)"),
    Situation(
        "shorthand-in-a-tree/inverse",
        TREE.format("git/"),
        stale("path-gone"),
        GIT,
        {"packages/git/index.ts": None},
        about="git/",
    ),
    Situation(
        "glob-in-a-tree",
        "```\n.\n├── foundry.toml\n└── echidna*.yaml   # fuzzing\n```",
        HELD,
        ECHIDNA,
        about="echidna",
    ),
    Situation(
        "glob-in-a-tree/inverse",
        "```\n.\n├── foundry.toml\n└── echidna*.yaml   # fuzzing\n```",
        stale("glob-empty"),
        ECHIDNA,
        {"echidna.yaml": None, "echidna-long.yaml": None},
        about="echidna",
    ),
    Situation(
        "remark-that-it-is-gone",
        "```\nmb/\n├── main.py\n└── web.py   # DELETED (no longer used)\n```",
        HELD,
        {**MODULE, "mb/web.py": "a = 1\n"},
        {"mb/web.py": None},
        about="web.py",
    ),
    Situation(
        "remark-that-it-is-gone/inverse",
        "```\nmb/\n├── main.py\n└── web.py   # deleted rows are kept here\n```",
        stale("path-gone"),
        {**MODULE, "mb/web.py": "a = 1\n"},
        {"mb/web.py": None},
        about="web.py",
    ),
    Situation(
        "column-of-example-names",
        TABLE.format("Example Filename"),
        UNKNOWN,
        LOGS,
        {"logs/2025-01-01-plan.md": None},
    ),
    Situation(
        "column-of-example-names/inverse",
        TABLE.format("Where it is"),
        stale("path-gone"),
        LOGS,
        {"logs/2025-01-01-plan.md": None},
    ),
    Situation(
        "bound-below-what-is-used",
        "Needs Kotlin 2.2+.",
        HELD,
        KOTLIN,
        {"gradle/libs.versions.toml": '[versions]\nkotlin = "2.4.0"\n'},
    ),
    Situation(
        "bound-below-what-is-used/node", "Node.js 18+", HELD, NODE, {".tool-versions": "nodejs 24.1.0\n"}
    ),
    Situation(
        "bound-below-what-is-used/inverse",
        "Node.js 18+",
        stale("version-changed"),
        {"package.json": '{"name": "desk", "engines": {"node": ">=18"}}\n'},
        {"package.json": '{"name": "desk", "engines": {"node": ">=20"}}\n'},
    ),
    Situation("subject-and-scope", "It is about Account Abstraction.", UNKNOWN, TWO, NONE),
    Situation(
        "subject-and-scope/inverse",
        "Contracts come from `@account-abstraction/contracts`.",
        stale("dependency-gone"),
        TWO,
        NONE,
    ),
    Situation(
        "manifest-of-a-sample", "It is built on `lamp`.", UNKNOWN, SAMPLES, {"samples/app/package.json": None}
    ),
    Situation("manifest-of-a-sample/inverse", "It is built on `lamp`.", stale("dependency-gone"), LAMP, NONE),
    Situation("survey-of-packages", SURVEY, UNKNOWN, LAMP, NONE),
    Situation("survey-of-packages/inverse", "Slow imports: `lamp`.", stale("dependency-gone"), LAMP, NONE),
    Situation("folder-called-like-a-program", "`cli` is a crate of its own.", HELD, PROGRAM, RENAMED_PROGRAM),
    Situation(
        "folder-called-like-a-program/inverse",
        "Run `cli --all`.",
        stale("command-renamed"),
        PROGRAM,
        RENAMED_PROGRAM,
    ),
    Situation(
        "package-called-otherwise",
        "`desk-cli` is a crate of its own.",
        stale("command-renamed"),
        {**PROGRAM, **RENAMED_PROGRAM},
        {"cli/Cargo.toml": PROGRAM["cli/Cargo.toml"].replace('"cli"', '"shelf"')},  # type: ignore[union-attr]
    ),
    Situation("server-and-client-library", "Runs on PG 17.9.", UNKNOWN, PG),
    Situation("server-and-client-library/inverse", "Uses `pg` 7.1.", stale("version-changed", "earlier"), PG),
    Situation("where-it-came-from", "Extracted from `mb/main.py` in #7.", HELD, MODULE, {"mb/main.py": None}),
    Situation(
        "where-it-came-from/inverse",
        "Ids are extracted by `mb/main.py`.",
        stale("path-gone"),
        MODULE,
        {"mb/main.py": None},
    ),
    Situation("used-by-a-test-only", "Wrap it in `UseCulture`.", HELD, *CULTURE),
    Situation(
        "used-by-a-test-only/inverse",
        "Wrap it in `UseCulture`.",
        stale("symbol-gone"),
        OWN_CULTURE,
        NO_CULTURE,
    ),
    Situation("global-of-the-platform", "`sessionStorage` is slow.", UNKNOWN, STORAGE, NO_STORAGE),
    Situation("tool-by-its-name", "Call `find_loans` first.", stale("symbol-gone"), TOOL, NO_TOOL),
    Situation("variable-set-here", "`bookingNow` stays true.", stale("symbol-gone"), SET, NO_STORAGE),
    Situation("banned-behind-its-name", "`find_loans` tool - BANNED", UNKNOWN, TOOL, NO_TOOL),
    Situation("route-asked-for", "`/api/leads` takes a POST.", HELD, LEADS, {"app/page.tsx": "export {};\n"}),
    Situation(
        "route-asked-for/inverse",
        "`/api/leads` takes a POST.",
        stale("route-gone"),
        {"src/server.ts": "app.post('/api/leads', take);\n"},
        {"src/server.ts": "export {};\n"},
    ),
    Situation("words-of-a-long-remark", LONG, HELD, BUILD, LESS),
    Situation(
        "words-of-a-long-remark/inverse",
        "`make gate` runs lint and types.",
        stale("command-steps"),
        BUILD,
        LESS,
    ),
    Situation("task-handed-over", "`make gate` runs lint and types.", ("unknown", "touched"), BUILD, MAGE),
    Situation("own-part-as-dependency", "`kit` holds what all parts share.", HELD, KIT, OTHER_KIT),
    Situation(
        "language-and-module",
        "Read this before writing Go code.",
        UNKNOWN,
        GO_LIB,
        {"go.mod": "module desk\n"},
    ),
    Situation("source-by-what-it-becomes", "Import from `src/types.js`.", HELD, TYPES),
    Situation(
        "source-by-what-it-becomes/inverse",
        "It is in `src/types.js`.",
        stale("path-gone", "earlier"),
        NOT_SPELLED,
    ),
    Situation("generated-and-not-kept", "Never edit generated files: `web/src/lib/words/**`.", UNKNOWN, LIB),
    Situation(
        "generated-and-not-kept/inverse",
        "Words lie in `web/src/lib/words/**`.",
        stale("path-gone", "earlier"),
        LIB,
    ),
    Situation("address-with-digits", "Needs WordPress 5.9+.", UNKNOWN, PRESS),
    Situation("any-number-of-arguments", "`Open(ctx, id)` opens it.", HELD, OPEN, MORE),
    Situation("folder-that-each-has", "Move tests to a `tests/` subdir.", UNKNOWN, TESTS, MOVED_TESTS),
    Situation(
        "folder-that-each-has/inverse", "Tests are in `tests/`.", stale("path-moved"), TESTS, MOVED_TESTS
    ),
    Situation(
        "day-of-a-log",
        "It mends `mb/main.py`.",
        UNKNOWN,
        MODULE,
        {"mb/main.py": None},
        heading="Jan 9, 2026",
    ),
)


@rows(SITUATIONS)
def test_what_strangers_write(tmp_path: Path, situation: Situation) -> None:
    check(tmp_path / "repo", situation)


def test_a_folder_is_there_whatever_became_of_its_neighbours(tmp_path: Path) -> None:
    names = ("desk", "till", "shelf", "lamp")
    situation = Situation(
        "neighbours",
        "".join(f"- `{name}` is one of the parts\n" for name in names),
        HELD,
        {f"{name}/a.py": "a = 1\n" for name in names},
        {"lamp/a.py": None, "till/a.py": None},
    )
    found = {
        claim.text[:5]: judgement.verdict.value for claim, judgement in judged(tmp_path / "r", situation)[0]
    }
    assert found == {"`desk": "held", "`till": "stale", "`shel": "held", "`lamp": "stale"}

"""Wrong alarms on unseen repositories: samples, shorthands, outputs, names of other people."""

from __future__ import annotations

from pathlib import Path

from quickrepo import Files
from situationkit import HELD, Situation, check, rows, stale

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
    Situation(
        "folder-called-like-a-program", "`cli` is a crate of its own.", HELD, PROGRAM, RENAMED_PROGRAM
    ),
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

"""Situations around paths: what looks like one and is none, where they are looked for, what moved."""

from __future__ import annotations

from pathlib import Path

from quickrepo import Link
from situationkit import HELD, OUTSIDE, PREFERENCE, Situation, check, rows, stale

ROUTER = "export const routes = [\n" + "  '/a',\n" * 40 + "]\n"
BACKOFF = "def backoff(tries):\n    return 2**tries\n\n\ndef give_up(tries):\n    return tries > 9\n"
TREE = """```text
shop/
├── services/
│   └── basket/
│       └── main.ts   # where it starts
└── handbook/
```"""
BASKET = {"services/basket/main.ts": "export const a = 1\n", "handbook/start.md": "Hello.\n"}

SITUATIONS = (
    # Words with a slash or a dot that are no paths.
    Situation(
        "fp-branch-name",
        "Backports are merged into the `stable/5.x` branch first.",
        HELD,
        {"src/a.py": "A = 1\n"},
        {"src/a.py": "A = 2\n"},
        elsewhere={"stable/5.x": {"src/a.py": "A = 0\n"}},
    ),
    Situation(
        "fp-branch-name/inverse",
        "Notes on old versions are kept in `stable/5.x/`.",
        stale("path-gone"),
        {"stable/5.x/notes.md": "Old.\n", "stable/6.x/notes.md": "New.\n"},
        {"stable/5.x/notes.md": None},
    ),
    Situation(
        "fp-version-tag",
        "Releases are tagged in the form `v1.4.2`.",
        HELD,
        {"a.txt": "1\n"},
        {"a.txt": "2\n"},
        tags=("v1.4.1", "v1.4.2"),
    ),
    Situation(
        "fp-version-tag/inverse",
        "The text of each release is in `v1.4.2.md`.",
        stale("path-gone"),
        {"v1.4.2.md": "Text.\n"},
        {"v1.4.2.md": None},
    ),
    Situation(
        "fp-placeholder-path",
        "Send a long review with `gh pr review --comment --body-file /path/to/review.md`.",
        OUTSIDE,
    ),
    Situation(
        "fp-placeholder-path/inverse",
        "Send a long review with `gh pr review --comment --body-file .github/review.md`.",
        stale("path-gone"),
        {".github/review.md": "Text.\n", ".github/other.md": "Other.\n"},
        {".github/review.md": None},
    ),
    Situation(
        "fp-link-template",
        "Head every section of the release notes `[<name> v<number>](<page>)`.",
        PREFERENCE,
    ),
    Situation(
        "fp-link-template/inverse",
        "Head every section as the [guide to releases](docs/releases.md) says.",
        stale("path-gone"),
        {"docs/releases.md": "Text.\n", "docs/other.md": "Other.\n"},
        {"docs/releases.md": None},
    ),
    Situation(
        "unk-home-path", "The payment server's own code, for reference, is at `~/work/payments`.", OUTSIDE
    ),
    Situation(
        "unk-home-path/inverse",
        "The payment server's own code, for reference, is at `work/payments`.",
        stale("path-gone"),
        {"work/payments/pay.py": "x = 1\n", "work/b.py": "y = 1\n"},
        {"work/payments/pay.py": None},
    ),
    # Trees.
    Situation("fp-tree-root-label", TREE, HELD, BASKET, {"services/basket/x.ts": "const x = 1\n"}, "shop/"),
    Situation(
        "fp-tree-root-label/inverse",
        TREE,
        stale("path-gone"),
        BASKET,
        {"handbook/start.md": None},
        "handbook/",
    ),
    Situation(
        "fp-tree-as-commands",
        TREE,
        HELD,
        BASKET,
        {"services/basket/main.ts": "export const a = 2\n"},
        "main.ts",
    ),
    Situation(
        "fp-tree-as-commands/inverse",
        "```bash\nnpm run basket   # where it starts\n```",
        stale("command-gone"),
        {"package.json": '{"name": "shop", "scripts": {"basket": "node a.js", "test": "node b.js"}}\n'},
        {"package.json": '{"name": "shop", "scripts": {"test": "node b.js"}}\n'},
    ),
    Situation(
        "tree-really-stale",
        "```text\n.\n├── lib/\n│   ├── v1/   # the first protocol\n│   └── v2/\n└── docs/\n```",
        stale("path-gone"),
        {"lib/v1/a.rb": "A = 1\n", "lib/v2/a.rb": "B = 1\n", "docs/a.md": "Text.\n"},
        {"lib/v1/a.rb": None},
        "v1/",
    ),
    Situation(
        "tree-really-stale/inverse",
        "```text\n.\n├── lib/\n│   ├── v1/   # the first protocol\n│   └── v2/\n└── docs/\n```",
        HELD,
        {
            "lib/v1/a.rb": "A = 1\n",
            "lib/v1/b.rb": "B = 1\n",
            "lib/v2/a.rb": "B = 1\n",
            "docs/a.md": "Text.\n",
        },
        {"lib/v1/a.rb": None},
        "v1/",
    ),
    # Where a path is looked for.
    Situation(
        "fp-nested-owndir",
        "The event types are in `bus/events.go`.",
        HELD,
        {"cmd/hub/bus/events.go": "package bus\n"},
        {"cmd/hub/bus/events.go": "package bus\n\ntype Event struct{}\n"},
        memory="cmd/hub/AGENTS.md",
    ),
    Situation(
        "fp-nested-owndir/inverse",
        "The event types are in `bus/events.go`.",
        stale("path-gone"),
        {"cmd/hub/bus/events.go": "package bus\n", "cmd/hub/bus/other.go": "package bus\n"},
        {"cmd/hub/bus/events.go": None},
        memory="cmd/hub/AGENTS.md",
    ),
    Situation(
        "fp-package-relative",
        "Made by: `tools/icons.ts`.",
        HELD,
        {"packages/ui/tools/icons.ts": "x\n", "packages/ui/package.json": "{}\n"},
        memory="packages/ui/src/assets/CLAUDE.md",
    ),
    Situation(
        "fp-package-relative/inverse",
        "Made by: `tools/icons.ts`.",
        stale("path-gone"),
        {"packages/ui/tools/icons.ts": "x\n", "packages/ui/tools/fonts.ts": "y\n"},
        {"packages/ui/tools/icons.ts": None},
        memory="packages/ui/src/assets/CLAUDE.md",
    ),
    Situation(
        "fp-root-file-not-found",
        "`SECURITY.md` tells how to report a hole; read it before you answer.",
        HELD,
        {"SECURITY.md": "Write to us.\n"},
        {"SECURITY.md": "Write to us in private.\n"},
        memory="docs/AGENTS.md",
    ),
    Situation(
        "fp-root-file-not-found/inverse",
        "`SECURITY.md` tells how to report a hole; read it before you answer.",
        stale("path-gone"),
        {"SECURITY.md": "Write to us.\n"},
        {"SECURITY.md": None},
        memory="docs/AGENTS.md",
    ),
    # Rightly absent from a clone.
    Situation(
        "fp-gitignored-runtime",
        "What it fetched is kept in `.fetched/`.",
        HELD,
        {".gitignore": ".fetched/\n", "tools/get.ts": "write('.fetched/a')\n"},
        {"tools/get.ts": "write('.fetched/b')\n"},
    ),
    Situation(
        "fp-gitignored-runtime/inverse",
        "What it fetched is kept in `fetched/`.",
        stale("path-gone"),
        {"fetched/a.bin": "1\n", "tools/get.ts": "write('a')\n"},
        {"fetched/a.bin": None},
    ),
    Situation(
        "fp-machine-local-config",
        "Put settings of your own into `.claude/settings.local.json`.",
        HELD,
        {".gitignore": "*.local.json\n", ".claude/settings.json": "{}\n"},
    ),
    Situation(
        "fp-machine-local-config/inverse",
        "Shared settings are in `.claude/settings.json`.",
        stale("path-gone"),
        {".gitignore": "*.local.json\n", ".claude/settings.json": "{}\n"},
        {".claude/settings.json": None},
    ),
    # Links.
    Situation(
        "fp-symlink-double",
        "`AGENTS.md` is a symbolic link to `CLAUDE.md`.",
        HELD,
        {"AGENTS.md": Link("CLAUDE.md")},
    ),
    Situation(
        "fp-symlink-double/inverse",
        "The main loop is in `src/loop.py`.",
        stale("path-gone"),
        {"AGENTS.md": Link("CLAUDE.md"), "src/loop.py": "x = 1\n", "src/b.py": "y = 1\n"},
        {"src/loop.py": None},
    ),
    Situation(
        "fp-self-symlink-missing",
        "There is a link `GEMINI.md` that leads here.",
        HELD,
        {"GEMINI.md": Link("CLAUDE.md")},
    ),
    Situation(
        "fp-self-symlink-missing/inverse",
        "There is a link `GEMINI.md` that leads here.",
        stale("path-gone"),
        {"GEMINI.md": Link("CLAUDE.md")},
        {"GEMINI.md": None},
    ),
    # Touched and moved.
    Situation(
        "drift-any-edit",
        "All routes are declared in `web/router.ts`.",
        HELD,
        {"web/router.ts": ROUTER},
        {"web/router.ts": ROUTER.replace("  '/a',\n" * 20, "  '/b',\n" * 20, 1)},
    ),
    Situation(
        "drift-any-edit/inverse",
        "All routes are declared in `web/router.ts`.",
        stale("path-gone"),
        {"web/router.ts": ROUTER, "web/b.ts": "x\n"},
        {"web/router.ts": None},
    ),
    Situation(
        "rename-location",
        "How long to wait is decided in `lib/backoff.py`.",
        stale("path-moved"),
        {"lib/backoff.py": BACKOFF},
        {"lib/backoff.py": None, "lib/wait/backoff.py": BACKOFF},
        suggests="How long to wait is decided in `lib/wait/backoff.py`.",
    ),
    Situation(
        "rename-location/inverse",
        "How long to wait is decided in `backoff.py`.",
        HELD,
        {"lib/backoff.py": BACKOFF},
        {"lib/backoff.py": None, "lib/wait/backoff.py": BACKOFF},
    ),
    # Spelling.
    Situation(
        "case of a path",
        "Handlers are under `src/API/`.",
        stale("path-moved"),
        {"src/API/a.py": "x\n"},
        {"src/API/a.py": None, "src/api/a.py": "x\n"},
    ),
    Situation(
        "dot before a path",
        "Handlers are under `./src/api/`.",
        HELD,
        {"src/api/a.py": "x\n"},
        {"src/api/a.py": "y\n"},
    ),
    Situation(
        "glob empties",
        "Each sub-command is a `src/*_cmd.rs`.",
        stale("glob-empty"),
        {"src/git_cmd.rs": "fn a() {}\n", "src/main.rs": "fn main() {}\n"},
        {"src/git_cmd.rs": None},
    ),
    Situation(
        "glob thins out",
        "Each sub-command is a `src/*_cmd.rs`.",
        HELD,
        {"src/git_cmd.rs": "fn a() {}\n", "src/log_cmd.rs": "fn b() {}\n"},
        {"src/git_cmd.rs": None},
    ),
    Situation(
        "rule names what is gone",
        "Never edit `src/gen/` by hand.",
        stale("path-gone"),
        {"src/gen/a.py": "x = 1\n", "src/b.py": "y = 1\n"},
        {"src/gen/a.py": None},
    ),
)


@rows(SITUATIONS)
def test_paths(tmp_path: Path, situation: Situation) -> None:
    check(tmp_path / "project", situation)

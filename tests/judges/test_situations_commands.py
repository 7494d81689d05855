"""Situations around commands, package managers, dependencies and versions."""

from __future__ import annotations

from pathlib import Path

from situationkit import HELD, OUTSIDE, Situation, check, rows, stale

ROOT = '{"name": "shop", "private": true, "scripts": {"build": "tsc", "lint": "eslint ."}}\n'
EDITED = ROOT.replace("tsc", "tsc -b")
ICONS = '{"name": "@shop/ui", "scripts": {"icons": "node tools/icons.js"}}\n'
NO_ICONS = '{"name": "@shop/ui", "scripts": {}}\n'
PYTHON = "[project]\nname = 'shop'\nversion = '1.0'\nrequires-python = '>=3.11'\n"
GO = "module shop\n\nrequire (\n\tterm.example/glow/v2 v2.1.0\n\tterm.example/other v1.0.0\n)\n"
GLOW = 'package main\n\nimport "term.example/glow/v2"\n\nvar _ = glow.New()\n'
TASKS = "version: '3'\ntasks:\n  tidy:\n    cmds:\n      - {}\n"
YARN = {"yarn.lock": "# yarn lockfile v1\n", "package.json": ROOT}
TO_PNPM = {
    "yarn.lock": None,
    "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
    "package.json": ROOT.replace('"private"', '"packageManager": "pnpm@9.1.0", "private"'),
}
STEPS = "lint:\n    ruff check\n\nformat:\n    ruff format\n\ntest:\n    pytest\n"
CATALOGUE = "module shop\n\nrequire data.example/plants v1.2.0\n"
PLANTS = 'package main\n\nimport "data.example/plants"\n\nvar all = plants.All()\n'
SNAPSHOT = (
    'package main\n\nimport (\n\t"testing"\n\n\t"data.example/plants"\n)\n\n'
    "func TestView(t *testing.T) {\n\tplants.Snapshot(t, view())\n}\n"
)

SITUATIONS = (
    # The machine that runs the audit is no evidence.
    Situation(
        "tasks-written-as-one",
        "Run `make lint/test` to be sure.",
        HELD,
        {"Makefile": "lint:\n\truff check\n\ntest:\n\tpytest\n"},
    ),
    Situation(
        "tasks-written-as-one/inverse",
        "Run `make docs/lint` to be sure.",
        stale("command-gone"),
        {"Makefile": "docs/lint:\n\truff check docs\n\nall:\n\ttrue\n"},
        {"Makefile": "all:\n\ttrue\n"},
    ),
    Situation(
        "fp-cli-not-on-path",
        "Set up with `uv sync --frozen`.",
        HELD,
        {"uv.lock": "version = 1\n", "pyproject.toml": PYTHON},
        {"uv.lock": "version = 1\nrevision = 2\n"},
    ),
    Situation(
        "fp-cli-not-on-path/inverse",
        "Dependencies are managed with uv.",
        stale("manager-changed"),
        {"uv.lock": "version = 1\n", "pyproject.toml": PYTHON},
        {"uv.lock": None, "poetry.lock": "# generated\n", "pyproject.toml": PYTHON + "[tool.poetry]\n"},
    ),
    # The manifest that a command belongs to.
    Situation(
        "fp-workspace-filter",
        "To draw the icons anew: `pnpm run --filter @shop/ui icons`.",
        HELD,
        {"package.json": ROOT, "packages/ui/package.json": ICONS},
        {"package.json": EDITED},
    ),
    Situation(
        "fp-workspace-filter/inverse",
        "To draw the icons anew: `pnpm run --filter @shop/ui icons`.",
        stale("command-gone"),
        {"package.json": ROOT, "packages/ui/package.json": ICONS},
        {"packages/ui/package.json": NO_ICONS},
    ),
    Situation(
        "fp-nested-manifest",
        "After a new drawing run `pnpm run icons`.",
        HELD,
        {"package.json": ROOT, "packages/ui/package.json": ICONS},
        {"package.json": EDITED},
        memory="packages/ui/src/assets/CLAUDE.md",
    ),
    Situation(
        "fp-nested-manifest/inverse",
        "After a new drawing run `pnpm run icons`.",
        stale("command-gone"),
        {"package.json": ROOT, "packages/ui/package.json": ICONS},
        {"packages/ui/package.json": NO_ICONS},
        memory="packages/ui/src/assets/CLAUDE.md",
    ),
    Situation(
        "fp-tool-undeclared",
        "Style sheets are formatted with `stylelint`.",
        HELD,
        {"Taskfile.yml": TASKS.format("stylelint --fix web")},
    ),
    Situation(
        "fp-tool-undeclared/inverse",
        "Style sheets are formatted with `stylelint`.",
        ("stale",),
        {"Taskfile.yml": TASKS.format("stylelint --fix web")},
        {"Taskfile.yml": TASKS.format("prettier --write web")},
    ),
    Situation("unk-slash-skill", "For work of several days use the `/relay` skill.", OUTSIDE),
    Situation(
        "unk-slash-skill/inverse",
        "For work of several days use `.claude/skills/relay/SKILL.md`.",
        stale("path-gone"),
        {".claude/skills/relay/SKILL.md": "# Relay\n", ".claude/skills/other/SKILL.md": "# Other\n"},
        {".claude/skills/relay/SKILL.md": None},
    ),
    # Dependencies.
    Situation(
        "fp-import-path",
        "The screen is drawn with `term.example/glow/v2`.",
        HELD,
        {"go.mod": GO, "main.go": GLOW},
        {"go.mod": GO.replace("v2.1.0", "v2.1.1")},
    ),
    Situation(
        "fp-import-path/inverse",
        "The screen is drawn with `term.example/glow/v2`.",
        stale("dependency-gone"),
        {"go.mod": GO, "main.go": GLOW},
        {"go.mod": GO.replace("\tterm.example/glow/v2 v2.1.0\n", ""), "main.go": "package main\n"},
    ),
    Situation(
        "dep-role-wrong",
        "`data.example/plants` is what the snapshot tests are made with.",
        stale("dependency-role", "earlier"),
        {"go.mod": CATALOGUE, "plants.go": PLANTS, "view_test.go": 'package main\n\nimport "testing"\n'},
        {"plants.go": PLANTS + "\nvar some = all[:3]\n"},
    ),
    Situation(
        "dep-role-wrong/inverse",
        "`data.example/plants` is what the snapshot tests are made with.",
        HELD,
        {"go.mod": CATALOGUE, "view_test.go": SNAPSHOT},
        {"view_test.go": SNAPSHOT + '\nfunc view() string { return "" }\n'},
    ),
    Situation(
        "dependency swapped",
        "Tests run on `jest`.",
        stale("dependency-gone"),
        {"package.json": '{"name": "a", "devDependencies": {"jest": "^29"}}\n'},
        {"package.json": '{"name": "a", "devDependencies": {"vitest": "^2"}}\n'},
    ),
    Situation(
        "rejected dependency",
        "Use `arq`, not `celery`.",
        HELD,
        {"pyproject.toml": "[project]\nname = 'a'\ndependencies = ['arq', 'celery']\n"},
        {"pyproject.toml": "[project]\nname = 'a'\ndependencies = ['arq']\n"},
    ),
    # Package managers.
    Situation("pkg-manager-swap", "Install everything with yarn.", stale("manager-changed"), YARN, TO_PNPM),
    Situation(
        "pkg-manager-swap/inverse",
        "Install everything with yarn.",
        HELD,
        YARN,
        {"yarn.lock": "# yarn lockfile v1\n\nleft@1:\n  version 1.0.0\n"},
    ),
    Situation(
        "young-but-false",
        "(noted 2023-11-05) The shop uses yarn.",
        stale("manager-changed"),
        YARN,
        TO_PNPM,
    ),
    Situation(
        "young-but-false/inverse",
        "(noted 2019-01-20) The shop uses yarn.",
        HELD,
        YARN,
        {"package.json": EDITED},
    ),
    # Versions.
    Situation(
        "version-line",
        "What you see is the current 3.x series.",
        stale("version-changed"),
        {"package.json": '{"name": "shop", "version": "3.8.1"}\n'},
        {"package.json": '{"name": "shop", "version": "5.0.0"}\n'},
    ),
    Situation(
        "version-line/inverse",
        "What you see is the current 3.x series.",
        HELD,
        {"package.json": '{"name": "shop", "version": "3.8.1"}\n'},
        {"package.json": '{"name": "shop", "version": "3.10.0"}\n'},
    ),
    Situation("lower bound spelled out", "Requires Python 3.11+.", HELD, {"pyproject.toml": PYTHON}),
    Situation(
        "lower bound raised",
        "Requires Python 3.11+.",
        stale("version-changed"),
        {"pyproject.toml": PYTHON},
        {"pyproject.toml": PYTHON.replace("3.11", "3.12")},
    ),
    Situation(
        "3.1 is not 3.10",
        "Requires Python 3.1.",
        ("unknown",),
        {"pyproject.toml": PYTHON.replace("3.11", "3.10")},
    ),
    # Task files.
    Situation(
        "target renamed",
        "Run `make type-check`.",
        stale("command-renamed"),
        {"Makefile": "type-check:\n\tmypy .\n"},
        {"Makefile": "typecheck:\n\tmypy .\n"},
        suggests="Run `make typecheck`.",
    ),
    Situation(
        "recipe body changed",
        "Run `make type-check`.",
        HELD,
        {"Makefile": "type-check:\n\tmypy .\n"},
        {"Makefile": "type-check:\n\tpyright\n"},
    ),
    Situation(
        "steps dropped",
        "All checks: `just check` (runs lint, format, test)",
        stale("command-steps"),
        {"justfile": f"check: lint format test\n\n{STEPS}"},
        {"justfile": f"check: lint format\n\n{STEPS}"},
    ),
    Situation(
        "steps in another order",
        "All checks: `just check` (runs lint, format, test)",
        HELD,
        {"justfile": f"check: lint format test\n\n{STEPS}"},
        {"justfile": f"check: test lint format\n\n{STEPS}"},
    ),
)


@rows(SITUATIONS)
def test_commands(tmp_path: Path, situation: Situation) -> None:
    check(tmp_path / "project", situation)

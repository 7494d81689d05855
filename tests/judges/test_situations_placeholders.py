"""What is written in place of a name: slots, stand-ins, trees of other folders, scopes and examples."""

from __future__ import annotations

from pathlib import Path

import pytest
from quickrepo import Files
from situationkit import HELD, OUTSIDE, Situation, check, judged, rows, stale

from memaudit.domain import Tier

OPEN = ("unknown", "ambiguous")
TESTS = {"tests/test_lamp.py": "X = 1\n", "tests/test_chair.py": "X = 1\n"}


def tree(*lines: str) -> str:
    return "\n".join(("```", *lines, "```"))


SLOTTED = tree(
    "desk-<name>/",
    "├── desk_<name>/   # the code",
    *(f"├── {name}" for name in ("tests/", "setup.toml", "notes.md", "justfile")),
    "└── icons/",
)
FEATURE = tree(
    "feature/",
    "├── components/   # shown",
    "├── hooks/",
    "├── feature.tsx   # main part",
    "├── types.ts",
    "└── page.tsx      # entry",
)
SHOP = FEATURE.replace("feature/", "shop/")
APP = {"app/components/lamp.tsx": "X\n", "app/hooks/lamp.ts": "X\n"}
WHOLE_APP = {**APP, "app/types.ts": "X\n", "app/feature.tsx": "X\n", "app/page.tsx": "X\n"}
AT_HOME = tree("~/.desk/", "├── rules/        # own rules", "└── check.json    # cache")
DESK = {".desk/rules/lamp.md": "X\n", ".desk/check.json": "{}\n"}
SCOPES = tree("packages/", "├── db/     # @shop/db: schema", "└── lamps/  # @shop/lamps")
PACKAGES = {
    f"packages/{name}/package.json": f'{{"name": "@shop/{name}", "version": "1.0.0"}}\n'
    for name in ("db", "lamps")
}
STEPS = {f"steps/v000{number}_step.py": f"STEP = {number}\n" for number in range(1, 5)}
NO_FIRST: Files = {"steps/v0001_step.py": None}

MAIL = {
    "mail/package.json": '{"name": "desk-mail", "version": "1.0.0", "scripts": {"sort": "node a.js"}}\n',
    "mail/sort.ts": "export function sortAllMail() {\n  return 1;\n}\n",
    "package.json": '{"name": "desk", "version": "1.0.0", "scripts": {"test": "node test.js"}}\n',
}
TAKEN_OUT: Files = {"mail/package.json": None, "mail/sort.ts": None}
SERVED: Files = {
    **TAKEN_OUT,
    ".mcp.json": '{"mcpServers": {"mail": {"command": "npx", "args": ["desk-mail"]}}}\n',
}
NEEDED: Files = {
    **TAKEN_OUT,
    "package.json": '{"name": "desk", "version": "1.0.0", "dependencies": {"desk-mail": "^2.0.0"}}\n',
}
SORTS = "Mail is sorted by `sortAllMail()`."

SITUATIONS = (
    Situation("package-served", SORTS, OUTSIDE, MAIL, SERVED),
    Situation("package-needed", SORTS, OUTSIDE, MAIL, NEEDED),
    Situation("package-needed/inverse", SORTS, stale("symbol-gone"), MAIL, TAKEN_OUT),
    Situation(
        "path-of-a-package/inverse", "Mail is sorted in `mail/sort.ts`.", stale("path-gone"), MAIL, NEEDED
    ),
    Situation(
        "package-stayed/inverse",
        SORTS,
        stale("symbol-gone"),
        MAIL,
        {**NEEDED, "mail/package.json": MAIL["mail/package.json"]},
    ),
    Situation("file-of-the-reader", "Run `pytest tests/path.py -k name`.", ("unknown",), TESTS),
    Situation(
        "file-of-the-reader/inverse", "Run `pytest tests/shelf.py`.", stale("path-gone", "earlier"), TESTS
    ),
    Situation(
        "file-of-the-reader-stood/inverse",
        "Run `pytest tests/path.py`.",
        stale("path-gone"),
        {**TESTS, "tests/path.py": "X = 1\n"},
        {"tests/path.py": None},
    ),
    Situation("slot-in-braces", "Read `app/{name}/*/*.ts` first.", ("unknown",), {"app/a/b.ts": "X\n"}),
    Situation(
        "slot-below-folders", "Read `src/app/{name}/*.ts` first.", ("unknown",), {"src/app/a.rs": "X\n"}
    ),
    Situation(
        "slot-below-folders/inverse",
        "Read `src/app/lamps/*.ts` first.",
        stale("path-gone", "earlier"),
        {"src/app/a.rs": "X\n"},
    ),
    Situation(
        "list-in-braces/inverse",
        "Read `src/app/{lamp,chair}.ts` first.",
        stale("glob-empty"),
        {"src/app/lamp.ts": "X\n", "src/app/chair.ts": "X\n"},
        {"src/app/lamp.ts": None, "src/app/chair.ts": None},
    ),
    Situation(
        "name-for-any",
        "Add a hub and `subscribeX` helper in `src/events.ts`.",
        HELD,
        {"src/events.ts": "export const hub = 1;\n"},
    ),
    Situation(
        "name-for-any/inverse",
        "There is a `subscribeAll` helper in `src/events.ts`.",
        stale("not-in-file", "earlier"),
        {"src/events.ts": "export const hub = 1;\n"},
    ),
    Situation(
        "name-for-any-stood/inverse",
        "There is a `subscribeX` helper in `src/events.ts`.",
        ("stale",),
        {"src/events.ts": "export function subscribeX() {}\nexport const hub = 1;\n"},
        {"src/events.ts": "export const hub = 1;\n"},
    ),
    Situation(
        "slot-in-a-tree",
        SLOTTED,
        ("unknown",),
        {f"parts/{name}": "X\n" for name in ("tests/a.py", "setup.toml", "notes.md", "justfile", "icons/a")},
        memory="parts/CLAUDE.md",
        about="desk_<name>",
    ),
    Situation("template-tree", FEATURE, ("unknown",), APP, memory="app/CLAUDE.md", about="page.tsx"),
    Situation("template-tree-of-a-rule", FEATURE, ("unknown",), memory="CLAUDE.md", about="page.tsx"),
    Situation(
        "template-tree-from-base",
        FEATURE,
        OPEN,
        WHOLE_APP,
        {"app/page.tsx": None},
        memory="app/CLAUDE.md",
        about="page.tsx",
    ),
    Situation(
        "labelled-tree/inverse",
        SHOP,
        stale("path-gone"),
        WHOLE_APP,
        {"app/page.tsx": None},
        memory="app/CLAUDE.md",
        about="page.tsx",
    ),
    Situation(
        "drawn-feature/inverse",
        FEATURE,
        stale("path-gone"),
        {name.replace("app/", "app/feature/"): text for name, text in WHOLE_APP.items()},
        {"app/feature/page.tsx": None},
        memory="app/CLAUDE.md",
        about="page.tsx",
    ),
    Situation("tree-at-home", AT_HOME, OUTSIDE, DESK, {".desk/check.json": None}, about="check.json"),
    Situation(
        "tree-at-home-by-variable",
        AT_HOME.replace("~/", "$HOME/"),
        OUTSIDE,
        DESK,
        {".desk/check.json": None},
        about="check.json",
    ),
    Situation(
        "tree-at-home-on-windows",
        AT_HOME.replace("~/", "%APPDATA%/"),
        OUTSIDE,
        DESK,
        {".desk/check.json": None},
        about="check.json",
    ),
    Situation(
        "absolute-tree",
        AT_HOME.replace("~/.desk", "/etc/desk"),
        ("unknown",),
        {"etc/desk/rules/a.md": "X\n", "etc/desk/check.json": "{}\n"},
        {"etc/desk/check.json": None},
        about="check.json",
    ),
    Situation(
        "tree-at-home/inverse",
        AT_HOME.replace("~/", ""),
        stale("path-gone"),
        DESK,
        {".desk/check.json": None},
        about="check.json",
    ),
    Situation(
        "scope-in-a-tree",
        SCOPES,
        HELD,
        {**PACKAGES, "shop/db/table.sql": "X\n"},
        {"shop/db/table.sql": None},
        about="@shop/db",
    ),
    Situation(
        "scope-in-words",
        "Tables come from @shop/db alone.",
        ("unknown",),
        {**PACKAGES, "shop/db/table.sql": "X\n"},
        {"shop/db/table.sql": None},
    ),
    Situation(
        "scope-in-words/inverse",
        "Tables come from @shop/db alone.",
        stale("path-gone"),
        {"shop/db/table.sql": "X\n", "shop/lamp.sql": "X\n"},
        {"shop/db/table.sql": None},
    ),
    Situation(
        "example-of-a-style",
        "**Naming convention**: `v{XXXX}_{what}.py` (e.g. `v0001_step.py`, `v0002_step.py`)",
        HELD,
        STEPS,
        NO_FIRST,
    ),
    Situation(
        "example-of-a-style-alone",
        "File names are in snake case, such as `steps/v0001_step.py`.",
        OPEN,
        STEPS,
        NO_FIRST,
    ),
    Situation(
        "example-under-a-heading",
        "Short, what it does first, e.g. `steps/v0001_step.py`.",
        OPEN,
        STEPS,
        NO_FIRST,
        heading="Naming of steps",
    ),
    Situation(
        "example-of-a-style/inverse",
        "Steps are small modules, e.g. `steps/v0001_step.py`.",
        stale("path-gone"),
        STEPS,
        NO_FIRST,
    ),
    Situation(
        "named-under-a-heading/inverse",
        "The names are made in `steps/v0001_step.py`.",
        stale("path-gone"),
        STEPS,
        NO_FIRST,
        heading="Naming of steps",
    ),
)


@rows(SITUATIONS)
def test_what_stands_for_a_name(situation: Situation, tmp_path: Path) -> None:
    check(tmp_path / "desk", situation)


PARTS = {
    f"shop/desk/parts/{name}": f"// {name}\n" + f"export const {name[0]} = 1;\n" * 9
    for name in ("lamp.ts", "chair.ts", "stool.ts", "bench.ts", "rack.ts")
}
MOVED: Files = {
    **dict.fromkeys(PARTS),
    **{n.replace("shop/desk/parts", "lib/parts"): t for n, t in PARTS.items()},
}
WITHIN: Files = {
    **dict.fromkeys(PARTS),
    **{n.replace("desk/parts", "desk/bits"): t for n, t in PARTS.items()},
}
REST = {"shop/desk/forms/a.ts": "export const form = 1;\n", "shop/README.md": "The shop.\n"}
SPLIT: Files = {**MOVED, "shop/desk/parts/sort.ts": None, "shop/desk/sort.ts": "export const order = [1];\n"}
WITH_SORT = {**PARTS, "shop/desk/parts/sort.ts": "export const order = [1];\n"}


@pytest.mark.parametrize(
    ("claim", "before", "after", "tier"),
    [
        ("`shop/desk/` | Shared (`shop/desk/parts/`, `shop/desk/forms/`)", PARTS, MOVED, Tier.ASK),
        ("`shop/desk/` | Shared (`shop/desk/parts/`, `shop/desk/forms/`)", PARTS, WITHIN, Tier.APPLY),
        ("`shop/desk/parts/` are the parts, see `shop/README.md`.", PARTS, MOVED, Tier.APPLY),
        ("`shop/desk/parts/` are the parts, see `guide.md`.", PARTS, MOVED, Tier.ASK),
        ("`shop/desk/parts/` has `lamp.ts` and `chair.ts`.", PARTS, MOVED, Tier.APPLY),
        ("`shop/desk/parts/` has `lamp.ts` and `sort.ts`.", WITH_SORT, SPLIT, Tier.ASK),
        ("`shop/desk/parts/` has the parts `lamp` and `sort`.", WITH_SORT, SPLIT, Tier.ASK),
        ("`shop/desk/parts/` has the parts `lamp` and `chair`.", PARTS, MOVED, Tier.APPLY),
    ],
)
def test_a_path_is_put_in_only_where_the_rest_of_the_line_is_true_of_it(
    claim: str, before: Files, after: Files, tier: Tier, tmp_path: Path
) -> None:
    found, _ = judged(tmp_path / "desk", Situation("moved", claim, (), {**REST, **before}, after))
    ((_, judgement),) = found
    assert judgement.suggestion is not None
    assert judgement.suggestion.tier is tier, judgement.suggestion

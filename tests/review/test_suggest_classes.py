"""What is proposed for each class of broken fact, on real repositories, with its counter-case."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memaudit.audit import Audit
from memaudit.domain import AuditRequest, Suggestion

BODY = (
    "def load_rows(path):\n    rows = []\n    for line in open(path):\n"
    "        rows.append(line.split(','))\n    return rows\n"
)
MAIN = "".join(f"export const part{number} = {number};\n" for number in range(30))
MAIL = "def send_mail(to):\n    return to.upper() + '!' * 40\n"
CLI_HEAD = "import typer\n\napp = typer.Typer()\nkeys = typer.Typer()\ncloud = typer.Typer()\n"
GROUPS = CLI_HEAD + "app.add_typer(keys, name='project')\napp.add_typer(cloud, name='cloud')\n"
REST = "@keys.command('list')\ndef lst():\n    pass\n@cloud.command('login')\ndef login():\n    pass\n"
PROJECT = '[project]\nname = "acme"\nversion = "1"\n[project.scripts]\nacme = "acme.cli:app"\n'


def scripts(**tasks: str) -> str:
    """A package.json with these tasks."""
    return json.dumps({"scripts": tasks}, indent=1)


def suggestion(repo: Any, claim: str, before: dict[str, Any], after: dict[str, Any]) -> Suggestion:
    """The suggestion for the first stale claim of a memory file, over one commit."""
    repo.commit("one", {"keep.txt": "k\n", **before, "CLAUDE.md": claim + "\n"})
    repo.commit("two", {"keep.txt": "l\n", **after})
    audit = Audit(AuditRequest(repo.root, range="HEAD~1..HEAD"))
    found = next(judgement.suggestion for _, judgement in audit.run() if judgement.verdict.value == "stale")
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("claim", "before", "after", "tier", "text"),
    [
        pytest.param(
            "- Format with `fmt --file ./core/jni/Cargo.toml`.",
            {"core/jni/Cargo.toml": '[package]\nname = "a"\n'},
            {"core/jni/Cargo.toml": None, "jni/Cargo.toml": '[package]\nname = "a"\n'},
            "apply", "Format with `fmt --file ./jni/Cargo.toml`.", id="moved, written with dot slash",
        ),
        pytest.param(
            "- `snowman.js` draws it.",
            {"snowman.js": MAIN},
            {"snowman.js": None, "tests/snowman_old.js": MAIN + "// kept\n", "src/snowman.ts": "x;\n"},
            "ask", "`src/snowman.ts` draws it.", id="a copy kept under another name is not where it went",
        ),
        pytest.param(
            "- `package.json` asks for `node: ~24`.",
            {"package.json": '{"engines": {"node": "~24"}}'},
            {"package.json": '{"engines": {"node": "~25"}}'},
            "apply", "`package.json` asks for `node: ~25`.", id="one version",
        ),
        pytest.param(
            "- `pkg.yml` pins `nodejs.org: ^22` but `package.json` asks for `node: ~24`.",
            {"package.json": '{"engines": {"node": "~24"}}', "pkg.yml": "nodejs.org: ^22\n"},
            {"package.json": '{"engines": {"node": "~25"}}', "pkg.yml": "nodejs.org: ^25\n"},
            "ask", "`pkg.yml` pins `nodejs.org: ^22` but `package.json` asks for `node: ~25`.",
            id="beside a version that nothing is known of",
        ),
        pytest.param(
            "- Look at `docs/testing.mdc` first.",
            {"docs/testing.mdc": "Old words about it.\n"},
            {"docs/testing.mdc": None, "docs/testing/overview.md": "New.\n", "docs/testing/ci.md": "x\n"},
            "ask", "Look at `docs/testing/overview.md` first.", id="file that became a folder",
        ),
        pytest.param(
            "- Look at `docs/testing.mdc` first.",
            {"docs/testing.mdc": "Old words about it.\n"},
            {"docs/testing.mdc": None, "docs/testing/ci.md": "x\n", "docs/other.md": "y\n"},
            "ask", None, id="no such file: nothing",
        ),
        pytest.param(
            "- Dialogs: `web/src/dialogs/`",
            {f"web/src/dialogs/{name}.tsx": f"export const {name} = 1\n" for name in ("Ask", "Tell", "Show")},
            {f"web/src/dialogs/{name}.tsx": None for name in ("Ask", "Tell", "Show")}
            | {f"ui/shared/dialogs/{name}.tsx": f"let {name}Box\n" for name in ("Ask", "Tell")},
            "ask", "Dialogs: `ui/shared/dialogs/`", id="folder rewritten elsewhere under the same names",
        ),
        pytest.param(
            "- Dialogs: `web/src/dialogs/`",
            {f"web/src/dialogs/{name}.tsx": f"export const {name} = 1\n" for name in ("Ask", "Tell", "Show")},
            {f"web/src/dialogs/{name}.tsx": None for name in ("Ask", "Tell", "Show")} | {"ui/Box.tsx": "x\n"},
            "ask", None, id="folder gone for good",
        ),
        pytest.param(
            "- Client: `src/client/index.ts`",
            {"src/client/index.ts": "export const call = (at: string) => at + 1\n"},
            {"src/client/index.ts": None, "site/theme/index.ts": "import Theme\n"},
            "ask", None, id="an index of another folder is no successor",
        ),
        pytest.param(
            "- Client: `src/client/index.ts`",
            {"src/client/index.ts": "export const call = (at: string) => at + 1\n"},
            {"src/client/index.ts": None, "parts/client/src/index.ts": "let all\n", "site/index.ts": "x\n"},
            "ask", "Client: `parts/client/src/index.ts`", id="an index of the folder of that name",
        ),
        pytest.param(
            "- Guides: `.agent/guides/`",
            {".agent/guides/README.md": "All.\n", ".agent/guides/one.md": "One.\n"},
            {".agent/guides/README.md": None, ".agent/guides/one.md": None, "src/wasm/README.md": "New.\n"},
            "ask", None, id="a readme elsewhere is no trace of a folder",
        ),
        pytest.param(
            "- Run it: `npm run web:dev`",
            {"package.json": scripts(**{"web:dev": "cd web && vite --port 3000", "lint": "eslint ."})},
            {"package.json": scripts(**{"app:dev": "cd lib/app && vite --port 3000", "lint": "eslint ."})},
            "ask", "Run it: `npm run app:dev`", id="task with nearly the same body",
        ),
        pytest.param(
            "- Run it: `npm run web:dev`",
            {"package.json": scripts(**{"web:dev": "cd web && vite --port 3000", "lint": "eslint ."})},
            {"package.json": scripts(docs="mkdocs build", lint="eslint .")},
            "ask", None, id="task gone, others unlike it",
        ),
        pytest.param(
            "- All checks: `make check` (runs lint, format, and tests)",
            {"Makefile": "check: lint format tests\nlint:\n\truff\nformat:\n\tblack\ntests:\n\tpytest\n"},
            {"Makefile": "check: lint format\nlint:\n\truff\nformat:\n\tblack\ntests:\n\tpytest\n"},
            "ask", "All checks: `make check` (runs lint and format)", id="step that is no longer run",
        ),
        pytest.param(
            "- Settings: `A_TOKEN`, `B_TOKEN`, optional `C_TOKEN` for sign-in.",
            {"a.py": "A = env['A_TOKEN']\nB = env['B_TOKEN']\nC = env['C_TOKEN']\n"},
            {"a.py": "A = env['A_TOKEN']\nB = env['B_TOKEN']\n"},
            "ask", "Settings: `A_TOKEN`, `B_TOKEN`.", id="one of several settings",
        ),
        pytest.param(
            "- Sign in with `OLD_TOKEN`.",
            {"a.py": "import os\nA = os.environ['OLD_TOKEN']\n"},
            {"a.py": "import os\nA = os.environ['NEW_SECRET']\n"},
            "ask", "Sign in with `NEW_SECRET`.", id="setting renamed in its line",
        ),
        pytest.param(
            "- Sign in with `OLD_TOKEN`.",
            {"a.py": "import os\nA = os.environ['OLD_TOKEN']\n"},
            {"a.py": "import os\nfrom vault import secret\nA = secret()\n"},
            "ask", None, id="setting gone with its line",
        ),
        pytest.param(
            "- `load_rows()` reads them.",
            {"io/rows.py": BODY},
            {"io/rows.py": "x = 1\n", "net/table.py": BODY.replace("load_rows", "read_table")},
            "ask", "`read_table()` reads them.", id="same body, other name, other file",
        ),
        pytest.param(
            "- `load_rows()` reads them.",
            {"io/rows.py": BODY},
            {"io/rows.py": "x = 1\n", "net/table.py": MAIL},
            "ask", None, id="another function is no rename",
        ),
        pytest.param(
            "- Sync: `acme project sync`",
            {
                "pyproject.toml": PROJECT,
                "acme/cli.py": GROUPS + "@keys.command('sync')\ndef sync():\n    pass\n" + REST,
            },
            {"acme/cli.py": GROUPS + "@cloud.command('sync')\ndef sync():\n    pass\n" + REST},
            "ask", "Sync: `acme cloud sync`", id="sub-command under another group",
        ),
        pytest.param(
            "- Sync: `acme project sync`",
            {
                "pyproject.toml": PROJECT,
                "acme/cli.py": GROUPS + "@cloud.command('sync')\ndef sync():\n    pass\n" + REST,
            },
            {"keep.txt": "m\n"},
            "ask", "Sync: `acme cloud sync`", id="sub-command that was under another group before",
        ),
        pytest.param(
            "- Keys: `acme project set-key`",
            {
                "pyproject.toml": PROJECT,
                "acme/cli.py": GROUPS + "@cloud.command('push')\ndef push():\n    pass\n" + REST,
            },
            {"keep.txt": "m\n"},
            "ask", None, id="sub-command that never was: its group is no name for it",
        ),
        pytest.param(
            "- Use `npm ci && npm run build`.",
            {"package.json": scripts(build="vite"), "package-lock.json": "{}"},
            {"package-lock.json": None, "pnpm-lock.yaml": "x: 1\n"},
            "ask", "Use `pnpm install --frozen-lockfile && pnpm run build`.", id="manager over a whole line",
        ),
        pytest.param(
            "- Dates: we use `moment`.",
            {"package.json": '{"dependencies": {"moment": "2"}}'},
            {"package.json": '{"dependencies": {"dayjs": "1"}}'},
            "ask", "Dates: we use `dayjs`.", id="dependency swapped in one commit",
        ),
        pytest.param(
            "- Dates: we use `moment`.",
            {"package.json": '{"dependencies": {"moment": "2"}}'},
            {"package.json": '{"dependencies": {"dayjs": "1", "lodash": "4"}}'},
            "ask", None, id="two came: which is it",
        ),
        pytest.param(
            "- Needs Go 1.21+.",
            {"go.mod": "module a\n\ngo 1.24.0\n"},
            {"go.mod": "module a\n\ngo 1.25.6\n"},
            "ask", "Needs Go 1.25.6+.", id="bound too low all along",
        ),
        pytest.param(
            "- The block (conf.toml:3-4) is it.",
            {"conf.toml": "[a]\nx = 1\n[block]\ny = 2\n"},
            {"conf.toml": "[a]\nx = 1\nz = 3\n[block]\ny = 2\n"},
            "ask", "The block (conf.toml:4-5) is it.", id="cited lines moved",
        ),
        pytest.param(
            "- There are two rules in `rules/`.",
            {f"rules/{name}.py": "a = 1\n" for name in ("__init__", "late", "lost")},
            {"rules/kept.py": "b = 2\n"},
            "ask", "There are three rules in `rules/`.", id="one more of what was counted",
        ),
        pytest.param(
            "- There are three rules in `rules/`.",
            {f"rules/{name}.py": "a = 1\n" for name in ("__init__", "late", "lost")},
            {"rules/kept.py": "b = 2\n"},
            "apply", "There are four rules in `rules/`.", id="one more where all files were counted",
        ),
        pytest.param(
            "- Test: `go test ./...` (one: `go test ./pkg -run TestOldThing`)",
            {"go.mod": "module a\n", "pkg/a_test.go": "package pkg\nfunc TestOldThing(t *T) {}\n"},
            {"pkg/a_test.go": "package pkg\nfunc TestFine(t *T) {}\n"},
            "ask", "Test: `go test ./...` (one: `go test ./pkg -run TestFine`)", id="small body",
        ),
    ],
)  # fmt: skip
def test_what_is_proposed(
    git_repo: Any, claim: str, before: dict[str, Any], after: dict[str, Any], tier: str, text: str | None
) -> None:
    found = suggestion(git_repo, claim, before, after)
    assert (found.tier.value, found.text) == (tier, text)


def test_every_candidate_is_named(git_repo: Any) -> None:
    before = {"Makefile": "lint-files:\n\truff\n"}
    after = {"Makefile": "lint-file:\n\tflake8\nlint-folders:\n\tpylint\n"}
    found = suggestion(git_repo, "- Run `make lint-files`.", before, after)
    assert found.text == "Run `make lint-file`."
    assert "lint-folders" in found.note


def test_what_cannot_be_settled_is_named(git_repo: Any) -> None:
    before = {"src/a.py": "a = 1\n" * 9, "src/b.py": "b = 2\n"}
    after = {"src/a.py": None, "lib/a.py": "a = 1\n" * 9, "src/b.py": None}
    found = suggestion(git_repo, "- `src/a.py` reads what `src/b.py` writes.", before, after)
    assert (found.tier.value, found.text) == ("ask", "`lib/a.py` reads what `src/b.py` writes.")
    assert "src/b.py is left to be reworded" in found.note


@pytest.mark.parametrize(
    ("shown", "before", "after", "tier", "text"),
    [
        pytest.param(
            "book, kinds", "book, kinds, days=1", "book, shelf_id=0, book_kinds=(), days=1",
            "ask", "`lend(book, book_kinds)` lends.", id="the one that is called alike",
        ),
        pytest.param(
            "book, folder", "book, folder", "book, directory",
            "apply", "`lend(book, directory)` lends.", id="the one change of the list",
        ),
        pytest.param(
            "book, page, page_size", "book, page=1, page_size=9", "book, shelf_id=None",
            "ask", "`lend(book)` lends.", id="two are gone: both are left out, none is put in for them",
        ),
        pytest.param(
            "book, page, page_size", "book, page, page_size", "book, shelf_id, mark=1",
            "ask", "`lend(book, shelf_id)` lends.", id="two are gone, one more is required",
        ),
        pytest.param(
            "page, page_size", "page=1, page_size=9", "shelf_id=None, mark=1",
            "ask", None, id="none is left: nothing",
        ),
        pytest.param(
            "book, days", "book, days", "reader, book, days",
            "apply", "`lend(reader, book, days)` lends.", id="a new one stands where head has it",
        ),
    ],
)  # fmt: skip
def test_a_call_is_shown_with_parameters_of_head_alone(
    git_repo: Any, shown: str, before: str, after: str, tier: str, text: str | None
) -> None:
    code = "def lend({}):\n    return 1\n"
    found = suggestion(
        git_repo, f"- `lend({shown})` lends.", {"a.py": code.format(before)}, {"a.py": code.format(after)}
    )
    assert (found.tier.value, found.text) == (tier, text)


@pytest.mark.parametrize(
    ("claim", "before", "after", "text"),
    [
        pytest.param(
            "- `desk/` (loans, readers, late_fees) is the program.",
            {f"desk/{name}.py": "a = 1\n" for name in ("loans", "readers", "late_fees")},
            {"desk/card_index.py": "b = 2\n"},
            "`desk/` (loans, readers, late_fees, card_index) is the program.", id="a file",
        ),
        pytest.param(
            "- `desk/` (loans, readers, fees) is the program.",
            {f"desk/{name}/a.ts": "a = 1\n" for name in ("loans", "readers", "fees")},
            {"desk/cardIndex/a.ts": "b = 2\n"},
            "`desk/` (loans, readers, fees, cardIndex) is the program.", id="a folder",
        ),
        pytest.param(
            "- States in `desk/states.py`: `open`, `given_back`, `lost`",
            {"desk/states.py": "STATES = [\n    'open',\n    'given_back',\n    'lost',\n]\n"},
            {"desk/states.py": "STATES = [\n    'open',\n    'given_back',\n    'lost',\n    'on_Hold'\n]\n"},
            "States in `desk/states.py`: `open`, `given_back`, `lost`, `on_Hold`", id="an item of code",
        ),
        pytest.param(
            "- States in `desk/states.py`: `open`, `given_back`, `lost`",
            {"desk/states.py": "STATES = ['open', 'given_back', 'lost']\n"},
            {"desk/states.py": "STATES = ['open', 'given_back']\n"},
            "States in `desk/states.py`: `open`, `given_back`", id="one less",
        ),
    ],
)  # fmt: skip
def test_what_a_list_has_gained_is_spelled_as_it_is_there(
    git_repo: Any, claim: str, before: dict[str, Any], after: dict[str, Any], text: str
) -> None:
    assert suggestion(git_repo, claim, before, after).text == text

"""Situations in which other checkers cry wolf or stay silent, each built as a real repository.

Many stand in pairs with their inverse, so that "never flag this shape" fails as well as "always
flag it". ``unknown`` in place of ``held`` is accepted only for pure norms and for things outside
the repository, and is then written as such here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from memaudit.audit import Audit
from memaudit.domain import AuditRequest, Judgement

Files = Mapping[str, str | bytes | None]


@dataclass(frozen=True)
class Situation:
    """A claim, the repository before, what changes, and the right verdict (and reason, where it matters)."""

    name: str
    claim: str
    before: Files
    after: Files
    verdict: str
    reason: str | None = None
    memory: str = "CLAUDE.md"
    setup: tuple[tuple[str, ...], ...] = ()
    heading: str = "Notes"
    message: str = "change"


PACKAGE = '{"name": "acme", "scripts": {"build": "tsc", "test": "vitest run"}, "devDependencies": {"vitest": "^2"}}\n'
MODULE = "def load_config(path):\n    import tomllib\n    return tomllib.loads(open(path).read())\n"
TREE = "```text\nacme/\n├── packages/\n│   └── core/\n│       └── server.ts   # entry\n└── docs/\n```"

SITUATIONS = (
    Situation("branch name", "Maintenance fixes go to the `release/3.x` branch.", {"src/a.py": "A = 1\n"}, {"src/a.py": "A = 2\n"}, "held", setup=(("branch", "release/3.x"),)),
    Situation("version tag", "Tags look like `v3.2.0`.", {"a.txt": "1\n"}, {"a.txt": "2\n"}, "held", setup=(("tag", "v3.2.0"),)),
    Situation("placeholder path", "Post long comments with `gh pr comment --body-file /path/to/comment.md`.", {"a.txt": "1\n"}, {"a.txt": "2\n"}, "unknown"),
    Situation("link template", "Each changelog entry starts with `[v<version>](<release-url>)`.", {"a.txt": "1\n"}, {"a.txt": "2\n"}, "unknown"),
    Situation("tree with root label", TREE, {"packages/core/server.ts": "export const a = 1\n", "docs/x.md": "x\n"}, {"packages/core/server.ts": "export const a = 2\n"}, "held"),
    Situation("tree entry gone", "```text\n.\n├── src/\n│   └── legacy/   # old API\n└── docs/\n```", {"src/legacy/api.ts": "x\n", "src/new.ts": "y\n", "docs/x.md": "x\n"}, {"src/legacy/api.ts": None}, "stale", "path-gone"),
    Situation("tool not installed here", "Install with `uv sync`.", {"uv.lock": "version = 1\n", "pyproject.toml": "[project]\nname = 'a'\n"}, {"uv.lock": "version = 1\n\n"}, "held"),
    Situation("workspace filter", "Regenerate: `pnpm run --filter @acme/core gen-defs`.", {"package.json": PACKAGE, "packages/core/package.json": '{"name": "@acme/core", "scripts": {"gen-defs": "node gen.js"}}\n'}, {"package.json": PACKAGE.replace("tsc", "tsc -b")}, "held"),
    Situation("workspace filter, script gone", "Regenerate: `pnpm run --filter @acme/core gen-defs`.", {"package.json": PACKAGE, "packages/core/package.json": '{"name": "@acme/core", "scripts": {"gen-defs": "node gen.js"}}\n'}, {"packages/core/package.json": '{"name": "@acme/core", "scripts": {}}\n'}, "stale", "command-gone"),
    Situation("nested manifest", "Run `pnpm run gen-namespaces` to update.", {"package.json": PACKAGE, "packages/core/package.json": '{"name": "@acme/core", "scripts": {"gen-namespaces": "node g.js"}}\n'}, {"package.json": PACKAGE.replace("tsc", "tsc -b")}, "held", memory="packages/core/src/data/CLAUDE.md"),
    Situation("relative to own folder", "Message types live in `chat/messages.go`.", {"internal/ui/chat/messages.go": "package chat\n"}, {"internal/ui/chat/messages.go": "package chat\n\ntype A struct{}\n"}, "held", memory="internal/ui/AGENTS.md"),
    Situation("relative to own folder, gone", "Message types live in `chat/messages.go`.", {"internal/ui/chat/messages.go": "package chat\n"}, {"internal/ui/chat/messages.go": None}, "stale", "path-gone", memory="internal/ui/AGENTS.md"),
    Situation("relative to the package", "Generator: `scripts/ns.ts`.", {"packages/core/scripts/ns.ts": "x\n"}, {"a.txt": "1\n"}, "held", memory="packages/core/src/data/CLAUDE.md"),
    Situation("module path", "UI uses `charm.example/lipgloss/v2`.", {"go.mod": "module acme\n\nrequire charm.example/lipgloss/v2 v2.0.0\n"}, {"go.mod": "module acme\n\nrequire charm.example/lipgloss/v2 v2.0.1\n"}, "held"),
    Situation("module path dropped", "UI uses `charm.example/lipgloss/v2`.", {"go.mod": "module acme\n\nrequire charm.example/lipgloss/v2 v2.0.0\n"}, {"go.mod": "module acme\n"}, "stale", "dependency-gone"),
    Situation("skill of the user", "Coordinate long tasks with the `/dex` skill.", {"a.txt": "1\n"}, {"a.txt": "2\n"}, "unknown"),
    Situation("home path", "Confirm endpoint behaviour in the server source at `~/src/backend`.", {"a.txt": "1\n"}, {"a.txt": "2\n"}, "unknown", "outside"),
    Situation("ignored at run time", "Downloads are cached in `.cache/`.", {".gitignore": ".cache/\n", "scripts/ns.ts": "x\n"}, {"scripts/ns.ts": "y\n"}, "held"),
    Situation("local settings", "Personal overrides live in `.claude/settings.local.json`.", {".gitignore": "*.local.json\n"}, {"a.txt": "1\n"}, "held"),
    Situation("proposal number", "Background work follows SEP-2663.", {"a.txt": "1\n"}, {"a.txt": "2\n"}, "unknown"),
    Situation("documented removal", "The push relay (`tasks/notify.py`) was removed on purpose; do not add it back.", {"tasks/run.py": "x = 1\n"}, {"tasks/run.py": "x = 2\n"}, "held"),
    Situation("documented removal undone", "The push relay (`tasks/notify.py`) was removed on purpose; do not add it back.", {"tasks/run.py": "x = 1\n"}, {"tasks/notify.py": "x = 2\n"}, "stale", "absence-undone"),
    Situation("legacy mention", "This package replaces the older `/server/openapi.py` code.", {"server/openapi.py": "x = 1\n", "new.py": "y = 1\n"}, {"server/openapi.py": None}, "unknown"),
    Situation("dated record", "We will keep the adapter in `src/adapters/old.ts`.", {"src/adapters/old.ts": "x\n", "src/a.ts": "y\n"}, {"src/adapters/old.ts": None}, "unknown", heading="Decision record 2025-03"),
    Situation("plan still a plan", "Planned: hooks may return `context_files` later.", {"hooks.py": "def run():\n    return []\n"}, {"hooks.py": "def run():\n    return [1]\n"}, "held"),
    Situation("plan built", "`context_files` is planned, not built yet.", {"hooks.py": "def run():\n    return []\n"}, {"hooks.py": "def run():\n    return context_files()\n\n\ndef context_files():\n    return []\n"}, "stale", "plan-built"),
    Situation("third-party call", "Never call `captureException()` for user errors.", {"a.py": "x = 1\n"}, {"a.py": "x = 2\n"}, "unknown"),
    Situation("environment variable read", "Set `ACME_API_KEY` to use the hosted model.", {"app.py": "import os\nKEY = os.environ['ACME_API_KEY']\n", ".env.example": "OTHER=1\n"}, {"a.txt": "1\n"}, "held"),
    Situation("environment variable gone", "Set `ACME_API_KEY` to use the hosted model.", {"app.py": "import os\nKEY = os.environ['ACME_API_KEY']\n"}, {"app.py": "import os\nKEY = os.environ['ACME_TOKEN']\n"}, "stale", "symbol-gone"),
    Situation("file at the root", "Read `CONTRIBUTING.md` before opening PRs.", {"CONTRIBUTING.md": "# Rules\n"}, {"CONTRIBUTING.md": "# New rules\n"}, "held"),
    Situation("tool of a task runner", "Format HTML and CSS with `prettier --write .`.", {"Taskfile.yml": "version: '3'\ntasks:\n  fmt:\n    cmds:\n      - prettier --write .\n"}, {"a.txt": "1\n"}, "held"),
    Situation("touched is not false", "CLI entry point is `src/cli/program.ts`.", {"src/cli/program.ts": "a\n" * 40}, {"src/cli/program.ts": "a\n" * 20 + "b\n" * 20}, "held"),
    Situation("body refactored", "`load_config()` in config.py reads TOML.", {"config.py": MODULE}, {"config.py": "import tomllib\n\n\ndef load_config(path):\n    return _read(path)\n\n\ndef _read(path):\n    return tomllib.loads(open(path).read())\n"}, "held"),
    Situation("literal changed", "Access tokens live 900 seconds (`TOKEN_TTL`).", {"auth.py": "TOKEN_TTL = 900\n"}, {"auth.py": "TOKEN_TTL = 3600\n"}, "stale", "value-changed"),
    Situation("literal in other units", "Access tokens live 15 minutes (`TOKEN_TTL`).", {"auth.py": "TOKEN_TTL = 900\n"}, {"auth.py": "TOKEN_TTL = 15 * 60\n"}, "held"),
    Situation("file moved", "Retry policy lives in `src/net/retry.py`.", {"src/net/retry.py": "def retry():\n    return 3\n"}, {"src/net/retry.py": None, "src/core/net/retry.py": "def retry():\n    return 3\n"}, "stale", "path-moved"),
    Situation("bare name moved", "Retry policy: see `retry.py`.", {"src/net/retry.py": "def retry():\n    return 3\n"}, {"src/net/retry.py": None, "src/core/net/retry.py": "def retry():\n    return 3\n"}, "held"),
    Situation("only formatting", "Hook `pre_commit_check` runs before commit.", {"hooks.py": "def pre_commit_check( a ):\n  return a\n"}, {"hooks.py": "def pre_commit_check(a):\n    return a\n"}, "held"),
    Situation("still absent", "There is no `Dockerfile`.", {"a.txt": "1\n"}, {"a.txt": "2\n"}, "held"),
    Situation("no longer absent", "There is no `Dockerfile`.", {"a.txt": "1\n"}, {"Dockerfile": "FROM scratch\n"}, "stale", "absence-undone"),
    Situation("release line", "This is the maintained 2.x line.", {"package.json": '{"name": "acme", "version": "2.4.0"}\n'}, {"package.json": '{"name": "acme", "version": "4.0.0"}\n'}, "stale", "version-changed"),
    Situation("release line kept", "This is the maintained 2.x line.", {"package.json": '{"name": "acme", "version": "2.4.0"}\n'}, {"package.json": '{"name": "acme", "version": "2.9.1"}\n'}, "held"),
    Situation("manager swapped", "Use yarn for all installs.", {"yarn.lock": "# v1\n", "package.json": PACKAGE}, {"yarn.lock": None, "pnpm-lock.yaml": "lockfileVersion: 9\n"}, "stale", "manager-changed"),
    Situation("manager kept", "Use yarn for all installs.", {"yarn.lock": "# v1\n", "package.json": PACKAGE}, {"yarn.lock": "# v1\n\n"}, "held"),
    Situation("code sample", "```go\nconfig.UseMock = true\n```", {"config/config.go": "package config\n\nvar UseMock bool\n", "go.mod": "module acme\n"}, {"config/config.go": "package config\n\nvar Other bool\n"}, "stale", "symbol-gone"),
    Situation("temporary rule without marker", "Do not touch `auth.py` until the migration is finished.", {"auth.py": "a = 1\n"}, {"auth.py": "a = 2\n"}, "held"),
    Situation("opinion", "Prefer small functions.", {"a.txt": "1\n"}, {"a.txt": "2\n"}, "unknown", "no-reference"),
    Situation("preference", "The user wants short answers.", {"a.txt": "1\n"}, {"a.txt": "2\n"}, "unknown", "no-reference"),
    Situation("young but false", "The project uses yarn.", {"yarn.lock": "# v1\n", "package.json": PACKAGE}, {"yarn.lock": None, "pnpm-lock.yaml": "lockfileVersion: 9\n"}, "stale", "manager-changed"),
    Situation("identifier of a note", "See also mem_ab12cd34 for the cache bug.", {"a.txt": "1\n"}, {"a.txt": "2\n"}, "unknown"),
    Situation("python version spelled out", "Requires Python 3.11+.", {"pyproject.toml": "[project]\nname = 'a'\nrequires-python = '>=3.11'\n"}, {"a.txt": "1\n"}, "held"),
    Situation("python version raised", "Requires Python 3.11+.", {"pyproject.toml": "[project]\nname = 'a'\nrequires-python = '>=3.11'\n"}, {"pyproject.toml": "[project]\nname = 'a'\nrequires-python = '>=3.12'\n"}, "stale", "version-changed"),
    Situation("3.1 is not 3.10", "Requires Python 3.1.", {"pyproject.toml": "[project]\nname = 'a'\nrequires-python = '>=3.10'\n"}, {"a.txt": "1\n"}, "unknown"),
    Situation("case matters", "Handlers live in `src/API/`.", {"src/API/a.py": "x\n"}, {"src/API/a.py": None, "src/api/a.py": "x\n"}, "stale", "path-moved"),
    Situation("target renamed", "Run `make type-check`.", {"Makefile": "type-check:\n\tmypy .\n"}, {"Makefile": "typecheck:\n\tmypy .\n"}, "stale", "command-renamed"),
    Situation("recipe body changed", "Run `make type-check`.", {"Makefile": "type-check:\n\tmypy .\n"}, {"Makefile": "type-check:\n\tpyright\n"}, "held"),
    Situation("steps dropped", "All checks: `just check` (runs lint, format, test)", {"justfile": "check: lint format test\n\nlint:\n    ruff check\n\nformat:\n    ruff format\n\ntest:\n    pytest\n"}, {"justfile": "check: lint format\n\nlint:\n    ruff check\n\nformat:\n    ruff format\n\ntest:\n    pytest\n"}, "stale", "command-steps"),
    Situation("function renamed", "`fetch_user()` retries twice.", {"api.py": "def fetch_user(name):\n    for _ in range(2):\n        call(name)\n    return None\n"}, {"api.py": "def get_user(name):\n    for _ in range(2):\n        call(name)\n    return None\n"}, "stale", "symbol-renamed"),
    Situation("parameter renamed", "- `write_note(title, folder)` writes a note", {"notes.py": "def write_note(title, folder):\n    return title, folder\n"}, {"notes.py": "def write_note(title, directory):\n    return title, directory\n"}, "stale", "signature-changed"),
    Situation("dependency swapped", "Tests run on `jest`.", {"package.json": '{"name": "a", "devDependencies": {"jest": "^29"}}\n'}, {"package.json": '{"name": "a", "devDependencies": {"vitest": "^2"}}\n'}, "stale", "dependency-gone"),
    Situation("rejected dependency", "Use `arq`, not `celery`.", {"pyproject.toml": "[project]\nname = 'a'\ndependencies = ['arq', 'celery']\n"}, {"pyproject.toml": "[project]\nname = 'a'\ndependencies = ['arq']\n"}, "held"),
    Situation("glob empties", "Command modules match `src/*_cmd.rs`.", {"src/git_cmd.rs": "fn a() {}\n", "src/main.rs": "fn main() {}\n"}, {"src/git_cmd.rs": None}, "stale", "glob-empty"),
    Situation("rule names what is gone", "Do not edit `src/gen/` by hand.", {"src/gen/a.py": "x = 1\n", "src/b.py": "y = 1\n"}, {"src/gen/a.py": None}, "stale", "path-gone"),
)  # fmt: skip


def judge(git_repo: Any, situation: Situation) -> Judgement:
    memory = f"# {situation.heading}\n\n{situation.claim}\n"
    git_repo.commit("before", {**situation.before, situation.memory: memory})
    base = git_repo.git("rev-parse", "HEAD")
    for arguments in situation.setup:
        git_repo.git(*arguments)
    git_repo.commit(situation.message, situation.after)
    audit = Audit(AuditRequest(git_repo.root, range=f"{base}..HEAD"))
    judgements = [judgement for _, judgement in audit.run()]
    assert judgements, "no claim was found"
    order = {"stale": 0, "held": 1, "unknown": 2}
    return min(judgements, key=lambda item: order[item.verdict.value])


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
def test_verdict(git_repo: Any, situation: Situation) -> None:
    judgement = judge(git_repo, situation)
    assert judgement.verdict.value == situation.verdict, (judgement.reason, judgement.why)
    if situation.reason:
        assert judgement.reason == situation.reason, judgement.why


@pytest.mark.parametrize(
    "situation",
    [item for item in SITUATIONS if item.verdict == "stale"],
    ids=lambda situation: situation.name,
)
def test_stale_verdicts_name_the_commit_and_both_sides(git_repo: Any, situation: Situation) -> None:
    judgement = judge(git_repo, situation)
    evidence = judgement.evidence[0]
    assert evidence.base or evidence.head
    assert evidence.commit is not None
    assert evidence.commit.sha == git_repo.git("rev-parse", "HEAD")


def test_symbolic_link_is_audited_once(git_repo: Any) -> None:
    git_repo.write({"CLAUDE.md": "- Code is in `src/a.py`.\n", "src/a.py": "x = 1\n", "src/b.py": "y = 1\n"})
    (git_repo.root / "AGENTS.md").symlink_to("CLAUDE.md")
    base = git_repo.commit("before")
    git_repo.commit("after", {"src/a.py": None})
    audit = Audit(AuditRequest(git_repo.root, range=f"{base}..HEAD"))
    assert [judgement.verdict.value for _, judgement in audit.run()] == ["stale"]

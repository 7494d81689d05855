"""Sentences that name what is not there without saying that it should be: of the past, or of elsewhere.

Each row pairs a sentence that nothing contradicts with one of the same shape that is contradicted.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from quickrepo import Files, Revision, build

from memaudit.audit import Audit
from memaudit.domain import AuditRequest

PACKAGE = '{"name": "depot", "scripts": {"lint": "x"%s}, "dependencies": {"zod": "^3.1.0"}}\n'
LISTS = "def load_lists(source):\n    return source.read()\n"
KEPT: Files = {
    "src/depot/lists.py": LISTS,
    "server/start.py": "PORT = 3000\n",
    "docs/start.md": "# Start\n",
    "lib/other.c": "int a;\n",
    "Makefile": "image:\n\ttrue\n",
}
BEFORE: Files = {
    **KEPT,
    "src/depot/mailer.py": "MAX_MAILS = 10\n\n\ndef send_mails(rows):\n    return rows.go(3)\n",
    "server/mail.py": "import os\n\nTOKEN = os.environ['MAIL_TOKEN']\n",
    "package.json": PACKAGE % ', "mails": "y"',
    "pyproject.toml": "[project]\nname = 'depot'\nrequires-python = '>=3.9'\n",
    "yarn.lock": "# yarn lockfile v1\n",
}
AFTER: Files = {
    "src/depot/mailer.py": None,
    "server/mail.py": None,
    "package.json": PACKAGE % "",
    "pyproject.toml": "[project]\nname = 'depot'\nrequires-python = '>=3.11'\n",
    "yarn.lock": None,
    "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
}
"""All that has to do with mails goes, and the package manager and the version of Python change."""

PAST = (
    ("removed", "`send_mails()` is gone; use `load_lists()`.", "`send_mails()` is quick; use it."),
    ("dropped", "We dropped `src/depot/mailer.py` in May.", "We like `src/depot/mailer.py`."),
    ("was", "Once `MAX_MAILS` was 10 and no more.", "`MAX_MAILS` is 10 and no more."),
    ("used to be", "`MAX_MAILS` used to be 10.", "`MAX_MAILS` has to be 10."),
    ("until", "Until 2.0 `MAX_MAILS` was 10.", "Since 2.0 `MAX_MAILS` is 10."),
    ("grew out of", "All this grew out of `src/depot/mailer.py`.", "All is in `src/depot/mailer.py`."),
    ("was split", "`src/depot/mailer.py` was split up.", "`src/depot/mailer.py` is split in two halves."),
    ("became", "`send_mails()` became `load_lists()`.", "`send_mails()` calls `load_lists()`."),
    ("is now", "`npm run mails` is now `npm run lint`.", "`npm run mails` goes before `npm run lint`."),
    ("before", "Before the rewrite all was in `src/depot/mailer.py`.", "All is in `src/depot/mailer.py`."),
    ("in 1.x", "In 1.x it was `send_mails()`.", "In 2.x it is `send_mails()`."),
    ("the old", "Unlike the old `send_mails()` it is slow.", "Unlike the quick `send_mails()` it is slow."),
    ("bring back", "Do not bring back `send_mails()`.", "Do not slow down `send_mails()`."),
    ("not needed", "`MAIL_TOKEN` is not needed any more.", "`MAIL_TOKEN` is needed more than ever."),
    ("neither", "Neither `send_mails()` nor `MAIL_TOKEN` is left.", "Both `send_mails()` and `MAIL_TOKEN`."),
    ("struck", "~~`send_mails()` retries.~~", "**`send_mails()` retries.**"),
    ("dated", "Incident of 2024-03-02: `send_mails()` ran twice.", "In short: `send_mails()` runs once."),
    ("still had", "While we still had `src/depot/mailer.py` it was slow.", "See `src/depot/mailer.py`."),
    ("languages", "Python 3.9 was enough before.", "Python 3.9 is enough."),
    ("managers", "We switched from yarn to pnpm.", "We use yarn."),
    ("until then", "`npm run mails` did this until 2.0.", "`npm run mails` does this until 6 o'clock."),
    ("label", "Removed in 2.0: `send_mails()`.", "Since 2.0: `send_mails()`."),
    ("first version", "Version 1 had `src/depot/mailer.py`.", "Version 2 has `src/depot/mailer.py`."),
    (
        "perfect",
        "`src/depot/mailer.py` has since been split.",
        "`src/depot/mailer.py` has since been tidied.",
    ),
    ("made then", "`send_mails()` was never the way in.", "`send_mails()` was written for the timer."),
    ("legacy", "The legacy mailer `mailer.py` was slow.", "Legacy code lives in `src/depot/mailer.py`."),
    ("old logs", "You may still find `send_mails()` in old logs.", "You find mails by `send_mails()`."),
    ("forbidden", "No module may be called `mailer.py`.", "The module is called `mailer.py`."),
    ("git", "`git log -- src/depot/mailer.py` tells why.", "`src/depot/mailer.py` tells why."),
    (
        "branch",
        "On `release/1.x` it is `src/depot/mailer.py`.",
        "On all systems it is `src/depot/mailer.py`.",
    ),
)

ELSEWHERE = (
    ("repository", "In the app's repository it is `src/depot/ui.ts`.", "Here it is `src/depot/ui.ts`."),
    ("upstream", "Upstream, `src/depot/bridge.py` does it.", "Here, `src/depot/bridge.py` does it."),
    ("server", "On the server it is `server/live.env`.", "Here it is `server/live.env`."),
    ("container", "In the container it is `server/live.py`.", "Here it is `server/live.py`."),
    ("submodule", "The submodule has `lib/zlib.c`.", "The folder has `lib/zlib.c`."),
    ("made", "A run makes `docs/api.html`.", "Read `docs/api.html`."),
    ("copied", "Copy `docs/start.md` to `docs/mine.md` first.", "Read `docs/start.md` and `docs/mine.md`."),
    ("asked for", "Ask whoever starts for a `docs/plan.md`.", "Follow the `docs/plan.md`."),
    ("plugin", "Each plugin brings its `src/depot/main.py`.", "All begins in `src/depot/main.py`."),
    ("web repo", "In the web repo run `npm run book`.", "In a clean tree run `npm run book`."),
    ("infra repo", "Run `make up` in the infra repo.", "Run `make up` in the morning."),
    ("-C", "`make -C ../infra up` starts it.", "`make -s up` starts it."),
    ("cd", "`cd ../shop && npm run dev` starts it.", "`npm run dev` starts it."),
    (
        "own repository",
        "See `src/depot/app.ts` in its own repository.",
        "See `src/depot/app.ts` in this repository.",
    ),
    ("fork", "Our fork of zod has `src/depot/zod.ts`.", "Our copy of zod is `src/depot/zod.ts`."),
    (
        "repository of rows",
        "The shop's repository has `server/rows.py`.",
        "The row repository is `server/rows.py`.",
    ),
    ("another branch", "Branch `next` has `src/depot/next.py`.", "Branch off from `src/depot/next.py`."),
    ("users", "Users keep their own `server/mine.env`.", "Users find help in `docs/help.md`."),
    ("optional", "`server/local.env` is optional.", "`server/local.env` is read first."),
    ("cp", "`cp docs/start.md docs/mine.md`", "`cat docs/start.md docs/mine.md`"),
    ("on production", "On production it reads `server/prod.env`.", "In production mode run `npm run prod`."),
    ("link out", "See [the ERP](../erp/README.md).", "See [the ERP](erp/README.md)."),
    ("environment", "Look into `.venv/lib/zod.py`.", "Look into `lib/zod.py`."),
)


def verdicts(root: Path, claims: tuple[str, str], after: Files) -> list[str]:
    memory = "# Notes\n\n" + "".join(f"- {claim}\n" for claim in claims)
    commits = build(root, [Revision({**BEFORE, "CLAUDE.md": memory}), Revision(after)])
    audit = Audit(AuditRequest(root, range=f"{commits[0]}..{commits[1]}"))
    found = {claim.text: judgement.verdict.value for claim, judgement in audit.run()}
    return [found[claim] for claim in claims]


def rows(table: tuple[tuple[str, str, str], ...]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        ("calm", "contradicted"), [pytest.param(calm, other, id=name) for name, calm, other in table]
    )


@rows(PAST)
def test_the_past_may_be_gone(tmp_path: Path, calm: str, contradicted: str) -> None:
    first, second = verdicts(tmp_path / "project", (calm, contradicted), AFTER)
    assert (first != "stale", second) == (True, "stale")


@rows(ELSEWHERE)
def test_what_is_elsewhere_may_be_missing(tmp_path: Path, calm: str, contradicted: str) -> None:
    first, second = verdicts(tmp_path / "project", (calm, contradicted), {"notes.txt": "1\n"})
    assert (first != "stale", second) == (True, "stale")

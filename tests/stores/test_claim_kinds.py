"""The kind of a claim, by wording and block."""

from __future__ import annotations

import pytest
from storekit import claims


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The server listens on port 8080.", "fact"),
        ("`libs/geo` wraps `pyproj` 3.6", "fact"),
        ("Node 22, TypeScript 5.6", "fact"),
        ("Test files live in `tests/`.", "fact"),
        ("Log output goes to `var/log`.", "fact"),
        ("There is no CI yet.", "fact"),
        ("Guides don't need changesets.", "fact"),
        ("Watcher tests do not work in the sandbox.", "fact"),
        ("**Cache**: Redis holds sessions", "fact"),
        ("Never log raw keys.", "rule"),
        ("**Never** log raw keys.", "rule"),
        ("⚠️ Do not edit `gen/`.", "rule"),
        ("Generated, do not edit", "rule"),
        ("You don't touch `gen/` by hand.", "rule"),
        ("Handlers return `Problem`, never dicts.", "rule"),
        ("`auth.py` is the only module allowed to log in", "rule"),
        ("State comes from `useStore`; no Redux", "rule"),
        ("Constructor injection only.", "rule"),
        ("Use `pnpm`, not `npm`.", "rule"),
        ("**Imports**: Use `goimports`.", "rule"),
        ("Run `just fmt` before every commit.", "rule"),
        ("When adding a setting, update `docs/settings.md` as well.", "rule"),
        ("**How to apply:** any query needs a test.", "rule"),
        ("提交信息用英文。", "rule"),
        ("Prefer small functions.", "preference"),
        ("My time zone is UTC+1.", "preference"),
        ("Local only: skip `just e2e`.", "preference"),
        ("Always prefer small functions.", "rule"),
        ("See @docs/architecture.md before touching it.", "pointer"),
        ("@docs/architecture.md", "pointer"),
        ("[feedback.md](feedback.md): tests use a real database", "pointer"),
        ("For details, read `docs/guide.md`.", "pointer"),
        ("docs/guide.md — how to start", "pointer"),
        ("**Testing**: `.claude/rules/testing.md`", "pointer"),
        ("Every crate has its own `AGENTS.md`.", "pointer"),
        ("Build with `cargo build --workspace`.", "command"),
        ("**Lint**: `task lint:fix`", "command"),
        ("Web app (dev): `pnpm run web:dev`", "command"),
        ("`make docs` builds the site", "command"),
        ("Mail the list at dev@example.org for access.", "other"),
        ("*Last updated: 2026-07-30*", "other"),
        ("**Why:** a fake hid a bug.", "other"),
    ],
)
def test_wording(text: str, kind: str) -> None:
    (claim,) = claims(f"- {text}\n")
    assert claim.kind == kind
    (claim,) = claims(f"{text}\n")
    assert claim.kind == kind


@pytest.mark.parametrize(
    ("lead", "item", "kind"),
    [
        ("Allowed fakes:", "the clock", "rule"),
        ("**Never:**", "Hardcode API keys", "rule"),
        ("Modules:", "the clock", "fact"),
        ("The rules engine has parts:", "the parser reads `rules.json`", "fact"),
    ],
)
def test_fragments_take_after_their_lead_in(lead: str, item: str, kind: str) -> None:
    (claim,) = claims(f"{lead}\n\n- {item}\n")
    assert claim.kind == kind


def test_opening_sentence_about_the_project_is_no_fact() -> None:
    first, second = claims("# Tidepool\n\nTidepool predicts tides. The API lives in `api/`.\n")
    assert (first.kind, second.kind) == ("other", "fact")

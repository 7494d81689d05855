"""Lead-ins: connectors are context, but one that says where something is, is a claim itself."""

from __future__ import annotations

import pytest

from memaudit.stores.document import load_document


def texts(markdown: str) -> list[str]:
    document = load_document("CLAUDE.md", markdown.encode(), store="claude", format="claude-md")
    return [claim.text for claim in document.claims]


def test_a_connector_is_no_claim() -> None:
    assert texts("Allowed fakes:\n\n- the clock\n") == ["the clock"]


@pytest.mark.parametrize(
    "lead", ["**search** (`src/search/index.ts`):", "Profile (Cargo.toml:31-36):", "See [x](a/b.md):"]
)
def test_a_lead_in_that_names_a_place_is_a_claim_and_context(lead: str) -> None:
    markdown = f"{lead}\n\n- first thing\n"
    document = load_document("CLAUDE.md", markdown.encode(), store="claude", format="claude-md")
    assert [claim.text for claim in document.claims] == [lead, "first thing"]
    assert lead in document.claims[1].context


def test_labelled_commands_on_lines_of_their_own_are_claims_of_their_own() -> None:
    markdown = (
        "Use the wrapper in every folder.\nformat: `./mvnw fmt`\n"
        "lint rust: `cargo clippy`\ntest: `./mvnw test`\n"
    )
    assert texts(markdown) == [
        "Use the wrapper in every folder.",
        "format: `./mvnw fmt`",
        "lint rust: `cargo clippy`",
        "test: `./mvnw test`",
    ]

"""The gate behind a save: what held before must still hold in the files, and words must not get lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memaudit.domain import Claim, Decision, DecisionKind, Document, Judgement, Reference, Verdict
from memaudit.review.gate import Gate, compare, dropped
from memaudit.stores.document import load_document
from memaudit.stores.writer import edit

MEMORY = """\
# Harbour

- The service listens on port 8080.
- Settings live in `config/app.toml`.
- Settings live in `config/app.toml`.
- Never push to main.
  - Why: others pull from it.
- Reports are written at six.
"""


def document(text: str) -> Document:
    return load_document("CLAUDE.md", text.encode(), store="CLAUDE.md", format="claude")


def claim(text: str, nth: int = 0) -> Claim:
    return [one for one in document(MEMORY).claims if text in one.text][nth]


def decided(kind: DecisionKind, text: str, words: str | None = None) -> dict[str, Decision]:
    one = claim(text)
    return {one.id: Decision(one.id, kind, "ada", "2026-01-01T00:00:00+00:00", words)}


def all_hold(one: Claim) -> Verdict:
    return Verdict.HELD


def judged(text: str, verdict: Callable[[Claim], Verdict] = all_hold) -> list[tuple[Claim, Judgement]]:
    return [
        (one, Judgement(one.id, verdict(one), "given", f"it was given {verdict(one)}", "test", 1.0))
        for one in document(text).claims
    ]


def gate(
    decisions: dict[str, Decision],
    after: str | None = None,
    verdict: Callable[[Claim], Verdict] = all_hold,
    before: Callable[[Claim], Verdict] = all_hold,
) -> Gate:
    """The gate of a save that wrote ``after``, by default what the decisions make of the document."""
    text = edit(document(MEMORY), decisions).decode() if after is None else after
    return compare(judged(MEMORY, before), decisions, judged(text, verdict))


def test_all_that_held_and_was_left_alone_is_counted() -> None:
    found = gate(decided(DecisionKind.RETIRE, "port 8080"))
    assert found.words == "5 of 5 claims that held still hold."
    assert not found.lost


def test_what_hangs_under_a_retired_claim_goes_with_it() -> None:
    found = gate(decided(DecisionKind.RETIRE, "Never push"))
    assert (found.held, found.total, found.lost) == (4, 4, ())


def test_a_reworded_claim_is_not_counted_but_must_be_there() -> None:
    new = decided(DecisionKind.REWRITE, "port 8080", "The service listens on port 9090 (`PORT`).")
    assert gate(new).words == "5 of 5 claims that held still hold."
    garbled = edit(document(MEMORY), new).decode().replace("9090", "90")
    found = gate(new, garbled)
    assert [lost.claim.text for lost in found.lost] == ["The service listens on port 8080."]
    assert (found.held, found.total) == (5, 5)


def test_one_that_is_worse_off_is_named_with_its_reason() -> None:
    found = gate(
        decided(DecisionKind.RETIRE, "port 8080"),
        verdict=lambda one: Verdict.UNKNOWN if "six" in one.text else Verdict.HELD,
    )
    assert (found.held, found.total) == (4, 5)
    assert [(lost.claim.text, lost.why) for lost in found.lost] == [
        ("Reports are written at six.", "it would be unknown: it was given unknown")
    ]


@pytest.mark.parametrize("before", [Verdict.STALE, Verdict.UNKNOWN])
def test_one_that_did_not_hold_before_may_be_anything_but_gone(before: Verdict) -> None:
    def was(one: Claim) -> Verdict:
        return before if "six" in one.text else Verdict.HELD

    left = gate(
        {}, MEMORY, before=was, verdict=lambda one: Verdict.STALE if "six" in one.text else Verdict.HELD
    )
    assert (left.held, left.total, left.lost) == (5, 5, ())
    gone = gate({}, MEMORY.replace("- Reports are written at six.\n", ""), before=was)
    assert [lost.why for lost in gone.lost] == ["its words are not in the file that was written"]
    assert (gone.held, gone.total) == (5, 5)


def test_of_two_alike_one_gone_is_missed() -> None:
    found = gate({}, MEMORY.replace("- Settings live in `config/app.toml`.\n", "", 1))
    assert (found.held, found.total) == (5, 6)
    assert found.lost[0].claim.id == claim("Settings", 1).id


def test_words_that_moved_under_another_heading_are_missed() -> None:
    found = gate({}, MEMORY.replace("- Reports", "\n# Old\n\n- Reports"))
    assert [lost.claim.text for lost in found.lost] == ["Reports are written at six."]


def test_a_claim_without_a_verdict_before_is_not_asked_for() -> None:
    found = compare([], {}, judged(MEMORY))
    assert (found.held, found.total, found.lost) == (0, 0, ())


def naming(verdict: Verdict, *names: str) -> Judgement:
    """A judgement that rests on references, written as ``kind name``."""
    references = tuple(Reference(*name.split()) for name in names)
    return Judgement("one", verdict, "given", "given", "test", 1.0, references=references)


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        (["path src/a.py"], [], ("src/a.py",)),
        (["path src/a.py", "symbol load"], ["port 8080"], ("src/a.py", "load")),
        (["path src/a.py"], ["path src/b/a.py"], ()),
        (["path src/a.py", "symbol load"], ["symbol load"], ()),
        (["citation src/a.py:10"], ["path src/a.py"], ()),
        ([], [], ()),
    ],
)
def test_a_rewrite_that_drops_what_the_claim_named_is_told(
    old: list[str], new: list[str], lost: tuple[str, ...]
) -> None:
    assert dropped(naming(Verdict.STALE, *old), naming(Verdict.UNKNOWN, *new)) == lost
    assert dropped(None, naming(Verdict.UNKNOWN, *new)) == ()

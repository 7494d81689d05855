"""A review as its user meets it: decide, undo, quit, come back, save."""

from __future__ import annotations

from pathlib import Path

import pytest
from reviewing import MEMORY, PULLED, Desk, accept, claim, retire, rewrite, standing

from memaudit.domain import DecisionKind, Range
from memaudit.errors import MemauditError, StoreError, WriteError
from memaudit.review.session import open_review

PORT = "The service listens on port 8080."
LATER_PULL = Range("b" * 40, "c" * 40, "given")


def test_a_new_review_has_nothing_decided(desk: Desk) -> None:
    review = desk.review()
    assert not review.decisions
    assert review.unsaved == 0
    assert review.preview() == []
    assert review.undo() == review.redo() == ()


def test_undo_and_redo_go_step_by_step_without_end(desk: Desk) -> None:
    review = desk.review()
    ids = [accept(review, "port 8080"), retire(review, "Ask Ada"), retire(review, "port 8080")]
    assert standing(review)[PORT] == "retire"
    assert review.undo() == (ids[2],)
    assert standing(review)[PORT] == "accept"
    assert [review.undo(), review.undo(), review.undo()] == [(ids[1],), (ids[0],), ()]
    assert not review.decisions
    assert not review.can_undo
    assert [review.redo(), review.redo(), review.redo(), review.redo()] == [*((id_,) for id_ in ids), ()]
    assert standing(review)[PORT] == "retire"


def test_several_decisions_taken_together_are_one_step(desk: Desk) -> None:
    review = desk.review()
    both = [claim(review, "make test").id, claim(review, "Ask Ada").id]
    review.decide([review.decision(one, DecisionKind.RETIRE) for one in both])
    assert set(review.decisions) == set(both)
    assert set(review.undo()) == set(both)
    assert not review.decisions


def test_a_new_decision_ends_the_redo(desk: Desk) -> None:
    review = desk.review()
    retire(review, "Ask Ada")
    review.undo()
    accept(review, "port 8080")
    assert not review.can_redo
    assert not desk.review().can_redo


def test_everything_is_found_again_at_the_next_start(desk: Desk) -> None:
    review = desk.review()
    rewrite(review, "make test", "Run `just test` before every commit.")
    retire(review, "Ask Ada")
    accept(review, "port 8080")
    review.undo()
    again = desk.review()
    assert standing(again) == {
        "Run `make test` before every commit.": "rewrite: Run `just test` before every commit.",
        "Ask Ada before you touch the tariffs.": "retire",
    }
    assert again.unsaved == 2
    again.redo()
    assert standing(again)[PORT] == "accept"
    again.undo(), again.undo(), again.undo()
    assert not desk.review().decisions


def test_an_unfinished_review_is_found_again_after_another_pull(desk: Desk) -> None:
    retire(desk.review(), "Ask Ada")
    assert len(desk.review(LATER_PULL).decisions) == 1


def test_a_saved_file_differs_only_in_the_decided_lines(desk: Desk) -> None:
    review = desk.review()
    rewrite(review, "make test", "Run `just test` before every commit.")
    retire(review, "Ask Ada")
    accept(review, "port 8080")
    assert review.unsaved == 3
    (change,) = review.preview()
    assert (change.target, change.before) == (desk.file, MEMORY.encode())
    report = review.save()
    wanted = MEMORY.replace("`make test`", "`just test`").replace(
        "- Ask Ada before you touch the tariffs.\n", ""
    )
    assert desk.file.read_text() == wanted == change.after.decode()
    assert (review.unsaved, report.conflicts, report.failed) == (0, (), ())
    (written,) = report.written
    assert written.path == desk.file
    assert written.backup.read_bytes() == MEMORY.encode()
    assert review.save().written == ()


def test_saved_decisions_are_not_made_again_at_the_next_start(desk: Desk) -> None:
    review = desk.review()
    rewrite(review, "make test", "Run `just test` before every commit.")
    retire(review, "Ask Ada")
    review.save()
    again = desk.review()
    assert not again.decisions
    assert again.preview() == []


def test_an_accepted_claim_stays_accepted_for_its_range_only(desk: Desk) -> None:
    review = desk.review()
    accept(review, "port 8080")
    assert (review.unsaved, review.preview()) == (1, [])
    review.save()
    assert desk.file.read_text() == MEMORY
    again = desk.review()
    assert standing(again) == {PORT: "accept"}
    assert again.unsaved == 0
    retire(again, "Ask Ada")
    again.save()
    assert standing(desk.review()) == {PORT: "accept"}
    assert not desk.review(LATER_PULL).decisions


def test_undo_reaches_back_past_a_save(desk: Desk) -> None:
    review = desk.review()
    retire(review, "Ask Ada")
    rewrite(review, "port 8080", "The service listens on port 9090.")
    review.save()
    review.undo()
    review.undo()
    assert review.unsaved == 2
    review.save()
    assert desk.file.read_text() == MEMORY
    review.redo()
    review.save()
    assert "Ask Ada" not in desk.file.read_text()


def test_an_undo_after_a_save_is_found_again_at_the_next_start(desk: Desk) -> None:
    review = desk.review()
    retire(review, "Ask Ada")
    accept(review, "make test")
    review.save()
    review.undo()
    review.undo()
    again = desk.review()
    assert claim(again, "Ask Ada").line_start == 11
    assert (len(again.decisions), again.unsaved) == (0, 2)
    again.save()
    assert desk.file.read_text() == MEMORY
    assert desk.review().unsaved == 0


def test_undo_and_redo_go_on_past_saves_of_earlier_sittings(desk: Desk) -> None:
    first = desk.review()
    retire(first, "Ask Ada")
    rewrite(first, "port 8080", "The service listens on port 9090.")
    first.save()
    second = desk.review(LATER_PULL)
    retire(second, "make test")
    second.save()
    saved = desk.file.read_text()
    third = desk.review()
    shown = third.shown
    assert third.undo()
    assert third.shown > shown
    assert desk.review().unsaved == 1
    assert [bool(third.undo()), bool(third.undo()), third.undo()] == [True, True, ()]
    assert (len(third.decisions), third.unsaved) == (0, 3)
    third.save()
    assert desk.file.read_text() == MEMORY
    fourth = desk.review()
    assert [bool(fourth.redo()), bool(fourth.redo())] == [True, True]
    fifth = desk.review()
    assert [bool(fifth.redo()), fifth.redo()] == [True, ()]
    fifth.save()
    assert desk.file.read_text() == saved


def test_a_step_whose_file_changed_since_its_save_is_not_undone(desk: Desk) -> None:
    review = desk.review()
    retire(review, "Ask Ada")
    review.save()
    again = desk.review()
    desk.file.write_text(desk.file.read_text() + "- One more rule.\n")
    later = desk.review()
    assert not later.can_undo
    assert again.can_undo
    with pytest.raises(StoreError, match="changed since this step was saved"):
        again.undo()
    assert (again.unsaved, again.save().written) == (0, ())
    assert "One more rule" in desk.file.read_text()


def test_an_undone_save_whose_file_changed_since_is_reported(desk: Desk) -> None:
    review = desk.review()
    retire(review, "Ask Ada")
    review.save()
    review.undo()
    desk.file.write_text(desk.file.read_text() + "- One more rule.\n")
    again = desk.review()
    assert [(one.claim.text, one.decision) for one in again.unmatched] == [
        ("Ask Ada before you touch the tariffs.", None)
    ]
    assert (len(again.decisions), again.unsaved) == (0, 0)


def test_decisions_follow_their_claims_through_an_edit(desk: Desk) -> None:
    review = desk.review()
    retire(review, "Ask Ada")
    rewrite(review, "config/app.toml", "Settings live in `config/app.yaml`.")
    accept(review, "make test")
    desk.file.write_text(
        MEMORY.replace("# Harbour\n", "# Harbour\n\nWritten by hand.\n")
        .replace("Ask Ada before you touch the tariffs.", "Ask Ada before you touch any tariffs.")
        .replace("- Run `make test` before every commit.\n", "")
    )
    again = desk.review()
    assert standing(again) == {
        "Ask Ada before you touch any tariffs.": "retire",
        "Settings live in `config/app.toml`.": "rewrite: Settings live in `config/app.yaml`.",
    }
    assert [one.claim.text for one in again.unmatched] == ["Run `make test` before every commit."]
    again.save()
    text = desk.file.read_text()
    assert "Written by hand." in text
    assert "config/app.yaml" in text
    assert "tariffs" not in text


def test_a_retired_claim_never_takes_a_similar_neighbour_with_it(desk: Desk) -> None:
    desk.file.write_text("- The port of the api is 8080.\n- The port of the app is 8080.\n")
    review = desk.review()
    retire(review, "api")
    desk.file.write_text("- The port of the app is 8080.\n")
    again = desk.review()
    assert not again.decisions
    assert [one.claim.text for one in again.unmatched] == ["The port of the api is 8080."]


def test_a_file_changed_meanwhile_is_not_overwritten(desk: Desk) -> None:
    review = desk.review()
    retire(review, "Ask Ada")
    retire(review, "make test")
    theirs = MEMORY.replace("- Run `make test` before every commit.\n", "- Be kind.\n")
    desk.file.write_text(theirs)
    report = review.save()
    assert desk.file.read_text() == theirs
    assert report.written == ()
    (conflict,) = report.conflicts
    assert conflict.target == desk.file
    assert [one.claim.text for one in conflict.unmatched] == ["Run `make test` before every commit."]
    assert claim(review, "Be kind.")
    assert review.unsaved == 1
    review.save()
    assert desk.file.read_text() == theirs.replace("- Ask Ada before you touch the tariffs.\n", "")
    assert desk.review().unsaved == 0


def test_a_file_changed_after_a_save_is_not_overwritten(desk: Desk) -> None:
    review = desk.review()
    retire(review, "Ask Ada")
    review.save()
    theirs = desk.file.read_text() + "- Be kind.\n"
    desk.file.write_text(theirs)
    retire(review, "make test")
    assert len(review.save().conflicts) == 1
    assert desk.file.read_text() == theirs
    assert standing(review) == {"Run `make test` before every commit.": "retire"}
    review.save()
    assert desk.file.read_text() == theirs.replace("- Run `make test` before every commit.\n", "")


def test_one_file_that_cannot_be_written_does_not_stop_the_others(desk: Desk) -> None:
    inner = desk.root / "quay" / "CLAUDE.md"
    inner.parent.mkdir()
    inner.write_text("- The quay has four cranes.\n- The quay has one gate.\n")
    review = desk.review()
    retire(review, "four cranes")
    retire(review, "Ask Ada")
    inner.unlink()
    inner.mkdir()
    report = review.save()
    assert [written.path for written in report.written] == [desk.file]
    assert len(report.failed) == 1
    assert review.unsaved == 1


def test_a_file_that_is_gone_keeps_its_decisions(desk: Desk) -> None:
    review = desk.review()
    retire(review, "Ask Ada")
    desk.file.unlink()
    report = review.save()
    assert (report.written, len(report.failed)) == ((), 1)
    assert not desk.file.exists()
    desk.file.write_text(MEMORY)
    assert desk.review().unsaved == 1


def test_a_path_turned_out_of_the_root_is_refused(desk: Desk, tmp_path: Path) -> None:
    review = desk.review()
    retire(review, "Ask Ada")
    elsewhere = tmp_path / "elsewhere.md"
    elsewhere.write_text(MEMORY)
    desk.file.unlink()
    desk.file.symlink_to(elsewhere)
    (failure,) = review.save().failed
    assert "outside the repository" in failure.line()
    assert elsewhere.read_text() == MEMORY


def test_a_linked_pair_is_saved_once_and_stays_linked(desk: Desk) -> None:
    (desk.root / "AGENTS.md").symlink_to("CLAUDE.md")
    review = desk.review()
    retire(review, "Ask Ada")
    report = review.save()
    assert len(report.written) == 1
    assert (desk.root / "AGENTS.md").is_symlink()
    assert "Ask Ada" not in (desk.root / "AGENTS.md").read_text()


def test_a_review_of_one_file_leaves_the_decisions_on_others_alone(desk: Desk) -> None:
    inner = desk.root / "quay" / "CLAUDE.md"
    inner.parent.mkdir()
    inner.write_text("- The quay has four cranes.\n")
    review = desk.review()
    retire(review, "four cranes")
    retire(review, "Ask Ada")
    only = desk.review(PULLED, "CLAUDE.md")
    assert standing(only) == {"Ask Ada before you touch the tariffs.": "retire"}
    only.save()
    assert inner.read_text() == "- The quay has four cranes.\n"
    assert standing(desk.review()) == {"The quay has four cranes.": "retire"}


def test_stores_of_a_revision_take_decisions_and_refuse_to_be_saved(desk: Desk) -> None:
    review = desk.review(read_only=True)
    retire(review, "Ask Ada")
    assert len(review.preview()) == 1
    with pytest.raises(WriteError, match="from a revision"):
        review.save()
    assert desk.file.read_text() == MEMORY
    assert not desk.review().decisions
    assert len(desk.review(read_only=True).decisions) == 1


def test_two_worktrees_of_a_repository_keep_their_decisions_apart(desk: Desk, tmp_path: Path) -> None:
    retire(desk.review(), "Ask Ada")
    other = tmp_path / "other"
    other.mkdir()
    (other / "CLAUDE.md").write_text(MEMORY)
    assert not desk.review(root=other).decisions


@pytest.mark.parametrize(
    "text", ["", "  \n", "- one\n- two\n\n# three", "ask \x1b[31mAda", "ask\x00", "ask \x9b31m"]
)
def test_a_rewrite_that_is_no_claim_is_refused(desk: Desk, text: str) -> None:
    review = desk.review()
    with pytest.raises(MemauditError):
        rewrite(review, "Ask Ada", text)
    assert not review.decisions
    assert not desk.review().decisions


def test_a_parent_is_not_retired_without_its_children(desk: Desk) -> None:
    review = desk.review()
    with pytest.raises(StoreError):
        retire(review, "reports/daily.py")
    family = [claim(review, words).id for words in ("reports/daily.py", "six in the morning")]
    review.decide([review.decision(one, DecisionKind.RETIRE) for one in family])
    review.save()
    assert "daily" not in desk.file.read_text()
    assert "six" not in desk.file.read_text()


def test_an_unknown_claim_is_refused(desk: Desk) -> None:
    review = desk.review()
    with pytest.raises(StoreError, match="no such claim"):
        review.decide([review.decision("0" * 12, DecisionKind.ACCEPT)])


def test_a_generated_region_is_refused(desk: Desk) -> None:
    desk.file.write_text(
        "- Mine.\n\n<!-- BEGIN GENERATED -->\n- The list of modules is long.\n<!-- END GENERATED -->\n"
    )
    review = desk.review()
    with pytest.raises(StoreError):
        retire(review, "list of modules")
    assert not review.decisions


def test_decisions_name_their_author_and_moment(desk: Desk) -> None:
    id_ = accept(desk.review(), "port 8080")
    decision = desk.review().decisions[id_]
    assert (decision.by, decision.at[:10]) == ("ada", "2026-01-01")


def test_the_repository_and_the_settings_say_where_decisions_go_and_whose_they_are(
    desk: Desk, isolated_home: Path
) -> None:
    settings = isolated_home / ".config" / "memaudit"
    settings.mkdir(parents=True)
    (settings / "settings.toml").write_text('author = "Grace"\n')
    stores = desk.review().stores
    review = open_review(stores, desk.root, desk.root / ".git", PULLED)
    id_ = retire(review, "Ask Ada")
    review.close()
    again = open_review(stores, desk.root, desk.root / ".git", PULLED)
    assert again.decisions[id_].by == "Grace"
    again.close()
    elsewhere = open_review(stores, desk.root, desk.root / "other.git", PULLED)
    assert not elsewhere.decisions
    elsewhere.close()

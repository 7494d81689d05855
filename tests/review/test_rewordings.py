"""Decisions whose claim was reworded on disk by somebody else: they stand, and it is told."""

from __future__ import annotations

from reviewing import MEMORY, Desk, accept, claim, retire, rewrite, standing

CHANGED = MEMORY.replace("before every commit", "before each commit")


def test_a_conflict_names_decisions_on_changed_words(desk: Desk) -> None:
    review = desk.review()
    retire(review, "make test")
    accept(review, "port 8080")
    desk.file.write_text(CHANGED)
    (conflict,) = review.save().conflicts
    assert conflict.unmatched == ()
    assert [one.text for one in conflict.reworded] == ["Run `make test` before each commit."]
    assert desk.file.read_text() == CHANGED
    again = desk.review()
    assert [one.text for one in again.reworded] == ["Run `make test` before each commit."]
    retire(again, "make test")
    assert again.reworded == (), "decided anew, on the words as they are"
    again.save()
    assert desk.review().reworded == ()


def test_words_that_differ_much_let_the_decision_go(desk: Desk) -> None:
    review = desk.review()
    retire(review, "make test")
    desk.file.write_text(
        MEMORY.replace("Run `make test` before every commit.", "Never run `make test` twice.")
    )
    (conflict,) = review.save().conflicts
    assert len(conflict.unmatched) == 1
    assert conflict.reworded == ()
    assert standing(review) == {}


def test_words_that_the_review_itself_changed_are_no_news(desk: Desk) -> None:
    ada, mara = desk.review(), desk.review(author="Mara")
    rewrite(ada, "make test", "Run `make test` before each commit.")
    ada.save()
    late = desk.review(author="Jo")
    accept(late, "make test")
    for review in (ada, mara, late):
        review.look_around()
        assert review.reworded == ()
    assert claim(desk.review(), "make test")
    desk.file.write_text(desk.file.read_text().replace("# Harbour", "# Harbour\n\n- Be kind."))
    assert desk.review().reworded == (), "moved lines are no other words"

"""A save that is undone: the bytes come back from the backup, the decisions are unsaved again."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from reviewing import MEMORY, Desk, claim, retire, rewrite, standing

from memaudit.review.ledger_schema import FILE


def withdrawn(desk: Desk) -> list[tuple[str, bool]]:
    """The decisions in the ledger, and whether they count no more."""
    with closing(sqlite3.connect(desk.journal_path.parent / FILE)) as ledger:
        rows = ledger.execute("SELECT kind, withdrawn FROM decisions ORDER BY rowid").fetchall()
    return [(kind, when is not None) for kind, when in rows]


def test_bytes_come_back_and_decisions_are_unsaved(desk: Desk) -> None:
    desk.file.write_bytes(MEMORY.replace("\n", "\r\n").encode())
    before = desk.file.read_bytes()
    review = desk.review()
    retire(review, "port 8080")
    rewrite(review, "make test", "Run `make check` before every commit.")
    assert len(review.save().written) == 1
    assert review.unsaved == 0
    assert desk.file.read_bytes() != before
    assert review.take_back() == ()
    assert desk.file.read_bytes() == before
    assert review.unsaved == 2
    assert review.written == {}
    assert len(standing(review)) == 2


def test_a_new_start_finds_the_decisions_unsaved(desk: Desk) -> None:
    review = desk.review()
    retire(review, "port 8080")
    review.save()
    review.take_back()
    again = desk.review()
    assert again.unsaved == 1
    assert standing(again) == {"The service listens on port 8080.": "retire"}
    assert len(again.save().written) == 1
    assert "8080" not in desk.file.read_text()
    assert desk.review().unsaved == 0


def test_only_the_last_save_is_undone(desk: Desk) -> None:
    review = desk.review()
    retire(review, "port 8080")
    review.save()
    first = desk.file.read_bytes()
    retire(review, "tariffs")
    review.save()
    review.take_back()
    assert desk.file.read_bytes() == first
    assert review.unsaved == 1
    again = desk.review()
    assert again.unsaved == 1
    assert not again.is_saved(claim(again, "tariffs").id)
    assert review.take_back() == ()
    assert desk.file.read_bytes() == first, "there is nothing more to take back"


def test_undo_and_another_save_work_as_before(desk: Desk) -> None:
    review = desk.review()
    before = desk.file.read_bytes()
    retire(review, "port 8080")
    review.save()
    review.take_back()
    review.undo()
    assert review.unsaved == 0
    assert review.save().written == ()
    assert desk.file.read_bytes() == before
    review.redo()
    assert len(review.save().written) == 1


def test_what_somebody_else_wrote_since_is_left_alone(desk: Desk) -> None:
    review = desk.review()
    retire(review, "port 8080")
    review.save()
    theirs = desk.file.read_bytes() + b"- Theirs.\n"
    desk.file.write_bytes(theirs)
    (error,) = review.take_back()
    assert "changed" in error.what
    assert desk.file.read_bytes() == theirs
    assert review.unsaved == 0


def test_a_backup_that_is_not_what_the_file_held_is_not_put_back(desk: Desk) -> None:
    review = desk.review()
    retire(review, "port 8080")
    (written,) = review.save().written
    after = desk.file.read_bytes()
    written.backup.write_bytes(b"something else")
    assert len(review.take_back()) == 1
    assert desk.file.read_bytes() == after
    assert review.unsaved == 0
    assert desk.review().unsaved == 0


def test_the_ledger_takes_the_decisions_for_withdrawn(desk: Desk) -> None:
    review = desk.review()
    retire(review, "port 8080")
    review.save()
    assert withdrawn(desk) == [("retire", False)]
    review.take_back()
    assert withdrawn(desk) == [("retire", True)]
    review.save()
    assert withdrawn(desk) == [("retire", False)]


def test_every_file_of_the_save_comes_back(desk: Desk) -> None:
    other = desk.root / "AGENTS.md"
    other.write_text("# For agents\n\n- Python 3.10 is needed.\n")
    texts = desk.file.read_bytes(), other.read_bytes()
    review = desk.review()
    retire(review, "port 8080")
    retire(review, "Python 3.10")
    assert len(review.save().written) == 2
    assert set(review.changed_documents()) == {"CLAUDE.md", "AGENTS.md"}
    assert review.take_back() == ()
    assert (desk.file.read_bytes(), other.read_bytes()) == texts
    assert review.changed_documents() == {}

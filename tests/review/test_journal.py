"""The journal's file: shared, versioned, and honest about writes that were cut short."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from reviewing import MEMORY, Desk, accept, retire, standing

from memaudit.errors import JournalError
from memaudit.review.exporting import patch_of
from memaudit.review.journal import SCHEMA, Journal, fingerprint


def test_a_newer_journal_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    Journal(path).close()
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    database.close()
    with pytest.raises(JournalError, match="newer memaudit"):
        Journal(path)


def test_a_journal_of_the_first_version_is_brought_up_to_date(desk: Desk) -> None:
    review = desk.review()
    retire(review, "Ask Ada")
    accept(review, "port 8080")
    review.undo()
    review.close()
    database = sqlite3.connect(desk.journal_path)
    for statement in (
        "DROP INDEX saves_of_review",
        "ALTER TABLE saves DROP COLUMN review",
        "ALTER TABLE saves DROP COLUMN base",
        "ALTER TABLE saves DROP COLUMN author",
        "ALTER TABLE events DROP COLUMN seen",
        "ALTER TABLE steps DROP COLUMN author",
        "PRAGMA user_version = 1",
    ):
        database.execute(statement)
    database.close()
    again = desk.review()
    assert list(standing(again).values()) == ["retire"]
    assert again.redo()
    assert (again.can_undo, again.contested) == (True, {})


def test_a_file_that_is_no_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(b"not a database " * 100)
    with pytest.raises(JournalError, match=str(path)):
        Journal(path)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the folder should be")
    with pytest.raises(JournalError, match="state"):
        Journal(tmp_path / "state" / "journal.sqlite")


@pytest.mark.parametrize("instead", ["nothing", "a file", "another journal"])
def test_nothing_is_decided_or_saved_in_a_journal_that_was_taken_away(desk: Desk, instead: str) -> None:
    review = desk.review()
    retire(review, "Ask Ada")
    held = desk.file.read_bytes()
    shutil.rmtree(desk.journal_path.parent)
    if instead == "a file":
        desk.journal_path.parent.write_text("x")
    elif instead == "another journal":
        Journal(desk.journal_path).close()
    for attempt in (
        lambda: retire(review, "port 8080"),
        lambda: review.undo(),
        lambda: review.save(),
        lambda: review.look_around(),
    ):
        with pytest.raises(JournalError, match="removed or replaced while in use"):
            attempt()
    assert list(standing(review).values()) == ["retire"]
    assert desk.file.read_bytes() == held
    assert b"\n-- Ask Ada" in patch_of(review)


def test_a_journal_that_others_write_stays_in_place(desk: Desk) -> None:
    review, other = desk.review(), desk.review()
    accept(other, "port 8080")
    assert review.look_around()
    retire(review, "Ask Ada")
    assert review.save().written


def test_processes_that_start_together_share_one_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    script = (
        "import sys; from pathlib import Path; from memaudit.review.journal import Journal\n"
        "with Journal(Path(sys.argv[1])) as journal:\n"
        "    for _ in range(20): journal.record('here', 'a..b', [], author='ada', seen=0)\n"
    )
    children = [subprocess.Popen([sys.executable, "-c", script, str(path)]) for _ in range(4)]
    assert [child.wait() for child in children] == [0] * 4
    with Journal(path) as journal:
        assert len(journal.log("here").events) == 80


@pytest.mark.parametrize("landed", [True, False])
def test_a_save_cut_short_counts_if_the_file_holds_its_result(desk: Desk, landed: bool) -> None:
    review = desk.review()
    retire(review, "Ask Ada")
    (change,) = review.preview()
    with Journal(desk.journal_path) as journal:
        (step,) = journal.log(str(desk.root)).entries
        (entry,) = journal.log(str(desk.root)).entries[step]
        journal.begin_save(
            str(desk.root),
            "a..b",
            "CLAUDE.md",
            copy=str(desk.root),
            author="ada",
            sitting="cut short",
            kept=entry.kept,
            after=fingerprint(change.after),
            event=1,
            base=0,
            closed=[step],
            saved=review.decisions.values(),
        )
    if landed:
        desk.file.write_bytes(change.after)
    again = desk.review()
    assert again.unmatched == ()
    assert again.unsaved == (0 if landed else 1)
    again.save()
    assert desk.file.read_text() == MEMORY.replace("- Ask Ada before you touch the tariffs.\n", "")

"""Where the journal of a review lies: in the user's own state folder, or in a folder shared with others."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from memaudit.errors import JournalError
from memaudit.paths import repository_state
from memaudit.review.journal import Journal
from memaudit.review.journal_file import Patience

FILE = "journal.sqlite"
"""The journal's name in its folder."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a review is kept.

    ``folder`` holds the journal, ``state`` what stays on this machine. ``shared_as`` names a review
    that other working copies take part in, and is empty for one of this machine alone.
    """

    folder: Path
    state: Path
    shared_as: str = ""

    def journal(self, patience: Patience | None = None) -> Journal:
        """The journal, opened. Raises JournalError."""
        return Journal(self.folder / FILE, patience=patience, together=bool(self.shared_as))


def shared_folder(review_folder: str) -> Path:
    """The folder that a review is shared in. Raises JournalError when it is not there."""
    given = Path(review_folder).expanduser()
    if not given.is_dir():
        raise JournalError(
            "there is no such folder to share a review in",
            str(given),
            "make it, writable for everybody who takes part, or change review_folder in settings.toml",
        )
    return given


def place_of(common_dir: str | os.PathLike[str], review_folder: str, origin: str) -> Place:
    """The place of the review of a repository.

    ``review_folder`` is the folder that its user shares with others, or empty; in it, each repository
    has a folder of its own, named by ``origin``, the first commit of its main line. Raises JournalError
    when the folder is not there or takes no files.
    """
    state = repository_state(common_dir)
    if not review_folder:
        return Place(state, state)
    given = shared_folder(review_folder)
    folder = given / f"memaudit-{origin[:16]}"
    try:
        if not folder.is_dir():
            mode = given.stat().st_mode & 0o7777
            folder.mkdir(exist_ok=True)
            folder.chmod(mode)
    except OSError as error:
        raise JournalError(
            error.strerror or str(error), str(folder), "check the folder's permissions"
        ) from error
    return Place(folder, state, origin)

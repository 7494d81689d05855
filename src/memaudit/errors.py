"""The errors a user can meet: each says what went wrong, where, and what to do about it."""

from __future__ import annotations


class MemauditError(Exception):
    """Base of every error that is shown to a person as one line, never as a traceback.

    ``what`` is the fault, ``where`` the file, revision or option it was met at, and ``fix`` the
    next step for the reader; the latter two may be empty.
    """

    title = "memaudit cannot go on"

    def __init__(self, what: str, where: str = "", fix: str = "") -> None:
        self.what = what
        self.where = where
        self.fix = fix
        super().__init__(self.line())

    def line(self) -> str:
        """The whole message on one line, safe to print to a terminal."""
        from memaudit.text import visible

        parts = [part for part in (self.where, self.what) if part]
        message = ": ".join(parts)
        if self.fix:
            message = f"{message} ({self.fix})"
        return visible(message)


class UsageError(MemauditError):
    """An option or argument that cannot be taken as given."""

    title = "Wrong option"


class SettingsError(MemauditError):
    """A settings or theme file that cannot be used."""

    title = "Settings cannot be read"


class RepositoryError(MemauditError):
    """The repository cannot be opened or read."""

    title = "Repository cannot be read"


class RangeError(MemauditError):
    """A revision or range that does not resolve."""

    title = "Range does not resolve"


class StoreError(MemauditError):
    """A memory store that cannot be found, read or parsed."""

    title = "Memory store cannot be read"


class WriteError(MemauditError):
    """A store that could not be written; what was on disk before is still there."""

    title = "Not saved"


class ConflictError(WriteError):
    """The file on disk is no longer the one that was read."""

    title = "File changed on disk"


class JournalError(MemauditError):
    """The record of decisions in memaudit's own state folder cannot be used."""

    title = "Review journal cannot be used"


class JournalBusyError(JournalError):
    """The journal is in use by another program for the moment; the same may succeed a little later."""

    title = "Review journal is in use"


class LedgerError(MemauditError):
    """The history of facts and claims in memaudit's own state folder cannot be used."""

    title = "Ledger cannot be used"


class KeyringError(MemauditError):
    """The key for the model cannot be kept in, or had from, the system's keyring."""

    title = "Keyring cannot be used"


class ModelError(MemauditError):
    """The model cannot be asked, or may not be."""

    title = "Model cannot be asked"

"""Whether a person agreed that parts of this repository go to one model on one server.

It is kept in memaudit's own state folder, never in the repository: nobody agrees for somebody else.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from memaudit.errors import ModelError
from memaudit.paths import private_folder
from memaudit.settings_model import ModelSettings

FILE = "model.json"


@dataclass(frozen=True, slots=True)
class Consent:
    """Who agreed to which server and model, and when (ISO 8601 in UTC)."""

    url: str
    model: str
    by: str
    at: str

    def covers(self, settings: ModelSettings) -> bool:
        """Whether it is about the server and the model of the settings."""
        return (self.url, self.model) == (settings.url, settings.name)


def consent_of(folder: Path) -> Consent | None:
    """The consent in the state folder of a repository; one that cannot be read is none."""
    try:
        value = json.loads((folder / FILE).read_bytes())
        return Consent(str(value["url"]), str(value["model"]), str(value["by"]), str(value["at"]))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def give_consent(folder: Path, settings: ModelSettings, by: str) -> Consent:
    """Switch the model on for a repository. Raises ModelError where that cannot be kept."""
    given = Consent(settings.url, settings.name, by, datetime.now(UTC).isoformat(timespec="seconds"))
    file = folder / FILE
    new = file.with_name(f"{FILE}.new")
    try:
        private_folder(folder)
        new.write_text(json.dumps(asdict(given)) + "\n", encoding="utf-8")
        new.replace(file)
    except OSError as error:
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)
        raise ModelError(f"cannot be switched on: {error.strerror or error}", str(file)) from error
    return given


def withdraw_consent(folder: Path) -> bool:
    """Switch the model off; False where it was off. Raises ModelError."""
    try:
        (folder / FILE).unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise ModelError(
            f"cannot be switched off: {error.strerror or error}", str(folder / FILE), "remove that file"
        ) from error
    return True


def still_agreed(folder: Path, settings: ModelSettings) -> Callable[[], None]:
    """What a run asks before each request: raises ModelError once the model has been switched off."""

    def check() -> None:
        if consent_of(folder) is None:
            raise ModelError(
                "the model was switched off for this repository meanwhile", "", "memaudit model on"
            )
        require_consent(folder, settings)

    return check


def require_consent(folder: Path, settings: ModelSettings) -> None:
    """Raise ModelError, saying what to do, unless the model may be asked about this repository."""
    given = consent_of(folder)
    if given is None:
        raise ModelError("the model is off for this repository", "", "memaudit model on")
    if not given.covers(settings):
        what = f"it was switched on for {given.model} at {given.url}, the settings name {settings.name} at "
        raise ModelError(what + settings.url, "", "memaudit model on")

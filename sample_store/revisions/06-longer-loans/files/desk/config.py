"""Settings of the desk: constants, and what the environment may override."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

DEFAULT_PORT = 8090
DEFAULT_DATABASE = "desk.sqlite"
DEFAULT_LOAN_DAYS = 21
MAX_OPEN_LOANS = 6
REMINDER_INTERVAL_SECONDS = 900


@dataclass(frozen=True)
class Settings:
    port: int
    database: str
    sender: str


def load_settings(environ: Mapping[str, str] = os.environ) -> Settings:
    return Settings(
        port=int(environ.get("DESK_PORT", DEFAULT_PORT)),
        database=environ.get("DESK_DB", DEFAULT_DATABASE),
        sender=environ.get("DESK_MAIL_FROM", "desk@lendwell.example"),
    )

"""``memaudit key``: the key of the model's server, in the system's keyring. It is never printed."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Callable

from memaudit.errors import KeyringError, UsageError
from memaudit.judges.model import apikey
from memaudit.settings_model import ModelSettings

ACTIONS = ("set", "status", "remove")


def run(action: str, settings: ModelSettings, told: Callable[[str], None]) -> int:
    """Do one of :data:`ACTIONS` and return the exit code; ``status`` gives 1 where there is no key.

    Raises KeyringError and UsageError.
    """
    if action == "set":
        return _set(settings, told)
    if action == "remove":
        there = apikey.forget_key(settings)
        told(f"{settings.host}: {'the key is removed from' if there else 'there was no key in'} the keyring")
        return 0
    return _status(settings, told)


def _set(settings: ModelSettings, told: Callable[[str], None]) -> int:
    name = apikey.keep_key(settings, _typed(settings))
    told(f"{settings.host}: the key is kept in the keyring ({name})")
    variable = apikey.variable(settings)
    found = apikey.look_for_key(settings)
    if found and variable in found.source.split():
        told(f"{variable} is set and goes first")
    return 0


def _typed(settings: ModelSettings) -> str:
    """The key from the keyboard, unseen, or from what is piped in."""
    if sys.stdin is None:
        raise UsageError("standard input is closed", "", "type the key, or pipe it in")
    if sys.stdin.isatty():
        try:
            return getpass.getpass(f"Key for {settings.host}: ")
        except EOFError:
            return ""
    return sys.stdin.read()


def _status(settings: ModelSettings, told: Callable[[str], None]) -> int:
    try:
        found = apikey.look_for_key(settings)
    except KeyringError as error:
        told(f"{settings.host}: no key: {error.line()}")
        return 1
    told(f"{settings.host}: {f'the key comes from {found.source}' if found else 'no key'}")
    return 0 if found else 1

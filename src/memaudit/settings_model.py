"""The table ``[model]`` of the settings: which model is asked, where, with which limits, at which prices."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from memaudit.errors import SettingsError

TABLE = "model"
"""The name of the table in the settings file."""

ANTHROPIC = "api.anthropic.com"
"""The host of Anthropic's own API."""

_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_MOST_USD = 1_000_000
_EFFORTS = ("", "low", "medium", "high", "xhigh", "max")


BATCH = 0.5
"""The share of its price that a question costs as one of a batch, unless the settings say otherwise."""


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens, and the day they were looked up (ISO 8601).

    ``batch`` is the share of these prices that a question costs as one of a batch.
    """

    input: float
    output: float
    cache_read: float
    cache_write: float
    as_of: str
    batch: float = BATCH


PRICES: dict[str, Price] = {
    "claude-haiku-5-5": Price(0.10, 0.50, 0.01, 0.125, "2026-11-30"),
    "claude-sonnet-5-5": Price(2.0, 10.0, 0.20, 2.50, "2026-11-30"),
    "claude-opus-5-5": Price(4.0, 20.0, 0.40, 5.0, "2026-11-30"),
    "claude-haiku-4-5": Price(1.0, 5.0, 0.10, 1.25, "2026-11-30"),
}
"""The prices that ship with the program. They move: ``[model.prices.NAME]`` in the settings goes first."""

FREE = Price(0.0, 0.0, 0.0, 0.0, "")
"""The price of a server on this machine, unless the settings give another."""


def _entry(default: Any, text: str) -> Any:
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The settings of the model judge. Each field with a help text is one key of the table."""

    name: str = _entry("claude-haiku-5-5", "The model that is asked.")
    url: str = _entry(
        f"https://{ANTHROPIC}", "The server, one that speaks Anthropic's Messages API; plain http only here."
    )
    key_env: str = _entry(
        "", "The environment variable with the key; empty means ANTHROPIC_API_KEY, for Anthropic's server."
    )
    cap_usd: float = _entry(1.0, "Dollars that one run may cost at most; it stops before it could be more.")
    at_once: int = _entry(4, "How many questions are open at the same time, 1 to 32.")
    timeout: int = _entry(60, "Seconds to wait for an answer, 1 to 60.")
    batch_above: int = _entry(
        300, "More new questions than this go as a batch, at half the price within a day; 0 means never."
    )
    effort: str = _entry("low", "How hard the model is told to think; empty where it cannot be told.")
    ignore: tuple[str, ...] = _entry((), "Files that never leave this machine, as in a .gitignore.")

    prices: Mapping[str, Price] = field(default_factory=dict)
    """The tables ``[model.prices.NAME]``."""

    @property
    def host(self) -> str:
        """The server as it is shown and consented to: host, and port where one is given."""
        return urlsplit(self.url).netloc

    @property
    def is_here(self) -> bool:
        """Whether the server runs on this machine."""
        return urlsplit(self.url).hostname in _HERE

    @property
    def price(self) -> Price | None:
        """What a token costs; None where nobody has said, and then nothing may be spent."""
        return self.prices.get(self.name) or (FREE if self.is_here else PRICES.get(self.name))


def read_model(table: object, file: Path) -> ModelSettings:
    """The settings in a table ``[model]``. Raises SettingsError naming the file and the key."""
    if not isinstance(table, dict):
        raise SettingsError(f"{TABLE} must be a table", str(file), f'[{TABLE}] and then name = "…"')
    values = dict(table)
    prices = _prices(values.pop("prices", {}), file)
    defaults = ModelSettings()
    known = [one.name for one in fields(ModelSettings) if one.metadata]
    for name, value in values.items():
        if name not in known:
            near = difflib.get_close_matches(name, [*known, "prices"], n=1)
            fix = f"did you mean {near[0]}?" if near else f"the keys are {', '.join([*known, 'prices'])}"
            raise SettingsError(f"unknown key {TABLE}.{name}", str(file), fix)
        values[name] = _typed(name, value, getattr(defaults, name), file)
    settings = replace(defaults, **values, prices=prices)
    _check(settings, file)
    return settings


def _typed(name: str, value: Any, default: Any, file: Path) -> Any:
    wanted = "a string in quotes"
    if isinstance(default, tuple):
        wanted = "an array of strings"
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return tuple(value)
    elif isinstance(default, float):
        wanted = "a number"
        if type(value) in (int, float):
            # Whole numbers may be longer than any float.
            return float(max(-_MOST_USD - 1, min(value, _MOST_USD + 1))) if type(value) is int else value
    elif isinstance(default, int):
        wanted = "a whole number"
        if type(value) is int:
            return value
    elif isinstance(value, str):
        return value
    raise SettingsError(f"{TABLE}.{name} must be {wanted}", str(file))


def _check(settings: ModelSettings, file: Path) -> None:
    def refuse(name: str, what: str, fix: str = "") -> SettingsError:
        return SettingsError(f"{TABLE}.{name} {what}", str(file), fix)

    if not settings.name.strip() or not settings.name.isprintable():
        raise refuse("name", "must be the name of a model")
    try:
        parts = urlsplit(settings.url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise refuse("url", f"cannot be {settings.url}", str(error)) from error
    if parts.scheme not in ("http", "https") or not host or port == 0:
        raise refuse("url", f"cannot be {settings.url}", f"like https://{ANTHROPIC}")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise refuse("url", "must be a bare address", "the key goes into the keyring: memaudit key set")
    if parts.scheme == "http" and host not in _HERE:
        raise refuse("url", "must begin with https", "plain http only to a server on this machine")
    if not 0 <= settings.cap_usd <= _MOST_USD:
        raise refuse("cap_usd", f"must be a number of dollars from 0 to {_MOST_USD:,}")
    if not 1 <= settings.at_once <= 32:
        raise refuse("at_once", "must be from 1 to 32")
    if not 1 <= settings.timeout <= 60:
        raise refuse("timeout", "must be from 1 to 60 seconds")
    if settings.batch_above < 0:
        raise refuse("batch_above", "must be a number of questions from 0 up")
    if settings.effort not in _EFFORTS:
        raise refuse("effort", f"cannot be {settings.effort}", f"one of {', '.join(_EFFORTS[1:])}, or empty")


def _prices(table: object, file: Path) -> dict[str, Price]:
    shape = (
        f"like [{TABLE}.prices.NAME] with input, output, cache_read and cache_write in dollars per million"
    )
    if not isinstance(table, dict):
        raise SettingsError(f"{TABLE}.prices must be a table", str(file), shape)
    found: dict[str, Price] = {}
    names = [one.name for one in fields(Price)]
    for model, values in table.items():
        where = f"{TABLE}.prices.{model}"
        if not isinstance(values, dict) or not {"input", "output"} <= values.keys() <= set(names):
            raise SettingsError(f"{where} must have input and output", str(file), shape)
        day = values.get("as_of", "")
        numbers = {name: value for name, value in values.items() if name != "as_of"}
        if not all(type(value) in (int, float) and 0 <= value <= _MOST_USD for value in numbers.values()):
            raise SettingsError(
                f"{where} must be numbers of dollars from 0 to {_MOST_USD:,}", str(file), shape
            )
        plain = float(numbers["input"])
        found[model] = Price(
            input=plain,
            output=float(numbers["output"]),
            # Where nothing is said of the cache, what it saves does not count and what it costs does.
            cache_read=float(numbers.get("cache_read", plain)),
            cache_write=float(numbers.get("cache_write", 2 * plain)),
            as_of=str(day),
            batch=float(numbers.get("batch", BATCH)),
        )
    return found

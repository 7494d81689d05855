"""The table ``[model]`` of the settings, as a user meets it: read or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from memaudit.errors import SettingsError
from memaudit.settings import load_settings
from memaudit.settings_model import FREE, PRICES, ModelSettings, Price


def read(tmp_path: Path, content: str) -> ModelSettings:
    path = tmp_path / "mine.toml"
    path.write_text(content)
    return load_settings(path).model


def test_without_a_table_the_defaults_are_in_effect(tmp_path: Path) -> None:
    model = read(tmp_path, 'theme = "light"\n')
    assert model == ModelSettings()
    assert (model.host, model.is_here) == ("api.anthropic.com", False)
    assert model.price == PRICES[model.name]


def test_every_key_can_be_set(tmp_path: Path) -> None:
    model = read(
        tmp_path,
        '[model]\nname = "m"\nurl = "https://gateway.example:8443/api"\nkey_env = "K"\ncap_usd = 3\n'
        'at_once = 2\ntimeout = 9\neffort = ""\nignore = ["a/", "*.b"]\n'
        "[model.prices.m]\ninput = 1\noutput = 2.5\n"
        "[model.prices.n]\ninput = 1\noutput = 2\ncache_read = 0.1\ncache_write = 1.25\nas_of = 2026-11-30\n",
    )
    assert (model.name, model.host, model.key_env) == ("m", "gateway.example:8443", "K")
    assert (model.cap_usd, model.at_once, model.timeout, model.effort) == (3.0, 2, 9, "")
    assert model.ignore == ("a/", "*.b")
    assert model.price == Price(1.0, 2.5, 1.0, 2.0, "")
    assert model.prices["n"] == Price(1.0, 2.0, 0.1, 1.25, "2026-11-30")


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost", "[::1]:9"])
def test_a_server_on_this_machine_is_free(tmp_path: Path, host: str) -> None:
    model = read(tmp_path, f'[model]\nurl = "http://{host}"\n')
    assert (model.is_here, model.price) == (True, FREE)


def test_an_unknown_model_has_no_price(tmp_path: Path) -> None:
    assert read(tmp_path, '[model]\nname = "m"\n').price is None


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("model = 3", "model must be a table"),
        ("[model]\nnmae = 'x'", "unknown key model.nmae (did you mean name?)"),
        ("[model]\nzzz = 1", "unknown key model.zzz (the keys are name, url, key_env, cap_usd, at_once"),
        ("[model]\nname = 3", "model.name must be a string in quotes"),
        ("[model]\nname = ''", "model.name must be the name of a model"),
        ("[model]\nurl = 'gateway.example'", "model.url cannot be gateway.example"),
        ("[model]\nurl = 'ftp://gateway.example'", "model.url cannot be ftp://gateway.example"),
        ("[model]\nurl = 'https://x:y@gateway.example'", "model.url must be a bare address"),
        ("[model]\nurl = 'https://gateway.example?key=1'", "model.url must be a bare address"),
        ("[model]\nurl = 'http://gateway.example'", "model.url must begin with https"),
        ("[model]\nurl = 'http://localhost.example'", "model.url must begin with https"),
        ("[model]\nurl = 'https://gateway.example:99999'", "model.url cannot be https"),
        ("[model]\ncap_usd = 'one'", "model.cap_usd must be a number"),
        ("[model]\ncap_usd = true", "model.cap_usd must be a number"),
        ("[model]\ncap_usd = -1", "model.cap_usd must be a number of dollars from 0 to 1,000,000"),
        ("[model]\ncap_usd = nan", "model.cap_usd must be a number of dollars from 0 to 1,000,000"),
        ("[model]\ncap_usd = inf", "model.cap_usd must be a number of dollars from 0 to 1,000,000"),
        ("[model]\nat_once = 0", "model.at_once must be from 1 to 32"),
        ("[model]\nat_once = 1.5", "model.at_once must be a whole number"),
        ("[model]\ntimeout = 61", "model.timeout must be from 1 to 60 seconds"),
        ("[model]\neffort = 'much'", "model.effort cannot be much (one of low, medium"),
        ("[model]\nignore = 'a'", "model.ignore must be an array of strings"),
        ("[model]\nprices = 3", "model.prices must be a table"),
        ("[model.prices]\nm = 3", "model.prices.m must have input and output"),
        ("[model.prices.m]\ninput = 1", "model.prices.m must have input and output"),
        ("[model.prices.m]\ninput = 1\noutput = 2\nzzz = 3", "model.prices.m must have input and output"),
        ("[model.prices.m]\ninput = 1\noutput = -2", "model.prices.m must be numbers of dollars"),
        ("[model.prices.m]\ninput = nan\noutput = 2", "model.prices.m must be numbers of dollars"),
    ],
)
def test_a_bad_table_is_refused_with_the_file_and_the_key(tmp_path: Path, content: str, what: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        read(tmp_path, content)
    assert what in refusal.value.line()
    assert "mine.toml" in refusal.value.line()

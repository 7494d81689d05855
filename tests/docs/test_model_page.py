"""The page on the model says what the program does."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from memaudit.settings_model import PRICES, ModelSettings

PAGE = (Path(__file__).parents[2] / "docs" / "model.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "key", [one for one in fields(ModelSettings) if one.metadata], ids=lambda key: key.name
)
def test_every_key_of_the_table_is_described_with_its_default(key: Any) -> None:
    default = getattr(ModelSettings(), key.name)
    shown = "[]" if default == () else f'"{default}"' if isinstance(default, str) else str(default)
    assert f"| `{key.name}` | `{shown}` | {key.metadata['help']} |" in PAGE


def test_the_price_in_the_example_is_the_one_in_the_program() -> None:
    price = PRICES[ModelSettings().name]
    assert f"[model.prices.{ModelSettings().name}]" in PAGE
    assert f"input = {price.input:.2f}\noutput = {price.output:.2f}\ncache_read = {price.cache_read}" in PAGE
    assert f'cache_write = {price.cache_write}\nas_of = "{price.as_of}"' in PAGE

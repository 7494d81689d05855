"""The equality tests: what must count as the same, and what must not."""

from __future__ import annotations

import pytest

from memaudit.grounding.moved import as_written
from memaudit.grounding.value import amount, equal
from memaudit.grounding.version import agrees


@pytest.mark.parametrize(
    ("claimed", "pinned", "same"),
    [
        ("3.11+", ">=3.11", True),
        ("3.11", "3.11.4", True),
        (">=20", ">=20.0.0", True),
        ("20.0.0", ">=20", True),
        ("1.82", "1.82", True),
        ("2.x", "2.4.0", True),
        ("3.1", ">=3.10", False),
        ("3.10", "3.1", False),
        ("3.11+", ">=3.12", False),
        ("2.x", "4.0.0", False),
        ("18", "20", False),
    ],
)
def test_versions_agree_in_the_digits_both_give(claimed: str, pinned: str, same: bool) -> None:
    assert agrees(claimed, pinned) is same


@pytest.mark.parametrize(
    ("claimed", "found", "same"),
    [
        ("900", "900", True),
        ("900 seconds", "900", True),
        ("15 minutes", "900", True),
        ("15 minutes", "15 * 60", True),
        ("15 minutes", "15", True),
        ("30 seconds", "30000", True),
        ("1,000", "1000", True),
        ("10_000", "10000", True),
        ("true", "True", True),
        ("eu-west-1", "eu-west-1", True),
        ("900 seconds", "3600", False),
        ("15 minutes", "60", False),
        ("3.1", "3.10", True),
        ("API", "api", False),
        ("GOOD", "Good", False),
    ],
)
def test_values_are_compared_as_amounts_and_words_to_the_letter(claimed: str, found: str, same: bool) -> None:
    assert equal(claimed, found) is same


def test_amounts_have_units() -> None:
    assert amount("2 hours") == 7200
    assert amount("5 MiB") == 5 * 1024 * 1024
    assert amount("60 * 60 * 24") == 86400
    assert amount("many") is None


@pytest.mark.parametrize(
    ("written", "old", "new", "expected"),
    [
        ("src/a.py", "src/a.py", "lib/a.py", "lib/a.py"),
        ("web/", "web", "apps/web", "apps/web/"),
        ("tools/x.py", "pkg/tools/x.py", "pkg/kit/x.py", "kit/x.py"),
        ("tools/x.py", "pkg/tools/x.py", "other/x.py", "other/x.py"),
        ("tools/x.py", "pkg/tools/x.py", "kit/tools/y.py", "tools/y.py"),
        ("tools/x.py", "pkg/tools/x.py", "PKG/Tools/x.py", "Tools/x.py"),
        ("/sync", "src/app/sync", "src/app/index", "/index"),
    ],
)
def test_a_new_path_keeps_the_old_spelling(written: str, old: str, new: str, expected: str) -> None:
    assert as_written(written, old, new, {"pkg": "kit"}.get) == expected

"""What counts as a check that a claim carries."""

from __future__ import annotations

import pytest

from memaudit.domain import Claim
from memaudit.errors import UsageError
from memaudit.oracle.checks import EXAMPLES, CheckKind, find_check
from memaudit.stores.document import load_document


def claims(text: str) -> tuple[tuple[Claim, ...], bytes]:
    raw = text.encode()
    return load_document("CLAUDE.md", raw, store="CLAUDE.md", format="claude").claims, raw


@pytest.mark.parametrize(("text", "words"), EXAMPLES, ids=[text for text, _ in EXAMPLES])
def test_the_check_of_a_claim(text: str, words: tuple[str, ...]) -> None:
    (claim, *_), raw = claims(f"# Notes\n\n- {text}\n")
    if not words:
        with pytest.raises(UsageError, match="no check"):
            find_check(claim, raw)
        return
    assert find_check(claim, raw).words == words


def test_a_snippet_is_run_only_if_it_is_python() -> None:
    (claim,), raw = claims("# Notes\n\n```python\nassert 1 + 1 == 2\n```\n")
    assert find_check(claim, raw).kind is CheckKind.SNIPPET
    (claim,), raw = claims("# Notes\n\n```js\nconst a = 1 + 1\n```\n")
    with pytest.raises(UsageError, match="only Python"):
        find_check(claim, raw)


def test_a_snippet_in_a_list_is_found_behind_its_marker() -> None:
    text = "# Notes\n\n- Rounding:\n\n  ```python\n  assert round(2.5) == 2\n  ```\n"
    found, raw = claims(text)
    assert find_check(found[-1], raw).words == ("assert round(2.5) == 2",)


def test_commands_that_are_only_shown_are_no_check() -> None:
    (claim,), raw = claims("# Notes\n\nThis works:\n\n```bash\nmake lint\n```\n")
    with pytest.raises(UsageError, match="no check"):
        find_check(claim, raw)

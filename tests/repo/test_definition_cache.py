"""What a source file was parsed into is remembered from run to run."""

from __future__ import annotations

from pathlib import Path

from memaudit.repo.searchcache import SearchCache
from memaudit.repo.symbols import Definition

BLOB = "ab" * 20


def test_definitions_are_found_again_by_object_and_language(tmp_path: Path) -> None:
    known = [Definition("é", "A.é", "method", 3, 9, "def é(self)")]
    with SearchCache(tmp_path / "cache.sqlite") as cache:
        assert cache.definitions(BLOB, "python") is None
        cache.add_definitions(BLOB, "python", known)
    with SearchCache(tmp_path / "cache.sqlite") as cache:
        assert cache.definitions(BLOB, "python") == known
        assert cache.definitions(BLOB, "go") is None

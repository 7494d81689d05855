"""What a source file or a manifest was read into is remembered from run to run."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from memaudit.repo.manifests import Manifest, Pin, Source, Task, read_manifest
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


FULL = Manifest(
    "desk/Taskfile.yml",
    "task",
    package="désk",
    tasks={"b": Task("b", 3, "run b\n", ("a", "c")), "a": Task("a", 9, "")},
    dependencies={"x": Pin("X", 4, "^1")},
    versions={"": Pin("version", 1, "2.0")},
    programs={"desk": Pin("desk", 2, "desk:main")},
    manager=Pin("pnpm", 7, "pnpm@9"),
    open_ended=True,
    sources=(Source("other.yml", "o"),),
    parts={"p": Pin("p", 5, "parts/p")},
    catalog={"c": Pin("c", 6, "3")},
    images={"i": Pin("i", 7, "i:4")},
    tested={"python": Pin("python", 8, "3.12, 3.13")},
)


def test_manifests_are_found_again_by_object_and_path(tmp_path: Path) -> None:
    with SearchCache(tmp_path / "cache.sqlite") as cache:
        assert cache.manifest(BLOB, FULL.path) == []
        cache.add_manifest(BLOB, FULL.path, FULL)
        cache.add_manifest(BLOB, "package.json", None)
    with SearchCache(tmp_path / "cache.sqlite") as cache:
        [found] = cache.manifest(BLOB, FULL.path)
        assert found == FULL
        assert found is not None and list(found.tasks) == ["b", "a"]
        assert cache.manifest(BLOB, "package.json") == [None]
        assert cache.manifest(BLOB, "desk/package.json") == []


def test_a_manifest_as_it_was_read_is_the_one_found_again(tmp_path: Path) -> None:
    text = '{"scripts": {"b": "\\ud800 x", "a": "y"}, "dependencies": {"left": "1"}, "bin": {"t": "t.js"}}'
    read = read_manifest("package.json", text)
    with SearchCache(tmp_path / "cache.sqlite") as cache:
        cache.add_manifest(BLOB, "package.json", read)
    with SearchCache(tmp_path / "cache.sqlite") as cache:
        assert read is not None
        assert cache.manifest(BLOB, "package.json") == [read]


@pytest.mark.parametrize(
    "rot",
    [
        "'[[1]]'",
        "'[1'",
        "'3'",
        "x'ff'",
        '\'["npm","",false,[],[1,2],[],[],[],[],[],[],[],[]]\'',
        '\'["npm","",false,[["a","a",1e999,"",[]]],null,[],[],[],[],[],[],[],[]]\'',
    ],
)
def test_manifests_that_rotted_are_read_again(tmp_path: Path, rot: str) -> None:
    file = tmp_path / "cache.sqlite"
    with SearchCache(file) as cache:
        cache.add_manifest(BLOB, FULL.path, FULL)
    database = sqlite3.connect(file)
    with database:
        database.execute(f"UPDATE manifest SET manifest = {rot}")
    database.close()
    with SearchCache(file) as cache:
        assert cache.manifest(BLOB, FULL.path) == []
    with SearchCache(file) as cache:
        cache.add_manifest(BLOB, FULL.path, FULL)
    with SearchCache(file) as cache:
        assert cache.manifest(BLOB, FULL.path) == [FULL]

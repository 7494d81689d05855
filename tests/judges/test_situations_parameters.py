"""Parameters are read from headers as people write them: over many lines, with remarks, defaults and types.

Every header is read twice: with the parameter that the claim names, and with another in its place.
"""

# ruff: noqa: E501

from __future__ import annotations

from pathlib import Path

import pytest
from situationkit import HELD, Situation, check, rows, stale

PLAIN = {
    "shelf.py": "def find_rows(path, page):\n    return path, page\n",
    "shelf.ts": "export function findRows(path: string, page: number) {\n  return [path, page];\n}\n",
    "shelf.go": "package shelf\n\nfunc findRows(path string, page int, mark rune) int {\n\treturn page\n}\n",
    "shelf.rs": "pub fn find_rows(path: &str, page: usize, mark: char) -> usize {\n    page\n}\n",
    "shelf.rb": "def find_rows(path, page)\n  [path, page]\nend\n",
    "Shelf.java": "class Shelf {\n  int findRows(String path, int page, char mark) {\n    return page;\n  }\n}\n",
    "Shelf.kt": "fun findRows(path: String, page: Int): Int {\n    return page\n}\n",
    "Shelf.cs": "class Shelf {\n  int findRows(string path, int page) {\n    return page;\n  }\n}\n",
    "shelf.php": "<?php\nfunction findRows(string $path, int $page) {\n  return $page;\n}\n",
    "shelf.cpp": "int findRows(const char* path, int page) {\n  return page;\n}\n",
}
ADORNED = {
    "shelf.py": "def find_rows(\n    path: Annotated[str, Field(alias=Choices('a', \"b)\"))],\n"
    "    # Others ask for (rows, columns), or\n    # not at all): see (the page.\n"
    "    page: Annotated[\n        int,\n        Field(default=1),  # as in (a, b\n    ] = 1,\n"
    "    mark: str = '#),(',\n) -> dict[str, int]:\n    return {}\n",
    "shelf.ts": "export function findRows(\n  // a path (relative), or\n  path: Map<string, Array<number>>,\n"
    "  /* not (yet, */ page = ')(,',\n  mark: string[] = [],\n) {\n  return [path, page];\n}\n",
    "shelf.go": "package shelf\n\nfunc findRows(\n\t// one of (a, b\n\tpath map[string]int,\n"
    "\tpage int, /* ), */\n\tmark func(a, b int) error,\n) int {\n\treturn page\n}\n",
    "shelf.rs": "pub fn find_rows<'a, T: Into<Vec<u8>>>(\n    // one of (a, b\n    path: &'a HashMap<T, u8>,\n"
    "    #[allow(unused)] page: usize, /* ), */\n    mark: char,\n) -> usize {\n    page\n}\n",
    "shelf.rb": "def find_rows(\n  path, # one of (a, b\n  page = '),(',\n  mark = [1, 2]\n)\n  [path, page]\nend\n",
    "Shelf.java": "class Shelf {\n  int findRows(\n      // one of (a, b\n      Map<String, List<Integer>> path,\n"
    '      @Param(value = "a,)", min = 1) int page,\n      char mark) {\n    return page;\n  }\n}\n',
    "Shelf.kt": "fun findRows(\n    // one of (a, b\n    path: Map<String, List<Int>>,\n"
    "    @Named(\"a,)\") page: Int = run(1, 2), /* ), */\n    mark: Char = ',',\n): Int {\n    return page\n}\n",
    "Shelf.cs": "class Shelf {\n  int findRows(\n    // one of (a, b\n    Dictionary<string, int> path,\n"
    "    [From(Name = \"a,)\")] int page = 1, /* ), */\n    char mark = ',') {\n    return page;\n  }\n}\n",
    "shelf.php": "<?php\nfunction findRows(\n  // one of (a, b\n  array $path = [1, 2],\n"
    "  #[Hidden] int $page = 1, # ),\n  string $mark = '),(',\n) {\n  return $page;\n}\n",
    "shelf.cpp": "int findRows(\n    // one of (a, b\n    std::map<int, std::vector<int>> path,\n"
    "    int (*page)(int, int), /* ), */\n    char mark = ',') {\n  return 1;\n}\n",
}


def claimed(name: str) -> str:
    """A claim that shows the function of a file with both of its parameters."""
    called = "find_rows" if "find_rows" in PLAIN[name] else "findRows"
    return f"- `{called}(path, page)` reads the shelf."


SITUATIONS = [
    row
    for name, adorned in ADORNED.items()
    for row in (
        Situation(name, claimed(name), HELD, {name: PLAIN[name]}, {name: adorned}),
        Situation(
            f"{name}/inverse",
            claimed(name),
            stale("signature-changed"),
            {name: PLAIN[name]},
            {name: adorned.replace("page", "leaf")},
        ),
    )
]


@rows(SITUATIONS)
def test_a_header_with_all_that_may_stand_in_it(tmp_path: Path, situation: Situation) -> None:
    check(tmp_path / "repo", situation)


@pytest.mark.parametrize(
    ("after", "expect"),
    [
        ("def find_rows(path, **others):\n    return path\n", HELD),
        ("def find_rows(path, *others):\n    return path\n", HELD),
        ("def find_rows(path, *, leaf):\n    return path\n", stale("signature-changed")),
    ],
)
def test_what_takes_any_arguments_may_take_those_of_the_claim(
    tmp_path: Path, after: str, expect: tuple[str, ...]
) -> None:
    name = "shelf.py"
    check(tmp_path / "repo", Situation("any", claimed(name), expect, {name: PLAIN[name]}, {name: after}))


def test_a_header_that_is_too_long_to_be_read_is_not_judged(tmp_path: Path) -> None:
    long = "def find_rows(\n" + "".join(f"    row_{index},\n" for index in range(500)) + "):\n    return 1\n"
    check(
        tmp_path / "repo",
        Situation("long", claimed("shelf.py"), HELD, {"shelf.py": PLAIN["shelf.py"]}, {"shelf.py": long}),
    )

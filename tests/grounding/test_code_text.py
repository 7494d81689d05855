"""Comments, docstrings and tests in a file are told from its code, whatever the file holds."""

from __future__ import annotations

import pytest

from memaudit.grounding.code import code_lines, subwords, without_messages

CASES = (
    ("a.py", "x = 1  # json\n", ["x = 1", ""]),
    ("a.py", "x = '# json'\n", ["x = '# json'", ""]),
    ("a.py", 'def f():\n    """json\n    yaml"""\n    return 1', ["def f():", "", "", "    return 1"]),
    ("a.py", 'x = f("""json""")\ny = 2', ['x = f("""json""")', "y = 2"]),
    ("a.py", '"""json""".strip()\ny = 2\n"""yaml"""', ['"""json""".strip()', "y = 2", ""]),
    ("a.ts", "const a = 'http://b' // json\n", ["const a = 'http://b'", ""]),
    ("a.ts", "/* json\n yaml */ run()", ["", "         run()"]),
    ("a.go", "x := `// json`", ["x := `// json`"]),
    ("a.rs", "fn f<'a>(x: &'a str) {} // json", ["fn f<'a>(x: &'a str) {}"]),
    (
        "a.rs",
        "fn f() {}\n#[cfg(test)]\nmod tests {\n    fn json() {}\n}\nfn g() {}",
        ["fn f() {}", "", "", "", "", "fn g() {}"],
    ),
    ("a.rb", 'puts "#{json}" # yaml', ['puts "#{json}"']),
    ("a.lua", "x = 1 -- json\n--[[ yaml\n]] y = 2", ["x = 1", "", "   y = 2"]),
    ("a.sh", "run $# ${#list} # json", ["run $# ${#list}"]),
    ("a.md", "# json", []),
)


@pytest.mark.parametrize(("path", "text", "expected"), CASES)
def test_comments_and_tests_are_no_code(path: str, text: str, expected: list[str]) -> None:
    assert [line.rstrip() for line in code_lines(path, text)] == expected


@pytest.mark.parametrize("path", ["a.py", "a.ts", "a.rs", "a.go", "a.rb", "a.lua", "a.php"])
@pytest.mark.parametrize("part", ["/*", '\\"""', "\\'''", "`", '\\"', "--[[", "#[cfg(test)]\n", "\n\n", "'"])
def test_lines_stay_in_place_in_hostile_text(path: str, part: str) -> None:
    text = part * (100_000 // len(part))
    assert len(code_lines(path, text)) == text.count("\n") + 1


def test_identifiers_are_read_word_by_word() -> None:
    assert subwords("JSONDecoder serde_json::fromStr sha256") == [
        "json",
        "decoder",
        "serde",
        "json",
        "from",
        "str",
        "sha256",
    ]


def test_texts_for_people_are_no_names() -> None:
    assert without_messages("log('no yaml here', 'a.yaml')") == "log('', 'a.yaml')"
    assert without_messages("run('SELECT a ORDER BY b DESC')") == "run('SELECT a ORDER BY b DESC')"

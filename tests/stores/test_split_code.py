"""Code blocks and tables: commands, directory trees, other code, rows."""

from __future__ import annotations

import pytest
from storekit import claims, load, texts


def commands(code: str, language: str = "bash") -> list[str]:
    return texts(f"```{language}\n{code}\n```\n")


@pytest.mark.parametrize(
    "language", ["bash", "sh", "shell", "console", "zsh", "fish", "powershell", "SH", "{.bash}"]
)
def test_shell_languages(language: str) -> None:
    (claim,) = claims(f"```{language}\nmake all\n```\n")
    assert (claim.text, claim.kind, claim.block) == ("make all", "command", "command")


def test_comments_label_and_notes_stay() -> None:
    text = "```bash\n# fast tests\nmake unit\nmake lint   # style\n\n# slow tests\nmake all\n```\n"
    assert [(claim.text, claim.context) for claim in claims(text)] == [
        ("make unit", ("fast tests",)),
        ("make lint   # style", ("fast tests",)),
        ("make all", ("slow tests",)),
    ]


def test_note_that_goes_on_below_a_command_is_no_label() -> None:
    text = (
        "```sh\nmake e2e   # slow\n           #   needs docker\n           #   and a token\nmake lint\n```\n"
    )
    assert [(claim.text, claim.context) for claim in claims(text)] == [
        ("make e2e   # slow", ()),
        ("make lint", ()),
    ]


def test_continued_line_is_one_command() -> None:
    (claim,) = claims("```sh\ndocker compose up \\\n  --wait \\\n  db\n```\n")
    assert claim.text == "docker compose up --wait db"
    assert (claim.line_start, claim.line_end) == (2, 4)


@pytest.mark.parametrize(
    "code",
    [
        "cat > a.txt <<EOF\n# kept\nline\nEOF",
        "cat <<-'END' | sh\n\techo a\n\tEND",
        "for f in *.sql; do\n  psql -f $f\ndone",
        "if [ -f x ]\nthen\n  rm x\nfi",
        "while true; do\n  if a; then\n    b\n  fi\ndone",
        "deploy() {\n  make build\n  make push\n}",
        'git commit -m "first\n\nsecond"',
        "make a &&\n  make b",
        "cat x |\n  sort",
        "case $1 in\n  a) one ;;\nesac",
    ],
)
def test_what_is_typed_as_one_stays_one(code: str) -> None:
    assert [" ".join(one.split()) for one in commands(f"make before\n{code}\nmake after")] == [
        "make before",
        " ".join(code.split()),
        "make after",
    ]


def test_an_opening_without_end_does_not_swallow_the_block() -> None:
    assert commands("echo don't stop\nmake a\necho 'open\nmake b") == [
        "echo don't stop",
        "make a",
        "echo 'open",
        "make b",
    ]


def test_prompts_mark_commands_and_the_rest_is_output() -> None:
    text = "```console\n$ make all\nok 3 files\n$ cat <<EOF\n> x\n> EOF\n```\n"
    raw = text.encode()
    first, *_ = claims(raw)
    assert raw[first.span.start : first.span.end] == b"make all"
    assert "ok 3 files" not in texts(text)


def test_code_without_language_is_shell_where_it_shows() -> None:
    assert commands("$ rake spec\n3 passed", "") == ["rake spec"]
    assert commands("npm ci\nnpm test -- --watch", "") == ["npm ci", "npm test -- --watch"]
    (other,) = claims("```\nfeat(scope): say why\n```\n")
    assert (other.block, other.kind) == ("fence", "other")


@pytest.mark.parametrize("language", ["python", "ts", "go", "json", "yaml", "toml", "mermaid"])
def test_other_code_is_one_claim(language: str) -> None:
    text = f"```{language}\n  a: 1\n\n  b: 2\n```\n"
    (claim,) = claims(text)
    assert (claim.block, claim.kind) == ("fence", "other")
    assert (claim.text, claim.line_start, claim.line_end) == ("a: 1\n\n  b: 2", 2, 4)
    assert claim.item_span.end == len(text.encode())


def test_tags_in_code_are_code() -> None:
    (claim,) = claims("```html\n<div>\n  <b>\n</div>\n```\n\n<div>\n\n</div>\n")
    assert claim.text == "<div>\n  <b>\n</div>"


def test_plain_text_is_no_claim() -> None:
    assert texts("~~~text\n# Not a heading\n- not a bullet\n~~~\n") == []


def test_fences_in_fences_and_fences_left_open() -> None:
    (whole,) = claims("````md\n```sh\nmake\n```\n````\n")
    assert whole.block == "fence"
    document = load("Text.\n\n```sh\nmake all\n")
    assert [claim.text for claim in document.claims] == ["Text.", "make all"]
    assert document.warnings == ("the code block that opens on line 3 is never closed",)


def test_drawn_tree_gives_full_paths() -> None:
    text = (
        "```\nproject/\n├── src/            # code\n│   ├── main.py\n"
        "│   └── util\n│       └── io.py   reads files\n"
        "├── {a,b}.txt\n├── ...\n└── Makefile\n```\n"
    )
    found = claims(text)
    assert [(claim.text, claim.path) for claim in found] == [
        ("project/", "project/"),
        ("src/            # code", "project/src/"),
        ("main.py", "project/src/main.py"),
        ("util", "project/src/util/"),
        ("io.py   reads files", "project/src/util/io.py"),
        ("{a,b}.txt", "project/{a,b}.txt"),
        ("Makefile", "project/Makefile"),
    ]
    assert [claim.children for claim in found] == [6, 3, 0, 1, 0, 0, 0]
    assert {claim.block for claim in found} == {"tree"}


@pytest.mark.parametrize("language", ["", "text", "plaintext"])
def test_indentation_alone_can_be_a_tree(language: str) -> None:
    text = f"```{language}\nserver/   the service\n  api.go\nclient/   generated, do not edit\n```\n"
    assert [(claim.text, claim.path, claim.kind) for claim in claims(text)] == [
        ("server/   the service", "server/", "fact"),
        ("api.go", "server/api.go", "fact"),
        ("client/   generated, do not edit", "client/", "rule"),
    ]


def test_root_written_as_a_dot_adds_nothing() -> None:
    assert [claim.path for claim in claims("```\n.\n|-- a.py\n`-- b/\n    `-- c.py\n```\n")] == [
        None,
        "a.py",
        "b/",
        "b/c.py",
    ]


@pytest.mark.parametrize(
    "code",
    [
        "┌────┐    ┌────┐\n│ a  │──▶│ b  │\n└────┘    └────┘",
        "read_note(id='a/b')\nwrite_note(id='c')",
        "key: value\nother: value",
        "Title line\n\nBody of the message",
        "server (port 8081)\n  ├── /v1/*    REST\n  └── /srv     files",
        "App\n├── Header\n└── Main",
    ],
)
def test_what_is_no_tree(code: str) -> None:
    assert {claim.block for claim in claims(f"```\n{code}\n```\n")} <= {"fence"}


def test_rows_are_claims() -> None:
    raw = b"| Path | Purpose |\n|---|---|\n| `libs/a`   | maths, no I/O |\n`libs/b` | x \\| y\n| | |\n"
    first, second = claims(raw)
    assert (first.text, first.columns) == ("`libs/a` | maths, no I/O", ("Path", "Purpose"))
    assert raw[first.span.start : first.span.end] == b"`libs/a`   | maths, no I/O"
    assert second.text == "`libs/b` | x \\| y"
    assert (first.line_start, second.line_start) == (3, 4)


def test_tree_in_the_first_column_gives_paths() -> None:
    text = (
        "| Path | Is |\n| --- | --- |\n| `app/` | all |\n"
        "| `├─api/` | web |\n| `│ └─v2/` | new |\n| `docs/` | text |\n"
    )
    assert [claim.path for claim in claims(text)] == ["app/", "app/api/", "app/api/v2/", "docs/"]


def test_no_table_without_delimiter_row() -> None:
    assert {claim.block for claim in claims("| a | b |\n| c | d |\n")} == {"sentence"}


@pytest.mark.parametrize(
    ("text", "locked", "free"),
    [
        (
            "Mine.\n\n<!-- BEGIN KIT v2 -->\n- theirs\n<!-- END KIT -->\n\n- mine too\n",
            ["theirs"],
            ["Mine.", "mine too"],
        ),
        ("<kit-guidelines>\n# Theirs\n- theirs\n</kit-guidelines>\n\nMine.\n", ["theirs"], ["Mine."]),
        ("<!-- kit v1 -->\n- theirs\n<!-- /kit -->\n- mine\n", ["theirs"], ["mine"]),
        (
            "# Mine\n\n- mine\n\n=== kit rules ===\n\n# Kit\n\n- theirs\n\n# Mine again\n\nMore.\n",
            ["theirs"],
            ["mine", "More."],
        ),
        ("```md\n<!-- BEGIN X -->\n```\n\n- mine\n", [], ["<!-- BEGIN X -->", "mine"]),
        ("<!-- a note -->\n\n- mine\n", [], ["mine"]),
    ],
)
def test_generated_regions_are_locked(text: str, locked: list[str], free: list[str]) -> None:
    found = claims(text)
    assert [claim.text for claim in found if claim.locked] == locked
    assert [claim.text for claim in found if not claim.locked] == free


def test_unpaired_marker_is_told() -> None:
    assert load("<!-- BEGIN KIT -->\n- theirs\n").warnings == (
        "the generated region that opens on line 1 has no end marker",
    )

"""Situations of behaviour: what code is said to do, shown or refuted by its body and nothing around it."""

from __future__ import annotations

from pathlib import Path

from situationkit import HELD, Situation, check, rows, stale

UNSHOWN = ("unknown",)
TOUCHED = ("unknown", "touched")
CHANGED = stale("body-changed")

LOAD = "import json\n\n\ndef load_rows(path):\n    rows = json.loads(path.read_text())\n    return rows\n"
LOAD_TOML = LOAD.replace("import json", "import tomllib").replace("json.loads", "tomllib.loads")
LOAD_BOTH = (
    "import json\nimport tomllib\n\n\ndef load_rows(path):\n    if path.suffix == '.toml':\n"
    "        return tomllib.loads(path.read_text())\n"
    "    rows = json.loads(path.read_text())\n    return rows\n"
)
LOAD_ELSEWHERE = (
    "import tomllib\n\nfrom lib.wire import unpack\n\n\ndef load_rows(path):\n"
    "    limits = tomllib.loads(path.name)\n    return unpack(path, limits)\n"
)
WIRE = "import json\n\n\ndef unpack(path, limits):\n    return json.loads(path.read_text())[:limits]\n"
COMMENTED = LOAD.replace("    rows =", "    # TOML (tomllib) came up: no\n    rows =")
MESSAGE = LOAD.replace("    return rows", "    print('this was no toml file, was it')\n    return rows")
TOLD = '    """Rows as JSON, not as TOML."""\n'
LOCALS = LOAD.replace("rows =", "items =").replace("return rows", "return items")
DOCSTRING_ONLY = LOAD_TOML.replace("(path):\n", "(path):\n" + TOLD)

DIGEST = "import hashlib\n\n\ndef seal(data):\n    return hashlib.sha256(data).hexdigest()\n"
STORE = "import sqlite3\n\n\nclass Shelf:\n    def open(self):\n        return sqlite3.connect('shelf.db')\n"
STORE_PG = STORE.replace("sqlite3", "psycopg").replace("'shelf.db'", "dsn()")
START = "import os\n\n\ndef start(command):\n    os.execvp(command[0], command)\n"
START_RB = "class Starter\n  def go(command)\n    exec(command)\n  end\nend\n"
START_RB_2 = START_RB.replace("exec(command)", "system!(*command)")

LIST_RS = """use walkers::WalkBuilder;
use crate::paint;

pub fn run(path: &str) {
    for entry in WalkBuilder::new(path).build() {
        paint::line(entry);
    }
}
"""
PAINT_RS = 'pub fn line(entry: &str) {\n    println!("{entry}");\n}\n'
LIST_PLAIN = """use crate::paint;

pub fn run(path: &str) {
    let out = std::process::Command::new("ls").arg(path).output();
    paint::line(out);
}
"""
PAINT_WALKS = "use walkers::WalkBuilder;\n\npub fn line(path: &str) {\n    WalkBuilder::new(path);\n}\n"
TREE = "fn format_tree(rows: &[Row]) -> u8 {\n    3\n}\n\npub fn run() {\n    format_tree(&[]);\n}\n"
DEEP_RS = PAINT_WALKS.replace("line", "deeper")
LIST_TESTED = LIST_PLAIN + (
    "\n#[cfg(test)]\nmod tests {\n    use walkers::WalkBuilder;\n\n    fn walk() {\n"
    '        WalkBuilder::new(".");\n    }\n}\n'
)

FIND = """def find_row(rows, key):
    for row in rows:
        if row.key == key:
            return row
    raise LookupError(key)
"""
ERRORS = "class RowMissing(LookupError):\n    pass\n"
HALF = "import math\n\n\ndef half_of(n):\n    return math.ceil(n / 2)\n"
FLOOR = "def half_of(n):\n    return n // 2\n"
STATUS = "def show_row(row):\n    if row is None:\n        return Reply(404)\n    return Reply(200, row)\n"
LOGS = "def drop_row(row):\n    log.warning('dropped %s', row)\n    return None\n"
FETCH = "async def fetch_rows(url):\n    return await get(url)\n"

RETRY = """def send_row(row):
    for number in range(3):
        try:
            return post(row)
        except OSError:
            wait(number)
    return None
"""
RETRY_OUT = (
    RETRY.replace("send_row", "with_patience") + "\n\ndef send_row(row):\n    return with_patience(row)\n"
)
RETRY_WRAPPED = RETRY.replace("send_row", "with_patience") + (
    "\n\ndef send_row(row):\n    check(row)\n    row.stamp()\n    return with_patience(row)\n"
)
RETRY_OTHER = RETRY + "\n\ndef push_row(row):\n    return send_row(row)\n"

LINT = "version: '3'\ntasks:\n  lint:\n    cmds:\n      - {}\n"
NODE = '{{"name": "shop", "devDependencies": {{"standard": "^17"}}, "scripts": {{"lint": "{}"}}}}\n'
TRAIL = 'pub fn place(dir: Dir) -> Path {{\n    dir.join("acme").join("{}")\n}}\n'
TRAIL_CLAIM = "**Trail** (src/trail.rs)\n- Kept in a database (~/.local/share/acme/trail.db)\n"

SITUATIONS = (
    # Formats and libraries of a function.
    Situation("format", "`load_rows()` reads JSON.", CHANGED, {"a.py": LOAD}, {"a.py": LOAD_TOML}),
    Situation("format/inverse", "`load_rows()` reads JSON.", TOUCHED, {"a.py": LOAD}, {"a.py": LOCALS}),
    Situation(
        "told behind the name",
        "Rows come as JSON through `load_rows()`.",
        CHANGED,
        {"a.py": LOAD},
        {"a.py": DOCSTRING_ONLY},
    ),
    Situation("an alternative", "`load_rows()` reads JSON.", ("held",), {"a.py": LOAD}, {"a.py": LOAD_BOTH}),
    Situation("a comment", "`load_rows()` reads JSON.", HELD, {"a.py": LOAD}, {"a.py": COMMENTED}),
    Situation("a text for people", "`load_rows()` reads JSON.", HELD, {"a.py": LOAD}, {"a.py": MESSAGE}),
    Situation(
        "moved into what it calls",
        "`load_rows()` reads JSON.",
        UNSHOWN,
        {"lib/a.py": LOAD},
        {"lib/a.py": LOAD_ELSEWHERE, "lib/wire.py": WIRE},
    ),
    Situation(
        "both named", "`load_rows()` turns JSON into TOML.", UNSHOWN, {"a.py": LOAD}, {"a.py": LOAD_TOML}
    ),
    Situation("a demand", "`load_rows()` must read JSON.", UNSHOWN, {"a.py": LOAD}, {"a.py": LOAD_TOML}),
    Situation(
        "never so at base",
        "`load_rows()` reads YAML.",
        UNSHOWN,
        {"a.py": LOAD},
        {"a.py": LOAD_TOML},
    ),
    Situation(
        "two functions",
        "`load_rows()` feeds `seal()` with JSON.",
        UNSHOWN,
        {"a.py": LOAD, "b.py": DIGEST},
        {"a.py": LOAD_TOML},
    ),
    Situation(
        "algorithm",
        "`seal` signs with SHA-256.",
        CHANGED,
        {"b.py": DIGEST},
        {"b.py": DIGEST.replace("sha256", "blake2b")},
        suggests="`seal` signs with BLAKE2.",
    ),
    Situation(
        "algorithm under a longer name",
        "`seal()` signs with SHA-256.",
        HELD,
        {"b.py": DIGEST},
        {"b.py": DIGEST.replace("hashlib.sha256(data)", "hashlib.new('sha256', data)")},
    ),
    # Most of a body is another one, whatever words it has.
    Situation(
        "another body", "`half_of()` in `h.py` rounds halves up.", TOUCHED, {"h.py": HALF}, {"h.py": FLOOR}
    ),
    Situation("another body/inverse", "`half_of()` is in `h.py`.", HELD, {"h.py": HALF}, {"h.py": FLOOR}),
    # Of a class, and of a file.
    Situation("class", "`Shelf` keeps rows in SQLite.", CHANGED, {"s.py": STORE}, {"s.py": STORE_PG}),
    Situation("file", "- `lib/s.py`: the SQLite store", CHANGED, {"lib/s.py": STORE}, {"lib/s.py": STORE_PG}),
    Situation(
        "file/inverse",
        "- `lib/s.py`: the SQLite store",
        HELD,
        {"lib/s.py": STORE},
        {"lib/s.py": STORE.replace("shelf.db", "rows.db")},
    ),
    Situation(
        "two files",
        "- `lib/s.py` and `lib/t.py`: the SQLite store",
        HELD,
        {"lib/s.py": STORE, "lib/t.py": STORE},
        {"lib/s.py": STORE_PG},
    ),
    # Names that a file works with.
    Situation(
        "name in a file",
        "`src/list.rs` walks with WalkBuilder.",
        CHANGED,
        {"src/list.rs": LIST_RS, "src/paint.rs": PAINT_RS, "src/deep.rs": DEEP_RS},
        {"src/list.rs": LIST_PLAIN},
    ),
    Situation(
        "name in a file/inverse",
        "`src/list.rs` walks with WalkBuilder.",
        HELD,
        {"src/list.rs": LIST_RS, "src/paint.rs": PAINT_RS},
        {"src/list.rs": LIST_PLAIN, "src/paint.rs": PAINT_WALKS},
    ),
    Situation(
        "name in tests of the file",
        "`src/list.rs` walks with WalkBuilder.",
        CHANGED,
        {"src/list.rs": LIST_RS, "src/paint.rs": PAINT_RS, "src/deep.rs": DEEP_RS},
        {"src/list.rs": LIST_TESTED},
    ),
    Situation(
        "name of a caller",
        "`src/list.rs` is called by WalkBuilder.",
        HELD,
        {"src/list.rs": LIST_RS, "src/paint.rs": PAINT_RS, "src/deep.rs": DEEP_RS},
        {"src/list.rs": LIST_PLAIN},
    ),
    # Words that name a definition of the file.
    Situation(
        "phrase",
        "- `src/show.rs`: tree format, colours",
        CHANGED,
        {"src/show.rs": TREE, "src/paint.rs": PAINT_RS},
        {"src/show.rs": LIST_PLAIN},
    ),
    Situation(
        "phrase, built elsewhere",
        "- `src/show.rs`: tree format, colours",
        HELD,
        {"src/show.rs": TREE, "src/paint.rs": PAINT_RS},
        {
            "src/show.rs": LIST_PLAIN,
            "src/paint.rs": PAINT_RS + "fn tree_format() {}\n",
        },
    ),
    Situation(
        "phrase, under a like name",
        "- `src/show.rs`: tree format, colours",
        HELD,
        {"src/show.rs": TREE, "src/paint.rs": PAINT_RS},
        {"src/show.rs": TREE.replace("format_tree", "draw_tree")},
    ),
    # The only call of its sort.
    Situation(
        "the only call",
        "The job is started with `exec`, in place of this process.",
        CHANGED,
        {"lib/starter.rb": START_RB},
        {"lib/starter.rb": START_RB_2},
    ),
    Situation(
        "one call of two",
        "The job is started with `exec`, in place of this process.",
        UNSHOWN,
        {"lib/starter.rb": START_RB, "lib/other.rb": START_RB},
        {"lib/starter.rb": START_RB_2},
    ),
    Situation(
        "another call beside it",
        "The job is started with `exec`, in place of this process.",
        UNSHOWN,
        {"lib/starter.rb": START_RB},
        {"lib/starter.rb": START_RB.replace("    exec", "    system(command)\n    exec")},
    ),
    # Outcomes that one line shows.
    Situation(
        "error",
        "`find_row()` raises `LookupError` when there is none.",
        CHANGED,
        {"f.py": FIND, "g.py": "LookupError"},
        {"f.py": FIND.replace("LookupError", "ValueError")},
    ),
    Situation(
        "error/inverse",
        "`find_row()` raises `LookupError` when there is none.",
        TOUCHED,
        {"f.py": FIND, "e.py": ERRORS},
        {"f.py": "from e import RowMissing\n\n\n" + FIND.replace("LookupError", "RowMissing")},
    ),
    Situation(
        "status",
        "`show_row()` answers with 404 when there is none.",
        CHANGED,
        {"v.py": STATUS},
        {"v.py": STATUS.replace("404", "410")},
        suggests="`show_row()` answers with 410 when there is none.",
    ),
    Situation(
        "status/inverse",
        "`show_row()` answers with 404 when there is none.",
        ("held",),
        {"v.py": STATUS},
        {"v.py": STATUS.replace("404", "Status.NOT_FOUND").replace("200", "201")},
    ),
    Situation(
        "level",
        "`drop_row()` logs a warning.",
        CHANGED,
        {"d.py": LOGS},
        {"d.py": LOGS.replace("warning", "debug")},
    ),
    Situation(
        "level/inverse",
        "`drop_row()` logs a warning.",
        TOUCHED,
        {"d.py": LOGS},
        {"d.py": LOGS.replace("log.warning", "log.warn")},
    ),
    Situation(
        "async",
        "`fetch_rows()` is async.",
        CHANGED,
        {"n.py": FETCH},
        {"n.py": FETCH.replace("async ", "").replace("await ", "")},
    ),
    Situation(
        "async/inverse",
        "`fetchRows()` is async.",
        ("held",),
        {"n.js": "export async function fetchRows(url) {\n  return fetch(url)\n}\n"},
        {"n.js": "export function fetchRows(url) {\n  return new Promise(go => go(url))\n}\n"},
    ),
    # Code that a function is said to have inside.
    Situation(
        "forwards",
        "The retry loop is in `send_row()`.",
        CHANGED,
        {"s.py": RETRY},
        {"s.py": RETRY_OUT},
        suggests="The retry loop is in `with_patience()`.",
    ),
    Situation(
        "forwards/inverse", "`send_row()` tries three times.", HELD, {"s.py": RETRY}, {"s.py": RETRY_OUT}
    ),
    Situation(
        "another forwards", "The retry loop is in `send_row()`.", HELD, {"s.py": RETRY}, {"s.py": RETRY_OTHER}
    ),
    # Roles of dependencies.
    Situation(
        "role",
        "Linting: `standard`",
        stale("dependency-role"),
        {"package.json": NODE.format("standard src")},
        {"package.json": NODE.format("eslint src")},
    ),
    Situation(
        "role/inverse",
        "Linting: `standard`",
        HELD,
        {"package.json": NODE.format("standard src")},
        {"package.json": NODE.format("standard src && eslint src")},
    ),
    # Tools named alone.
    Situation(
        "tool",
        "Shell files are checked by `shellwatch`.",
        stale("tool-gone"),
        {"Taskfile.yml": LINT.format("shellwatch bin")},
        {"Taskfile.yml": LINT.format("beautysh bin")},
    ),
    Situation(
        "tool that a script runs",
        "Shell files are checked by `shellwatch`.",
        HELD,
        {"Taskfile.yml": LINT.format("shellwatch bin"), "tools/a.sh": "true\n"},
        {"Taskfile.yml": LINT.format("tools/a.sh"), "tools/a.sh": "set -e\nshellwatch bin\n"},
    ),
    Situation(
        "tool still set up",
        "Shell files are checked by `shellwatch`.",
        UNSHOWN,
        {"Taskfile.yml": LINT.format("shellwatch bin"), ".shellwatchrc": "strict\n"},
        {"Taskfile.yml": LINT.format("beautysh bin")},
    ),
    # Files that the program keeps elsewhere.
    Situation(
        "data file",
        TRAIL_CLAIM,
        stale("literal-gone"),
        {"src/trail.rs": TRAIL.format("trail.db")},
        {"src/trail.rs": "// once trail.db\n" + TRAIL.format("steps.db")},
        about="Kept",
        suggests="Kept in a database (~/.local/share/acme/steps.db)",
    ),
    Situation(
        "data file/inverse",
        TRAIL_CLAIM,
        UNSHOWN,
        {"src/trail.rs": TRAIL.format("trail.db")},
        {"src/trail.rs": TRAIL.format("steps.db"), "src/old.rs": 'const OLD: &str = "trail.db";\n'},
        about="Kept",
    ),
    # Rules for a time, and what came after.
    Situation(
        "a time that code cannot tell",
        "Do not edit `a.py` until the cutover has been signed off.",
        UNSHOWN,
        {"a.py": LOAD},
        {"a.py": LOCALS},
    ),
    Situation(
        "a time that is no rule's",
        "`a.py` waits until all rows are read.",
        HELD,
        {"a.py": LOAD},
        {"a.py": LOCALS},
    ),
    Situation(
        "what came after",
        "`b.py` replaces the old `a.py`.",
        HELD,
        {"a.py": LOAD, "b.py": DIGEST},
        {"a.py": None},
    ),
)


@rows(SITUATIONS)
def test_behaviour(tmp_path: Path, situation: Situation) -> None:
    check(tmp_path / "project", situation)

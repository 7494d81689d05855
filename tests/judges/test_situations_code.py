"""Situations around code: symbols, values, bodies, samples, and names that are somebody else's."""

from __future__ import annotations

from pathlib import Path

from situationkit import HELD, PREFERENCE, Situation, check, rows, stale

SETTINGS = (
    "import json\n\n\ndef read_settings(path):\n"
    "    with open(path) as file:\n        return json.load(file)\n"
)
SETTINGS_SPLIT = (
    "import json\n\n\ndef read_settings(path):\n    return _parsed(path)\n\n\n"
    "def _parsed(path):\n    with open(path) as file:\n        return json.load(file)\n"
)
SETTINGS_YAML = SETTINGS.replace("import json", "import yaml").replace("json.load", "yaml.safe_load")
POLLING = """import time


def wait_for_job(job):
    for attempt in range(5):
        if job.done():
            return job
        time.sleep(attempt)
    return None
"""
POLLING_FORWARDS = POLLING.replace("wait_for_job", "poll_job") + (
    "\n\ndef wait_for_job(job):\n    return poll_job(job)\n"
)
POLLING_TIDIED = POLLING.replace("attempt", "n")
PLUGIN = "def run_plugins(app):\n    return []\n"
PLUGIN_BUILT = "def run_plugins(app):\n    return undo_stack(app)\n\n\ndef undo_stack(app):\n    return []\n"
KEY = "import os\n\nKEY = os.environ['SHOP_API_KEY']\n"
FLAGS = "package flags\n\nvar DryRun bool\n\nvar Verbose bool\n"
CHARTS = "- `draw_bar()` is for sums\n- `draw_box()` is for spreads\n- `draw_pie()` is for shares\n" + (
    "- `draw_line()` is for time"
)
BARS = "\n\n".join(f"def draw_{what}(rows):\n    return rows.{what}()\n" for what in ("bar", "box", "pie"))
LINES = "def draw_line(rows):\n    return rows.line()\n"
SAMPLE = "```go\nflags.DryRun = true\n```"

SITUATIONS = (
    # Names of other people's code, and of no code.
    Situation(
        "fp-third-party-api",
        "Do not report form errors through `captureMessage()`.",
        PREFERENCE,
        {"app.py": "x = 1\n"},
        {"app.py": "x = 2\n"},
    ),
    Situation(
        "fp-third-party-api/inverse",
        "Do not report form errors through `report_crash()`.",
        stale("symbol-gone"),
        {"app.py": "def report_crash(error):\n    print(error)\n", "b.py": "y = 1\n"},
        {"app.py": "x = 2\n"},
    ),
    # Members of what nothing here defines, values in comments and in other files.
    Situation(
        "member-of-others",
        "The theme is kept by `localStorage.setItem`.",
        PREFERENCE,
        {"app.ts": "export const keep = (t) => localStorage.setItem('theme', t);\n", "b.ts": "let y;\n"},
        {"app.ts": "export const keep = (t) => document.title;\n"},
    ),
    Situation(
        "member-of-others/inverse",
        "The theme is kept by `themeStore.putItem`.",
        stale("symbol-gone"),
        {"app.ts": "export const themeStore = {\n  putItem(t) { return t; },\n};\n", "b.ts": "let y;\n"},
        {"app.ts": "export const themeStore = {};\n"},
    ),
    Situation(
        "value-of-another-file",
        'The built-in `shots: "on"` needs a screen.',
        PREFERENCE,
        {"runner.config.ts": 'export default {\n  // shots: "on",\n};\n'},
        {"lib/start.ts": 'export const start = {\n  shots: "failed",\n};\n'},
    ),
    Situation(
        "value-of-another-file/inverse",
        'The built-in `shots: "on"` needs a screen.',
        stale("value-changed"),
        {"runner.config.ts": 'export default {\n  shots: "on",\n};\n'},
        {"runner.config.ts": 'export default {\n  shots: "failed",\n};\n'},
    ),
    Situation("memory-id-ref", "More on the queue bug is in mem_77fe01aa.", PREFERENCE),
    Situation(
        "memory-id-ref/inverse",
        "More on the queue bug is in `mem_pool_drain()`.",
        stale("symbol-gone"),
        {"pool.py": "def mem_pool_drain(pool):\n    pool.clear()\n", "b.py": "y = 1\n"},
        {"pool.py": "SIZE = 3\n"},
    ),
    Situation("fp-proposal-id-as-date", "Retries behave as RFC-2705 lays down.", PREFERENCE),
    Situation(
        "fp-proposal-id-as-date/inverse",
        "Retries behave as `RFC_2705` lays down.",
        stale("symbol-gone"),
        {"rules.py": "RFC_2705 = {'tries': 3}\n", "b.py": "y = 1\n"},
        {"rules.py": "TRIES = 5\n"},
    ),
    # Environment variables.
    Situation(
        "fp-env-template",
        "The hosted catalogue needs `SHOP_API_KEY` to be set.",
        HELD,
        {"shop.py": KEY, ".env.example": "SHOP_PORT=1\n"},
    ),
    Situation(
        "fp-env-template/inverse",
        "The hosted catalogue needs `SHOP_API_KEY` to be set.",
        stale("symbol-gone"),
        {"shop.py": KEY, ".env.example": "SHOP_PORT=1\n"},
        {"shop.py": KEY.replace("SHOP_API_KEY", "SHOP_TOKEN")},
    ),
    # Plans.
    Situation(
        "fp-future-doc",
        "Planned: plugins will be able to call `undo_stack` some day.",
        HELD,
        {"plugins.py": PLUGIN},
        {"plugins.py": PLUGIN.replace("[]", "[app]")},
    ),
    Situation(
        "future-now-shipped",
        "`undo_stack` is not implemented yet, only planned.",
        stale("plan-built"),
        {"plugins.py": PLUGIN},
        {"plugins.py": PLUGIN_BUILT},
    ),
    # Bodies.
    Situation(
        "drift-body-only",
        "`read_settings()` in settings.py reads JSON.",
        HELD,
        {"settings.py": SETTINGS},
        {"settings.py": SETTINGS_SPLIT},
    ),
    Situation(
        "drift-body-only/inverse",
        "`read_settings()` in settings.py reads JSON.",
        stale("body-changed"),
        {"settings.py": SETTINGS},
        {"settings.py": SETTINGS_YAML},
    ),
    Situation(
        "forwarder",
        "The loop that polls is inside `wait_for_job()`.",
        stale("body-changed"),
        {"jobs.py": POLLING},
        {"jobs.py": POLLING_FORWARDS},
    ),
    Situation(
        "forwarder/inverse",
        "The loop that polls is inside `wait_for_job()`.",
        HELD,
        {"jobs.py": POLLING},
        {"jobs.py": POLLING_TIDIED},
    ),
    Situation(
        "mtime-noise",
        "`check_staged` is run before each commit.",
        HELD,
        {"hooks.py": "def check_staged( files ):\n  return files\n"},
        {"hooks.py": "def check_staged(files):\n    return files\n"},
    ),
    Situation(
        "mtime-noise/inverse",
        "`check_staged` is run before each commit.",
        stale("symbol-gone"),
        {"hooks.py": "def check_staged( files ):\n  return files\n"},
        {"hooks.py": "def other(files):\n    return 1\n"},
    ),
    # Values.
    Situation(
        "drift-literal-changed",
        "A session ends after 600 seconds (`SESSION_TTL`).",
        stale("value-changed"),
        {"login.py": "SESSION_TTL = 600\n"},
        {"login.py": "SESSION_TTL = 1800\n"},
        suggests="A session ends after 1800 seconds (`SESSION_TTL`).",
    ),
    Situation(
        "drift-literal-changed/inverse",
        "A session ends after 10 minutes (`SESSION_TTL`).",
        HELD,
        {"login.py": "SESSION_TTL = 600\n"},
        {"login.py": "SESSION_TTL = 10 * 60\n"},
    ),
    Situation(
        "value and name in one span",
        "`BATCH_ROWS = 250`: more would not fit.",
        stale("symbol-gone"),
        {"send.py": "BATCH_ROWS = 250\nPAUSE = 3\n"},
        {"send.py": "PAUSE = 3\n"},
    ),
    # Samples.
    Situation(
        "fenced-symbol",
        SAMPLE,
        stale("symbol-gone"),
        {"flags/flags.go": FLAGS, "go.mod": "module shop\n"},
        {"flags/flags.go": FLAGS.replace("var DryRun bool\n\n", "")},
    ),
    Situation(
        "fenced-symbol/inverse",
        SAMPLE,
        HELD,
        {"flags/flags.go": FLAGS, "go.mod": "module shop\n"},
        {"flags/flags.go": FLAGS.replace("var Verbose bool\n", "")},
    ),
    # Renames.
    Situation(
        "function renamed",
        "`fetch_user()` retries twice.",
        stale("symbol-renamed"),
        {"api.py": "def fetch_user(name):\n    for _ in range(2):\n        call(name)\n    return None\n"},
        {"api.py": "def get_user(name):\n    for _ in range(2):\n        call(name)\n    return None\n"},
        suggests="`get_user()` retries twice.",
    ),
    Situation(
        "neighbour renamed",
        "`fetch_user()` retries twice.",
        HELD,
        {"api.py": "def fetch_user(name):\n    return name\n\n\ndef drop_user(name):\n    return 0\n"},
        {"api.py": "def fetch_user(name):\n    return name\n\n\ndef remove_user(name):\n    return 0\n"},
    ),
    Situation(
        "moved away from its neighbours",
        CHARTS,
        HELD,
        {"lib/bars.py": BARS, "lib/lines.py": LINES},
        {"lib/lines.py": None, "graphs/lines.py": LINES},
        "draw_line",
    ),
    Situation(
        "gone from among its neighbours",
        CHARTS,
        stale("symbol-gone"),
        {"lib/bars.py": BARS, "lib/lines.py": LINES},
        {"lib/lines.py": "WIDTH = 3\n"},
        "draw_line",
    ),
    Situation(
        "parameter renamed",
        "- `write_note(title, folder)` writes a note",
        stale("signature-changed"),
        {"notes.py": "def write_note(title, folder):\n    return title, folder\n"},
        {"notes.py": "def write_note(title, directory):\n    return title, directory\n"},
    ),
    Situation(
        "parameter added with a default",
        "- `write_note(title, folder)` writes a note",
        HELD,
        {"notes.py": "def write_note(title, folder):\n    return title, folder\n"},
        {"notes.py": "def write_note(title, folder, tags=()):\n    return title, folder\n"},
    ),
)


@rows(SITUATIONS)
def test_code(tmp_path: Path, situation: Situation) -> None:
    check(tmp_path / "project", situation)

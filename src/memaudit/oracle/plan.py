"""How a check is run: the exact command line, where, and what is laid beside the files of either side."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from memaudit.domain import Claim
from memaudit.errors import UsageError
from memaudit.oracle.checks import Check, CheckKind
from memaudit.patterns import lazy_regex
from memaudit.repo.names import normal_path
from memaudit.repo.snapshot import Snapshot

_PROJECT_FILES = ("pyproject.toml", "pytest.ini", "tox.ini", "setup.cfg", "setup.py")
_TEST_SNIPPET = lazy_regex(r"^(?:async )?(?:def test_|class Test)", re.MULTILINE)
_PROMPT = lazy_regex(r"^\s*>>> ", re.MULTILINE)

RESULTS = "results.xml"
"""The file that tests write their results to, beside the folder of the files."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The same command line for both sides.

    ``folder`` is where it is run, relative to the top of the files; ``laid`` are files that both sides get
    in place of their own; ``imports`` are the folders that Python imports from first. With ``tests`` the
    results are read from :data:`RESULTS`, else the exit code counts. A ``drafted`` check was written by a
    model: only what it asserts counts.
    """

    argv: tuple[str, ...]
    folder: str
    laid: dict[str, bytes]
    imports: tuple[str, ...]
    tests: bool
    notes: tuple[str, ...] = ()
    drafted: bool = False

    @property
    def called(self) -> str:
        """The check in words."""
        return "the drafted check" if self.drafted else "the check"


def plan(claim: Claim, check: Check, base: Snapshot, head: Snapshot, python: str) -> Plan:
    """Work out how the check of a claim is run. Raises UsageError for a test that base does not have."""
    match check.kind:
        case CheckKind.TEST:
            return _tests(claim, check, base, head, python)
        case CheckKind.SNIPPET:
            name = f"test_memaudit_{_token(claim)}.py"
            source = _as_test(check.words[0])
            return Plan(_pytest(python, "", [name]), "", {name: source.encode()}, ("src", ""), tests=True)
        case CheckKind.COMMAND:
            return Plan(("sh", "-c", check.words[0]), "", {}, ("src", ""), tests=False)


def find_python(named: str | None, root: Path | None) -> str:
    """The Python that runs tests: the one named, that of the active environment, that of the repository's
    own ``.venv`` or ``venv``, else the first on PATH. Raises UsageError where the one named is none.
    """
    if named is not None:
        found = shutil.which(named)
        if found is None:
            raise UsageError("no such program", f"--python {named}", "give the path of a Python interpreter")
        return str(Path(found).absolute())
    folders = [Path(os.environ["VIRTUAL_ENV"])] if os.environ.get("VIRTUAL_ENV") else []
    folders += [root / ".venv", root / "venv"] if root is not None else []
    for folder in folders:
        program = folder / "bin" / "python"
        if os.access(program, os.X_OK):
            return str(program.absolute())
    return shutil.which("python3") or sys.executable


def _tests(claim: Claim, check: Check, base: Snapshot, head: Snapshot, python: str) -> Plan:
    places = [_resolved(node, claim, base) for node in check.words]
    folder = _project(places[0][0], base)
    inside = all(_is_below(path, folder) for path, _ in places)
    folder = folder if inside else ""
    laid: dict[str, bytes] = {}
    notes = []
    for path in dict.fromkeys(path for path, _ in places):
        laid[path] = base.read(path) or b""
        if head.blob_id(path) != base.blob_id(path):
            notes.append(f"{path} is another file at head: the one from base is run on both sides")
    depth = len(folder) + 1 if folder else 0
    nodes = [f"{path[depth:]}::{rest}" for path, rest in places]
    imports = _imports(folder)
    return Plan(_pytest(python, folder, nodes), folder, laid, imports, tests=True, notes=tuple(notes))


def plan_draft(claim: Claim, source: str, path: str, base: Snapshot, python: str) -> Plan:
    """How a test that a model drafted is run: in the copies only, in the project of the file at ``path``."""
    folder = _project(path, base)
    name = f"test_memaudit_draft_{_token(claim)}.py"
    return Plan(
        _pytest(python, folder, [name]),
        folder,
        {_join(folder, name): source.encode("utf-8", "backslashreplace")},
        import_folders(path, base),
        tests=True,
        drafted=True,
    )


def import_folders(path: str, base: Snapshot) -> tuple[str, ...]:
    """The folders that Python imports from, first ones first, where a test is about the file at ``path``."""
    return _imports(_project(path, base))


def _imports(folder: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys([_join(folder, "src"), folder, "src", ""]))


def _token(claim: Claim) -> str:
    return re.sub("[^0-9a-z]", "", claim.id.lower())[:12]


def _pytest(python: str, folder: str, nodes: Iterable[str]) -> tuple[str, ...]:
    up = "../" * (folder.count("/") + 2 if folder else 1)
    options = ("--rootdir=.", f"--junitxml={up}{RESULTS}", "-p", "no:cacheprovider")
    return (python, "-m", "pytest", *options, *nodes)


def _resolved(node: str, claim: Claim, base: Snapshot) -> tuple[str, str]:
    """The path of a test's file at base, and the rest of its id."""
    path, _, rest = node.partition("::")
    beside = claim.document.rpartition("/")[0]
    for candidate in (f"{beside}/{path}" if beside else path, path):
        plain = normal_path(candidate)
        if plain and base.kind(plain) == "file":
            return plain, rest
    found = [one for one in base.by_suffix(path) if base.kind(one) == "file"]
    if len(found) == 1:
        return found[0], rest
    what = "several files at base are called so" if found else "there is no such file at base"
    raise UsageError(what, path, "the check has to be there where the claim was still true")


def _project(path: str, base: Snapshot) -> str:
    """The nearest folder above a file that is set up as a project, else the top."""
    folder = path.rpartition("/")[0]
    while folder and not any(base.exists(f"{folder}/{name}") for name in _PROJECT_FILES):
        folder = folder.rpartition("/")[0]
    return folder


def _is_below(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _as_test(snippet: str) -> str:
    """A snippet as a test module: what it asserts, prints at its prompts, or raises decides."""
    if _PROMPT.search(snippet):
        return (
            "import doctest\n\n"
            f"SNIPPET = {snippet + chr(10)!r}\n\n\n"
            "def test_snippet():\n"
            '    found = doctest.DocTestParser().get_doctest(SNIPPET, {}, "snippet", None, 0)\n'
            "    assert doctest.DocTestRunner().run(found).failed == 0\n"
        )
    if _TEST_SNIPPET.search(snippet):
        return snippet + "\n"
    return (
        f"SNIPPET = {snippet + chr(10)!r}\n\n\n"
        "def test_snippet():\n"
        '    exec(compile(SNIPPET, "snippet", "exec"), {"__name__": "snippet"})\n'
    )

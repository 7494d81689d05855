"""``memaudit key``, run as a process: with a real keyring, and with those that cannot be trusted."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

KEY = "sk-ant-test-0123456789-abcdef"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs ``memaudit key``; without a session bus unless the test makes one."""
    for name in ("DBUS_SESSION_BUS_ADDRESS", "PYTHON_KEYRING_BACKEND", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def run(*arguments: str, given: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "memaudit", "key", *arguments],
            input=given,
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def settings(tmp_path: Path, text: str) -> str:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    return f"--config={file}"


def refused(run: subprocess.CompletedProcess[str]) -> str:
    """The one line on standard error of a run that could not do it."""
    assert run.returncode == 2, run.stdout + run.stderr
    assert run.stdout == ""
    assert KEY not in run.stderr
    (line,) = run.stderr.splitlines()
    return line


needs_keyring = pytest.mark.skipif(
    not (shutil.which("gnome-keyring-daemon") and shutil.which("dbus-run-session")),
    reason="needs gnome-keyring and dbus (apt install gnome-keyring dbus)",
)

UNLOCKED = "printf pw | gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null 2>&1"
LOCKED = "gnome-keyring-daemon --start --components=secrets --daemonize >/dev/null 2>&1"


def in_session(daemon: str, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script beside a real keyring daemon on a session bus of its own, which ends with it."""
    command = f'key() {{ {sys.executable} -m memaudit key "$@"; }}'
    return subprocess.run(
        ["dbus-run-session", "--", "sh", "-c", f"{daemon}; {command}; {script}"],
        capture_output=True,
        text=True,
        check=False,
    )


@needs_keyring
def test_a_key_is_set_read_back_and_removed_in_a_real_keyring(key: Run) -> None:
    script = f"""
        echo {KEY} | key set || exit 9; key status || exit 8
        key remove || exit 7; key status; test $? = 1 || exit 6; key remove"""
    run = in_session(UNLOCKED, script)
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    assert lines[0].startswith("api.anthropic.com: the key is kept in the keyring (")
    assert lines[1].startswith("api.anthropic.com: the key comes from the keyring (")
    assert lines[2:] == [
        "api.anthropic.com: the key is removed from the keyring",
        "api.anthropic.com: no key",
        "api.anthropic.com: there was no key in the keyring",
    ]
    assert KEY not in run.stdout + run.stderr


@needs_keyring
@pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")
def test_a_typed_key_is_not_shown(key: Run) -> None:
    import pty

    command = f"{UNLOCKED}; {sys.executable} -m memaudit key set"
    child, terminal = pty.fork()
    if child == 0:
        os.execvp("dbus-run-session", ["dbus-run-session", "--", "sh", "-c", command])
    shown = b""
    typed = False
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # The other end is closed.
            break
        shown += piece
        if not piece:
            break
        if not typed and b"Key for api.anthropic.com: " in shown:
            os.write(terminal, f"{KEY}\n".encode())
            typed = True
    _, status = os.waitpid(child, 0)
    assert typed and os.waitstatus_to_exitcode(status) == 0, shown
    assert b"the key is kept in the keyring" in shown
    assert KEY.encode() not in shown


@needs_keyring
def test_the_key_of_one_server_is_not_that_of_another(key: Run, tmp_path: Path) -> None:
    other = settings(tmp_path, '[model]\nurl = "https://gateway.example"\n')
    run = in_session(UNLOCKED, f"echo {KEY} | key set; key status {other}; key status")
    assert run.stdout.splitlines()[1:] == [
        "gateway.example: no key",
        "api.anthropic.com: the key comes from the keyring (SecretService Keyring)",
    ]


@needs_keyring
def test_a_set_key_says_when_the_environment_goes_first(key: Run) -> None:
    run = in_session(UNLOCKED, f"export ANTHROPIC_API_KEY=other; echo {KEY} | key set; key status")
    assert run.stdout.splitlines()[1:] == [
        "ANTHROPIC_API_KEY is set and goes first",
        "api.anthropic.com: the key comes from the environment variable ANTHROPIC_API_KEY",
    ]


@needs_keyring
def test_a_locked_keyring_is_told_in_one_line(key: Run) -> None:
    run = in_session(LOCKED, f"echo {KEY} | key set; echo $?; key status; echo $?; key remove; echo $?")
    told = [line for line in run.stderr.splitlines() if line.startswith("memaudit:")]
    assert len(told) == 2
    assert all("it is locked or cannot be used: InitError" in line for line in told)
    assert all("set the key as an environment variable instead" in line for line in told)
    codes = run.stdout.splitlines()
    assert (codes[0], codes[2], codes[3]) == ("2", "1", "2")
    assert codes[1].startswith("api.anthropic.com: no key: ")
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(
    ("backend", "what"),
    [
        ("", "there is no keyring on this machine"),
        ("keyring.backends.null.Keyring", "the keyring is switched off and keeps nothing"),
        ("keyring.backends.fail.Keyring", "there is no keyring on this machine"),
        ("keyrings.alt.file.PlaintextKeyring", "the keyring keeps keys in plain text"),
        ("mine.PlaintextKeyring", "the keyring keeps keys in plain text"),
        ("no_such_module.Keyring", "no keyring can be loaded: ModuleNotFoundError"),
        ("mine.Forgetful", "the key was not there when read back"),
        ("mine.Broken", "it is locked or cannot be used: OSError: no such device"),
    ],
)
def test_a_keyring_that_does_not_keep_keys_safe_is_refused(
    key: Run, tmp_path: Path, backend: str, what: str
) -> None:
    module = """
from keyring.backend import KeyringBackend
class PlaintextKeyring(KeyringBackend):
    priority = 1
    def get_password(self, service, username): return None
    def set_password(self, service, username, password): raise AssertionError("used")
    def delete_password(self, service, username): raise AssertionError("used")
class Forgetful(PlaintextKeyring):
    def set_password(self, service, username, password): pass
class Broken(PlaintextKeyring):
    def set_password(self, service, username, password): raise OSError("no such device")
"""
    folder = tmp_path / "modules"
    (folder / "keyrings" / "alt").mkdir(parents=True)
    (folder / "mine.py").write_text(module)
    (folder / "keyrings" / "alt" / "file.py").write_text(module)
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")]))
    variables = {"PYTHONPATH": path, **({"PYTHON_KEYRING_BACKEND": backend} if backend else {})}
    line = refused(key("set", given=KEY, **variables))
    assert what in line
    assert "environment variable instead" in line or "set ANTHROPIC_API_KEY instead" in line


def test_the_environment_goes_first_and_the_keyring_is_not_asked(key: Run) -> None:
    run = key("status", ANTHROPIC_API_KEY=KEY)
    assert (run.returncode, run.stderr) == (0, "")
    told = "api.anthropic.com: the key comes from the environment variable ANTHROPIC_API_KEY\n"
    assert run.stdout == told


def test_another_variable_can_be_named(key: Run, tmp_path: Path) -> None:
    config = settings(tmp_path, '[model]\nkey_env = "TEAM_KEY"\n')
    assert "environment variable TEAM_KEY" in key("status", config, TEAM_KEY=KEY).stdout
    run = key("status", config, ANTHROPIC_API_KEY=KEY)
    assert run.returncode == 1
    assert "no key: there is no keyring on this machine" in run.stdout


def test_the_key_of_anthropic_goes_to_no_other_server(key: Run, tmp_path: Path) -> None:
    config = settings(tmp_path, '[model]\nurl = "https://gateway.example"\n')
    run = key("status", config, ANTHROPIC_API_KEY=KEY)
    assert run.returncode == 1
    assert run.stdout.startswith("gateway.example: no key: there is no keyring")


def test_a_server_on_this_machine_needs_none(key: Run, tmp_path: Path) -> None:
    config = settings(tmp_path, '[model]\nurl = "http://127.0.0.1:8080"\n')
    run = key("status", config)
    assert run.stdout == "127.0.0.1:8080: the key comes from nowhere: a server on this machine needs none\n"
    assert "127.0.0.1:8080: a server on this machine is asked without a key" in refused(
        key("set", config, given=KEY)
    )


@pytest.mark.parametrize("given", ["", "\n", "two words", "two\nlines", "clé", "tab\there", "x" * 2001])
def test_what_can_be_no_key_is_refused_without_showing_it(key: Run, given: str) -> None:
    run = key("set", given=given)
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1
    assert "key" in run.stderr
    assert not given.strip() or given not in run.stderr


def test_a_bad_key_in_the_environment_is_not_shown(key: Run) -> None:
    assert "ANTHROPIC_API_KEY: this is no key" in refused(key("status", ANTHROPIC_API_KEY=KEY + " " + KEY))

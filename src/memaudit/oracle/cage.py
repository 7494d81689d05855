"""What this machine offers to keep a check in: no network, no writing outside its throw-away folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

_PROBE_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Cage:
    """One way to keep a check in; ``tool`` is the program that does it, empty for none.

    ``cuts_network`` and ``shuts_files`` tell what it does. With ``shuts_inside``, the files are shut by
    :mod:`memaudit.oracle.inside` once the tool has made room for that.
    """

    tool: str
    cuts_network: bool
    shuts_files: bool
    shuts_inside: bool = False
    with_proc: bool = True

    def wrapped(self, argv: Sequence[str], run: Path, folder: Path, hidden: Path | None = None) -> list[str]:
        """The command line that runs ``argv`` in the cage.

        It is run in ``folder``, may write below ``run`` only, and does not see ``hidden``, the working
        tree under review, but for a Python environment in it.
        """
        if self.tool.endswith("bwrap"):
            return [self.tool, *self._bubblewrap(argv, run, folder, hidden), *argv]
        if not self.tool:
            return list(argv)
        mounts = ["--mount", "--propagation", "private"] if self.shuts_inside else []
        inside = ["--pid", "--fork", "--kill-child=KILL", *mounts]
        return [self.tool, "--map-root-user", "--net", *inside, "--", *argv]

    def _bubblewrap(self, argv: Sequence[str], run: Path, folder: Path, hidden: Path | None) -> list[str]:
        options = ["--unshare-user", "--unshare-net", "--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL"]
        options += ["--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev"]
        options += ["--proc", "/proc"] if self.with_proc else []
        # Sockets of services lie in /run; some systems have their programs below it too.
        options += ["--tmpfs", "/run", "--ro-bind-try", "/run/current-system", "/run/current-system"]
        covered = [Path("/dev"), Path("/run")]
        if hidden is not None:
            options += ["--tmpfs", str(hidden)]
            covered.append(hidden)
        for kept in environments(argv):
            if any(kept.is_relative_to(one) and kept != one for one in covered):
                options += ["--ro-bind", str(kept), str(kept)]
        return [*options, "--bind", str(run), str(run), "--chdir", str(folder), "--"]

    @property
    def network(self) -> str:
        """In words, what becomes of the network."""
        if self.cuts_network:
            return f"cut off ({self._name})"
        return "NOT cut off: neither bubblewrap nor unshare can be used here"

    @property
    def files(self) -> str:
        """In words, what may be written to."""
        if self.shuts_files:
            return f"only the throw-away copies can be written to ({self._name})"
        return "NOT protected: the check can write wherever you can; bubblewrap cannot be used here"

    @property
    def _name(self) -> str:
        return "bubblewrap" if self.tool.endswith("bwrap") else "unshare"


NO_CAGE = Cage("", cuts_network=False, shuts_files=False)
"""A check that is run with all the rights of whoever runs it."""


def find_cage(run: Path, launcher: Callable[[Cage], list[str]]) -> Cage:
    """The best cage that works here, tried out in the folder ``run`` on a program that does nothing.

    ``launcher`` gives the words that go before a program in a cage.
    """
    for cage in cages():
        argv = cage.wrapped([*launcher(cage), sys.executable, "-I", "-S", "-c", ""], run, run)
        try:
            tried = subprocess.run(argv, cwd=run, capture_output=True, timeout=_PROBE_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if tried.returncode == 0:
            return cage
    return NO_CAGE


def cages() -> list[Cage]:
    """Every way there may be on this machine, best first; whether it works is to be tried."""
    found = []
    if bubblewrap := shutil.which("bwrap"):
        found += [Cage(bubblewrap, True, True), Cage(bubblewrap, True, True, with_proc=False)]
    if unshare := shutil.which("unshare"):
        found += [Cage(unshare, True, True, shuts_inside=True), Cage(unshare, True, False)]
    return found


def environments(argv: Sequence[str]) -> list[Path]:
    """The folders of the Python environments that a command line starts from."""
    found = {Path(sys.prefix), Path(sys.base_prefix)}
    for word in argv:
        program = Path(word)
        if (
            program.is_absolute()
            and program.parent.name in ("bin", "Scripts")
            and os.access(program, os.X_OK)
        ):
            found.add(program.parent.parent)
    return sorted(found)

"""The program in a pseudo terminal of its own."""

from __future__ import annotations

import os
import pty
import select
import struct
import sys
import termios
import time
from collections.abc import Callable


class Terminal:
    """The program in a pseudo terminal of its own, driven by real keys."""

    def __init__(self, arguments: list[str], size: tuple[int, int], term: str = "xterm-256color") -> None:
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.execve(sys.executable, [sys.executable, *arguments], {**os.environ, "TERM": term})
        self.resize(size)
        self.written = b""

    def resize(self, size: tuple[int, int]) -> None:
        import fcntl

        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def read(self, seconds: float) -> bool:
        """Take in what was written within some time; False at the end."""
        if not select.select([self.descriptor], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.descriptor, 1 << 16)
        except OSError:
            return False
        self.written += data
        return bool(data)

    def wait_for(self, condition: Callable[[bytes], bool]) -> None:
        """Read until the output since the last key fulfils a condition."""
        end = time.monotonic() + 60
        while not condition(self.written):
            assert self.read(0.1), self.written[-2000:]
            assert time.monotonic() < end, self.written[-2000:]

    def keys(self, keys: str) -> None:
        self.written = b""
        os.write(self.descriptor, keys.encode())

    def exit_code(self) -> int:
        while self.read(0.5):
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

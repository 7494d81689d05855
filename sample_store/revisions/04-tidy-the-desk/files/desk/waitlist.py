"""Who waits for a tool that is out, first come first served."""

from __future__ import annotations

from collections import deque


class Waitlist:
    """The members waiting for one tool."""

    def __init__(self) -> None:
        self._members: deque[str] = deque()

    def join(self, member: str) -> None:
        if member not in self._members:
            self._members.append(member)

    def next(self) -> str | None:
        return self._members.popleft() if self._members else None

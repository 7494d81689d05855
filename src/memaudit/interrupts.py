"""Control-C at any moment of a start: exit code 130, and nothing on the terminal."""

from __future__ import annotations

import os
import signal

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

EXIT_CODE = 130
"""What shells give a program that was ended by control-C."""

_ENDS = [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
_AGAIN_SECONDS = 0.002


def raise_where_caught() -> None:
    """Have control-C raise KeyboardInterrupt, but never inside Python's own import machinery.

    That prints an interrupt which falls into the callbacks of its locks, and forgets it. Such a one is
    raised a moment later. Where control-C is ignored, as in background jobs of scripts, it stays so.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        return
    signal.signal(signal.SIGINT, _interrupted)
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, _interrupted)


def hand_to(stop: Callable[[], None]) -> None:
    """Have control-C call ``stop``, between any two steps of what the main thread does."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: stop())


def end_with_terminal() -> None:
    """Have the end of the terminal end the process, ``nohup`` or not: a screen without one waits for nobody.

    Decisions are in the journal by then.
    """
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


def end_after_cleaning_up() -> None:
    """Have a request to end, and the end of the terminal, leave by way of every ``finally``, with the exit
    code that shells give. Only the first one counts: what is being cleaned up is not broken off.
    """
    on_end(_leave)


class CleaningUp:
    """The same for what is done inside; afterwards such requests do what they did before."""

    def __enter__(self) -> None:
        self._before = {number: signal.getsignal(number) for number in _ENDS}
        end_after_cleaning_up()

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            # None stands for one that was not set by Python: nothing here can set that again.
            if handler is not None:
                signal.signal(number, handler)


def on_end(handler: Callable[[int, FrameType | None], object]) -> None:
    """Have a request to end, and the end of the terminal, call ``handler``; what is ignored stays so."""
    for number in _ENDS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _leave(number: int, _frame: FrameType | None) -> None:
    for each in _ENDS:
        signal.signal(each, signal.SIG_IGN)
    raise SystemExit(128 + number)


def end_at_once() -> None:
    """Have control-C end the process without a word: all is done, and Python is clearing up."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: os._exit(EXIT_CODE))


def _interrupted(number: int, frame: FrameType | None) -> None:
    importing = frame is not None and frame.f_code.co_filename.startswith("<frozen importlib")
    if importing and hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, _AGAIN_SECONDS)
        return
    raise KeyboardInterrupt

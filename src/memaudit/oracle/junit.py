"""The results of tests as pytest writes them down: JUnit XML, never its output."""

from __future__ import annotations

import enum
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

_LARGEST = 8 * 1024 * 1024
_MOST_SHOWN = 2_000


class Result(enum.StrEnum):
    """What came of one test."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Case:
    """One test: ``message`` is the first line of why it failed, cut to be shown, ``text`` all of that."""

    name: str
    result: Result
    message: str = ""
    text: str = ""


def read_results(path: Path) -> list[Case] | None:
    """The tests of a results file; None where there is none that can be read."""
    try:
        data = _bytes(path)
        if data is None:
            return None
        # pytest declares no entities: a file that does comes from elsewhere.
        if b"<!" in data[:4096].replace(b"<![CDATA[", b""):
            return None
        root = ElementTree.fromstring(data)  # noqa: S314
    except (OSError, ElementTree.ParseError, ValueError):
        return None
    return [_case(element) for element in root.iter("testcase")]


def cut(text: str, most: int = _MOST_SHOWN) -> str:
    """Text that a check wrote, in a length that can be shown."""
    return text if len(text) <= most else f"{text[:most]} … ({len(text):,} characters)"


def _bytes(path: Path) -> bytes | None:
    """What the file holds. The check may have put anything in its place: a pipe would be waited for."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
    number = os.open(path, flags)
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            return None
        with open(number, "rb", closefd=False) as file:
            data = file.read(_LARGEST + 1)
    finally:
        os.close(number)
    return data if len(data) <= _LARGEST else None


def _case(element: ElementTree.Element) -> Case:
    name = f"{element.get('classname', '')}::{element.get('name', '')}"
    for tag, result in (
        ("error", Result.ERROR),
        ("failure", Result.FAILED),
        ("skipped", Result.SKIPPED),
    ):
        found = element.find(tag)
        if found is not None:
            message = found.get("message", "").strip()
            first = message.splitlines()[0] if message else ""
            return Case(name, result, cut(first), f"{message}\n{found.text or ''}")
    return Case(name, Result.PASSED)

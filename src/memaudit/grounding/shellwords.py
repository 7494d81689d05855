"""Command lines read the way a person reads them: segments, folders entered, programs, arguments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from memaudit.patterns import lazy_regex

_SEGMENT = lazy_regex(r"\s*(?:&&|\|\||;|\||\n)\s*|\s+/\s+(?=[a-z])")
"""What parts simple commands, the slash between alternatives among it."""

_CASE_LABEL = lazy_regex(r"[^()\s|;&]+(?:\s*\|\s*[^()\s|;&]+)*\)\s*")
"""What stands before the commands of a branch of ``case``: names between bars, and no pipeline."""
_WORD = lazy_regex(r"\"[^\"]*\"|'[^']*'|[^\s\"']+(?:\"[^\"]*\"|'[^']*'|[^\s\"'])*")
_ASSIGNMENT = lazy_regex(r"[A-Za-z_]\w*=\S*")
_WRAPPERS = frozenset(
    {"sudo", "time", "exec", "env", "nohup", "command", "xargs", "dotenv", "cross-env", "corepack"}
)

_RUNS_ANOTHER = frozenset(
    {
        "uv",
        "poetry",
        "pdm",
        "rye",
        "hatch",
        "bundle",
        "npx",
        "uvx",
        "pnpm",
        "yarn",
        "bunx",
        "python",
        "python3",
    }
)
_PASSES = frozenset({"run", "exec", "dlx", "-m", "x"})


@dataclass(frozen=True, slots=True)
class Segment:
    """One simple command: ``folder`` is where earlier ``cd`` segments have led, relative."""

    program: str
    arguments: tuple[str, ...]
    folder: str


def segments(line: str) -> Iterator[Segment]:
    """The simple commands of a line, prompts, assignments and wrappers taken off."""
    folder = ""
    bare = line.strip().lstrip("$>%").strip()
    label = _CASE_LABEL.match(bare)
    for part in _SEGMENT.split(bare[label.end() :] if label else bare):
        words = [word.strip("()") for word in _WORD.findall(part)]
        while words and (_ASSIGNMENT.fullmatch(words[0]) or words[0] in _WRAPPERS):
            words.pop(0)
        if not words:
            continue
        if words[0] == "cd" and len(words) > 1:
            folder = f"{folder}/{words[1]}".strip("/") if not words[1].startswith("/") else words[1]
            continue
        yield Segment(words[0], tuple(words[1:]), folder)


def made_by(segment: Segment) -> tuple[str, ...]:
    """The arguments that a simple command makes: all of ``touch``, the last of ``cp``, what ``>`` and
    ``-o`` lead to.
    """
    words = segment.arguments
    plain = tuple(word for word in words if not word.startswith("-"))
    after = tuple(word for flag, word in pairwise(words) if flag in (">", ">>", "-o", "--output", "--out"))
    if segment.program in ("touch", "mkdir", "tee"):
        return plain + after
    return plain[1:][-1:] + after if segment.program in ("cp", "ln", "install") else after


def programs_of(segment: Segment) -> list[str]:
    """The program of a simple command, and those it runs in turn: ``uv run pytest`` is both."""
    found = [segment.program]
    rest = list(segment.arguments)
    while found[-1] in _RUNS_ANOTHER and rest:
        passed = False
        while rest and (rest[0] in _PASSES or rest[0].startswith("-")):
            passed = passed or rest[0] in _PASSES
            rest.pop(0)
        if not rest or not (passed or found[-1] in ("npx", "uvx", "bunx")):
            break
        found.append(rest.pop(0))
    return found


@lru_cache(maxsize=4096)
def started(commands: str) -> frozenset[str]:
    """Every program that commands, a line or several, start by themselves or through another."""
    return frozenset(program for segment in segments(commands) for program in programs_of(segment))

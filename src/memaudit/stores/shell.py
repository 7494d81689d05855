"""Shell code cut into logical commands: what is typed as one thing stays one thing.

Line continuations, here-documents, compound commands, open quotes and open brackets keep lines
together. Nothing is run or expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memaudit.patterns import lazy_regex
from memaudit.stores.blocks import CodeLine
from memaudit.stores.vocabulary import TOOLS

MAX_LINES = 200
"""A command that is still open after so many lines is taken to end on its first."""

MAX_AHEAD = 2000
"""So many lines of one block are read in vain, looking for the ends of commands that have none."""

_PROMPT = lazy_regex(
    r"\s*(?:\$|%|❯|➜|PS [^>]{0,200}>|[\w.-]{1,40}@[\w.-]{1,80}[:\w~/. -]{0,200}[$#])[ \t]+(?=\S)"
)
_CONTINUATION_PROMPT = lazy_regex(r"\s*>[ \t]+")
_HEREDOC = lazy_regex(r"<<(?P<dash>-?)\s*(?P<quote>[\"']?)(?P<word>[A-Za-z_]\w*)(?P=quote)")
_OPENING = lazy_regex(r"(?:^|[;&|({]|\bdo\b|\bthen\b|\belse\b)\s*(?P<word>if|for|while|until|case|select)\b")
_CLOSING = lazy_regex(r"(?:^|[;&|]|\s)\s*(?:fi|done|esac|end)\b(?=\s*(?:$|[;&|)<>]))")


class Command(NamedTuple):
    """One logical command: where it starts and ends in the code, its words and the comments above it."""

    first: int
    last: int
    start: int
    end: int
    text: str
    labels: tuple[str, ...]


def looks_like_shell(code: Sequence[CodeLine]) -> bool:
    """Whether code of no stated language is shell: it shows prompts, or starts each line with a tool."""
    lines = [line.text.strip() for line in code if line.text.strip()]
    if any(re.match(r"\$ \S", line) for line in lines):
        return True
    commands = [line for line in lines if not line.startswith("#")]
    if not commands:
        return False
    firsts = [line.split(None, 1)[0] for line in commands]
    known = [word in TOOLS or bool(re.match(r"\.{1,2}/[\w./-]+$", word)) for word in firsts]
    continued = [False, *(line.endswith(("\\", "&&", "|")) for line in commands[:-1])]
    return known[0] and all(name or more for name, more in zip(known, continued, strict=True))


def split_commands(code: Sequence[CodeLine]) -> Iterator[Command]:
    """The commands of a block of shell code; comments become labels of the command that follows.

    Where any line shows a prompt, lines without one are taken for output and left out.
    """
    ahead = MAX_AHEAD
    prompted = any(_PROMPT.match(line.text) for line in code)
    labels: list[str] = []
    at = 0
    while at < len(code):
        text = code[at].text
        stripped = text.strip()
        prompt = _PROMPT.match(text)
        if not stripped:
            labels = []
        elif stripped.startswith("#") and at and _continues_note(code[at - 1].text, text):
            pass
        elif stripped.startswith("#") and not (prompt and prompted):
            labels.append(stripped.lstrip("#!").strip())
        elif prompt or not prompted:
            start = prompt.end() if prompt else len(text) - len(text.lstrip())
            last, looked_at = _last_line(code, at, start, min(MAX_LINES, max(ahead, 1)))
            ahead -= looked_at if last == at else 0
            yield _command(code, at, last, start, tuple(label for label in labels if label))
            # A label speaks for the commands right below it, up to the next blank line or label.
            at = last
            if at + 1 < len(code) and code[at + 1].text.lstrip().startswith("#"):
                labels = []
        at += 1


def _continues_note(above: str, text: str) -> bool:
    """Whether an indented comment goes on with the note at the end of the line above it."""
    return text[:1].isspace() and " #" in above


def _command(code: Sequence[CodeLine], first: int, last: int, start: int, labels: tuple[str, ...]) -> Command:
    end = len(code[last].text.rstrip())
    words = code[first].text[start : end if first == last else None].rstrip()
    for line in code[first + 1 : last + 1]:
        if words.endswith(("\\", " `")) and not words.endswith("\\\\"):
            following = (
                _CONTINUATION_PROMPT.sub("", line.text) if line.text.lstrip().startswith("> ") else line.text
            )
            words = f"{words[:-1].rstrip()} {following.strip()}"
        else:
            words = f"{words}\n{line.text.rstrip()}"
    return Command(first, last, start, end, words, labels)


def _last_line(code: Sequence[CodeLine], first: int, start: int, limit: int) -> tuple[int, int]:
    """The index of the line on which the command starting at ``first`` ends, and how many were read
    beyond the first.
    """
    state = _Reader()
    end = min(first + limit, len(code))
    for at in range(first, end):
        state.read(code[at].text[start if at == first else 0 :])
        if state.complete:
            return at, at - first
    # Left open to the end: what looked like an opening was none, so the line stands alone.
    last = first if not code[first].text.rstrip().endswith("\\") else _continued(code, first)
    return last, end - first - 1


def _continued(code: Sequence[CodeLine], first: int) -> int:
    at = first
    while at + 1 < len(code) and code[at].text.rstrip().endswith("\\"):
        at += 1
    return at


class _Reader:
    """Reads a command line by line and knows whether something is still open."""

    def __init__(self) -> None:
        self._quote = ""
        self._brackets = 0
        self._blocks = 0
        self._heredocs: list[tuple[str, bool]] = []
        self._continues = False

    @property
    def complete(self) -> bool:
        return not (
            self._quote or self._brackets > 0 or self._blocks > 0 or self._heredocs or self._continues
        )

    def read(self, line: str) -> None:
        if self._heredocs:
            word, dashed = self._heredocs[0]
            if (line.strip() if dashed else line.rstrip()) == word:
                self._heredocs.pop(0)
            return
        bare = self._without_quotes(line)
        self._continues = bare.rstrip().endswith(("\\", "&&", "|", "`")) if not self._quote else False
        self._blocks += len(_OPENING.findall(bare)) - len(_CLOSING.findall(bare))
        self._blocks = max(self._blocks, 0)
        for match in _HEREDOC.finditer(line):
            if "<<<" not in line:
                self._heredocs.append((match["word"], bool(match["dash"])))

    def _without_quotes(self, line: str) -> str:
        """The line without quoted text and comments; counts brackets on the way."""
        kept: list[str] = []
        at = 0
        while at < len(line):
            char = line[at]
            if self._quote:
                if char == "\\" and self._quote == '"':
                    at += 1
                elif char == self._quote:
                    self._quote = ""
            elif char == "\\" and at + 1 < len(line):
                kept.append("_")
                at += 1
            elif char == "'" and line[at - 1 : at].isalpha() and line[at + 1 : at + 2].isalpha():
                kept.append(char)  # an apostrophe, as in "don't"
            elif char in "\"'":
                self._quote = char
                kept.append("_")
            elif char == "#" and (at == 0 or line[at - 1].isspace()):
                break
            else:
                self._brackets += (char in "({") - (char in ")}")
                kept.append(char)
            at += 1
        self._brackets = max(self._brackets, 0)
        return "".join(kept)

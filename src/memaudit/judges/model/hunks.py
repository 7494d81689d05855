"""The change between two revisions in pieces, each with the header of the definition it stands in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memaudit.domain import Location
from memaudit.grounding.ground import Ground, Side, is_test, is_vendored
from memaudit.judges.model.masking import mask
from memaudit.repo.blame import unchanged_runs
from memaudit.text import visible

_CONTEXT = 3
_LONGEST = 60
"""Lines of a piece, beyond which it is cut in two."""
_MOST_LINES = 20_000
_MOST_BYTES = 256 * 1024
_WIDEST = 300
_MOST_MOVED = 200
"""How many vanished files are looked for under other names."""
_LOCKS = (
    "package-lock.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "poetry.lock",
    "uv.lock",
    "cargo.lock",
    "go.sum",
    "gemfile.lock",
    "composer.lock",
    "packages.lock.json",
    "pdm.lock",
    "pipfile.lock",
    "bun.lock",
    "deno.lock",
    "flake.lock",
)
_SCOPES = frozenset(
    {"class", "interface", "struct", "trait", "enum", "record", "type", "module", "namespace", "impl"}
)
_BODIES = frozenset({"function", "method", "constructor", "macro"})
_SHOWN = _SCOPES | _BODIES


@dataclass(frozen=True, slots=True)
class Hunk:
    """A piece of the change to one file. Lines carry ``-``, ``+`` or a blank in front, secrets are masked.

    ``base_line`` and ``head_line`` count from 1 and name the first line of the piece on either side.
    ``state`` says what became of the file, ``inside`` names the definitions that it touches.
    """

    path: str
    state: str
    header: str
    base_line: int
    head_line: int
    lines: tuple[str, ...]
    inside: frozenset[str] = frozenset()

    def rendered(self) -> str:
        """The piece as the model reads it."""
        inside = f"\nin: {self.header}" if self.header else ""
        body = "\n".join(self.lines)
        return (
            f"file: {self.path} ({self.state}){inside}\n@@ -{self.base_line} +{self.head_line} @@\n{body}\n"
        )

    def first(self, sign: str) -> Location | None:
        """The first line with a sign, as a place: ``-`` at base, ``+`` at head."""
        number = self.base_line if sign == "-" else self.head_line
        for line in self.lines:
            if line[0] == sign:
                return Location(self.path, number, line[1:].strip()[:_WIDEST])
            number += line[0] in (sign, " ")
        return None


class Diff:
    """What changed between the two sides of a ground, file by file, when asked.

    Tests, vendored code, lock files, memory files and what ``hidden`` says may not leave are left out.
    """

    def __init__(self, ground: Ground, hidden: Callable[[str], bool], memory: frozenset[str]) -> None:
        self._ground = ground
        changes = ground.changes
        changed = changes.added | changes.modified | changes.deleted
        self._hunks: dict[str, list[Hunk]] = {}
        self.paths = frozenset(path for path in changed if _is_shown(path, memory) and not hidden(path))
        self._moved = self._find_moved(hidden)

    def _find_moved(self, hidden: Callable[[str], bool]) -> dict[str, str]:
        """Where files went that are neither shown as gone nor as new: new paths by old ones."""
        deleted = sorted(path for path in self._ground.changes.deleted if path in self.paths)
        found: dict[str, str] = {}
        for old in deleted if len(deleted) <= _MOST_MOVED else ():
            rename = self._ground.changes.renamed(old)
            if rename is not None and rename.new in self.paths and rename.new not in found.values():
                found[old] = rename.new
        return found

    def is_within(self, files: int, size: int) -> bool:
        """Whether the change is of so many files at most, which have so many bytes on both sides together."""
        if len(self.paths) > files:
            return False
        for path in self.paths:
            for side in (self._ground.base, self._ground.head):
                size -= len(side.snapshot.read(path) or b"")
            if size < 0:
                return False
        return True

    def hunks(self, path: str) -> list[Hunk]:
        """The pieces of one file; none for a file that is binary, too large, or only moved here."""
        if path not in self._hunks:
            known = path in self.paths and path not in self._moved.values()
            self._hunks[path] = list(self._read(path)) if known else []
        return self._hunks[path]

    def _read(self, path: str) -> Iterator[Hunk]:
        new = self._moved.get(path, path)
        before, after = _text(self._ground.base, path), _text(self._ground.head, new)
        if before is None and after is None:
            return
        state = (
            f"moved to {new}"
            if new != path
            else "new"
            if before is None
            else "gone"
            if after is None
            else "changed"
        )
        old_lines, new_lines = _lines(before or ""), _lines(after or "")
        if len(old_lines) > _MOST_LINES or len(new_lines) > _MOST_LINES:
            return
        pieces = list(_pieces(before or "", after or "", old_lines, new_lines))
        if not pieces and new != path:
            yield Hunk(path, f"{state}, the same inside", "", 1, 1, ())
        for base_line, head_line, lines in pieces:
            header = self._header(path, new, base_line, head_line, lines)
            inside = self._inside(path, new, base_line, head_line, lines)
            yield Hunk(visible(path), visible(state), header, base_line, head_line, tuple(lines), inside)

    def _inside(self, old: str, new: str, base_line: int, head_line: int, lines: list[str]) -> frozenset[str]:
        base_last = base_line + sum(line[0] != "+" for line in lines)
        head_last = head_line + sum(line[0] != "-" for line in lines)
        return frozenset(
            item.name
            for side, path, first, last in (
                (self._ground.base, old, base_line, base_last),
                (self._ground.head, new, head_line, head_last),
            )
            for item in side.definitions(path)
            if item.line_start < last and first <= item.line_end and item.kind.rstrip("?") in _SHOWN
        )

    def _header(self, old: str, new: str, base_line: int, head_line: int, lines: list[str]) -> str:
        """What the first changed line stands in, outermost first."""
        skipped = next((number for number, line in enumerate(lines) if line[0] != " "), 0)
        found = _enclosing(self._ground.head, new, head_line + skipped)
        return found or _enclosing(self._ground.base, old, base_line + skipped)


def _is_shown(path: str, memory: frozenset[str]) -> bool:
    return not (
        path in memory or is_test(path) or is_vendored(path) or path.rpartition("/")[2].lower() in _LOCKS
    )


def _text(side: Side, path: str) -> str | None:
    """The masked text of a file, None where it has none or too much of it."""
    text = side.snapshot.text(path)
    return mask(text, path) if text is not None and len(text) <= _MOST_BYTES else None


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _pieces(before: str, after: str, old: list[str], new: list[str]) -> Iterator[tuple[int, int, list[str]]]:
    """The changed stretches with the lines around them: first line at base, at head, and the lines."""
    piece: list[str] = []
    start = (1, 1)
    at_old = at_new = 0
    trailing = 0
    runs = [*unchanged_runs(before.encode(), after.encode())]
    for run in runs:
        gone = [f"-{_shown(line)}" for line in old[at_old : run.before]]
        come = [f"+{_shown(line)}" for line in new[at_new : run.after]]
        same = old[run.before : run.before + run.length]
        if gone or come:
            if not piece:
                lead = min(_CONTEXT, trailing)
                start = (at_old - lead + 1, at_new - lead + 1)
                piece = [f" {_shown(line)}" for line in old[at_old - lead : at_old]]
            piece += gone + come
        last = run is runs[-1]
        if piece and (last or run.length > 2 * _CONTEXT):
            piece += [f" {_shown(line)}" for line in same[:_CONTEXT]]
            yield from _cut(*start, piece)
            piece = []
        elif piece:
            piece += [f" {_shown(line)}" for line in same]
        at_old, at_new = run.before + run.length, run.after + run.length
        trailing = run.length


def _cut(base_line: int, head_line: int, lines: list[str]) -> Iterator[tuple[int, int, list[str]]]:
    for first in range(0, len(lines), _LONGEST):
        part = lines[first : first + _LONGEST]
        if any(line[0] != " " for line in part):
            yield base_line, head_line, part
        base_line += sum(line[0] != "+" for line in part)
        head_line += sum(line[0] != "-" for line in part)


def _shown(line: str) -> str:
    safe = visible(line, keep_lines=True)
    return safe if len(safe) <= _WIDEST else safe[: _WIDEST - 1] + "…"


def _enclosing(side: Side, path: str, line: int) -> str:
    around = [item for item in side.definitions(path) if item.line_start <= line <= item.line_end]
    scopes = [item for item in around if item.kind.rstrip("?") in _SCOPES]
    bodies = [item for item in around if item.kind.rstrip("?") in _BODIES]
    shown = [*scopes[-2:], *bodies[-1:]]
    shown.sort(key=lambda item: item.line_start)
    return " > ".join(mask(visible(item.signature), path)[:160] for item in shown)

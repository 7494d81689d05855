"""Where in the code a claim is about: first the file, then the definition in it, then the lines around that.

Nothing is guessed: a place counts only if the claim names it and the revision has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from memaudit.domain import Claim, Judgement
from memaudit.grounding.ground import Side, is_vendored
from memaudit.grounding.words import is_compound
from memaudit.judges.model.masking import is_environment, mask
from memaudit.patterns import lazy_regex
from memaudit.repo.names import normal_path
from memaudit.repo.symbols import Definition

AROUND = 10
"""Lines that are shown before and after a definition."""

BUDGET = 12_000
"""Characters of code that are shown for one claim."""

_LONGEST = 80
"""Lines of a definition that are shown."""
_TOP = 40
"""Lines of a file that is named without any definition of it."""
_MOST_PLACES = 6
_MOST_BYTES = 256 * 1024

_SPAN = lazy_regex(r"`+([^`\n]+)`+")
_NAME = lazy_regex(r"[A-Za-z_$][\w$]*")


@dataclass(frozen=True, slots=True)
class Spot:
    """Some lines of a file at base; ``name`` is the definition that they hold, empty for none.

    ``line`` is the first one, from 1; secrets in ``text`` are masked.
    """

    path: str
    name: str
    line: int
    text: str

    def rendered(self) -> str:
        """The lines as the model reads them."""
        about = f"\ndefinition: {self.name}" if self.name else ""
        last = self.line + self.text.count("\n")
        return f"file: {self.path}{about}\nlines: {self.line} to {last}\n{self.text}\n"


def locate(
    claim: Claim, judgement: Judgement, base: Side, hidden: Callable[[str], bool], memory: frozenset[str]
) -> tuple[Spot, ...]:
    """The places at base that a claim names, as far as they may be shown and have room."""

    def is_shown(path: str) -> bool:
        size = len(base.snapshot.read(path) or b"")
        closed = hidden(path) or is_environment(path) or path in memory or is_vendored(path)
        return not closed and 0 < size <= _MOST_BYTES

    spans = [reference.text for reference in judgement.references] + _SPAN.findall(claim.text)
    files = [path for path in dict.fromkeys(_files(spans, base)) if is_shown(path)]
    found: list[Spot] = []
    defined: set[str] = set()
    for path, item in _definitions([*spans, *_compounds(claim.text)], files, base):
        if is_shown(path) and len(found) < _MOST_PLACES:
            last = min(item.line_end, item.line_start + _LONGEST)
            found.append(_spot(path, item.qualified, item.line_start - AROUND, last + AROUND, base))
            defined.add(path)
    found += [_spot(path, "", 1, _TOP, base) for path in files if path not in defined][:_MOST_PLACES]
    chosen, left = [], BUDGET
    for spot in dict.fromkeys(found):
        if len(spot.rendered()) <= left:
            chosen.append(spot)
            left -= len(spot.rendered())
    return tuple(chosen)


def _files(spans: Iterable[str], base: Side) -> Iterator[str]:
    for span in spans:
        for word in re.split(r"[\s:#]+", span):
            if "." not in word and "/" not in word:
                continue
            path = normal_path(word.strip("./,;"))
            if path and base.snapshot.kind(path) == "file":
                yield path
            elif path:
                ends = [one for one in base.snapshot.by_suffix(path) if base.snapshot.kind(one) == "file"]
                yield from ends if len(ends) == 1 else ()


def _definitions(spans: Iterable[str], files: list[str], base: Side) -> Iterator[tuple[str, Definition]]:
    """What the claim names in the files that it names, else in the one file that defines it."""
    names = dict.fromkeys(name for span in spans for name in _names(span))
    for name in names:
        inside = [(path, item) for path in files for item in base.defined_in(path, name)]
        if inside:
            yield from inside
            continue
        anywhere = base.defined(name) if len(name) > 2 else []
        if len({path for path, _ in anywhere}) == 1:
            yield from anywhere


def _names(span: str) -> list[str]:
    """The names in code: all of a call or a dotted one, none of a sentence or a command."""
    if " " in span.partition("(")[0].strip():
        return []
    return _NAME.findall(span.partition("(")[0])


def _compounds(text: str) -> list[str]:
    return [word for word in _NAME.findall(text) if is_compound(word)]


def _spot(path: str, name: str, first: int, last: int, base: Side) -> Spot:
    first = max(first, 1)
    # All of it is masked: a secret may begin above what is shown.
    lines = mask(base.snapshot.text(path) or "", path).split("\n")[first - 1 : last]
    return Spot(path, name, first, "\n".join(lines).rstrip("\n"))

"""What a statement about behaviour is about: one function, class or file of this repository."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from memaudit.domain import Block
from memaudit.grounding.bodied import of_kinds, of_kinds_in
from memaudit.grounding.ground import Ground, Side, is_test
from memaudit.grounding.language import Polarity
from memaudit.grounding.path import PathKind
from memaudit.grounding.places import resolve
from memaudit.grounding.reach import Stretch, body, called, called_beside, imported, whole
from memaudit.grounding.reference import Mention
from memaudit.grounding.words import ClaimText, Form, Word
from memaudit.patterns import lazy_regex
from memaudit.repo.symbols import language

_SPAN_NAME = lazy_regex(r"(?:\w+(?:\.|::|#|->))*([A-Za-z_$][\w$]*[!?]?)(?:\(.*\))?\Z")
_BODIED = frozenset({"function", "method", "constructor", "class", "struct", "trait", "interface"})
_DEMANDS = lazy_regex(
    r"\b(?:must|should|shall|needs? to|ha(?:s|ve) to|prefer|avoid|never|do not|don't|ensure|make sure"
    r"|recommended)\b|^\W*(?:use|add|keep|write|always|pass|convert|put|log|raise|throw|call|run|import|consider|choose)\b",
    re.IGNORECASE,
)


class Subject(NamedTuple):
    """The same thing at both ends; ``name`` is how the claim calls it, ``file`` when it is all of a file."""

    name: str
    base: Stretch
    head: Stretch
    file: bool
    mention: tuple[int, int]

    def near(self, side: Side, at: Stretch) -> list[Stretch]:
        """Where it does things itself: its lines, and functions beside it in the file that it calls."""
        if self.file:
            return [at]
        return [at, *(item for item in called_beside(at, side) if item != at)]

    def reached(self, side: Side, at: Stretch) -> list[Stretch]:
        """Where things may happen on its behalf: also all that it calls or imports, tests left out."""
        inside = [whole(path, side) for path in imported(at.path, side, deep=1)] if self.file else []
        return [at, *inside, *called(at, side)]


def demands(text: ClaimText) -> bool:
    """Whether the claim asks for something instead of telling what is: code can break it, not refute it."""
    return bool(_DEMANDS.search(text.prose))


def subject_of(text: ClaimText, around: tuple[int, int], ground: Ground) -> Subject | None:
    """The one thing that the claim speaks of beside the words at ``around``; None where it may be several."""
    found = ground.remember(("subjects", text.claim.id, text.text), lambda: _subjects(text, ground))
    usable = [item for item in found if item.mention != around]
    functions = [item for item in usable if not item.file]
    if len(functions) == 1 and all(item.base.path == functions[0].base.path for item in usable):
        return functions[0]
    return usable[0] if len(usable) == 1 else None


def names_of(text: ClaimText) -> Iterator[tuple[str, Word]]:
    """The names in code spans that may be the subject, without their owners."""
    for word in text.of(Form.CODE):
        match = _SPAN_NAME.match(word.text)
        if match:
            yield match[1], word


def _subjects(text: ClaimText, ground: Ground) -> list[Subject]:
    if text.claim.block in (Block.COMMAND, Block.FENCE):
        return []
    found: dict[tuple[Stretch, Stretch], Subject] = {}
    for mention in PathKind().mentions(text):
        if mention.kind == "path" and mention.polarity is Polarity.ASSERTED:
            subject = _file(mention, text, ground)
            if subject:
                found.setdefault((subject.base, subject.head), subject)
    for name, word in names_of(text):
        if pair := _defined(name, ground):
            found.setdefault(pair, Subject(word.text, *pair, False, (word.start, word.end)))
    return list(found.values())


def _file(mention: Mention, text: ClaimText, ground: Ground) -> Subject | None:
    before, after = (resolve(mention, text, side) for side in (ground.base, ground.head))
    if not before or not after or before[0].path != after[0].path:
        return None
    path = before[0].path
    if language(path) is None or is_test(path) or ground.base.snapshot.kind(path) != "file":
        return None
    if not before[0].direct and len(before) > 1:
        return None
    pair = whole(path, ground.base), whole(path, ground.head)
    return Subject(mention.text, *pair, True, (mention.start, mention.end))


def _defined(name: str, ground: Ground) -> tuple[Stretch, Stretch] | None:
    """The only definition of a name at base, and the one at head: in the same file, or the only one."""
    before = list(islice(of_kinds(name, _BODIED, ground.base), 2))
    if len(before) != 1:
        return None
    path, was = before[0]
    here = []
    if path in ground.head.defining_files(name):
        here = [(path, item) for item in of_kinds_in(path, name, _BODIED, ground.head)]
    here = here or list(islice(of_kinds(name, _BODIED, ground.head), 2))
    if len(here) != 1 or here[0][1].kind != was.kind:
        return None
    return body(path, was), body(*here[0])

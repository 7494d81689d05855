"""Two words of prose that name a definition of the file: "tree format" for ``format_tree()``.

They are refuted where the definition is gone from all code and the file has neither word in its code any
more, nor anything it imports or calls a name built from both.
"""

from __future__ import annotations

from collections.abc import Iterator

from memaudit.grounding.causes import defines
from memaudit.grounding.code import subwords
from memaudit.grounding.ground import Ground, Side
from memaudit.grounding.path import PathKind
from memaudit.grounding.reach import Stretch
from memaudit.grounding.reference import Mention, Outcome, broken
from memaudit.grounding.subject import Subject
from memaudit.grounding.words import ClaimText
from memaudit.patterns import lazy_regex

_PAIR = lazy_regex(r"(?<![\w./-])(?=([A-Za-z][a-z]{3,})[ -]([a-z]{4,})(?![\w/.-]\w|\w))")
_COMMON = frozenset(
    "with from that this then when where which while into onto over only each every must should your have"
    " been also more most uses used using code file files"
    " module class function method helper helpers main data".split()
)
_NAME = lazy_regex(r"[A-Za-z_]\w*")


def read(text: ClaimText) -> Iterator[tuple[str, str, int, int]]:
    """The pairs of neighbouring words in a claim that names a file, with their places."""
    if not any(mention.kind == "path" for mention in PathKind().mentions(text)):
        return
    for match in _PAIR.finditer(text.prose):
        if _COMMON.isdisjoint((match[1].lower(), match[2].lower())):
            start, end = match.start(1), match.end(2)
            yield "phrase", text.prose[start:end], start, end


def check(mention: Mention, subject: Subject, ground: Ground) -> Outcome | None:
    """See the module's first lines for the rule."""
    if not subject.file:
        return None
    wanted = _words(mention.extra[1])
    path = subject.base.path
    was = next((item for item in ground.base.definitions(path) if _words(item.name) == wanted), None)
    if was is None or was.kind.endswith("?") or len(wanted) < 2:
        return None
    if any(wanted & _words(line) for _, line in subject.head.lines(ground.head)):
        return None
    if ground.head.hits(was.name) or any(
        _built_from(wanted, stretch, ground.head) for stretch in subject.reached(ground.head, subject.head)
    ):
        return None
    base, head = ground.base.at(path, was.line_start), ground.head.place(subject.head.path)
    return broken(
        mention,
        "body-changed",
        f"{path} had {was.name} at base; at head it has no such thing, and nor does any other code",
        base=was.signature,
        head=head.text,
        base_at=base,
        head_at=head,
        commit=ground.broken_at(path, defines(was.name, path)),
        confidence=0.8,
    )


def _words(text: str) -> set[str]:
    return {word.removesuffix("s") for word in subwords(text)}


def _built_from(wanted: set[str], stretch: Stretch, side: Side) -> bool:
    """Whether a name in some code has all of these words."""
    return any(wanted <= _words(name) for _, line in stretch.lines(side) for name in _NAME.findall(line))

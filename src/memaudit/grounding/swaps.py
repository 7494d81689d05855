"""Outcomes of a function that one line shows: the error it raises, the status it answers, the level it logs.

Such a thing counts as replaced only where the line that had it stands at head with another of its sort in
its place, and the function and all it calls have the old one no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from memaudit.grounding.code import subwords
from memaudit.grounding.ground import Ground
from memaudit.grounding.reach import Stretch
from memaudit.grounding.reference import Mention, Outcome, Replacement, broken
from memaudit.grounding.subject import Subject
from memaudit.grounding.words import ClaimText
from memaudit.patterns import lazy_regex

_LEVELS = {"debug": "debug", "info": "info", "warn": "warn", "warning": "warn", "error": "error"}
_LEVEL = r"debug|info|warn(?:ing)?|error"
_STATUS_NAMES = {
    "bad": "400", "unauthorized": "401", "forbidden": "403", "found": "404", "conflict": "409", "gone": "410"
}  # fmt: skip

_ERROR_SAID = lazy_regex(r"\b(?:raises?|throws?|fails? with|panics? with)\s+(?:an?\s+)?`([A-Z]\w*)`")
_STATUS_SAID = lazy_regex(
    r"\b(?:returns?|responds? with|answers?(?: with)?|replies with|status(?: code)?)\s+"
    r"(?:an?\s+|HTTP\s+)?`?([1-5]\d\d)(?!\w|\.\d)"
)
_LEVEL_SAID = lazy_regex(
    rf"\blogs?\b[^.;,]{{0,30}}?\b(?:an?|at|as)\s+`?({_LEVEL})`?(?:\s+level)?(?![\w-])", re.IGNORECASE
)
_ASYNC_SAID = lazy_regex(r"\b(?:is|are)\s+(?:an?\s+)?(async|asynchronous|synchronous)\b(?!-)", re.IGNORECASE)

_RAISED = lazy_regex(r"\b(?:raise|throw)\s+(?:new\s+)?(?:[\w]+(?:\.|::))*([A-Z]\w*)")
_STATUS = lazy_regex(r"(?<![\w.])([1-5]\d\d)(?![\w.])")
_LOGGED = lazy_regex(rf"\b\w*log\w*(?:\.|::)({_LEVEL})\s*\(|\b({_LEVEL})!\s*\(", re.IGNORECASE)
_DEFERRED = lazy_regex(
    r"\b(?:Promise|Future|Task|ValueTask|Awaitable|Coroutine|Deferred|await|BoxFuture|then)\b"
)
_WAITS = lazy_regex(r"\b(?:async|suspend)\b")
_ARGUMENTS = lazy_regex(r"\w!?\s*\((?P<all>.*)\)")


def read(text: ClaimText) -> Iterator[tuple[str, str, int, int]]:
    """Sort and name of each outcome that the claim tells, with its place."""
    for sort, pattern in (
        ("error", _ERROR_SAID),
        ("status", _STATUS_SAID),
        ("level", _LEVEL_SAID),
        ("async", _ASYNC_SAID),
    ):
        found = list(pattern.finditer(text.text))
        if len(found) == 1:
            yield sort, found[0][1], *found[0].span(1)


def arguments(line: str) -> list[str]:
    """The words of the arguments of the outermost call of a line."""
    match = _ARGUMENTS.search(line)
    return subwords(match["all"]) if match else []


def check(mention: Mention, subject: Subject, ground: Ground) -> Outcome | None:
    """Stale when the line that showed the outcome shows another, and the old one is nowhere in reach."""
    if subject.file:
        return None
    sort, name = mention.extra
    if sort == "async":
        return _waiting(mention, name.lower(), subject, ground)
    if sort == "level":
        name = _LEVELS[name.lower()]
    for (number, old), (at, new) in _rewritten(subject.base, subject.head, ground):
        was, now = _value(sort, old), _value(sort, new)
        if was != name or now is None or now == name or not _alike(sort, old, new):
            continue
        reached = subject.reached(ground.head, subject.head)
        if any(_names(sort, name, line) for item in reached for _, line in item.lines(ground.head)):
            return None
        if sort == "error" and _is_a(now, name, ground):
            return None
        base, head = ground.base.at(subject.base.path, number), ground.head.at(subject.head.path, at)
        return broken(
            mention,
            "body-changed",
            f"{subject.name} had {name} at base where it has {now} at head",
            base=base.text,
            head=head.text,
            base_at=base,
            head_at=head,
            commit=ground.line_change(base.path, base.text),
            confidence=0.85,
            replacements=(Replacement(mention.text, now, False, "in the same line"),),
        )
    return None


def _value(sort: str, line: str) -> str | None:
    match = {"error": _RAISED, "status": _STATUS, "level": _LOGGED}[sort].search(line)
    if match is None:
        return None
    return _LEVELS[next(filter(None, match.groups())).lower()] if sort == "level" else match[1]


def _names(sort: str, name: str, line: str) -> bool:
    """Whether a line may still stand for the outcome, however loosely."""
    if sort == "status":
        spelled = {number for word, number in _STATUS_NAMES.items() if word in subwords(line)}
        return name in spelled or bool(re.search(rf"(?<!\d){name}(?!\d)", line))
    return name in line if sort == "error" else any(_LEVELS[found] == name for found in _levels(line))


def _levels(line: str) -> list[str]:
    return [word for word in subwords(line) if word in _LEVELS]


def _alike(sort: str, old: str, new: str) -> bool:
    """Whether two lines are one line but for the outcome; an error may take its text along or not."""
    if sort == "error":
        return True
    pattern = _STATUS if sort == "status" else re.compile(rf"\b(?:{_LEVEL})\b", re.IGNORECASE)
    return pattern.sub("?", old.strip()) == pattern.sub("?", new.strip())


def _is_a(error: str, other: str, ground: Ground) -> bool:
    """Whether an error of the repository may be a sort of the other: it is defined with a parent or alias."""
    found = ground.head.defined(error)
    return any(other in item.signature or not _is_plain(item.signature) for _, item in found)


def _is_plain(signature: str) -> bool:
    return bool(
        re.search(r"\((?:Exception|RuntimeError)?\)|^class \w+:?$|extends (?:Error|Exception)\b", signature)
    )


def _rewritten(
    base: Stretch, head: Stretch, ground: Ground
) -> Iterator[tuple[tuple[int, str], tuple[int, str]]]:
    """Lines of code that stand in place of others between lines that stayed."""
    old = [(number, line) for number, line in base.lines(ground.base) if line.strip()]
    new = [(number, line) for number, line in head.lines(ground.head) if line.strip()]
    matcher = SequenceMatcher(
        None, [line.strip() for _, line in old], [line.strip() for _, line in new], False
    )
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag == "replace" and last - first == end - start:
            yield from zip(old[first:last], new[start:end], strict=True)


def _waiting(mention: Mention, said: str, subject: Subject, ground: Ground) -> Outcome | None:
    """Whether the header of a function has lost, or got, what makes its callers wait for it."""
    was, now = (
        side.code(at.path)[at.first - 1] if at.first <= len(side.code(at.path)) else ""
        for side, at in ((ground.base, subject.base), (ground.head, subject.head))
    )
    wanted = said != "synchronous"
    if not was or not now or bool(_WAITS.search(was)) is not wanted or bool(_WAITS.search(now)) is wanted:
        return None
    lines = [line for _, line in subject.head.lines(ground.head)]
    if wanted and any(_DEFERRED.search(line) for line in lines):
        return None
    base, head = (
        ground.base.at(subject.base.path, subject.base.first),
        ground.head.at(subject.head.path, subject.head.first),
    )
    return broken(
        mention,
        "body-changed",
        f"{subject.name} is {'no longer' if wanted else 'now'} async",
        base=base.text,
        head=head.text,
        base_at=base,
        head_at=head,
        commit=ground.line_change(base.path, base.text),
        confidence=0.85,
    )

"""Words that somebody is writing in a claim's place: whether they are true at head.

A claim is judged by what a range changed. Words that are new were never written at base, so what they say
is compared with head alone, and with what the old words were found to speak of: a value that was tied to
a line of the repository cannot be exchanged for one that no line has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memaudit.domain import Origin
from memaudit.grounding.count import recount
from memaudit.grounding.ground import Ground
from memaudit.grounding.language import Polarity
from memaudit.grounding.reference import Mention, Outcome, Status
from memaudit.grounding.signature import not_taken
from memaudit.grounding.words import Form
from memaudit.judges import grounded
from memaudit.judges.grounded import Reading
from memaudit.judges.result import Grounded

DIFFERS = "differs-at-head"
"""The reason of words that say something else than the line which the old words spoke of."""

_SETTLED = (Status.SUPPORTED, Status.CONTRADICTED, Status.OUTSIDE)
_TIED = (Status.SUPPORTED, Status.CONTRADICTED, Status.TOUCHED)
_NAMES = frozenset({"symbol", "membership", "dependency", "command", "subcommand", "tool", "program"})
"""Kinds whose words are names of things: such a word is gone only when it stands nowhere."""

_VALUES = frozenset({"port", "version", "value", "count", "census", "size", "schedule"})
"""Kinds whose words are values of a thing that head gives another value."""

_AMOUNTS = frozenset(
    "several many some few all various multiple numerous no more other different the these those".split()
)
"""Words that stand in a number's place and say less."""

_WORD = re.compile(r"[^\W_]+")
_LITTLE = frozenset(
    "a an the is are was were be been of in on at to by for from with and or as it its this that now".split()
)


def judge_words(old: Reading, new: Reading, across: Ground, head: Ground) -> Grounded:
    """Judge ``new`` words in the place of ``old`` ones.

    ``across`` is the ground of the claim's own range, on which words that were true at base can be seen
    to be so no more; ``head`` has the head revision on both sides.
    """
    if new.text.text == old.text.text:
        return grounded.judge(new, across)
    found = {_key(item.mention): item for item in grounded.look_up(new, across)}
    for item in grounded.look_up(new, head):
        known = found.get(_key(item.mention))
        if known is None or known.status not in _SETTLED:
            found[_key(item.mention)] = item
    for outcome in _recounted(old, new, across):
        found[_key(outcome.mention)] = outcome
    for outcome in _miscalled(old, new, list(found.values()), head):
        found[_key(outcome.mention)] = outcome
    for outcome in _against(old, new, list(found.values()), across, head):
        found[_key(outcome.mention)] = outcome
    # What nobody wrote yet was not wrong before the range.
    unwritten = (
        replace(item, origin=None) if item.origin is Origin.EARLIER else item for item in found.values()
    )
    return grounded.conclude(new, unwritten)


def _key(mention: Mention) -> tuple[str, int, int, str]:
    return mention.kind, mention.start, mention.end, mention.target


def _recounted(old: Reading, new: Reading, across: Ground) -> Iterator[Outcome]:
    """The count that the new words have in the old one's place, counted in the way that was right at base.

    A word that is no number and no amount leaves open what is meant.
    """
    before, after = (
        [mention for _, mention in reading.references if mention.kind == "count"] for reading in (old, new)
    )
    if len(before) != 1:
        return
    if len(after) == 1 and after[0].target != before[0].target:
        outcome = recount(before[0], after[0], new.text, across)
        yield from [outcome] if outcome else []
    elif not after:
        was, text = before[0], new.text.text
        start, end = was.start, was.start + len(was.extra[0])
        behind = old.text.text[end:]
        word = text[start : len(text) - len(behind)]
        same = text.startswith(old.text.text[:start]) and text.endswith(behind)
        if same and re.fullmatch(r"[\w-]+", word) and word.lower() not in _AMOUNTS:
            mention = replace(was, text=word, target=word, end=start + len(word))
            yield Outcome(
                mention, Status.UNSETTLED, DIFFERS, f"{word} is no number that is known", confidence=0.5
            )


def _miscalled(old: Reading, new: Reading, found: Sequence[Outcome], head: Ground) -> Iterator[Outcome]:
    """Calls of the new words with a parameter that head does not take."""
    said = {(mention.target, mention.extra) for _, mention in old.references}
    for item in found:
        mention = item.mention
        known = item.status is not Status.SUPPORTED or (mention.target, mention.extra) in said
        if known or mention.kind != "symbol":
            continue
        lacks = not_taken(mention, re.split(r"\.|::|#|->", mention.target)[-1], head.head)
        if lacks:
            why, certain = lacks
            status = Status.CONTRADICTED if certain else Status.UNSETTLED
            confidence = 0.85 if certain else 0.5
            yield Outcome(
                mention,
                status,
                DIFFERS,
                why,
                head=item.head,
                head_at=item.head_at,
                confidence=confidence,
            )


def _against(
    old: Reading, new: Reading, found: Sequence[Outcome], across: Ground, head: Ground
) -> Iterator[Outcome]:
    """What the new words put in the place of something that the old words were tied to, and head has not."""
    settled = [item.mention for item in found if item.status in _SETTLED]
    said = {(mention.kind, mention.target) for _, mention in old.references}
    fresh = [
        mention
        for _, mention in new.references
        if (mention.kind, mention.target) not in said
        and not any(_covers(other, mention) for other in settled)
        and mention.polarity in (Polarity.ASSERTED, Polarity.EXAMPLE)
    ]
    if not fresh:
        return
    kept = {(mention.kind, mention.target) for _, mention in new.references}
    lost = [
        item
        for item in grounded.look_up(old, across)
        if item.status in _TIED and (item.mention.kind, item.mention.target) not in kept
    ]
    for mention in fresh:
        anchor = next((item for item in lost if _stand_alike(item.mention, mention)), None)
        if anchor is not None:
            lost.remove(anchor)
        why, certain = _beyond_the_end(mention, head) or _difference(anchor, mention, head)
        if not why:
            continue
        same = anchor is None or _subject(old, anchor.mention) == _subject(new, mention)
        yield Outcome(
            mention,
            Status.CONTRADICTED if same and certain else Status.UNSETTLED,
            DIFFERS,
            why,
            head=anchor.head if anchor else None,
            head_at=anchor.head_at if anchor else None,
            confidence=0.85 if same and certain else 0.5,
        )


def _covers(known: Mention, mention: Mention) -> bool:
    """Whether what is known of one mention settles another: a value is not settled by its name alone."""
    if (known.start, known.end) != (mention.start, mention.end):
        return False
    return known.kind == mention.kind or mention.kind in _NAMES


def _stand_alike(old: Mention, new: Mention) -> bool:
    """Whether one could stand in the other's place: of one kind, and about one thing where both name it."""
    if old.kind != new.kind:
        return False
    if old.kind in ("version", "value"):
        return old.extra[:1] == new.extra[:1]
    return True


def _difference(anchor: Outcome | None, mention: Mention, head: Ground) -> tuple[str, bool]:
    """In words, that head has something else than what is said, and whether that is certain."""
    if anchor is None:
        return "", False
    shown = mention.text.strip().strip("`")
    if mention.kind in _NAMES:
        token = next(reversed(re.findall(r"[A-Za-z_$][\w$-]*", mention.target)), "")
        named = mention.form is Form.CODE
        if not token or not (named or shown[:1].isupper()) or head.head.hits(token):
            return "", False
        return f"{shown} stands nowhere at head", named
    at = anchor.head_at
    if at is None or mention.kind not in _VALUES:
        return f"{shown} is not found at head", False
    said = mention.extra[1] if mention.kind == "value" else shown
    return f"{at.path} has {anchor.head or at.text} at head, not {said}", True


def _beyond_the_end(mention: Mention, head: Ground) -> tuple[str, bool] | None:
    """That a cited line lies behind the last one of its file."""
    cited = re.fullmatch(r"(.+):(\d+)", mention.target) if mention.kind == "citation" else None
    if cited is None or head.head.snapshot.kind(cited[1]) != "file":
        return None
    count = len(head.head.lines(cited[1]))
    return (f"{cited[1]} has {count:,} lines at head", True) if int(cited[2]) > count else None


def _subject(reading: Reading, mention: Mention) -> list[str]:
    """The words that tell what a claim speaks of, without those of one name and its value."""
    text = reading.text.text
    rest = f"{text[: mention.start]} {text[mention.end :]}".lower()
    own = set(_WORD.findall(" ".join(mention.extra).lower()))
    return [word for word in _WORD.findall(rest) if word not in _LITTLE and word not in own]

"""What others did, in sentences. Names and texts come from other people: all of it is made inert here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from memaudit.domain import Claim, Decision, DecisionKind
from memaudit.text import visible

if TYPE_CHECKING:
    from memaudit.review.news import Happening, News
    from memaudit.review.presence import Person

_NAME_CHARS = 40
_TEXT_CHARS = 80

PAST = {
    DecisionKind.ACCEPT: "accepted",
    DecisionKind.RETIRE: "retired",
    DecisionKind.REWRITE: "rewrote",
}

Find = Callable[[str], Claim | None]


def named(name: str, author: str = "") -> str:
    """A person's name as it may be shown; ``author`` is the one who reads it."""
    if author and name == author:
        return "you"
    return short(name.strip() or "somebody", _NAME_CHARS)


def short(text: str, most: int) -> str:
    """Untrusted text on one line, cut to some characters."""
    text = visible(" ".join(text[: most * 4].split()))
    return text if len(text) <= most else f"{text[: most - 1]}…"


def place(claim: Claim | None) -> str:
    """Where a claim stands."""
    return "a claim" if claim is None else visible(f"{claim.document}:{claim.line_start}")


def told(news: News, author: str, find: Find) -> list[str]:
    """One sentence for each person, and one for each file that somebody saved."""
    from memaudit.review.journal import Action

    by_author: dict[str, list[Happening]] = {}
    for one in news.happenings:
        by_author.setdefault(one.author, []).append(one)
    sentences = []
    for name, happened in by_author.items():
        decisions = [one for item in happened for one in item.decisions]
        who = _teller(name, author)
        if len(decisions) == 1:
            sentences.append(f"{who} {_single(happened[0], author, find)}.")
            continue
        parts = [_counted(happened, (Action.DECIDE, Action.REDO), kind, word) for kind, word in PAST.items()]
        back = sum(len(one.decisions) for one in happened if one.action is Action.UNDO)
        parts.append(f"took {back:,} back" if back else "")
        sentences.append(f"{who} {_listed([part for part in parts if part])}.")
    paths: dict[str, list[str]] = {}
    for written in news.written:
        paths.setdefault(written.author, []).append(visible(written.path))
    sentences += [
        f"{_teller(name, author)} saved {files[0] if len(files) == 1 else f'{len(files)} files'}."
        for name, files in paths.items()
    ]
    return sentences


def _teller(name: str, author: str) -> str:
    """Who did something in another process, at the start of a sentence."""
    return "Elsewhere you" if author and name == author else named(name)


def _single(happening: Happening, author: str, find: Find) -> str:
    from memaudit.review.journal import Action

    (decision,) = happening.decisions
    where = place(find(decision.claim_id))
    if happening.action is Action.UNDO:
        return f"took a decision back: {where}"
    words = f"{PAST[decision.kind]} {where}"
    if decision.kind is DecisionKind.REWRITE:
        words += f": {short(decision.text or '', _TEXT_CHARS)}"
    mine = happening.against.get(decision.claim_id)
    if mine is not None:
        words += f", which you had {'rewritten' if mine.kind is DecisionKind.REWRITE else PAST[mine.kind]}"
    if decision.by not in (happening.author, author):
        words += f", as {named(decision.by)} had"
    return words


def _counted(happened: Iterable[Happening], actions: Sequence[object], kind: DecisionKind, word: str) -> str:
    count = sum(
        decision.kind is kind for one in happened if one.action in actions for decision in one.decisions
    )
    return f"{word} {count:,}" if count else ""


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def decided_words(decision: Decision, author: str) -> str:
    """Who decided what: ``Mara rewrote it: …``."""
    words = f"{named(decision.by, author)} {PAST[decision.kind]} it"
    if decision.kind is DecisionKind.REWRITE:
        words += f": {short(decision.text or '', _TEXT_CHARS)}"
    return words


def people(others: Sequence[Person], author: str) -> str:
    """Who else is here: ``with Mara and 2 more``."""
    names = list(
        dict.fromkeys("you elsewhere" if person.name == author else named(person.name) for person in others)
    )
    if not names:
        return ""
    return f"with {', '.join(names[:2])}" + (f" and {len(names) - 2} more" if len(names) > 2 else "")

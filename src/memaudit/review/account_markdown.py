"""A review as a Markdown document. Whatever comes from memory, code, commits or people is shown, not read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memaudit.domain import DecisionKind
from memaudit.review.account import Account, Excerpt, Item, Proof
from memaudit.review.account_words import (
    SHORT,
    count_words,
    decision_words,
    person_words,
    place_words,
    range_words,
    state_words,
    verdict_words,
)
from memaudit.text import visible

_SPECIAL = re.compile(r"[\\`*{}\[\]<>#|~&$]|(?<!\w)_|_(?!\w)|:(?=//)|(?<=www)\.", re.IGNORECASE)
"""What Markdown, as it is commonly extended, could read as more than text in the middle of a line."""


def markdown(account: Account) -> str:
    """The whole report."""
    return "\n".join(_lines(account)) + "\n"


def _lines(account: Account) -> Iterator[str]:
    yield f"# Review of {_plain(account.repo.rstrip('/').rsplit('/', 1)[-1])}"
    yield ""
    yield f"Range: {_plain(range_words(account.range))}"
    yield ""
    for line in count_words(account):
        yield f"- {line}"
    for name, counts in sorted(account.people.items()):
        yield f"- {_plain(name)}: {person_words(counts)}"
    yield from _section("Decided", account.decided)
    yield from _section("Stale, nobody decided", account.stale)
    for title, items in (
        ("Accepted", account.accepted),
        ("Unknown, nobody decided", account.unknown),
        ("Held, nobody decided", account.held),
    ):
        if items:
            yield ""
            yield f"## {title} ({len(items):,})"
            yield ""
            for item in items:
                yield f"- {_plain(place_words(item))} {_plain(_one_line(item.claim.text))}{_by(item)}"


def _by(item: Item) -> str:
    return f" ({_plain(decision_words(item.decisions[-1]))})" if item.decisions else ""


def _section(title: str, items: Sequence[Item]) -> Iterator[str]:
    if not items:
        return
    yield ""
    yield f"## {title} ({len(items):,})"
    for item in items:
        yield ""
        yield f"### {_plain(place_words(item))}"
        yield ""
        yield _plain(verdict_words(item.judgement))
        yield ""
        yield from _words(item)
        if item.judgement is not None and item.judgement.why:
            yield ""
            yield f"Because: {_plain(item.judgement.why)}"
        for decision in item.decisions:
            yield ""
            yield f"**{_plain(decision_words(decision))}**"
        if item.decisions:
            yield f"({state_words(item)})"
        for proof in item.proofs:
            yield from _proof(proof)


def _words(item: Item) -> Iterator[str]:
    """The claim's words, and under them what was decided to stand there instead."""
    edits = [one for one in item.decisions if one.kind is not DecisionKind.ACCEPT]
    if not edits:
        yield from _fence("text", [_one_line(item.claim.text)])
        return
    lines = [f"- {_one_line(item.claim.text)}"]
    lines += [f"+ {_one_line(one.text or '')}" for one in edits if one.kind is DecisionKind.REWRITE]
    yield from _fence("diff", lines)


def _proof(proof: Proof) -> Iterator[str]:
    yield ""
    yield f"Evidence for {_plain(proof.reference)}"
    if proof.note:
        yield f"({_plain(proof.note)})"
    for side, excerpt in (("base", proof.before), ("head", proof.after)):
        yield ""
        if excerpt is None:
            yield f"At {side}: nothing"
            continue
        yield f"At {side}: {_plain(excerpt.path)}"
        yield ""
        yield from _fence("text", _numbered(excerpt))
    if proof.commit is not None:
        commit = proof.commit
        yield ""
        yield (
            f"By {_plain(commit.sha[:SHORT])} {_plain(commit.date[:10])} {_plain(commit.author)}:"
            f" {_plain(commit.summary)}"
        )


def _numbered(excerpt: Excerpt) -> list[str]:
    width = len(str(excerpt.lines[-1].number)) if excerpt.lines else 1
    return [
        f"{'>' if line.deciding else ' '} {line.number:>{width}}  {line.text.expandtabs(4)}".rstrip()
        for line in excerpt.lines
    ]


def _fence(kind: str, lines: Sequence[str]) -> Iterator[str]:
    """A block that nothing inside can end."""
    shown = [visible(line) for line in lines]
    longest = max((len(run) for line in shown for run in re.findall("`+", line)), default=0)
    fence = "`" * max(longest + 1, 3)
    yield f"{fence}{kind}"
    yield from shown
    yield fence


def _plain(text: str) -> str:
    """Text that Markdown shows as it is: no emphasis, link, image or tag comes of it."""
    return _SPECIAL.sub(r"\\\g<0>", visible(text))


def _one_line(text: str) -> str:
    return " ".join(text.split())

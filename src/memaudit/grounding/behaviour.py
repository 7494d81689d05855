"""What code is said to do: "`read_settings()` reads JSON", "`src/ls.rs` walks with WalkBuilder".

The claim is stale when what it gives stood in the code of its subject at base, stands at head neither
there nor in anything the subject calls or imports, and a rival of the same family has come in its place.
For a name of code that a file is said to work with no rival is needed. Comments, texts for people and
tests show nothing; an alternative that was added beside the old one contradicts nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from memaudit.domain import Block, Location
from memaudit.grounding import phrase, swaps
from memaudit.grounding.causes import has_code
from memaudit.grounding.code import without_messages
from memaudit.grounding.ground import Ground, Side, is_test
from memaudit.grounding.language import Polarity, clause, polarity
from memaudit.grounding.reach import Stretch
from memaudit.grounding.reference import Mention, Outcome, Replacement, broken
from memaudit.grounding.rivals import MEMBERS, Member, rivals, said_in
from memaudit.grounding.subject import Subject, demands, names_of, subject_of
from memaudit.grounding.words import ClaimText, Form, is_compound
from memaudit.patterns import lazy_regex

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("`read_settings()` reads JSON.", ("json",)),
    ("`read_settings()` reads JSON or YAML.", ()),
    ("`read_settings()` must read JSON.", ()),
    ("Edit `package.json`.", ()),
    ("Digests are SHA-256 (`src/sums.py`).", ("sha-256",)),
    ("The worker is started with `exec`.", ("exec",)),
    ("`src/ls.rs` walks with WalkBuilder.", ("WalkBuilder",)),
    ("`find()` raises `KeyError`.", ("KeyError",)),
    ("`find()` returns 404.", ("404",)),
    ("`find()` logs a warning.", ("warning",)),
    ("`find()` is async.", ("async",)),
    ("ls.rs | Listing | Tree format, colours", ("Tree format",)),
    ("A tree format is used.", ()),
    ("Talks JSON-RPC.", ()),
)
"""Claim text and what it says of code: the sort of thing, and which."""

_SAID = frozenset({Polarity.ASSERTED, Polarity.CREATED})
_WORKS_WITH = lazy_regex(
    r"\b(?:uses?|using|with|via|through|wraps?|builds?|creates?|calls?|parses?|walks?|renders?|spawns?|extends"
    r"|implements|defines?|on top of|based on|backed by|reads?|handles?)\s+(?:[\w-]+\s+){0,4}[`*]*$",
    re.IGNORECASE,
)
_PASSIVE = lazy_regex(r"\b(?:by|from|for|like|unlike|as in|see)\s+(?:the\s+)?[`*]*$", re.IGNORECASE)
_MOST_SITES = 40


class BehaviourKind:
    """Formats, algorithms, libraries, errors and names that code is said to work with."""

    name = "behaviour"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """Members of families named alone, outcomes in the words usual for them, names a file works with."""
        if text.claim.block in (Block.COMMAND, Block.FENCE) or demands(text):
            return
        for sort, name, start, end in (*_members(text), *swaps.read(text), *phrase.read(text), *_names(text)):
            said = polarity(text, start, end)
            shown = text.text[start:end]
            form = Form.CODE if text.text[start - 1 : start] == "`" else Form.PLAIN
            yield Mention("behaviour", shown, name, start, end, form, said, (sort, name))

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Search for the names that the claims may be about."""
        names = {name for _, text in mentions for name, _ in names_of(text)}
        ground.base.look_up(names | {mention.extra[1] for mention, _ in mentions if _is_call(mention)})
        ground.head.look_up(names)

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """See the module's first lines for the rule."""
        if mention.polarity not in _SAID:
            return None
        sort, name = mention.extra
        subject = subject_of(text, (mention.start, mention.end), ground)
        member = next((item for item in MEMBERS if (item.family, item.name) == (sort, name)), None)
        if member is None:
            if subject is None:
                return None
            check = {"name": _dropped, "phrase": phrase.check}.get(sort, swaps.check)
            return check(mention, subject, ground)
        if subject is not None:
            return _replaced(mention, member, subject, ground)
        return _only_call(mention, member, ground) if _is_call(mention) else None


def _is_call(mention: Mention) -> bool:
    return mention.extra[0] == "process"


def _members(text: ClaimText) -> Iterator[tuple[str, str, int, int]]:
    """The families of which the claim names one member, and that member."""
    found: dict[str, list[tuple[Member, re.Match[str]]]] = {}
    for member, match in said_in(text.text):
        found.setdefault(member.family, []).append((member, match))
    for family, said in found.items():
        if len({match.span() for _, match in said}) == 1:
            member, match = said[0]
            yield family, member.name, *match.span()


def _names(text: ClaimText) -> Iterator[tuple[str, str, int, int]]:
    """Names of types and functions in the words, or the code spans, that say what something works with."""
    for word in text.of(Form.PLAIN, Form.CODE):
        name = word.text.removesuffix("()")
        if not re.fullmatch(r"[A-Za-z_]\w{4,}", name) or not is_compound(name):
            continue
        before, _ = clause(text.text, word.start, word.end)
        if _WORKS_WITH.search(before) and not _PASSIVE.search(before):
            yield "name", name, word.start, word.end


def _replaced(mention: Mention, member: Member, subject: Subject, ground: Ground) -> Outcome | None:
    """The member has left the subject and all it reaches, and a rival that base had nowhere is there."""
    was = _first(member, subject.near(ground.base, subject.base), ground.base)
    if was is None or any(member.stands_in(line) for line in ground.head.code(subject.head.path)):
        return None
    for rival in rivals(member):
        now = _first(rival, subject.near(ground.head, subject.head), ground.head)
        # Only now what lies further off is worth a search.
        if now and not (
            _anywhere(rival, subject.reached(ground.base, subject.base), ground.base)
            or _anywhere(member, subject.reached(ground.head, subject.head), ground.head)
        ):
            why = f"{subject.name} had {member.name} at base, and has {rival.name} in its place at head"
            return _contradicted(mention, ground, was, now, why, rival)
    return None


def _dropped(mention: Mention, subject: Subject, ground: Ground) -> Outcome | None:
    """A name that a file worked with, and that neither it nor anything it imports or calls has now."""
    name = mention.extra[1]
    whole = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    was = _line(whole, subject.base, ground.base) if subject.file else None
    # What goes on under a longer name, or in another case, may be the same thing.
    alike = re.compile(re.escape(name), re.IGNORECASE)
    if was is None or _line(alike, subject.head, ground.head):
        return None
    if any(_line(alike, stretch, ground.head) for stretch in subject.reached(ground.head, subject.head)):
        return None
    return _contradicted(
        mention,
        ground,
        was,
        ground.head.place(subject.head.path),
        f"{subject.name} worked with {name} at base; at head neither it nor what it imports has {name}",
    )


def _only_call(mention: Mention, member: Member, ground: Ground) -> Outcome | None:
    """The one such call of the repository now goes to a rival with the same arguments."""
    sites = ground.base.hits(member.name)
    if len(sites) > _MOST_SITES:
        return None
    lines = [
        (hit.path, hit.line)
        for hit in sites
        if not is_test(hit.path) and member.stands_in(_code_line(hit.path, hit.line, ground.base))
    ]
    if len(lines) != 1:
        return None
    path, number = lines[0]
    gave = swaps.arguments(_code_line(path, number, ground.base))
    if not gave or any(member.stands_in(line) for line in ground.head.code(path)):
        return None
    for rival in rivals(member):
        for at, line in enumerate(ground.head.code(path), 1):
            if rival.stands_in(line) and swaps.arguments(line) == gave:
                return _contradicted(
                    mention,
                    ground,
                    ground.base.at(path, number),
                    ground.head.at(path, at),
                    f"the only {member.name} in the code at base is {rival.name} at head",
                    rival,
                )
    return None


def _contradicted(
    mention: Mention,
    ground: Ground,
    was: Location,
    now: Location,
    why: str,
    rival: Member | None = None,
) -> Outcome:
    new = _spelled(rival.name, mention.text) if rival else ""
    return broken(
        mention,
        "body-changed",
        why,
        base=was.text,
        head=now.text,
        base_at=was,
        head_at=now,
        commit=ground.broken_at(was.path, has_code(was.path, _code_line(was.path, was.line, ground.base))),
        confidence=0.85,
        replacements=(Replacement(mention.text, new, False, "in its place"),) if new else (),
    )


def _spelled(name: str, like: str) -> str:
    """A name in the case in which the claim has the other."""
    if like.isupper():
        return name.upper()
    return name.capitalize() if like[:1].isupper() else name


def _code_line(path: str, number: int, side: Side) -> str:
    lines = side.code(path)
    return lines[number - 1] if number <= len(lines) else ""


def _first(member: Member, stretches: Iterable[Stretch], side: Side) -> Location | None:
    """The first line that shows a member, texts for people aside."""
    for stretch in stretches:
        for number, line in stretch.lines(side):
            if member.stands_in(without_messages(line)):
                return side.at(stretch.path, number)
    return None


def _anywhere(member: Member, stretches: Iterable[Stretch], side: Side) -> bool:
    return any(member.stands_in(line) for stretch in stretches for _, line in stretch.lines(side))


def _line(pattern: re.Pattern[str], stretch: Stretch, side: Side) -> Location | None:
    for number, line in stretch.lines(side):
        if pattern.search(line):
            return side.at(stretch.path, number)
    return None

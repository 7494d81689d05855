"""Files that a program keeps in a home or system folder: "history in `~/.local/share/acme/log.db`".

They are not in the repository, but the code that opens them is. Where the claim is about one source file
and that file gives another name with the same ending, and only that one, the claim's name is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memaudit.domain import Block, Location
from memaudit.grounding.ground import Ground, Side
from memaudit.grounding.language import Polarity, polarity
from memaudit.grounding.path import PathKind
from memaudit.grounding.places import resolve
from memaudit.grounding.reference import Mention, Outcome, Replacement, broken, wrong_before
from memaudit.grounding.words import ClaimText, Form, is_placeholder
from memaudit.patterns import lazy_regex
from memaudit.repo.symbols import language

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("History is kept in `~/.local/share/acme/log.db`.", ("~/.local/share/acme/log.db",)),
    ("Listens on /var/run/acme/acme.sock.", ("/var/run/acme/acme.sock",)),
    ("Settings: `~/.config/acme/config.toml`", ()),
    ("See `docs/log.db`.", ()),
)
"""Claim text and the names of data files read from it."""

_OUTSIDE = lazy_regex(
    r"(?:~|\$HOME|\$\{HOME\}|/var|\$XDG_\w+_HOME)(?:/[\w.@-]+)+/([\w-]+\.(?:db|sqlite3?|sock|pid|duckdb))(?![\w/])"
)


class DataFileKind:
    """Data files of the program, by the name that code opens them with."""

    name = "datafile"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """Names of databases, sockets and the like below a home or system folder."""
        for match in _OUTSIDE.finditer(text.text):
            if not is_placeholder(match[0].removeprefix("$HOME").lstrip("$")):
                said = polarity(text, *match.span())
                yield Mention("datafile", match[0], match[0], *match.span(), Form.PLAIN, said, (match[1],))

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """One source file is read. Nothing to search for."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Stale when the source that the claim is about names one such file at head, and it is another."""
        if mention.polarity not in (Polarity.ASSERTED, Polarity.CREATED):
            return None
        path, (claimed,) = _source(text, ground), mention.extra
        now = _named(claimed, path, ground.head) if path else {}
        if path is None or len(now) != 1 or claimed in now or _stands(claimed, ground.head):
            return None
        ((name, at),) = now.items()
        why = f"{path} opens {name}, and no code has {claimed}"
        replacement = (Replacement(mention.text, mention.text.replace(claimed, name), False, "in the code"),)
        before = _named(claimed, path, ground.base)
        was = before.get(claimed)
        if was is None:
            if _stands(claimed, ground.base):
                return None
            return wrong_before(
                mention,
                "literal-gone",
                why,
                head=name,
                base_at=next(iter(before.values()), None),
                head_at=at,
                confidence=0.8,
                replacements=replacement,
            )
        return broken(
            mention,
            "literal-gone",
            why,
            base=claimed,
            head=name,
            base_at=was,
            head_at=at,
            commit=ground.line_change(path, was.text),
            confidence=0.88,
            replacements=replacement,
        )


def _source(text: ClaimText, ground: Ground) -> str | None:
    """The one source file that the claim, or the paragraph it hangs under, is about."""
    own = _sources(text, ground)
    if own:
        return own[0] if len(own) == 1 else None
    above = [
        claim
        for claim in text.siblings
        if claim.line_start < text.claim.line_start and claim.block is Block.SENTENCE
    ]
    if text.claim.block is not Block.ITEM or not above:
        return None
    lead = max(above, key=lambda claim: claim.line_start)
    found = _sources(ClaimText(lead), ground)
    return found[0] if len(found) == 1 else None


def _sources(text: ClaimText, ground: Ground) -> list[str]:
    paths = [mention for mention in PathKind().mentions(text) if mention.kind == "path"]
    found = [item[0].path for mention in paths if (item := resolve(mention, text, ground.head))]
    return list(dict.fromkeys(path for path in found if language(path)))


def _named(like: str, path: str, side: Side) -> dict[str, Location]:
    """The file names with the same ending that stand alone in literals of a source, with their places."""
    ending = re.escape(like.rpartition(".")[2])
    literal = re.compile(rf"[\"'`/]([\w-]+\.{ending})[\"'`]")
    found: dict[str, Location] = {}
    for number, line in enumerate(side.code(path), 1):
        for match in literal.finditer(line):
            found.setdefault(match[1], side.at(path, number))
    return found


def _stands(name: str, side: Side) -> bool:
    """Whether a line of code has the name, comments aside."""
    for hit in side.hits(name.partition(".")[0]):
        code = side.code(hit.path)
        if name in (code[hit.line - 1] if hit.line <= len(code) else "" if code else hit.text):
            return True
    return False

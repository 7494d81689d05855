"""Whether a sentence tells of a name as something past: what was, ended, or was somewhere before.

A past form alone proves nothing: "`retry()` was added in 2.0" speaks of what is there now. So the rows
ask for a state that was, an end, an origin, or a frame of time that lies behind.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from memaudit.patterns import lazy_regex

EXAMPLES: tuple[tuple[str, str, bool], ...] = (
    ("This replaces the older `server/openapi.py`.", "server/openapi.py", True),
    ("Unlike the old `send()` it is slow.", "send()", True),
    ("The old mail module `mail.py` retried.", "mail.py", True),
    ("The previous `send()` API is kept as stubs.", "send()", True),
    ("As in the previous step, run `make up`.", "make up", False),
    ("`send()` is deprecated, do not touch it.", "send()", True),
    ("`src/send.py` is being phased out.", "src/send.py", True),
    ("`send()` is deprecated in `src/mail.py`.", "src/mail.py", False),
    ("Legacy code lives in `src/old/`.", "src/old/", False),
    ("The old API in `src/v1/` is kept.", "src/v1/", False),
    ("The old `src/v1/` is still served.", "src/v1/", False),
    ("For old browsers load `polyfill.js`.", "polyfill.js", False),
    ("Delete old rows with `purge()`.", "purge()", False),
    ("`LIMIT` was 10.", "LIMIT", True),
    ("`send()` was the only way in.", "send()", True),
    ("`LIMIT` was raised to 10.", "LIMIT", False),
    ("`send()` was added in 2.0.", "send()", False),
    ("`send()` was recently rewritten.", "send()", False),
    ("`send()` had two bugs.", "send()", True),
    ("In 1.x it was `send()`.", "send()", True),
    ("In 2.x it is `send()`.", "send()", False),
    ("The handler was added in `src/send.py`.", "src/send.py", False),
    ("The handler was in `src/send.py`.", "src/send.py", True),
    ("`LIMIT` used to be 10.", "LIMIT", True),
    ("`tools/seed.sh`, used to fill tables, is slow.", "tools/seed.sh", False),
    ("There used to be a `src/send.py`.", "src/send.py", True),
    ("All this grew out of `src/send.py`.", "src/send.py", True),
    ("Extracted from `src/mail` in #12.", "src/mail", True),
    ("Ids are extracted from `src/mail` at start.", "src/mail", False),
    ("Reused from v1 (`src/mail`) into v2.", "src/mail", True),
    ("Both moved here from `src/mail.py`.", "src/mail.py", True),
    ("We migrated from `celery` to `arq`.", "celery", True),
    ("We migrated from `celery` to `arq`.", "arq", False),
    ("`src/send.py` was split up.", "src/send.py", True),
    ("`src/send.py` is split in two halves.", "src/send.py", False),
    ("`src/send.py` was moved to `src/mail.py`.", "src/send.py", True),
    ("`send()` was moved to `src/mail.py`.", "send()", False),
    ("`send()` was renamed to `mail()`.", "send()", True),
    ("`send()` became `mail()`.", "send()", True),
    ("`send()` became slow.", "send()", False),
    ("`send()` is now `mail()`.", "send()", True),
    ("`send()` is now `mail()`.", "mail()", False),
    ("`send()` is now in `src/mail.py`.", "send()", False),
    ("`mode` is now `fast`.", "mode", False),
    ("While we still had `src/send.py` it was slow.", "src/send.py", True),
    ("Before the rewrite all was in `src/send.py`.", "src/send.py", True),
    ("Until 2.0 `send()` retried.", "send()", True),
    ("Since 2.0 `send()` retries.", "send()", False),
    ("Before the migration run `make dump`.", "make dump", False),
    ("Until 2.0 is out `send()` retries.", "send()", False),
    ("`send()` lived in `src/mail.py` until 2.0.", "send()", True),
    ("Back then `LIMIT` stood at 10.", "LIMIT", True),
    ("In the first release `LIMIT` was set to 10.", "LIMIT", True),
    ("`make mails` did this before.", "make mails", True),
    ("`send()` ran before `mail()`.", "send()", False),
    ("Our first try, `src/send.py`, was slow.", "src/send.py", True),
    ("`mail()`, once called `send()`, is slow.", "send()", True),
    ("Version 1 had `src/send.py`.", "src/send.py", True),
    ("We started on `yarn`.", "yarn", True),
    ("The tag is extracted from `pyproject.toml`.", "pyproject.toml", False),
    ("It is started with `make up`.", "make up", False),
    ("`src/send.py` has since been split.", "src/send.py", True),
    ("`yarn` was used before `pnpm`.", "yarn", True),
    ("Incident of 2024-03-02: `send()` ran twice.", "send()", True),
    ("Decided 2024-03-02: use `send()`.", "send()", False),
    ("History: 2023 `src/send.py`, then more.", "src/send.py", True),
    ("If `a.py` changed and `src/send.py` was NOT, stop.", "src/send.py", False),
    ("When `LIMIT` changed, was `src/send.py` bumped?", "src/send.py", False),
    ("The session (was `OLD_ID`) is kept.", "OLD_ID", True),
    ("Automatic switching from `.nvmrc`.", ".nvmrc", False),
)
"""Claim, name in it, and whether it is told of as past: the readers' contract, run by the tests."""


class Reader(NamedTuple):
    """What the words before a name, the name and the words after it must look like, all three."""

    before: str = ""
    after: str = ""
    name: str = ""


_SUBJECT = r"^[\s*_:]*+(?:\([^)]*\)\s*)?"
"""The words after a name go on with its verb."""

_KIND_OF_NAME = (
    r"(?:module|file|script|function|method|class|helper|package|command|target|endpoint|service|name|path"
    r"|folder|directory|setting|constant|flag|hook|library|tool|version)"
)
_ADVERBS = r"(?:(?:not|never|only|just|once|still|always|already|also|then|all|both|\w+ly)\s+)*+"
_MADE = (
    r"(?:\w+ed|been|built|made|written|rewritten|chosen|set|put|given|kept|brought|meant|taken|found|done"
    r"|shown|drawn|split|cut|hidden|run|read|left|begun|bound|sent|told|held|new|not)\b"
)
"""After "was": what made the thing as it is now, and no state that is over."""

_BEHIND = (
    r"^\W*(?:(?:until|till|before|prior to|up to)\s+(?:the\s+)?(?:v(?:ersion)?\s?)?"
    r"(?:\d[\w.]*|(?:big |great |last |first )?(?:rewrite|migration|split|refactor(?:ing)?|move|port|merge"
    r"|cut-?over|redesign|restructuring|reorgani[sz]ation|switch|rename))\b"
    r"(?!\s+(?:is|are|has|ships|lands|comes|gets)\b)"
    r"|back then|\w+ years? ago|years ago|at (?:the|that) time|in those days|in the past"
    r"|in the (?:first|old|early) (?:releases?|versions?|days))\b"
)
"""A frame of time that lies behind, when the verb is in the past too."""

_READERS: dict[str, Reader] = {
    "a thing called old": Reader(
        before=r"\b(?:old(?:er)?|legacy|deprecated|former|historical|earlier|previous)\s+"
        rf"(?:(?!(?:in|at|on|to|of|by|with|via|from|under|is|are|lives?)\b)[\w-]+\s+)?(?:{_KIND_OF_NAME}\s+)?$",
        after=rf"{_SUBJECT}(?!(?:is|are)\s+(?:still|kept)\b|still\b|stays?\b|remains?\b)",
    ),
    "an adverb of the past": Reader(
        before=r"\b(?:formerly|previously|originally|historically|once (?:called|named))\s+(?:\w+\s+){0,3}$"
    ),
    "on its way out": Reader(
        after=r"^[\s*_:]*(?:(?:is|are)\s+(?:now\s+|being\s+)?(?:\w+ly\s+)?"
        r"(?:deprecated|obsolete|legacy|phased out|retired|sunset)\b"
        r"|(?:is|are) going away\b|[—–-]+\s*(?:deprecated|obsolete)\b)"
    ),
    "marked in brackets": Reader(
        after=r"^\S{0,2}\s*\((?:old|legacy|former|deprecated|historical|previously)\b"
    ),
    "what something came from": Reader(
        before=r"\b(?:(?:replac(?:es|ed|ing)|supersed(?:es|ed|ing))(?:\s+the)?|instead of the old"
        r"|(?:migrat(?:ed|ing|ion)|moved|switched) (?:away |here |over )?from"
        r"|(?:ported|renamed|evolved|split|carved|lifted|reused|forked|factored) (?:from|out of)"
        r"|extracted out of"
        r"|grew out of|came out of|(?:took|takes?) (?:over from|the place of)|stands? in for"
        r"|in place of|succeeds|successors? (?:of|to)"
        r"|before v?\d[\d.]*|prior to)\s+(?:\w+\s+){0,3}$"
    ),
    "where it came from": Reader(
        before=r"^\W*(?:(?:was|were|been)\s+)?(?:extracted|split out|carved out|lifted|copied) from\s+"
        r"(?:\w+\s+){0,2}$",
        after=r"^[`\s*_]*(?:in\s+(?:#\d|PR\b|v?\d)|\.?\s*$)",
    ),
    "from an older version": Reader(before=r"\b(?:from|of|in) (?:the )?(?:v[\d.]+|version \d[\d.]*) \(?$"),
    "used to be": Reader(before=r"\bused to (?:be|live|use|call|sit)\s+(?:\w+\s+){0,3}$"),
    "it used to be": Reader(
        after=r"^[\s*_]*used to (?:be|live|sit|stand|lie|have|mean|exist|default|work|happen|fail|crash"
        r"|retry)\b"
    ),
    "it was this": Reader(
        before=rf"[\w(]\s*\b(?:was|were)\s+{_ADVERBS}(?:called\s+|named\s+)?(?:the\s+|an?\s+)?$"
    ),
    "it was there": Reader(
        before=rf"\b(?:was|were|lived|sat|stood)\s+{_ADVERBS}(?:in|at|under|inside|below)\s+(?:the\s+)?$"
    ),
    "was so": Reader(after=rf"{_SUBJECT},?\s*(?:was|were)\s+{_ADVERBS}(?!{_MADE})[\w`\"']"),
    "had something": Reader(after=rf"{_SUBJECT}had\s+(?!to\b|been\b)[\w`\"']"),
    "was in use then": Reader(
        after=rf"{_SUBJECT}(?:was|were)\s+(?:used|needed|required|supported|preferred)\s+"
        r"(?:before|until|then|back then|at (?:the|that) time|in (?:the )?(?:old|early|first|v?\d))"
    ),
    "ended as something else": Reader(
        after=rf"{_SUBJECT}(?:was|were|got|ha(?:s|ve|d) (?:since |later |now )?been)\s+(?:\w+ly\s+)?"
        r"(?:split|broken (?:up|apart|into)|merged (?:in)?to|folded into|absorbed|inlined|turned into"
        r"|converted (?:in)?to|renamed|swapped|switched)\b"
    ),
    "a file that moved": Reader(
        name=r"/|\.\w{1,4}$", after=rf"{_SUBJECT}(?:was|were|got|has been|have been)\s+moved\b"
    ),
    "became another": Reader(
        after=rf"{_SUBJECT}(?:(?:has |have )?become|became|turned into)\s+"
        r"(?:(?:the|an?|part of)\s+)*(?:\w+\s+)?[`\"']"
    ),
    "is called otherwise now": Reader(after=rf"{_SUBJECT}(?:is|are) now (?:called|named|known as)\b"),
    "while it was there": Reader(
        before=r"\b(?:still\s+(?:had|used|kept|was|were|lived)|(?:when|while|as long as)\s+"
        r"(?:we|it|they|there|this)\s+(?:had|used|kept|was|were))\s+(?:[\w-]+\s+){0,3}$"
    ),
    "a frame of time, the verb before": Reader(
        before=rf"{_BEHIND}[^;]*\b(?:was|were|had|did|lived|sat|stood|used)\s+(?!{_MADE})[^`;]*$"
    ),
    "a frame of time, the verb after": Reader(
        before=rf"{_BEHIND}[^;`]*$",
        after=rf"{_SUBJECT}(?:was|were|had|did|\w+ed|ran|went|sent|kept|held|made|wrote|stood|sat)\b",
    ),
    "did so until then": Reader(
        after=rf"{_SUBJECT}(?:was|were|did|lived|sat|stood|stayed|ran|worked|served)\b[^;]*"
        r"\b(?:until|back then|at that time|in those days|years ago|before(?=\s*(?:[.,!)]|$)))"
    ),
    "an earlier version had it": Reader(
        before=r"\b(?:(?:version|release)\s+v?\d[\w.]*|v?\d[\d.]*(?:\.x|\.\d))\s+(?:had|used|kept|was)\s+"
        r"(?:(?:an?|the|its|own)\s+)*$"
    ),
    "what we started with": Reader(
        before=r"\b(?:we|it|this|all|everything|project)\s+(?:all\s+)?(?:started|began)\s+(?:out\s+)?"
        r"(?:on|with|as|in)\s+(?:(?:an?|the)\s+)?$"
    ),
    "out of life": Reader(after=rf"{_SUBJECT}reached (?:its |the )?end\b"),
    "an account of what happened": Reader(
        before=r"^\W*(?:\d{4}-\d\d(?:-\d\d)?\W+)?(?:the\s+)?(?:incident|outage|accident|post-?mortem|history"
        r"|timeline|retrospective)\b[^:`]{0,40}:"
    ),
}


def _finder(pattern: str) -> Callable[[str], re.Match[str] | None] | None:
    """How a pattern is looked for, None for the empty one; "^" stands before all of a pattern's branches."""
    if not pattern:
        return None
    compiled = lazy_regex(pattern, re.IGNORECASE)
    return compiled.match if pattern.startswith("^") else compiled.search


_COMPILED = tuple(tuple(map(_finder, row)) for row in _READERS.values())
_IS_NOW = lazy_regex(r"^[\s*_]*(?:is|are) now (?:just |simply |only )?`([^`]+)`", re.IGNORECASE)


def told_as_past(before: str, name: str, after: str) -> bool:
    """Whether the clause ``before name after``, without the marks around the name, tells of it as past."""
    now = _IS_NOW.match(after)
    if now and _shape(name) and _shape(name) == _shape(now[1]):
        return True
    # What begins with the name fails fastest: it is asked for first.
    return any(
        (at_end is None or at_end(after))
        and (at_start is None or at_start(before))
        and (within is None or within(name))
        for at_start, at_end, within in _COMPILED
    )


def is_struck(text: str, start: int, end: int) -> bool:
    """Whether the characters ``[start, end)`` stand in a ``~~struck~~`` passage."""
    return "~~" in text and any(
        match.start() < start and end < match.end() for match in re.finditer(r"~~.+?~~", text)
    )


def _shape(name: str) -> str:
    """What sort of name it is, where one of its sort can only be another name and no value."""
    if re.search(r"\s", name):
        return f"command {name.split()[0]}"
    if name.endswith(")"):
        return "call"
    return "path" if "/" in name or re.search(r"\.[a-z]{1,4}$", name) else ""

"""What sort of statement a claim is, by its wording and the block it stands in.

The first row that fits decides:

=========== ==========================================================================================
other       a task still open, a time stamp, a contact, a reason ("**Why:** …"), code that is no shell
fact        a task that is ticked off
pointer     an ``@import``; a text that is, starts with, or sends the reader to, another document
command     a line of a shell block; "Build with `…`", "Tests: `…`", "`…` builds the site"
preference  prefer, ideally, please, my …, "local only"
rule        never, must, do not, only, no X, not X …; an imperative verb in front; a fragment under a
            lead-in that lays down rules ("Allowed fakes:", "**Never:**")
other       an opening sentence that only says what the project is
fact        anything else
=========== ==========================================================================================
"""

from __future__ import annotations

import re

from memaudit.domain import Block, ClaimKind
from memaudit.patterns import lazy_regex
from memaudit.stores.vocabulary import (
    IMPERATIVES,
    PREFERENCE_PHRASES,
    RULE_PHRASES,
    RULE_TOPICS,
    TOOLS,
)

_LEADING_MARKUP = lazy_regex(r"[\s*_~>\"'“‘(\u2190-\u2BFF\uFE0F\U0001F000-\U0001FAFF]*")
_LABEL = lazy_regex(r"(?:\*\*|__)?[\w /&()+.'-]{1,40}?(?:\*\*|__)?\s*:(?:\*\*|__)?\s+")
_CODE = lazy_regex(r"`[^`]*`")
_WORD = lazy_regex(r"[^\W\d_][\w'’-]*")

_STAMP_OR_REASON = lazy_regex(
    r"[\W_]{0,9}(?:last (?:updated|modified|reviewed)|updated|why|reason|rationale)\b[\W_]{0,9}[:：]", re.I
)
_ADDRESS = lazy_regex(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.\w")

_DOCUMENT = r"(?<![\w./~-])[\w./~-]{1,200}\.(?:md|mdx|mdc|rst|txt|adoc)\b"
_LINK = r"\[[^\]]{0,200}\]\([^)\s]{0,300}\)"
_IS_DOCUMENT = lazy_regex(
    rf"@[\w~./]\S*\W*$|(?!\[[^\]]{{0,200}}\]\(https?:){_LINK}(?:\s*$|\s*[-–—:])|`{_DOCUMENT}`\s*(?:$|[-–—:])"
    rf"|{_DOCUMENT}\s*(?:$|[-–—:])|[^`:]{{1,100}}:\W*`{_DOCUMENT}`\W*$",
    re.I,
)
_SENDS_TO = lazy_regex(
    r"(?:(?:for|to|when|before|if)\b[^.]{0,80},\s*)?(?:(?:please|also|always)\s+)?"
    r"(?:see|read|refer to|consult|follow|check(?: out)?|look at|copy|review|open|documented in|described in|"
    rf"(?:start|begin) (?:with|at|in))\b[^.]{{0,200}}?(?:{_LINK}|(?<!\w)@[\w~./]|{_DOCUMENT})",
    re.I,
)
_OWN_FILE = lazy_regex(r"\b(?:AGENTS|CLAUDE|GEMINI|MEMORY)(?:\.\w+)?\.md\b")
_OWNS = lazy_regex(r"\b(?:has|have|own|see|read|in|documents?|covers?)\b", re.I)

_LABELLED_CODE = lazy_regex(r"\W{0,4}[\w /()+,.&'-]{1,60}(?:\*\*)?:(?:\*\*)?\s*`(?P<code>[^`]+)`")
_VERB_CODE = lazy_regex(
    r"(?:build|test|lint|format|start|install|deploy|compile|check|type-?check|run|serve|bench|debug)\b[^`]{0,40}"
    r"`(?P<code>[^`]+)`",
    re.I,
)
_CODE_VERB = lazy_regex(r"`(?P<code>[^`]+)`\s*(?:$|[-–—:(→]|\s?[a-z]+s\b)")
_CONDITION = frozenset(
    "before after when whenever every each once until unless if instead rather not".split()
)

_FORBIDS = lazy_regex(
    r"(?:^|[;:—–] ?)(?:no|not|without|nothing|zero)\s+[\w`*\"“]"
    # "Tests do not need it" tells a fact; an order starts its clause.
    r"|(?:^|[;:,.—–(*] ?|\b(?:and|but|or|so|then|you|we|please) )(?:do not|don['’]t)\b",
    re.I,
)
_ABSENCE = lazy_regex(r"there (?:is|are) (?:no|not)\b", re.I)
_CJK_RULE = lazy_regex(
    r"必须|不要|禁止|应该|应当|不得|避免|务必|请|需要|使用|用(?![户于例])|べき|しない|してください|하지|해야"
)
_CJK_PREFERENCE = lazy_regex(r"偏好|最好|尽量")
_CLAUSE = lazy_regex(
    r"(?:when(?:ever)?|before|after|if|for|to|once|unless|while|without|in|on|at|as|with|because|since)\b"
    r"[^.]{2,160}?, ",
    re.I,
)
_ORDER = lazy_regex(
    r"(?:(?:then|also|first|finally|next|instead|only|just|you can|you may),? )?(?P<verb>[A-Za-z][\w-]*)\b",
    re.I,
)
_NOUN_PHRASE = lazy_regex(
    r"[/._:,-]|(?:\s+[\w`/.-]+){1,3}\s+(?:is|are|was|were|has|have|must|lives?|goes|go|uses?|runs?|comes?)\b"
)
_FINITE = lazy_regex(r"\b(?:is|are|was|were|has|have|does|do|can|will|get|go|\w{3,}s)\b")
_ABOUT = lazy_regex(r"\b(?:this (?:project|repo|repository|file|document)|guidance to)\b", re.I)


_LONGEST_READ = 4000
"""Characters of a claim that decide its kind."""


def classify(
    text: str,
    block: Block,
    *,
    task: bool | None = None,
    context: tuple[str, ...] = (),
    heading: tuple[str, ...] = (),
) -> ClaimKind:
    """The kind of a claim, see the table above; never fails."""
    if task is not None:
        return ClaimKind.FACT if task else ClaimKind.OTHER
    if block is Block.COMMAND:
        return ClaimKind.COMMAND
    if block is Block.FENCE or _STAMP_OR_REASON.match(text) or ("@" in text and _ADDRESS.search(text)):
        return ClaimKind.OTHER
    plain = _after(_LEADING_MARKUP, text[:_LONGEST_READ])
    prose = _CODE.sub("`x`", plain)
    words = [word.lower().replace("’", "'") for word in _WORD.findall(prose)]
    if block in (Block.ITEM, Block.SENTENCE):
        if _is_pointer(plain, words):
            return ClaimKind.POINTER
        if "`" in plain and _is_command(plain, words):
            return ClaimKind.COMMAND
    if _is_preference(prose, words):
        return ClaimKind.RULE if not {"never", "always", "must"}.isdisjoint(words) else ClaimKind.PREFERENCE
    if _is_rule(prose, words, block) or (block is Block.ITEM and context and _is_ruled(prose, context[-1])):
        return ClaimKind.RULE
    return ClaimKind.OTHER if _is_introduction(text, block, heading) else ClaimKind.FACT


def _after(pattern: re.Pattern[str], text: str) -> str:
    """What follows a pattern at the beginning of a text; all of it where the pattern is not there."""
    match = pattern.match(text)
    return text[match.end() :] if match else text


def _is_pointer(plain: str, words: list[str]) -> bool:
    if _IS_DOCUMENT.match(plain) or _SENDS_TO.match(plain):
        return True
    if len(plain) >= 100 or not _OWN_FILE.search(plain):
        return False
    return bool(_OWNS.search(plain)) and not _has_phrase(words, RULE_PHRASES)


def _is_command(plain: str, words: list[str]) -> bool:
    if not _CONDITION.isdisjoint(words):
        return False
    match = _LABELLED_CODE.match(plain) or _VERB_CODE.match(plain) or _CODE_VERB.match(plain)
    return bool(match) and _runs_a_tool(match["code"] if match else "")


def _runs_a_tool(code: str) -> bool:
    program = next((word for word in code.split() if "=" not in word), "")
    return program in TOOLS or program.startswith(("./", "bin/", "scripts/"))


def _has_phrase(words: list[str], phrases: tuple[str, ...]) -> bool:
    """Whether one of the phrases, each of whole words, is among the words."""
    joined = f" {' '.join(words)} "
    return any(phrase in joined for phrase in phrases)


def _is_preference(prose: str, words: list[str]) -> bool:
    if words[:1] in (["my"], ["i"], ["i'm"]) or _has_phrase(words, PREFERENCE_PHRASES):
        return True
    return not prose.isascii() and bool(_CJK_PREFERENCE.search(prose))


def _is_rule(prose: str, words: list[str], block: Block) -> bool:
    statement = prose if block is Block.ROW else _after(_LABEL, prose)
    if _has_phrase(words, RULE_PHRASES) or words[-1:] == ["only"] or words[:3] == ["how", "to", "apply"]:
        return True
    if _FORBIDS.search(prose) or (not prose.isascii() and _CJK_RULE.search(prose)):
        return not _ABSENCE.match(statement)
    return block in (Block.ITEM, Block.SENTENCE) and _is_imperative(statement)


def _is_imperative(statement: str) -> bool:
    statement = _after(_CLAUSE, _after(_LEADING_MARKUP, statement))
    match = _ORDER.match(statement)
    if match is None or match["verb"].lower() not in IMPERATIVES:
        return False
    # "Test files live in …", "Build output goes to …", "Format: …" name things; they order nothing.
    return not _NOUN_PHRASE.match(statement, match.end())


def _is_ruled(prose: str, lead: str) -> bool:
    """Whether a fragment is a rule because of the lead-in or label it stands under."""
    topics = [word.lower().replace("’", "'") for word in _WORD.findall(lead)]
    if RULE_TOPICS.isdisjoint(topics):
        return False
    return len(topics) <= 2 or not _FINITE.search(prose)


def _is_introduction(text: str, block: Block, heading: tuple[str, ...]) -> bool:
    """Whether this only says what the project is: nothing that a repository could contradict."""
    if block is not Block.SENTENCE or re.search(r"[`/@]|\d", text):
        return False
    if _ABOUT.search(text):
        return True
    return len(heading) == 1 and text.lower().startswith(heading[0].lower().strip("`*_ "))

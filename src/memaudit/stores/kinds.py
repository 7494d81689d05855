"""What sort of statement a claim is, by its wording and the block it stands in.

The first row that fits decides:

=========== ==========================================================================================
other       a task still open, a time stamp, a contact, a reason ("**Why:** …"), a bare label
fact        a task that is ticked off
pointer     an ``@import``; a text that is, starts with, or sends the reader to, another document
command     a line of a shell block; "Build with `…`", "Tests: `…`", "`…` builds the site"
rule        never, must, do not, only, no X, not X …, or an imperative verb in front
preference  prefer, ideally, please, my …, "local only"
rule        a fragment under a lead-in or heading that lays down rules ("Allowed fakes:")
fact        anything else
=========== ==========================================================================================
"""

from __future__ import annotations

import re

from memaudit.domain import Block, ClaimKind
from memaudit.stores.vocabulary import IMPERATIVES

_LEADING_MARKUP = re.compile(r"^[\s*_~>\"'“‘(]*(?:[\u2190-\u2BFF\uFE0F\U0001F000-\U0001FAFF]\s*)*[*_]*")
_LABEL = re.compile(r"^(?:\*\*|__)?[\w /&()+.'-]{1,40}?(?:\*\*|__)?\s*:(?:\*\*|__)?\s+")

_OTHER = re.compile(
    r"^[\W_]*(?:last (?:updated|modified|reviewed)|updated|why|reason|rationale|background|history|context)\b"
    r"[\W_]*[:：]"
    r"|^[\W_]*why[\W_]*$|\b[\w.+-]+@[\w-]+\.[\w.]+\b",
    re.I,
)
_TOOL_WORD = (
    r"(?:\./|bin/|[A-Z_]+=\S+ )?(?:ansible|bash|bazel|black|bun|bunx|bundle|cargo|cmake|composer|corepack|"
    r"curl|deno|docker|docker-compose|dotnet|git|gh|go|gradle|gradlew|helm|just|kubectl|make|mise|mix|mvn|mvnw|mypy|node|"
    r"nox|npm|npx|nx|pip|pipx|php|pnpm|poetry|pre-commit|prettier|pytest|python3?|rails|rake|ruff|sh|swift|task|"
    r"terraform|tox|tsc|turbo|uv|uvx|vitest|wrangler|yarn|zig)"
)
_COMMAND_SPAN = rf"`{_TOOL_WORD}(?:\s[^`]+)?`"
_COMMAND = re.compile(
    rf"^(?:\W*[\w /-]{{1,40}}(?:\*\*)?:(?:\*\*)?\s*{_COMMAND_SPAN}"
    rf"|(?:Build|Test|Lint|Format|Start|Install|Deploy|Compile|Check|Type-?check|Run|Serve|Bench|Debug)"
    rf"\b[^`]{{0,40}}?\b(?:with|using|via|by|through|:|Run|run)?\s*{_COMMAND_SPAN}"
    rf"|{_COMMAND_SPAN}\s*(?:$|[-–—:(→]|\s?[a-z]+s\b))"
)
_CONDITION = re.compile(
    r"\b(?:before|after|when|whenever|every|each|once|until|unless|if|instead|rather than|not)\b", re.I
)

_DOCUMENT = r"[\w./~-]+\.(?:md|mdx|mdc|rst|txt|adoc)"
_LINK = r"\[[^\]]*\]\([^)\s]*\)"
_POINTER = re.compile(
    rf"^(?:@[\w~./]\S*\W*$"
    rf"|(?!\[\s*[^\]]*\]\(https?://[^)]*\)\s+\S){_LINK}(?:\s*$|\s*[-–—:])"
    rf"|`{_DOCUMENT}`\s*(?:$|[-–—:])"
    rf"|(?:for\b[^.]{{0,80}},\s*)?(?:please\s+|also\s+|always\s+)?"
    rf"(?:see|read|refer to|consult|follow|check(?: out)?|look at|copy|"
    rf"review|open|start with|documented in|described in)\b[^.]*?(?:{_LINK}|(?<!\w)@[\w~./]|`?{_DOCUMENT}))",
    re.I,
)
_OWN_FILE = re.compile(r"\b(?:AGENTS|CLAUDE|GEMINI|MEMORY)(?:\.\w+)?\.md\b")
_SENDS = re.compile(r"\b(?:has|have|own|see|read|in|documents?|covers?)\b", re.I)

_NEGATED_FORM = (
    r"(?:do not|don['’]t|does not|must not|mustn['’]t|should not|shouldn['’]t|may not|cannot be|can['’]t be)"
)
_RULE = re.compile(
    rf"\b(?:never|always|must|shall|should|required?|mandatory|forbidden|prohibited|not allowed|disallowed|"
    rf"ensure|make sure|be sure|need to|needs to|has to|have to|no longer use|at all costs|"
    rf"the only|only (?:use|allow|via|through|for|in|on|if|when|the)|not permitted|{_NEGATED_FORM})\b"
    r"|(?:^|[;:—–] ?)(?:no|not|without|nothing|zero)\s+[\w`*]|(?<=\w)\s+only[.!]?[*_]*$|^how to apply\b",
    re.I,
)
_NEGATED_FACT = re.compile(
    r"^(?:there (?:is|are) (?:no|not)|\S+(?: \S+){0,4} (?:does|do|is|are|was|were|has|have|did) n(?:ot|o)\b)",
    re.I,
)
_PREFERENCE = re.compile(
    r"\b(?:prefer(?:s|red|ably)?|favou?rs?|ideally|please|i (?:like|want|prefer|use)|we (?:like|prefer)|"
    r"try to|where possible|when possible|if possible|rather than|nice to have|lean towards?|default to|"
    r"the user (?:likes|wants|prefers))\b|^(?:my|i|i['’]m)\b|\blocal(?:ly)? only\b|偏好|最好|尽量",
    re.I,
)
_CJK_RULE = re.compile(
    r"必须|不要|禁止|应该|应当|不得|避免|务必|请|需要|使用|用(?![户于例])|べき|しない|してください|하지|해야"
)
_RULE_HEADING = re.compile(
    r"\b(?:conventions?|rules?|guidelines?|standards?|principles?|polic(?:y|ies)|constraints?|requirements?|"
    r"do['’]?s and don['’]?ts|don['’]ts?|best practices?|style|anti-patterns?|must|never|always|allowed|"
    r"forbidden)\b"
    r"|规范|约定|规则",
    re.I,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|does|do|can|will|lives?|holds?|uses?|contains?|runs?|provides?|returns?|reads?|"
    r"writes?|handles?|go|goes|comes?|get|gets|supports?|defines?|implements?|\w{3,}s)\b"
)
_ABOUT = re.compile(r"\b(?:this (?:project|repo|repository|file|document)|guidance to)\b", re.I)


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
    if block is Block.FENCE:
        return ClaimKind.OTHER
    plain = _LEADING_MARKUP.sub("", text, count=1)
    if _OTHER.search(text):
        return ClaimKind.OTHER
    if block not in (Block.ROW, Block.TREE):
        if _is_pointer(plain):
            return ClaimKind.POINTER
        if _COMMAND.match(plain) and not _CONDITION.search(re.sub(r"`[^`]*`", "", plain)):
            return ClaimKind.COMMAND
    return _norm_or_fact(text, plain, block, context, heading)


def _is_pointer(plain: str) -> bool:
    if _POINTER.match(plain):
        return True
    return bool(
        _OWN_FILE.search(plain) and _SENDS.search(plain) and len(plain) < 100 and not _RULE.search(plain)
    )


def _norm_or_fact(
    text: str, plain: str, block: Block, context: tuple[str, ...], heading: tuple[str, ...]
) -> ClaimKind:
    prose = re.sub(r"`[^`]*`", "`x`", plain)
    statement = _LABEL.sub("", prose, count=1) if block is not Block.ROW else prose
    if _PREFERENCE.search(prose):
        hard = re.search(r"\b(?:never|always|must)\b", prose, re.I)
        return ClaimKind.RULE if hard else ClaimKind.PREFERENCE
    if _RULE.search(prose) and not _NEGATED_FACT.match(statement):
        return ClaimKind.RULE
    if _CJK_RULE.search(prose):
        return ClaimKind.RULE
    if block in (Block.ITEM, Block.SENTENCE) and _is_imperative(statement):
        return ClaimKind.RULE
    if block is Block.ITEM and context and _RULE_HEADING.search(context[-1]) and not _FINITE.search(prose):
        return ClaimKind.RULE
    if _is_introduction(text, block, heading):
        return ClaimKind.OTHER
    return ClaimKind.FACT


def _is_imperative(statement: str) -> bool:
    statement = _LEADING_MARKUP.sub("", statement, count=1)
    match = re.match(
        r"(?:(?:then|also|first|finally|next|instead|only|just),? )?(?P<verb>[A-Za-z][\w-]*)\b(?P<rest>.*)",
        statement,
        re.I | re.S,
    )
    if match is None or match["verb"].lower() not in IMPERATIVES:
        return False
    rest = match["rest"]
    # "Test files live in …", "Build output goes to …", "Log level is …" name things; they order nothing.
    return not re.match(
        r"(?:\s+[\w`/.-]+){1,3}\s+(?:is|are|lives?|goes|go|uses?|has|have|must|runs?|were|was|comes?)\b", rest
    ) and not rest.startswith(("/", ".", "-", "_", ":"))


def _is_introduction(text: str, block: Block, heading: tuple[str, ...]) -> bool:
    """Whether this only says what the project is: nothing that a repository could contradict."""
    if block is not Block.SENTENCE or re.search(r"[`/@]|\d", text):
        return False
    if _ABOUT.search(text):
        return True
    return len(heading) == 1 and text.lower().startswith(heading[0].lower().strip("`*_ "))

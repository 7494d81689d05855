"""Values given to names like ``password`` or ``api_key``, in whatever language, taken out of text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memaudit.patterns import lazy_regex

MASK = "[masked]"

_NAMES = (
    r"pass(?:word|wd|phrase|code)?|pwd?|secret|token|credentials?|dsn|salt|pin"
    r"|(?:api|access|private|secret|auth|signing|encryption|account|client|master|session)[_ -]?key"
    r"(?:[_ -]?(?:id|base))?"
)
NAMED = (
    rf"(?:(?:(?<![A-Za-z])(?:{_NAMES})|password|passwd|passphrase|api_?key"
    r"|(?<=[a-z0-9])(?-i:Pass(?:phrase|code)?|Pwd|Secret|Token|(?:Access|Private|Secret|Auth|Signing)Key))"
    r"(?:_?\d{1,4})?)"
)
"""A name whose value is a secret, as a pattern: the end of a longer name, or all of one."""
# ``password: str =``, ``password string =``, ``password[64] =``: what tells the type before the value.
_PART = r"(?:&'\w{1,20}(?!')|[\w&|?.:* \t]|\[[^\]\n]{0,60}\]|<[^>\n]{0,60}>)"
_TYPE = (
    rf"(?:[ \t]{{0,9}}:{_PART}{{1,80}}+(?==)"
    r"|[ \t]{0,9}:[ \t]{0,9}([\"'])[\w\[\]|., ]{1,60}\2[ \t]{0,9}(?==)"
    r"|[ \t]{1,9}[\w*\[\].]{1,40}[ \t]{0,9}(?=:?=)|\[\d{0,9}\])?"
)
# Below "class Token:" stands what it is for, and "`password` or `token`" is prose.
_GIVES = (
    r"(?!:\s{0,200}\n\s{0,200}[ru]?(?:\"{3}|'{3})|or\s{1,9}`)(?::=|=>|\?\?=?|\|\|=?|\?:|\bor\b|[:=])"
    r"(?:[\s(]|\\(?=\r?\n)){0,200}"
)
# What may only wrap the value it is given.
_WRAPPED = (
    r"(?:(?:[\w.]{0,40}secret\w{0,20}|string(?:::from)?|str|bytes|\[\]byte|some|buffer\.from)\(\s{0,40})?"
)
_OPENS = r"(?:[a-z@$#]{0,3})(?=\\?[\"'`])"
_GIVEN = lazy_regex(
    rf"({NAMED})(?:\\?[\"'`]|[\])]){{0,3}}{_TYPE}[ \t]{{0,9}}{_GIVES}{_WRAPPED}{_OPENS}",
    re.IGNORECASE,
)
# The name and the value as two arguments of a call.
_PASSED = lazy_regex(
    rf"\w\(\s{{0,40}}[\"'`](?:[\w.-]{{0,40}}[_.-])?{NAMED}[\"'`],\s{{0,40}}{_OPENS}", re.IGNORECASE
)
# Calls that hand a value over: ``.password("x")``, ``setToken("x")``, ``basic_auth(user, "x")``.
_HANDED = (
    rf"(?:(?:\.|->|::)\s{{0,9}}(?:default_?|set_?|with_?)?|(?<!\w)(?:set_?|with_?)){NAMED}\(\s{{0,40}}"
    r"(?:[\w.]{1,60},\s{0,40})?"
    r"|(?<=[.>:])bearer_?auth\(\s{0,40}"
    r"|basic_?auth(?:entication)?\(\s{0,40}(?:\"[^\"\n]{0,80}\"|'[^'\n]{0,80}'|[\w.]{1,60}),\s{0,40}"
)
_CALLED = lazy_regex(rf"(?:{_HANDED}){_WRAPPED}{_OPENS}", re.IGNORECASE)
# What such a call takes where it asks for something: the name of a variable, a sentence.
_ASKS = lazy_regex(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|\S+\s[\s\S]*")
_SENTENCE_IS_SECRET = lazy_regex(r"pass_?(?:word|wd|phrase|code)", re.IGNORECASE)
# ``password 'x'`` as a statement, in build files and Ruby.
_STATED = lazy_regex(
    rf"^[ \t]{{0,200}}[\w.]{{0,60}}?{NAMED}[ \t]{{1,9}}(?=[\"'])", re.IGNORECASE | re.MULTILINE
)
_JOINED = lazy_regex(
    r"[ \t]{0,40}(?:(?:\+|\.\.?|&)\s{0,200}|\\\r?\n[ \t]{0,200})?[a-z@$#]{0,3}(?=[\"'`])", re.IGNORECASE
)
_JOINED_INSIDE = lazy_regex(r"\s{0,200}(?:(?:\+|\.\.?|&)\s{0,200})?[a-z@$#]{0,3}(?=[\"'`])", re.IGNORECASE)
_STRING = {
    '"': lazy_regex(r'(?:[^"\\\n]++|\\.)*+'),
    "'": lazy_regex(r"(?:[^'\\\n]++|\\.)*+"),
    "`": lazy_regex(r"(?:[^`\\]++|\\.){0,4000}+", re.DOTALL),
}
_LINE = lazy_regex(r"[^\n]*")
LEAST = 4
"""Characters below which a value is no secret worth the name."""

_BARE_VALUE = r"([^\s\"'`\[({,;][^\s\"'`,;]{3,4000}+)"
# ``password: x`` to its end in a file of settings, ``PASSWORD=x`` anywhere, ``password=x`` in commands.
_SETTING = lazy_regex(rf"({NAMED}[\"'`]?[ \t]{{0,9}}[:=][ \t]{{0,9}}){_BARE_VALUE}", re.IGNORECASE)
_SETTING_LINE = lazy_regex(
    rf"(^[ \t]{{0,99}}(?:-[ \t]{{1,9}})?[\w.-]{{0,99}}?{NAMED}[ \t]{{0,9}}[:=][ \t]{{0,9}})"
    r"([^\s\"'`\[({#,;|>&*!][^\n\"'`#]{3,4000}+)",
    re.IGNORECASE | re.MULTILINE,
)
_SHELL = lazy_regex(rf"({NAMED}=){_BARE_VALUE}", re.IGNORECASE)
_SHELL_ARGUMENT = lazy_regex(rf"(--[\w-]{{0,40}}?{NAMED}[ \t]{{1,9}}(?!-)){_BARE_VALUE}", re.IGNORECASE)
_DOCKER = lazy_regex(
    rf"(\b(?:env|set[ \t]{{1,3}}-\w{{1,3}})[ \t]{{1,9}}\w{{0,60}}?{NAMED}[ \t]{{1,9}}){_BARE_VALUE}",
    re.IGNORECASE,
)
_VARIABLE = lazy_regex(
    r"((?<![A-Za-z])(?:[A-Z0-9_]{1,60}_)?(?:PASS(?:WORD|WD|PHRASE)?|PWD|SECRET|TOKEN|(?:API|ACCESS|PRIVATE|SECRET|AUTH)_?KEY)=)"
    r"([^\s\"'`\[({,;=][^\s\"'`,;()]{3,4000}+)"
)
_USER = lazy_regex(
    r"((?<![\w-])(?:-u|-U|--user|--proxy-user)[ \t=]{0,9}[\"']?[\w.@+${}%-]{1,80}:)([^\s\"'`@]{3,400}+)"
)

_ONE = (
    r"(?:\$\{\{[^{}\n]*\}\}|\{\{[^{}\n]*\}\}|\$\{[A-Za-z_][\w.]*(?:\(\))?(?::?\?[^}\n]*)?\}|\$\([^()\n]*\)"
    r"|\$[A-Z_][A-Z0-9_]*|\$[a-z_]+|\$env:\w+|%[A-Za-z_]\w*%|%\(\w+\)s|\{[A-Za-z_][\w.]*\}|\{\d?\}|%s"
    r"|<[A-Za-z][A-Za-z _.-]*>)"
)
_REFERENCE = lazy_regex(
    rf"\s*(?:(?:bearer|basic|token)\s+)?{_ONE}(?:[\s:/@.,_-]*{_ONE}){{0,9}}+\s*"
    r"|\*{3,}|(?:true|false|null|none|nil|undefined|string|str|bytes|bool|boolean|secretstr)"
    r"|(?:os\.environ|process\.env|import\.meta\.env|env|secrets|vars|var|local)(?:\.[A-Za-z_]\w*|\[[^\]]*\]|:[A-Z_][A-Z0-9_]*)",
    re.IGNORECASE,
)
_CASED = lazy_regex(r"\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+)\b")
_COMPUTED = lazy_regex(
    r"\$\(|\$\{\{|\{\{|<\(|(?:os|process|import|self|this|settings|config)\.|[A-Za-z_][\w.]*[(\[]"
)


def without_given(text: str) -> str:
    """``text`` without the strings that such names are given."""
    for pattern in (_GIVEN, _PASSED):
        text = "".join(_without_strings(text, pattern))
    text = "".join(_without_strings(text, _CALLED, _asks))
    text = _VARIABLE.sub(_hidden, text)
    return _USER.sub(_hidden, text)


def without_settings(text: str) -> str:
    """``text`` of a file of settings without the values that need no quotes there."""
    return _SETTING.sub(_hidden, _SETTING_LINE.sub(_hidden, text))


def without_words(text: str) -> str:
    """``text`` without single words that such names are given: for what may be prose as well."""
    return _SETTING.sub(lambda match: match[0] if _is_verb(match) else _hidden(match), text)


def without_commands(text: str) -> str:
    """``text`` of commands or of what quotes them without the values given in them."""
    for pattern in (_SHELL, _SHELL_ARGUMENT, _DOCKER):
        text = pattern.sub(_hidden, text)
    return text


def without_statements(text: str) -> str:
    """``text`` of a language that calls without brackets, without the strings that follow such names."""
    return "".join(_without_strings(text, _STATED))


def is_reference(value: str) -> bool:
    """Whether a value only tells where the real one comes from, or of what type it is."""
    if not _REFERENCE.fullmatch(value):
        return False
    # ``$PASSWORD`` and ``$password`` are variables; ``$Tr0ng`` is none.
    named = [word for word in re.findall(r"\$\w+", value) if not word.startswith("$env")]
    return all(_CASED.fullmatch(word) for word in named)


def _hidden(match: re.Match[str]) -> str:
    """What stands before a value, and the mask; the whole where the value is none."""
    value = match[2]
    if value.startswith(MASK) or is_reference(value.strip()) or _COMPUTED.match(value):
        return match[0]
    tail = value[len(value.rstrip(" \t\r")) :]
    return match[1] + MASK + tail


def _is_verb(match: re.Match[str]) -> bool:
    """Whether ``pass`` is meant as in "all tests pass: they are many"."""
    before = match.string[max(0, match.start() - 2) : match.start()]
    return match[1].lower().rstrip(" \t:=") == "pass" and before[:1].isalpha() and before[1:] == " "


def _asks(call: str, value: str) -> bool:
    """Whether a call with this string asks for something, and gives nothing away."""
    if not _ASKS.fullmatch(value):
        return False
    return value.isupper() or not _SENTENCE_IS_SECRET.search(call)


def _without_strings(
    text: str, pattern: re.Pattern[str], spared: Callable[[str, str], bool] = lambda *_: False
) -> Iterator[str]:
    """The text without the strings that follow a pattern; those ``spared``, told both, stay."""
    done = 0
    while given := pattern.search(text, done):
        yield text[done : given.end()]
        inside = "(" in given[0][-200:]
        done = given.end()
        while True:
            begin, end, after = _string_at(text, done)
            value = text[begin:end]
            hides = len(value) >= LEAST and not is_reference(value) and not spared(given[0], value)
            yield text[done:begin] + (MASK + "\n" * value.count("\n") if hides else value) + text[end:after]
            done = after
            more = (_JOINED_INSIDE if inside else _JOINED).match(text, done)
            if not more:
                break
            yield more[0]
            done = more.end()
    yield text[done:]


def _string_at(text: str, place: int) -> tuple[int, int, int]:
    """Where the inside of the string at a place begins and ends, and where what is after it begins."""
    if text[place] == "\\":
        mark = text[place : place + 2]
        line = _end_of_line(text, place)
        end = text.find(mark, place + 2, line)
        return (place + 2, line, line) if end < 0 else (place + 2, end, end + 2)
    quote = text[place]
    if text.startswith(3 * quote, place):
        end = text.find(3 * quote, place + 3)
        return (place + 3, len(text), len(text)) if end < 0 else (place + 3, end, end + 3)
    found = _STRING[quote].match(text, place + 1)
    end = found.end() if found else place + 1
    if text.startswith(quote, end):
        return place + 1, end, end + 1
    end = _end_of_line(text, place)
    return place + 1, end, end


def _end_of_line(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end

"""Definitions found by their header lines, for languages without a grammar and code at fault."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from memaudit.patterns import lazy_regex


class Header(NamedTuple):
    """A line (numbered from 1) that looks like the start of a definition."""

    name: str
    kind: str
    line: int
    text: str


_TYPE_WORDS = (
    r"class|interface|enum|struct|trait|protocol|record|object|actor|extension|union|annotation class"
)
_MODIFIERS = (
    r"(?:(?:public|private|protected|internal|static|final|abstract|sealed|open|override|virtual|async|partial"
    r"|readonly|data|inline|suspend|native|synchronized|default|extern|const|constexpr|explicit|unsafe|export"
    r"|fileprivate|mutating|lateinit|operator|required|convenience)[ \t]+)*"
)

_SCALA = (
    r"(?:(?:private|protected|final|sealed|abstract|implicit|lazy|override|inline|given|opaque)"
    r"(?:\[\w+\])?\s+)*"
)

_C_LIKE = (
    (lazy_regex(rf"^\s*{_MODIFIERS}(?:{_TYPE_WORDS})\s+(?:class\s+)?([A-Za-z_]\w*)"), "class"),
    (lazy_regex(rf"^\s*{_MODIFIERS}(?:typedef\b[^;]*?\b)([A-Za-z_]\w*)\s*;"), "type"),
    (lazy_regex(r"^\s*#\s*define\s+([A-Za-z_]\w*)"), "constant"),
    (lazy_regex(rf"^\s*{_MODIFIERS}namespace\s+([A-Za-z_][\w.:\\]*)"), "namespace"),
    (
        lazy_regex(
            rf"^\s*{_MODIFIERS}(?:[A-Za-z_][\w.]*(?:<[^;()]*>)?(?:\[\])*\s+)([A-Z][A-Z0-9_]{{2,}})\s*=[^=]"
        ),
        "constant",
    ),
)

_FORMS: dict[str, tuple[tuple[re.Pattern[str], str], ...]] = {
    "ruby": (
        (lazy_regex(r"^\s*(?:private\s+|protected\s+)?def\s+(?:self\.)?([A-Za-z_]\w*[?!=]?)"), "function"),
        (lazy_regex(r"^\s*class\s+([A-Z][\w:]*)"), "class"),
        (lazy_regex(r"^\s*module\s+([A-Z][\w:]*)"), "module"),
        (lazy_regex(r"^\s*([A-Z][A-Z0-9_]*)\s*=[^=~]"), "constant"),
        (lazy_regex(r"^\s*attr_(?:reader|writer|accessor)\s+:([A-Za-z_]\w*)"), "attribute"),
    ),
    "java": _C_LIKE,
    "csharp": _C_LIKE,
    "c": _C_LIKE,
    "cpp": _C_LIKE,
    "kotlin": (
        (lazy_regex(rf"^\s*{_MODIFIERS}(?:{_TYPE_WORDS})\s+(?:class\s+)?([A-Za-z_]\w*)"), "class"),
        (lazy_regex(rf"^\s*{_MODIFIERS}fun\s+(?:<[^>]*>\s*)?(?:[\w<>]+\.)?([A-Za-z_]\w*)\s*\("), "function"),
        (lazy_regex(rf"^\s*{_MODIFIERS}(?:val|var)\s+([A-Za-z_]\w*)"), "variable"),
        (lazy_regex(r"^\s*typealias\s+([A-Za-z_]\w*)"), "type"),
    ),
    "swift": (
        (lazy_regex(rf"^\s*(?:@\w+\s+)*{_MODIFIERS}(?:{_TYPE_WORDS})\s+([A-Za-z_]\w*)"), "class"),
        (lazy_regex(rf"^\s*(?:@\w+\s+)*{_MODIFIERS}func\s+([A-Za-z_]\w*)"), "function"),
        (lazy_regex(rf"^\s*(?:@\w+\s+)*{_MODIFIERS}(?:let|var)\s+([A-Za-z_]\w*)"), "variable"),
        (lazy_regex(r"^\s*typealias\s+([A-Za-z_]\w*)"), "type"),
    ),
    "php": (
        (lazy_regex(rf"^\s*{_MODIFIERS}(?:class|interface|trait|enum)\s+([A-Za-z_]\w*)"), "class"),
        (lazy_regex(rf"^\s*{_MODIFIERS}function\s+&?([A-Za-z_]\w*)\s*\("), "function"),
        (lazy_regex(rf"^\s*{_MODIFIERS}const\s+(?:\w+\s+)?([A-Za-z_]\w*)\s*="), "constant"),
        (lazy_regex(r"^\s*define\(\s*['\"]([A-Za-z_]\w*)['\"]"), "constant"),
    ),
    "bash": (
        (lazy_regex(r"^\s*(?:function\s+)?([A-Za-z_][\w:-]*)\s*\(\s*\)"), "function"),
        (lazy_regex(r"^\s*function\s+([A-Za-z_][\w:-]*)"), "function"),
        (lazy_regex(r"^(?:export\s+|readonly\s+|declare\s+(?:-\w+\s+)*)?([A-Za-z_]\w*)="), "variable"),
    ),
    "dart": _C_LIKE,
    "scala": (
        (
            lazy_regex(rf"^\s*{_SCALA}(?:case\s+)?(?:class|trait|object|enum)\s+([A-Za-z_]\w*)"),
            "class",
        ),
        (lazy_regex(rf"^\s*{_SCALA}def\s+([A-Za-z_]\w*)"), "function"),
        (lazy_regex(rf"^\s*{_SCALA}(?:val|var)\s+([A-Za-z_]\w*)"), "variable"),
        (lazy_regex(rf"^\s*{_SCALA}type\s+([A-Za-z_]\w*)"), "type"),
    ),
    "zig": (
        (lazy_regex(r"^\s*(?:(?:pub|export|extern|inline|noinline)\s+)*fn\s+([A-Za-z_]\w*)"), "function"),
        (
            lazy_regex(
                r"^\s*(?:pub\s+)?const\s+([A-Za-z_]\w*)\s*=\s*(?:(?:extern|packed)\s+)?"
                r"(?:struct|enum|union|opaque|error)\b"
            ),
            "class",
        ),
        (lazy_regex(r"^(?:\s*pub\s+|)(?:const|var)\s+([A-Za-z_]\w*)"), "variable"),
    ),
    "elixir": (
        (lazy_regex(r"^\s*def(?:module|protocol|impl)\s+([A-Z][\w.]*)"), "module"),
        (lazy_regex(r"^\s*def(?:p|macro|macrop|guard|guardp|delegate)?\s+([a-z_]\w*[?!]?)"), "function"),
    ),
    "lua": (
        (lazy_regex(r"^\s*(?:local\s+)?function\s+(?:\w+[.:])*([A-Za-z_]\w*)"), "function"),
        (lazy_regex(r"^\s*(?:local\s+)?(?:\w+\.)*([A-Za-z_]\w*)\s*=\s*function\b"), "function"),
        (lazy_regex(r"^local\s+([A-Za-z_]\w*)\s*="), "variable"),
    ),
}

KNOWN = frozenset(_FORMS)
"""The languages that are read by their header lines."""

_LONGEST_LINE = 300


def headers(language: str, text: str, rows: Collection[int] | None = None) -> Iterator[Header]:
    """The definitions that the lines of a file look like, at most one a line.

    With ``rows`` only these lines, counted from 0, are looked at.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if not line or len(line) > _LONGEST_LINE or (rows is not None and number - 1 not in rows):
            continue
        for form, kind in _FORMS[language]:
            found = form.match(line)
            if found is not None:
                yield Header(found[1], kind, number, line)
                break
        else:
            name = _c_function(line) if _FORMS[language] is _C_LIKE else None
            if name is not None:
                yield Header(name, "function", number, line)


_BEFORE_PARAMETERS = lazy_regex(r"[\w\s:<>,*&\[\]?.~@]+")
_LAST_NAME = lazy_regex(r"((?:[A-Za-z_]\w*::)*)~?([A-Za-z_]\w*)\s*$")
_NO_TYPE = frozenset(
    "return else throw new await case goto delete using yield if while for switch catch in do not and or"
    " package import".split()
)


def _c_function(line: str) -> str | None:
    """The name before a parameter list, if a type or modifier stands before it and no statement does."""
    before, bracket, _ = line.strip().partition("(")
    if not bracket or _BEFORE_PARAMETERS.fullmatch(before) is None:
        return None
    last = _LAST_NAME.search(before)
    if last is None or last[2] in _NO_TYPE:
        return None
    words = before[: last.start()].split()
    if not words:
        # Only a constructor or destructor defined outside its class has no type: "Store::Store(".
        return last[2] if f"::{last[1]}".endswith(f"::{last[2]}::") else None
    return None if words[0] in _NO_TYPE else last[2]

"""The parameters of a definition, read from the header in its source.

Comments go first and strings are emptied, so that no sign in them is taken for one of the code. What a
header does not show for sure is not read at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memaudit.grounding.code import without_comments
from memaudit.grounding.ground import Side
from memaudit.patterns import lazy_regex
from memaudit.repo.symbols import Definition, language

_STRING = lazy_regex(
    r"\"\"\"(?:[^\\]|\\.)*?\"\"\"|'{3}(?:[^\\]|\\.)*?'{3}|\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'"
    r"|`(?:[^`\\]|\\.)*+`",
    re.DOTALL,
)
_RUST_STRING = lazy_regex(r"\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\\n]|\\.)'", re.DOTALL)
_ARGUMENTS = lazy_regex(r"<[^()]*?>|\[[^()]*?\]")
_GENERIC = lazy_regex(r"(?<=\w)\s?<[\w\s,.:?&*|\[\]]*>")
_ATTRIBUTE = lazy_regex(r"#!?\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]")
_ANNOTATION = lazy_regex(r"@[\w.:]+(?:\s*\((?:[^()]|\([^()]*\))*\))?\s*")
_INDEX = lazy_regex(r"\[[^\[\]]*\]")
_POINTER = lazy_regex(r"\(\s*[*^&]\s*(\w+)[^()]*\)\s*\(.*", re.DOTALL)
_LEADING = lazy_regex(
    r"(?:(?:mut|readonly|public|private|protected|final|ref|out|vararg|noinline|crossinline|implicit)\s+)*"
    r"([*&.]*)([A-Za-z_]\w*)(\?)?"
)
_WORD = lazy_regex(r"[A-Za-z_]\w*")

_TYPE_FIRST = frozenset({"java", "csharp", "c", "cpp", "header", "php", "dart"})
_WITH_GENERICS = frozenset(
    {"java", "csharp", "cpp", "header", "kotlin", "swift", "typescript", "tsx", "rust", "dart"}
)
_PATTERNS = frozenset({"javascript", "typescript", "tsx", "dart"})
"""Languages in which one parameter may be several names in brackets."""

_OPENING = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_REACH = 400
"""Lines of a header: past them its end is not looked for."""

IMPLIED = frozenset({"self", "cls", "this", "ctx", "context"})
"""What is handed over without being written in a call."""


class Parameter(NamedTuple):
    """A parameter by name; ``required`` when no caller may omit it, ``rest`` when it takes the others."""

    name: str
    required: bool
    rest: bool = False


def parameters(side: Side, path: str, definition: Definition) -> list[Parameter] | None:
    """The parameters of a definition; None where no list of them begins and ends in its header."""
    first, last = definition.line_start - 1, min(definition.line_end, definition.line_start + _REACH)
    known = language(path)
    text = _plain("\n".join(side.lines(path)[first:last]), known)
    name = re.search(rf"(?<![\w$]){re.escape(definition.name)}(?![\w$])", text)
    start = text.find("(", name.end()) if name else -1
    # Parameters stand on the line of the name: a bracket further on is that of a call in the body.
    if name is None or start < 0 or re.search(r"[{;\n]", _ARGUMENTS.sub("", text[name.start() : start])):
        return None
    parts = _parts(text, start)
    return None if parts is None else [one for part in parts for one in _read(part.strip(), known)]


def _plain(text: str, known: str | None) -> str:
    """A header without comments, attributes, type arguments and what strings hold."""
    if known in ("php", "rust"):
        text = _ATTRIBUTE.sub("", text)
    if known is not None:
        text = without_comments(text, known)
    text = (_RUST_STRING if known == "rust" else _STRING).sub('""', text)
    if known == "python":
        text = re.sub(r"#[^\n]*", "", text)
    before = "" if known in _WITH_GENERICS else text
    while before != text:
        before, text = text, _GENERIC.sub("", text)
    return text


def _parts(text: str, start: int) -> list[str] | None:
    """What stands between the commas of the brackets that open at ``start``; None where they never close."""
    parts, depth, begin = [], 0, start + 1
    for index in range(start, len(text)):
        depth += _OPENING.get(text[index], 0)
        if depth == 0 or (depth == 1 and text[index] == ","):
            parts.append(text[begin:index])
            begin = index + 1
        if depth == 0:
            return parts
    return None


def _read(part: str, known: str | None) -> Iterator[Parameter]:
    part = part if known in ("ruby", "csharp") else _ANNOTATION.sub("", part).strip()
    if part.startswith("{") or (part.startswith("[") and known in _PATTERNS):
        yield from (Parameter(name, required=False) for name in _WORD.findall(part))
        return
    if known in _TYPE_FIRST:
        words = _WORD.findall(_POINTER.sub(r"\1", _INDEX.sub("", part)).partition("=")[0])
        open_ended = "=" in part or "..." in part or words[:1] in (["params"], ["this"])
        if words:
            yield Parameter(words[-1], not open_ended, "..." in part)
        return
    if known == "swift":
        part = re.sub(r"^_\s+(?=\w)", "", part)
    match = _LEADING.match(part)
    if match is None:
        return
    rest = (
        match[1] in ("**", "...")
        or (known == "go" and "..." in part)
        or (match[1] == "*" and known in ("python", "ruby"))
    )
    optional = bool(match[1] or match[3]) or "=" in part or "\\\\" in part or match[2] in IMPLIED
    if known == "ruby" and re.search(r":\s*\S", part):
        optional = True
    yield Parameter(match[2], not (optional or rest), rest)

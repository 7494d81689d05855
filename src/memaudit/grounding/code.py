"""Source text as what runs: comments, docstrings and tests inside a file taken out, lines kept in place."""

from __future__ import annotations

import re

from memaudit.patterns import lazy_regex
from memaudit.repo.symbols import language

_HASH = frozenset({"python", "ruby", "bash", "elixir"})
_DASHES = frozenset({"lua"})
_LONGEST_LINE = 1000
_LONGEST = 512 * 1024
"""Characters of a file up to which its comments are told from its code."""

_TRIPLE = r"(?>\"\"\"(?:[^\\]|\\.)*?(?:\"\"\"|\Z)|'{3}(?:[^\\]|\\.)*?(?:'{3}|\Z))"
_STRING = r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'"
_COMMENT = r"//[^\n]*+|/\*.*?(?:\*/|\Z)"
_DOCSTRING = lazy_regex(rf"^[ \t]*+{_TRIPLE}[ \t]*+$", re.DOTALL | re.MULTILINE)
_HASHED = lazy_regex(rf"(?P<kept>{_TRIPLE}|{_STRING})|(?<![\w$&{{\\])\#[^\n]*+", re.DOTALL)
_SLASHED = lazy_regex(rf"(?P<kept>{_STRING}|`(?:[^`\\]|\\.)*+(?:`|\Z))|{_COMMENT}", re.DOTALL)
_RUST = lazy_regex(rf"(?P<kept>\"(?:[^\"\\]|\\.)*+(?:\"|\Z)|'(?:[^'\\\n]|\\.)')|{_COMMENT}", re.DOTALL)
_DASHED = lazy_regex(rf"(?P<kept>{_STRING})|--(?:\[\[.*?(?:\]\]|\Z)|[^\n]*+)", re.DOTALL)
_RUST_TESTS = lazy_regex(r"^#\[cfg\(test\)\]\s*+mod\s+\w+\s*\{.*?(?:\n\}|\Z)", re.DOTALL | re.MULTILINE)
_MESSAGE = lazy_regex(r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|`(?:[^`\\]|\\.)*+`")
_QUERY = lazy_regex(
    r"[\"'`]\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|WITH|ORDER)\b|\bORDER BY\b", re.IGNORECASE
)
_WORD = lazy_regex(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+")


_COMMENTED = lazy_regex(r"\s*(?:#(?!\s*(?:define|include)\b|!?\[)|//|/?\*(?![\w(&*])|--|<!--|;)")


def is_comment(line: str) -> bool:
    """Whether a line of whatever language is nothing but a comment, or part of one."""
    return bool(_COMMENTED.match(line))


def code_lines(path: str, text: str) -> list[str]:
    """The lines of a file with comments, docstrings and tests inside it emptied; line N is at N - 1.

    Lines longer than any a person wrote are emptied too. None where the file is too large or of no
    known language.
    """
    known = language(path)
    if known is None or len(text) > _LONGEST:
        return []
    short = (line if len(line) <= _LONGEST_LINE else "" for line in text.split("\n"))
    return without_comments("\n".join(short), known).split("\n")


def without_comments(text: str, known: str) -> str:
    """Source text in which comments, docstrings and Rust's test modules are spaces."""
    if known == "python":
        text = _DOCSTRING.sub(_blank, text)
    if known == "rust":
        text = _RUST_TESTS.sub(_blank, text)
    if known in _HASH or known == "php":
        text = _HASHED.sub(_blank_comment, text)
    if known == "rust":
        return _RUST.sub(_blank_comment, text)
    if known in _DASHES:
        return _DASHED.sub(_blank_comment, text)
    return text if known in _HASH else _SLASHED.sub(_blank_comment, text)


def without_messages(line: str) -> str:
    """A line in which texts for people (literals with spaces that are no queries) are empty."""
    return _MESSAGE.sub(lambda match: match[0] if _is_name(match[0]) else match[0][0] * 2, line)


def subwords(text: str) -> list[str]:
    """The words that identifiers are built from, in lower case: ``serde_json::fromStr`` has four."""
    return [word.lower() for word in _WORD.findall(text)]


def _is_name(literal: str) -> bool:
    return " " not in literal.strip() or bool(_QUERY.search(literal))


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _blank_comment(match: re.Match[str]) -> str:
    return match[0] if match.lastgroup == "kept" else _blank(match)

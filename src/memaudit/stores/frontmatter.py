"""Front matter read line by line: its bytes are never touched, and broken YAML does not stop us."""

from __future__ import annotations

from collections.abc import Sequence

from memaudit.patterns import lazy_regex

_KEY = lazy_regex(r"(?P<key>[A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]|$)")


def front_matter_end(lines: Sequence[str]) -> int:
    """How many lines at the top are front matter, both fences included; 0 where there is none."""
    if not lines or lines[0].rstrip() != "---":
        return 0
    for at, line in enumerate(lines[1:], start=1):
        if line.rstrip() in ("---", "..."):
            return at + 1
        if at == 1 and not (_KEY.match(line) or line.lstrip().startswith("#")):
            return 0
    return 0


def front_matter_list(lines: Sequence[str], key: str) -> tuple[str, ...]:
    """The values of a key: a YAML list of either style, or one string with commas between."""
    end = front_matter_end(lines)
    values: list[str] = []
    inside = False
    for line in lines[1 : max(end - 1, 1)]:
        match = _KEY.match(line)
        if match:
            inside = match["key"] == key
            if inside:
                values.extend(_inline(line[match.end() :]))
        elif inside and line.strip().startswith("-"):
            values.extend(filter(None, [_scalar(line.strip()[1:])]))
    return tuple(values)


def _inline(text: str) -> list[str]:
    text = _without_comment(text).strip()
    if len(text) > 1 and (text[0] + text[-1]) in ("[]", '""', "''"):
        text = text[1:-1]
    return [value for part in _split_commas(text) if (value := _scalar(part))]


def _split_commas(text: str) -> list[str]:
    """Split at commas outside braces and quotes: ``*.{ts,tsx}`` is one glob."""
    parts = [""]
    depth = 0
    quote = ""
    for char in text:
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        else:
            depth += (char == "{") - (char == "}")
        if char == "," and depth <= 0 and not quote:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def _scalar(text: str) -> str:
    text = _without_comment(text).strip()
    if len(text) > 1 and text[0] in "\"'" and text[-1] == text[0]:
        text = text[1:-1]
    return text


def _without_comment(text: str) -> str:
    quote = ""
    for at, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char == "#" and (at == 0 or text[at - 1].isspace()):
            return text[:at]
    return text

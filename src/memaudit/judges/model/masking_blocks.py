"""Values apart from their names, taken out of text: in blocks of YAML, and in XML elements."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memaudit.judges.model.masking_named import LEAST, MASK, NAMED, is_reference
from memaudit.patterns import lazy_regex

_KEY = (
    rf"^([ \t]{{0,200}}(?:-[ \t]{{1,9}}){{0,5}})[\"']?[\w./-]{{0,99}}?{NAMED}[\"']?[ \t]{{0,9}}:[ \t]{{0,9}}"
)
_REMARK = r"[ \t]{0,99}(?:#[^\n]*)?\r?$"
_BLOCK = lazy_regex(
    rf"{_KEY}(?:[!&][^\s]{{0,60}}[ \t]{{1,9}}){{0,2}}[|>][0-9+-]{{0,3}}{_REMARK}",
    re.IGNORECASE | re.MULTILINE,
)
_ALONE = lazy_regex(rf"{_KEY}(?:[!&][^\s]{{0,60}}[ \t]{{0,9}}){{0,2}}{_REMARK}", re.IGNORECASE | re.MULTILINE)
# What may stand below a key that is no value of it: an inner key, a list, something in brackets or quotes.
_INNER = lazy_regex(r"(?:[-\[{\"'`#&*!|>]|[^\n]{0,200}:(?:[ \t\r]|$))")

_NAME = rf"(?:[\w-]{{1,40}}:)?[\w.-]{{0,60}}?{NAMED}"
_ELEMENT = lazy_regex(
    rf"(<(?P<tag>{_NAME})(?:\s[^<>]{{0,400}})?(?<!/)>)(?P<value>[^<]{{1,4000}}|\s{{0,99}}<!\[CDATA\[[^<]{{1,4000}})"
    r"(?=</(?P=tag)\s{0,9}>)",
    re.IGNORECASE,
)
# <property name="password">x</property>, <key>password</key> <string>x</string>: the name is beside.
_BESIDE = lazy_regex(
    rf"(<[\w:.-]{{1,60}}\s(?:[^<>]{{0,200}}\s)?(?:name|key|id)=[\"'](?:[\w.-]{{0,60}}[_.-])?{NAMED}[\"'][^<>]{{0,200}}(?<!/)>"
    rf"|<(?P<key>key|name)>\s{{0,9}}[\w.-]{{0,60}}?{NAMED}\s{{0,9}}</(?P=key)>\s{{0,99}}<(?:string|value)>)"
    r"(?P<value>[^<]{1,4000}|\s{0,99}<!\[CDATA\[[^<]{1,4000})(?=</)",
    re.IGNORECASE,
)
_CDATA, _CDATA_END = "<![CDATA[", "]]>"


def without_blocks(text: str, *, settings: bool) -> str:
    """``text`` without the lines below ``password: |``, wherever YAML may be quoted.

    In files of ``settings`` also without a value that begins on the line below its key.
    """
    text = "".join(_without_lines(text, _BLOCK, plain=False))
    return "".join(_without_lines(text, _ALONE, plain=True)) if settings else text


def without_elements(text: str, *, xml: bool) -> str:
    """``text`` without what is in elements like ``<password>``: in ``xml`` all of it, else single words."""

    def hidden(match: re.Match[str]) -> str:
        whole = match["value"]
        value = whole.strip()
        inner = value.removeprefix(_CDATA).removesuffix(_CDATA_END).strip()
        if len(inner) < LEAST or MASK in inner or is_reference(inner) or not (xml or len(inner.split()) == 1):
            return match[0]
        before, after = whole.split(inner, 1)
        return f"{match[1]}{before}{MASK}{chr(10) * inner.count(chr(10))}{after}"

    text = _ELEMENT.sub(hidden, text)
    return _BESIDE.sub(hidden, text) if xml else text


def _without_lines(text: str, pattern: re.Pattern[str], *, plain: bool) -> Iterator[str]:
    """The text with every line masked that is further in than the key above; ``plain`` if it may be a key."""
    done = 0
    while key := pattern.search(text, done):
        start = min(key.end() + 1, len(text))
        yield text[done:start]
        done = start
        for line in _lines_inside(text, start, len(key[1])):
            words = line.strip()
            if plain and words and _INNER.match(words):
                break
            yield line.replace(words, MASK) if words and not is_reference(words) else line
            done += len(line)
    yield text[done:]


def _lines_inside(text: str, place: int, indent: int) -> Iterator[str]:
    """The lines from a place on that are empty or further in than ``indent``, with their ends."""
    while place < len(text):
        end = text.find("\n", place) + 1 or len(text)
        line = text[place:end]
        if line.strip() and len(line) - len(line.lstrip(" \t")) <= indent:
            return
        yield line
        place = end

"""JSON with the comments and trailing commas that tools allow in their own files."""

from __future__ import annotations

import json
import re
from typing import Any

from memaudit.patterns import lazy_regex

_STRING = lazy_regex(r"[^\"\\]*(?:\\.[^\"\\]*)*\"", re.DOTALL)
_OPENING = lazy_regex(r"[\"/]")
_TRAILING_COMMA = lazy_regex(r",(?=\s*[}\]])")


def loads(text: str) -> dict[str, Any]:
    """The object a text holds; ValueError where it is none."""
    text = text.lstrip("\ufeff")
    try:
        data = json.loads(text)
    except ValueError:
        data = json.loads(_plain(text))
    if not isinstance(data, dict):
        raise ValueError("not an object")
    return data


def table(value: Any, *keys: str) -> dict[str, Any]:
    """The object under a path of keys, empty where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _plain(text: str) -> str:
    """The text without comments and trailing commas, in one pass from opening to opening."""
    done: list[str] = []
    outside: list[str] = []
    at = 0
    while found := _OPENING.search(text, at):
        outside.append(text[at : found.start()])
        at = found.end()
        if found[0] == '"':
            string = _STRING.match(text, at)
            if string is None:
                raise ValueError("a string has no end")
            done += [_TRAILING_COMMA.sub("", "".join(outside)), '"', string[0]]
            outside, at = [], string.end()
        elif text.startswith("/", at):
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif text.startswith("*", at):
            at = text.index("*/", at) + 2
        else:
            raise ValueError("a stray slash")
    outside.append(text[at:])
    return "".join([*done, _TRAILING_COMMA.sub("", "".join(outside))])

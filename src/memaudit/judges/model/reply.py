"""The answer of a model, read strictly: one key with one of three words, or it is no answer.

A rewrite is read as strictly: one key with a text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memaudit.judges.model.prompt import ANSWERS

UNREADABLE = "unreadable reply"
_MOST_TOKENS = 10**9
_THOUGHT = ("thinking", "redacted_thinking")


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the server counts them; ``input`` without those of the cache."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    told: bool = True
    """Whether the server has said it; where not, a question counts as what it costs at most."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The word of an answer, or its rewrite, or why there is none. Nothing else that was said is kept."""

    answer: str | None
    fault: str
    usage: Usage


def read_reply(message: Any) -> Reply:
    """Read a verdict out of what a server sent, which need not be what it should be."""
    return _read(message, _verdict)


def read_draft(message: Any) -> Reply:
    """Read a rewrite in the same way; it may be empty."""
    return _read(message, lambda content: _value(content, "rewrite"))


def read_test(message: Any) -> Reply:
    """Read the text of a test in the same way."""
    return _read(message, lambda content: _value(content, "test"))


def _read(message: Any, answer_in: Callable[[Any], str | None]) -> Reply:
    value = message if isinstance(message, Mapping) else {}
    usage = _usage(value.get("usage"))
    stopped = value.get("stop_reason")
    if stopped == "refusal":
        return Reply(None, "the model declined to answer", usage)
    if stopped not in ("end_turn", "stop_sequence"):
        return Reply(None, UNREADABLE, usage)
    answer = answer_in(value.get("content"))
    return Reply(answer, UNREADABLE if answer is None else "", usage)


def _verdict(content: Any) -> str | None:
    answer = _value(content, "verdict")
    return answer if answer in ANSWERS else None


def _value(content: Any, key: str) -> str | None:
    """The text under the one key of the one object that was said."""
    if not isinstance(content, Sequence) or isinstance(content, str):
        return None
    said = [part for part in content if not (isinstance(part, Mapping) and part.get("type") in _THOUGHT)]
    if len(said) != 1 or not isinstance(said[0], Mapping) or said[0].get("type") != "text":
        return None
    text = said[0].get("text")
    try:
        pairs = json.loads(text, object_pairs_hook=list) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    # Pairs, not a dict: of a key given twice, JSON readers keep one and drop the other.
    if not isinstance(pairs, list) or len(pairs) != 1 or not isinstance(pairs[0], tuple):
        return None
    name, value = pairs[0]
    return value if name == key and isinstance(value, str) and _is_text(value) else None


def _is_text(value: str) -> bool:
    """Whether it can be written at all: half a pair of UTF-16 can be told in JSON, and nowhere else."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _usage(value: Any) -> Usage:
    counts = value if isinstance(value, Mapping) else {}

    def is_count(number: Any) -> bool:
        return type(number) is int and 0 <= number <= _MOST_TOKENS

    def count(name: str) -> int:
        return counts.get(name) or 0

    needed = all(is_count(counts.get(name)) for name in ("input_tokens", "output_tokens"))
    cached = ("cache_read_input_tokens", "cache_creation_input_tokens")
    if not needed or not all(counts.get(name) is None or is_count(counts[name]) for name in cached):
        return Usage(told=False)
    return Usage(
        count("input_tokens"),
        count("output_tokens"),
        count("cache_read_input_tokens"),
        count("cache_creation_input_tokens"),
    )

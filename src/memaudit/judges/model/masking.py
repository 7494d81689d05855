"""Secrets taken out of text before it leaves the machine: keys, tokens, private keys, values of ``.env``.

Masking keeps the number of lines. It would rather hide a harmless word than let a secret through.
"""

from __future__ import annotations

import math
import posixpath
import re
from collections import Counter

from memaudit.judges.model.masking_blocks import without_blocks, without_elements
from memaudit.judges.model.masking_named import (
    MASK,
    is_reference,
    without_commands,
    without_given,
    without_settings,
    without_statements,
    without_words,
)
from memaudit.patterns import lazy_regex

__all__ = ["MASK", "is_environment", "mask"]

_PRIVATE_KEY = lazy_regex(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,20}-----")
_END = "-----END"
# Keys that tell by their first letters whose they are.
_KNOWN = lazy_regex(
    r"(?<![A-Za-z0-9])(?:"
    r"sk-[\w-]{12,}|(?:sk|rk|pk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}"
    r"|(?:gh[opusr]|github_pat)_\w{16,}|gl(?:pat|dt|rt|cbt|ptt|soat)-[\w-]{16,}"
    r"|xox[a-z]-[\w-]{10,}|xapp-[\w-]{10,}|(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}|AIza[\w-]{30,}|ya29\.[\w-]{20,}"
    r"|npm_\w{30,}|pypi-[\w-]{30,}|hf_\w{20,}|SG\.[\w-]{16,}\.[\w-]{16,}|do[opr]_v1_\w{20,}|shp(?:at|ca|pa|ss)_\w{16,}"
    r"|lin_api_\w{16,}|AGE-SECRET-KEY-1\w{20,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?"
    r")"
)
_IN_ADDRESS = lazy_regex(r"(://[^\s/:@\"'`]{0,100}:)([^\s/@\"'`]{1,200})(?=@)")
_HEADER = lazy_regex(
    r"(\bauthorization[\"'`]?\s{0,5}[:=,]\s{0,5}[\"'`]?(?:bearer|basic|token|apikey)?\s{0,5}|\bbearer\s{1,5})"
    r"([A-Za-z0-9._~+/=-]{8,})",
    re.IGNORECASE,
)
# In prose only what is quoted or has a digit: "the password is wrong" gives nothing away.
_SAID = lazy_regex(
    r"(\b(?:pass(?:word|phrase|code)|secret|token|api key)[ \t]{1,3}(?:is|was)[ \t]{1,3}"
    r"(?:[\"'`]|(?=\S{0,200}\d)))([^\s\"'`]{4,200})",
    re.IGNORECASE,
)
_RANDOM = lazy_regex(r"(?<![\w+/=-])[\w+/=-]{32,}")
_ASSIGNED = lazy_regex(r"^(\s*#?\s*(?:export\s+)?[\w.-]+\s*=)(.*\S.*)$", re.MULTILINE)

_CONFIGURATION = (
    ".ini",
    ".cfg",
    ".conf",
    ".toml",
    ".yaml",
    ".yml",
    ".properties",
    ".tfvars",
    ".json",
    ".xml",
    "",
)
# Where a command, or text that quotes one, may give a value.
_COMMANDS = (
    ".sh",
    ".bash",
    ".zsh",
    ".ksh",
    ".fish",
    ".bat",
    ".cmd",
    ".ps1",
    ".mk",
    ".md",
    ".mdx",
    ".rst",
    ".adoc",
    ".txt",
    ".service",
    ".dockerfile",
    ".mdc",
    *_CONFIGURATION,
)
_YAML = (".yaml", ".yml")
_XML = (".xml", ".config", ".plist", ".props", ".targets", ".csproj", ".nuspec", ".xsl", ".wsdl", ".pom")
_STATING = (".gradle", ".groovy", ".rb")
_LEAST_ENTROPY = 4.2
_FEW_DIGITS = 2


def mask(text: str, path: str = "") -> str:
    """``text`` without its secrets; ``path`` tells which file it is from, for what only some files hold."""
    name = posixpath.basename(path).lower()
    if is_environment(name):
        return _ASSIGNED.sub(lambda match: f"{match[1]}{MASK}", text)
    text = _without_private_keys(text)
    text = _KNOWN.sub(MASK, text)
    text = _IN_ADDRESS.sub(_hidden, text)
    text = _HEADER.sub(_hidden, text)
    ending = posixpath.splitext(name)[1]
    text = without_blocks(text, settings=ending in _YAML)
    text = without_elements(text, xml=ending in _XML)
    text = without_given(text)
    if ending in _STATING:
        text = without_statements(text)
    if ending in _CONFIGURATION:
        text = without_settings(text) if ending else without_words(text)
    if ending in _COMMANDS:
        text = without_commands(text)
    text = _SAID.sub(_hidden, text)
    return _RANDOM.sub(lambda match: MASK if _is_random(match[0]) else match[0], text)


def is_environment(path: str) -> bool:
    """Whether a file holds variables of an environment, each value of which may be secret."""
    name = posixpath.basename(path).lower()
    return name == ".envrc" or name == ".env" or name.startswith(".env.") or name.endswith(".env")


def _without_private_keys(text: str) -> str:
    kept: list[str] = []
    done = 0
    while begin := _PRIVATE_KEY.search(text, done):
        end = text.find(_END, begin.end())
        end = len(text) if end < 0 else end
        feeds = "\n" * text.count("\n", begin.end(), end)
        kept += [text[done : begin.end()], MASK, feeds]
        done = end
    return "".join([*kept, text[done:]])


def _hidden(match: re.Match[str]) -> str:
    """What stands before a value, and the mask; the whole where the value is none."""
    value = match[2]
    return match[0] if MASK in value or is_reference(value) else match[1] + MASK


def _is_random(token: str) -> bool:
    """Whether a long word looks drawn by lot: letters of both cases and digits, none much more often."""
    letters = any(map(str.islower, token)) and any(map(str.isupper, token))
    if not letters or sum(map(str.isdigit, token)) <= _FEW_DIGITS:
        return False
    counts = Counter(token)
    entropy = -sum(count / len(token) * math.log2(count / len(token)) for count in counts.values())
    return entropy >= _LEAST_ENTROPY

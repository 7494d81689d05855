"""Untrusted text made safe to show: memory files, commit messages and file names are data."""

from __future__ import annotations

import unicodedata

_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_KEPT = frozenset("\n\t")
_JOINERS = frozenset("\u200c\u200d\ufe0e\ufe0f")


def is_text(name: str) -> bool:
    """Whether a name is text: no bytes of another encoding were smuggled into it."""
    return name.isascii() or not any("\ud800" <= char <= "\udfff" for char in name)


def visible(text: str, *, keep_lines: bool = False) -> str:
    """Return ``text`` with every character that could act on a terminal written out instead.

    Control characters (ANSI escapes among them), bidirectional overrides, zero-width and other
    format characters become ``\\xNN`` or ``\\uNNNN``. With ``keep_lines`` line feeds and tabs stay,
    else they become single spaces. Joiners and variation selectors stay: scripts and emoji need them.
    """
    if text.isascii() and text.isprintable():
        return text
    out: list[str] = []
    for char in text:
        if char in _KEPT:
            out.append(char if keep_lines else " ")
        elif (char.isprintable() and char not in _BIDI) or char in _JOINERS:
            out.append(char)
        elif unicodedata.category(char) == "Zs":
            out.append(" ")
        else:
            code = ord(char)
            out.append(f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
    return "".join(out)

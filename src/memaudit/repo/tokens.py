"""Source text as tokens: which identifiers a text holds, which it seems to define, and where."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from memaudit.patterns import lazy_regex

_SHAPE = lazy_regex(r"[A-Za-z_$][A-Za-z0-9_$]*(?:-[A-Za-z0-9_]+)*")
# Up to five lower-case words (modifiers and keywords), then a name that is either followed by what
# opens a value, a body or a parameter list, or preceded by a keyword that always introduces one. Anchored
# to line starts by a literal line feed and possessive throughout: this runs over every byte searched.
_DEFINITION = lazy_regex(
    rb"\n[ \t]*+(?:[a-z#!_]++(?:\([a-z]++\))?+[ \t]++(?![:=?{<])){0,5}+(?:\([^()\n]*+\)[ \t]++)?+"
    rb"(?:(?<!return )(?<!await )(?<!raise )(?<!throw )(?<!new )(?<!if )(?<!assert )"
    rb"[\"']?+([A-Za-z_$][\w$-]*+)[\"']?+[ \t]*+[?+]?+[:=({<]"
    rb"|(?:(?<=class )|(?<=struct )|(?<=interface )|(?<=enum )|(?<=trait )|(?<=type )|(?<=mod )|(?<=module )"
    rb"|(?<=namespace )|(?<=define )|(?<=let )|(?<=var )|(?<=const ))([A-Za-z_$][\w$]*+))"
)
# The same for languages in which a type may stand before the name ("Map<K, V> load(", "char *name;"), or
# an owner ("void Store::load(", "fun String.shout(", "class A::B", "def self.x"), or nothing behind it.
_TYPED = frozenset(
    ".java .kt .kts .cs .php .rb .rake .swift .dart .scala .c .h .cc .cpp .cxx .hpp .hh .hxx .m .mm".split()
)
_NO_BRACKET = rb"[^<>()\n;={}]"
_INNER = rb"<%b*+>" % _NO_BRACKET
_ARGUMENTS = rb"<(?:%b++|<(?:%b++|%b)*+>)*+>" % (_NO_BRACKET, _NO_BRACKET, _INNER)
_TYPED_DEFINITION = lazy_regex(
    rb"\n[ \t]*+(?:"
    # Calls that define what their first argument names: "has_many :items", "attr_reader :total".
    rb"(?:[a-z_]*attr_\w++|has_\w++|belongs_to|scope|enum|delegate|attribute|define_method|alias_method)"
    rb"[ (]:(\w++)"
    # Annotations, modifiers, and type parameters between them.
    rb"|(?:@[\w.:]++(?:\([^()\n]*+\))?+[ \t]++)*+"
    rb"(?:[a-z#!_]++(?:\([a-z]++\))?+[ \t]++(?![:={<]|[?][ :=])){0,5}+"
    rb"(?:[a-z]++[ \t]++%(arguments)b[ \t]++(?:[a-z]++[ \t]++){0,2}+)?+"
    rb"(?<!return )(?<!await )(?<!raise )(?<!throw )(?<!new )(?<!if )(?<!assert )(?<!goto )"
    rb"(?<!import )(?<!package )(?<!using )(?:"
    # A type, an owner, then the name and what opens a value, a body or a parameter list, or ends it.
    rb"(?<!define )"
    rb"(?:[?]?+[A-Za-z_][\w.]*+(?:::\w++)*+(?:%(arguments)b)?+(?:\[\])*+[?*&]*+[ \t]++|(?<=[a-z_>] ))"
    rb"(?!(?:in|is|as|and|or|not|of|extends|implements|from|for|else|return|new|if)[ \t({])"
    rb"[*&]*+(?:\w++(?:%(arguments)b)?+::)*+(\$?+[A-Za-z_]\w*+)(?:%(arguments)b)?+[ \t]*+[;=({\[]"
    rb"|[\"']?+([A-Za-z_$][\w$-]*+)[\"']?+[ \t]*+[?+]?+(?::(?!:)|[=({<])"
    rb"|(?:(?<=class )|(?<=struct )|(?<=interface )|(?<=enum )|(?<=trait )|(?<=type )|(?<=module )"
    rb"|(?<=namespace )|(?<=define )|(?<=let )|(?<=var )|(?<=val )|(?<=const )|(?<=def )|(?<=case )|(?<=fun )"
    rb"|(?<=> ))(?:self\.|(?:\w++(?:%(arguments)b)?+\??(?:::|\.))++)?+([A-Za-z_$][\w$]*+)))"
    % {b"arguments": _ARGUMENTS}
)
# What stands right before and behind every name that the patterns above find; looking for that beside one
# token takes a fraction of their time. Instead, the end of a keyword may stand before it. A name behind "."
# or "::" and a symbol of Ruby also need one of _OWNERS in their line.
_BEFORE, _BEHIND = rb"\n \t\"'", rb"[\"']?+[ \t]*+[?+]?+[:=({<]"
_TYPED_BEFORE, _TYPED_BEHIND = rb"\n \t\"'$*&:", rb"[\"']?+[ \t]*+[?+]?+[:=({<;\[]"
_KEYWORD = rb"(?:[adfilmnuvy][aceilnopsu][deflmnrst]|[^\n][^\n]>)"
_OWNERS = re.compile(
    rb"(?:class|struct|interface|enum|trait|type|module|namespace|define|let|var|val|const|def|case|fun|>) "
    rb"|(?:attr_\w++|has_\w++|belongs_to|scope|enum|delegate|attribute|define_method|alias_method)[ (]:"
)
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_ONLY_WORDS = bytes(byte if byte in _WORD else ord(" ") for byte in range(256))
_HYPHEN = ord("-")


def is_token(text: str) -> bool:
    """Whether ``text`` can be found at all: an identifier, possibly with hyphens inside."""
    return _SHAPE.fullmatch(text) is not None


def words_of(data: bytes) -> list[bytes]:
    """The maximal runs of letters, digits and underscores in a text."""
    return data.translate(_ONLY_WORDS).split()


def _is_typed(path: str) -> bool:
    return posixpath.splitext(path)[1].lower() in _TYPED


def definitions_of(data: bytes, path: str = "") -> set[bytes]:
    """The names that a text seems to define: behind a keyword, or before ``:``, ``=``, ``(`` or ``{``.

    In languages where types are written first, as the extension of ``path`` tells, also behind a type.
    """
    if not _is_typed(path):
        return {one or other for one, other in _DEFINITION.findall(b"\n" + data)}
    found = {next(filter(None, names)) for names in _TYPED_DEFINITION.findall(b"\n" + data)}
    return found | {name[1:] for name in found if name.startswith(b"$")}


def defined_of(data: bytes, tokens: Collection[bytes], path: str = "") -> set[bytes]:
    """Those of the tokens that are among the :func:`definitions_of` a text.

    What a line defines does not depend on the lines around it, so that only those are read that have a
    token where a name could be defined.
    """
    typed = _is_typed(path)
    lines: set[bytes] = set()
    for token in tokens:
        seems = _seems_defined(token, typed).search
        place = seems(data)
        while place:
            at = place.start()
            end = data.find(b"\n", at)
            end = len(data) if end < 0 else end
            line = data[data.rfind(b"\n", 0, at) + 1 : end]
            counts = place.lastindex is None or _OWNERS.search(line)
            if counts:
                lines.add(line)
            place = seems(data, end if counts else place.end())
    return definitions_of(b"\n".join(lines), path).intersection(tokens) if lines else set()


@lru_cache(maxsize=4096)
def _seems_defined(token: bytes, typed: bool) -> re.Pattern[bytes]:
    """Finds every place where a token may be defined; one with a group is none without :data:`_OWNERS`."""
    name = re.escape(token)
    before, behind = (_TYPED_BEFORE, _TYPED_BEHIND) if typed else (_BEFORE, _BEHIND)
    owned = rb"|((?<=[.:$]%b)(?![\w$]))" % name if typed else b""
    return re.compile(
        rb"%b(?:(?<![^%b]%b)%b|(?<=%b %b)(?![\w$])%b)" % (name, before, name, behind, _KEYWORD, name, owned)
    )


def lines_with(data: bytes, token: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines, numbered from 1, that hold a token: whole, or as a part between hyphens or ``$``."""
    number, counted = 1, 0
    at = data.find(token)
    while at >= 0:
        end = at + len(token)
        if _is_whole(data, at, end, b"-" in token):
            start = data.rfind(b"\n", 0, at) + 1
            end = data.find(b"\n", at)
            if end < 0:
                end = len(data)
            number += data.count(b"\n", counted, start)
            counted = start
            yield number, data[start:end]
        at = data.find(token, end)


def _is_whole(data: bytes, start: int, end: int, hyphenated: bool) -> bool:
    if (start and data[start - 1] in _WORD) or (end < len(data) and data[end] in _WORD):
        return False
    if not hyphenated:
        return True
    longer_before = start > 1 and data[start - 1] == _HYPHEN and data[start - 2] in _WORD
    longer_behind = end + 1 < len(data) and data[end] == _HYPHEN and data[end + 1] in _WORD
    return not longer_before and not longer_behind

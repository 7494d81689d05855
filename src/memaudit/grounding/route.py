"""Routes of the repository's own server: ``/api/tools``, ``POST /loans/{id}``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memaudit.grounding.code import is_comment
from memaudit.grounding.ground import Ground, Side, is_test
from memaudit.grounding.language import Polarity, polarity
from memaudit.grounding.reference import Mention, Outcome, broken, supported
from memaudit.grounding.words import ClaimText, Form
from memaudit.patterns import lazy_regex
from memaudit.repo.textsearch import Hit

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("`/api/tools` lists the tools.", ("/api/tools",)),
    ("`POST /loans/{id}/return` ends a loan.", ("/loans/{id}/return",)),
    ("The `/checkout` route takes a POST.", ("/checkout",)),
    ("`GET /users` lists them.", ("/users",)),
    ("`/dex` is a skill.", ()),
    ("See `/docs/guide.md`.", ()),
    ("Templates: `/path/to/x`", ()),
)
"""Claim text and the routes read from it."""

_ROUTE = lazy_regex(
    r"(?:(?:GET|POST|PUT|PATCH|DELETE|HEAD)\s+)?((?:/(?:[a-z0-9_.-]+|:\w+|\{\w+\}|<\w+>)){2,}/?)\Z",
    re.IGNORECASE,
)
_SHORT = lazy_regex(r"(?:(?:GET|POST|PUT|PATCH|DELETE|HEAD)\s+)?(/[a-z][\w-]*)\Z", re.IGNORECASE)
_ABOUT = lazy_regex(r"\b(?:routes?|endpoints?)\b", re.IGNORECASE)
_SEGMENT = r"(?:[\w.-]+|:\w+|\$?\{[^{}/]+\}|<[^<>/]+>)"
_LITERAL = lazy_regex(r"[\"'`](?:[A-Z]+ )?([^\"'`\s]*)[\"'`]")
_ENDING = lazy_regex(rf"/?{_SEGMENT}(?:/{_SEGMENT})*/?\Z")
_ASKED = lazy_regex(r"\b(?:fetch|axios(?:\.\w+)?|useSWR|useQuery|ky(?:\.\w+)?)\s*[(<]")
"""A line that asks for a route, and registers none."""

_SERVING = tuple(f"/{name}.{ending}" for name in ("route", "+server") for ending in ("ts", "js", "tsx"))
_STATIC = lazy_regex(r"[A-Za-z_][\w-]*\Z")


class RouteKind:
    """Paths of HTTP routes that code registers as string literals."""

    name = "route"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """Code spans that are an absolute path of two or more segments without a file extension."""
        for word in text.of(Form.CODE):
            match = _ROUTE.match(word.text) or (
                _SHORT.match(word.text) if _ABOUT.search(text.prose) or " " in word.text else None
            )
            if match and "/path/to/" not in match[1] and "." not in match[1].rpartition("/")[2]:
                said = polarity(text, word.start, word.end)
                yield Mention("route", word.text, match[1], word.start, word.end, word.form, said)

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Search at both ends for the last fixed segment of every route."""
        names = {name for mention, _ in mentions if (name := _last(mention.target))}
        ground.head.look_up(names)
        ground.base.look_up(names)

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Stale when a literal of the route stood in code at base and none does at head."""
        name = _last(mention.target)
        if name is None:
            return None
        head = _registered(mention.target, name, ground.head)
        if head:
            at = ground.head.at(head.path, head.line)
            return supported(
                mention,
                f"{mention.target} stands in {head.path}",
                head=at.text,
                head_at=at,
            )
        base = _spelled_out(mention.target, name, ground.base)
        if (
            base is None
            or is_test(base.path)
            or mention.polarity not in (Polarity.ASSERTED, Polarity.EXAMPLE)
        ):
            return None
        if any(f"/{name}" in hit.text for hit in ground.head.every_line(name)):
            return None
        if any(ground.head.snapshot.by_suffix(_fixed(mention.target).strip("/") + one) for one in _SERVING):
            return None  # A framework serves the folder of that name.
        was = ground.base.at(base.path, base.line)
        return broken(
            mention,
            "route-gone",
            f"{mention.target} was registered in {base.path} at base and no code has it at head",
            base=was.text,
            base_at=was,
            commit=ground.line_change(base.path, name),
            confidence=0.88,
        )


def _last(route: str) -> str | None:
    segments = [segment for segment in route.strip("/").split("/") if _STATIC.match(segment)]
    return segments[-1] if segments else None


def _spelled_out(route: str, name: str, side: Side) -> Hit | None:
    """A line of code with the route as a literal: whole, or as much of its end as the literal is long.

    A path in a comment registers nothing, and neither does the longer path of another thing that happens
    to end alike.
    """
    fixed = _fixed(route)
    parts = route.strip("/").split("/")
    for hit in side.hits(name):
        if f"/{name}" not in hit.text or is_comment(hit.text) or _ASKED.search(hit.text):
            continue
        if fixed in hit.text or route.rstrip("/") in hit.text:
            return hit
        for literal in _LITERAL.finditer(hit.text):
            ending = _ENDING.search(literal[1])
            if ending and _end_alike(parts, ending[0].strip("/").split("/")):
                return hit
    return None


def _end_alike(route: list[str], written: list[str]) -> bool:
    """Whether one is the end of the other; a parameter stands for any segment."""
    pairs = zip(reversed(route), reversed(written), strict=False)
    return all(one == other or one[:1] in ":{<$" or other[:1] in ":{<$" for one, other in pairs)


def _fixed(route: str) -> str:
    """A route without its parameters."""
    return re.sub(r":\w+|\{\w+\}|<\w+>", "", route.rstrip("/"))


def _registered(route: str, name: str, side: Side) -> Hit | None:
    """A line with the route as a literal: whole, or its last part behind a prefix set elsewhere."""
    fixed = _fixed(route)
    whole = next((hit for hit in side.hits(name) if fixed in hit.text or route.rstrip("/") in hit.text), None)
    if whole:
        return whole
    ending = re.compile(rf"[\"'`]/?(?:[\w{{}}:<>-]+/)*{re.escape(name)}(?:/[{{:<]\w+[}}>]?)*/?[\"'`]")
    return next((hit for hit in side.hits(name) if f"/{name}" in hit.text and ending.search(hit.text)), None)

"""Optional parts of a package: extras and groups of Python, features of Rust.

"`pip install -e \".[docs,postgres]\"`", "`uv sync --extra docs`", "the `docs` extra", "`cargo test
--features grpc`". The manifest lists them all, so that a name it lacks does not exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from memaudit.domain import Location
from memaudit.grounding.ground import Ground, Side, is_test, package_key
from memaudit.grounding.language import Polarity, polarity
from memaudit.grounding.reference import Mention, Outcome, Replacement, broken, supported, wrong_before
from memaudit.grounding.words import ClaimText, Form, is_placeholder
from memaudit.patterns import lazy_regex

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ('Install with `pip install -e ".[docs,postgres]"`.', ("python docs", "python postgres")),
    ("`uv sync --extra docs --group lint`", ("python docs", "python lint")),
    ("Needs the `docs` extra.", ("python docs",)),
    ("`cargo test --features grpc,tls`", ("rust grpc", "rust tls")),
    ("`cargo run --features core/grpc`", ()),
    ("`uv run --with lamp desk`", ()),
    ("`uv sync`, then `queue add --group docs`", ()),
    ("`poetry install --with docs`", ("python docs",)),
    ("`pip install desk[docs]`", ()),
    ("Use the `debugpy` optional dependency.", ()),
    ("Records carry the `docs` extra field.", ()),
    ("Open `page.[id].tsx`.", ()),
)
"""Claim text, and ecosystem and name of the parts read from it."""

_LOCAL = lazy_regex(r"(?:install|add|sync)\b[^\n;|&]*?[\s\"'](?:\.|\./[\w./-]*)\[([\w ,.-]+)\]")
_CALL = lazy_regex(r"\b(?P<runner>uv|poetry|pdm|pip|hatch)\b[^\n;|&`]*")
_FLAG = lazy_regex(r"\s--(?P<flag>extra|group|only-group|with)[ =](?P<names>[\w.-]+(?:,[\w.-]+)*)")
_FEATURES = lazy_regex(
    r"\bcargo\b[^\n;|&`]*?\s(?:--features|-F)[ =][\"']?([\w,-]+(?: [\w-]+(?=[\"']))*)(?![\w/,-])"
)
_SAID = lazy_regex(
    r"`([\w.-]+)`\s+(?:extra|extras|dependency group)\b"
    r"(?!\s+(?:field|arg(?:ument)?|key(?:word)?|param(?:eter)?|attribute|column|option|value|line|step|data|info)s?\b)"
)


class ExtraKind:
    """Extras, dependency groups and features."""

    name = "extra"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """Names in install and build commands, and names called an extra in words."""
        seen: set[str] = set()
        for ecosystem, name, start in _read(text.text):
            target = f"{ecosystem} {name}"
            if target not in seen and not is_placeholder(name):
                seen.add(target)
                end = start + len(name)
                said = polarity(text, start, end)
                yield Mention("extra", name, target, start, end, Form.CODE, said, (ecosystem, name))

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Manifests are read. Nothing to search for."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Stale when no manifest lists the name at head, and some manifest lists such names."""
        ecosystem, name = mention.extra
        if mention.polarity not in (Polarity.ASSERTED, Polarity.EXAMPLE):
            return None
        base, head = _listed(ecosystem, ground.base), _listed(ecosystem, ground.head)
        wanted = package_key(name)
        if wanted in head:
            return supported(mention, f"{head[wanted].path} has {name}", head_at=head[wanted])
        if not head:
            return None
        others = ", ".join(sorted(head)[:8])
        at = next(iter(head.values()))
        gone = (Replacement(name, "", False, "no such part"),)
        if wanted in base:
            return broken(
                mention,
                "extra-gone",
                f"{base[wanted].path} had {name} at base; at head there are {others}",
                base=name,
                base_at=base[wanted],
                head_at=at,
                commit=ground.line_change(base[wanted].path, base[wanted].text),
                confidence=0.92,
                replacements=gone,
            )
        if not base or mention.polarity is not Polarity.ASSERTED:
            return None
        return wrong_before(
            mention,
            "extra-gone",
            f"no manifest has {name} at either end; at head there are {others}",
            head_at=at,
            confidence=0.78,
            replacements=gone,
        )


def _read(text: str) -> Iterator[tuple[str, str, int]]:
    for ecosystem, pattern in (("python", _LOCAL), ("rust", _FEATURES), ("python", _SAID)):
        for match in pattern.finditer(text):
            yield from _named(ecosystem, match[1], match.start(1))
    for call in _CALL.finditer(text):
        for flag in _FLAG.finditer(call[0]):
            # What uv calls "--with" is a package from anywhere.
            if flag["flag"] != "with" or call["runner"] == "poetry":
                yield from _named("python", flag["names"], call.start() + flag.start("names"))


def _named(ecosystem: str, names: str, start: int) -> Iterator[tuple[str, str, int]]:
    for name in re.finditer(r"[\w.-]+", names):
        yield ecosystem, name[0], start + name.start()


_TABLES = {
    "python": lazy_regex(
        r"\[(?:project\.optional-dependencies|dependency-groups|tool\.poetry\.extras|tool\.pdm\.dev-dependencies"
        r"|tool\.poetry\.group\.(?P<group>[\w.-]+)\.dependencies)\]"
    ),
    "rust": lazy_regex(r"\[features\]"),
}
_FILES = {"python": "pyproject.toml", "rust": "Cargo.toml"}
_KEY = lazy_regex(r"[\"']?([\w.-]+)[\"']?\s*=\s*\[")
_OPTIONAL = lazy_regex(r"([\w-]+)\s*=\s*\{[^}]*\boptional\s*=\s*true")


def _listed(ecosystem: str, side: Side) -> dict[str, Location]:
    """The parts that manifests list, by name as compared."""
    found: dict[str, Location] = {}
    for path in side.snapshot.by_name(_FILES[ecosystem]):
        if is_test(path):
            continue
        inside = False
        for number, line in enumerate(side.lines(path), 1):
            if line.startswith("["):
                table = _TABLES[ecosystem].match(line)
                inside = bool(table)
                if table and table.groupdict().get("group"):
                    found.setdefault(package_key(table["group"]), side.at(path, number))
            elif inside and (match := _KEY.match(line)):
                found.setdefault(package_key(match[1]), side.at(path, number))
            if ecosystem == "rust" and (match := _OPTIONAL.match(line)):
                found.setdefault(package_key(match[1]), side.at(path, number))
    return found

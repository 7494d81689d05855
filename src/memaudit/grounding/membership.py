"""Names that a claim places in a named file: "`late_fee()` in `desk/fees.py`", "`app.toml` sets `debug`".

When every such name stood in the file at base, the claim is about that file; it is stale when one
of them no longer stands there at head, wherever else it may be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from memaudit.domain import Block
from memaudit.grounding.causes import has_word
from memaudit.grounding.ground import Ground, Side, is_prose
from memaudit.grounding.language import Polarity, polarity
from memaudit.grounding.path import PathKind
from memaudit.grounding.pathwords import EXTENSION, looks_like_path
from memaudit.grounding.places import resolve
from memaudit.grounding.reference import Mention, Outcome, broken, supported, wrong_before
from memaudit.grounding.words import ClaimText, Form, is_compound, is_placeholder
from memaudit.patterns import lazy_regex

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("`late_fee()` in `desk/fees.py` works a fee out.", ("late_fee @ desk/fees.py",)),
    (
        "`.oxlintrc.json` has plugins `react` and `jsx-a11y`.",
        ("react @ .oxlintrc.json", "jsx-a11y @ .oxlintrc.json"),
    ),
    ("`global.json`: pins the SDK (10.0.100-rc.1)", ("10.0.100-rc.1 @ global.json",)),
    ("`src/a.py` and `src/b.py` share `helper`.", ()),
    ("Started by `Desk.open()` in `desk/main.py`", ("Desk.open @ desk/main.py",)),
    ("Run `npm test` from `package.json`.", ()),
    ("Do not import `src/a.py` into `core`.", ()),
)
"""Claim text, and the names read from it with the file they are said to stand in."""

_NAME = lazy_regex(r"@?[A-Za-z_][\w-]*(?:\.[A-Za-z_]\w*)*(?:\(\))?\Z")
_NEAR = 70
"""A name further than this many characters from the file is told of something else."""

_LITERAL = lazy_regex(r"(?<![\w.@/-])v?\d+\.\d+\.\d+(?:[-+.][\w.]+)*(?![\w/])")
"""Versions spelled out so far that they stand for themselves wherever the file has them."""

_SAME = lazy_regex(r"\b(?:in|to|of)\s+(?:this|that|the)\s+same\s+file\b", re.IGNORECASE)
_RELATION = lazy_regex(
    r"\b(?:in|inside|from|at|see)\s*[*_`(]*$|^[`*_)]*\s*(?::|has\b|have\b|defines?\b|contains?\b|lists?\b|exports?\b|with\b|holds?\b|sets?\b)",
    re.IGNORECASE,
)


class MembershipKind:
    """Names said to stand in one file."""

    name = "membership"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """Code spans beside the only file of the claim, when a word relates the two."""
        if text.claim.block in (Block.COMMAND, Block.FENCE, Block.TREE):
            return
        files = [mention for mention in PathKind().mentions(text) if mention.kind == "path"]
        same = _SAME.search(text.text) if not files else None
        if same and (told := _told_before(text)):
            files = [replace(told, start=same.start(), end=same.end())]
        if len(files) != 1 or not EXTENSION.search(files[0].target):
            return
        file = files[0]
        if not same and not (
            _RELATION.search(text.text[: file.start]) or _RELATION.search(text.text[file.end :])
        ):
            return
        for match in _LITERAL.finditer(text.text):
            if not _together(text.text, match.start(), match.end(), file):
                continue
            said = polarity(text, match.start(), match.end())
            extra = (match[0], file.target, file.form.value)
            target = f"{match[0]} @ {file.target}"
            yield Mention("membership", match[0], target, match.start(), match.end(), Form.PLAIN, said, extra)
        for word in text.of(Form.CODE):
            if (
                _NAME.match(word.text)
                and not looks_like_path(word.text, Form.CODE)
                and not is_placeholder(word.text)
                and _together(text.text, word.start, word.end, file)
            ):
                name = word.text.removesuffix("()").lstrip("@")
                said = polarity(text, word.start, word.end)
                extra = (name, file.target, file.form.value)
                yield Mention(
                    "membership",
                    word.text,
                    f"{name} @ {file.target}",
                    word.start,
                    word.end,
                    word.form,
                    said,
                    extra,
                )

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """The file is read. Nothing to search for."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Stale when the file had the name as a whole word at base and, still there, has it no more."""
        name, target, form = mention.extra
        file = Mention("path", target, target, mention.start, mention.end, Form(form), mention.polarity)
        base, head = (next(iter(resolve(file, text, side)), None) for side in (ground.base, ground.head))
        if base is None or head is None or mention.polarity not in (Polarity.ASSERTED, Polarity.EXAMPLE):
            return None
        was, now = _line(name, base.path, ground.base), _line(name, head.path, ground.head)
        if was is None:
            return _never_in(mention, name, head.path, ground) if now is None else None
        at = ground.base.at(base.path, was)
        if now is not None:
            return supported(
                mention,
                f"{head.path} has {name}",
                base_at=at,
                head_at=ground.head.at(head.path, now),
                confidence=0.85,
            )
        return broken(
            mention,
            "not-in-file",
            f"{base.path} had {name} at base and does not at head",
            base=at.text,
            base_at=at,
            head_at=ground.head.place(head.path),
            commit=ground.broken_at(base.path, has_word(name)),
            confidence=0.88,
        )


def _told_before(text: ClaimText) -> Mention | None:
    """The file that "the same file" means: the only one the claim before names under this heading."""
    earlier = [claim for claim in text.siblings if claim.line_start < text.claim.line_start]
    if not earlier:
        return None
    files = [mention for mention in PathKind().mentions(ClaimText(earlier[-1])) if mention.kind == "path"]
    return files[0] if len(files) == 1 else None


def _together(text: str, start: int, end: int, file: Mention) -> bool:
    """Whether a name and the file stand in one sentence and close to each other."""
    between = text[end : file.start] if end <= file.start else text[file.end : start]
    return len(between) <= _NEAR and not re.search(r"[.!?]\s", between)


def _never_in(mention: Mention, name: str, path: str, ground: Ground) -> Outcome | None:
    """A name that no code has at either end, said to stand in a file: it was wrong from the start."""
    if not is_compound(name) or mention.polarity is not Polarity.ASSERTED or is_prose(path):
        return None
    last = name.rpartition(".")[2]
    if ground.head.hits(last) or ground.base.hits(last):
        return None
    return wrong_before(
        mention,
        "not-in-file",
        f"{path} does not have {name}, and no other code has it at either end",
        head_at=ground.head.place(path),
        commit=ground.history.origin_of(path, has_word(name)),
        confidence=0.78,
    )


def _line(name: str, path: str, side: Side) -> int | None:
    """The first line of a file with the name as a whole word."""
    whole = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    return next((number for number, line in enumerate(side.lines(path), 1) if whole.search(line)), None)

"""The check that a claim carries: a test, a command that is said to work, or a snippet."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from memaudit.domain import Block, Claim
from memaudit.errors import UsageError
from memaudit.patterns import lazy_regex


class CheckKind(enum.StrEnum):
    """What sort of check it is; it decides how its result is read."""

    TEST = "test"
    COMMAND = "command"
    SNIPPET = "snippet"


@dataclass(frozen=True, slots=True)
class Check:
    """A check as the claim words it: the ids of tests, one command line, or the text of one snippet."""

    kind: CheckKind
    words: tuple[str, ...]


EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Halves are rounded up (`tests/test_sum.py::test_halves`).", ("tests/test_sum.py::test_halves",)),
    ("See tests/test_sum.py::TestSum::test_halves[a-1].", ("tests/test_sum.py::TestSum::test_halves[a-1]",)),
    ("`make lint` passes.", ("make lint",)),
    ("`python -m app --version` works without a database.", ("python -m app --version",)),
    ("`npm test` exits with 0.", ("npm test",)),
    ("Run `make lint`.", ()),
    ("`make lint` must pass before a merge.", ()),
    ("`make lint` does not work on Windows.", ()),
    ("If `make lint` passes, push.", ()),
    ("`make lint` and `make test` pass.", ()),
    ("`parse()` works on bytes.", ()),
    ("`src/app.py` works.", ()),
    ("The code is in `tests/test_sum.py`.", ()),
)
"""Claim text and the check it carries: the reader's contract, run by the tests."""

_NODE = lazy_regex(r"(?<![\w./-])[\w.-]+(?:/[\w.-]+)*\.py(?:::\w+)+(?:\[[^\]\s`]*\])?")
_CODE = lazy_regex(r"(?<!`)`([^`\n]+)`(?!`)")
_WORKS = lazy_regex(
    r"\b(?:works?|passes|succeeds|(?:is|runs) (?:green|clean)|runs? (?:cleanly|without (?:an )?errors?)"
    r"|exits? (?:with )?(?:code |status )?(?:0|zero))\b"
)
_NOT_SAID = lazy_regex(
    r"\b(?:not|never|no longer|cannot|fails?|must|should|shall|have to|has to|needs? to|will|would|may|might"
    r"|can|ensure|make sure|sure that|check that|verify|confirm|if|unless|until|when|once|after|before"
    r"|only|used to|yet|again)\b|n't\b",
)
_NO_COMMAND = lazy_regex(r"[\w./-]*\.\w{1,4}|[\w.]*\(.*\)|[A-Z_]+|.*::.*")
_FENCE = lazy_regex(rb"[ \t>*+-]*(?:\d+[.)])?[ \t]*(?:`{3,}|~{3,})[ \t]*\{?\.?([\w+#-]*)")
_PYTHON = frozenset({"python", "py", "python3", "pycon"})


def find_check(claim: Claim, raw: bytes) -> Check:
    """The check that a claim of the document ``raw`` carries. Raises UsageError where it carries none.

    The id of a test counts wherever it stands. A command counts only if the claim states that it works:
    what is only recommended or demanded is not made false by an exit code.
    """
    where = f"{claim.document}:{claim.line_start}"
    nodes = tuple(dict.fromkeys(match[0] for match in _NODE.finditer(claim.text)))
    if nodes:
        return Check(CheckKind.TEST, nodes)
    if claim.block is Block.FENCE:
        match = _FENCE.match(raw[claim.item_span.start : claim.item_span.end])
        language = match[1].decode("ascii", "replace").lower() if match else ""
        if language not in _PYTHON:
            raise UsageError("only Python snippets can be run", where, "mark the block as python if it is")
        return Check(CheckKind.SNIPPET, (claim.text,))
    command = _command(claim)
    if command is None:
        raise UsageError(
            "this claim carries no check",
            where,
            "it needs the id of a test (tests/test_a.py::test_b), a Python snippet, or one command that it"
            " says works",
        )
    return Check(CheckKind.COMMAND, (command,))


def _command(claim: Claim) -> str | None:
    """The one command that the claim states to work."""
    if claim.block in (Block.COMMAND, Block.TREE):
        return None
    spans = [match[1].strip() for match in _CODE.finditer(claim.text)]
    said = " ".join([*claim.context, _CODE.sub(" ", claim.text)]).lower()
    if len(spans) != 1 or _NO_COMMAND.fullmatch(spans[0]) or _NOT_SAID.search(said):
        return None
    return spans[0] if _WORKS.search(said) else None

"""A check that a model drafted: whether it can be one at all."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from memaudit.domain import Claim, Judgement, Verdict

_LONGEST = 8_000


def unusable(source: str, names: Collection[str]) -> str:
    """Why a draft is no check, in words; empty where it may be one.

    ``names`` are the definitions and files that it was to be about: a test that names none of them would
    pass whatever becomes of them.
    """
    if not source.strip():
        return "the model says that no test of it can be written"
    if len(source) > _LONGEST:
        return f"the draft is longer than {_LONGEST:,} characters"
    try:
        module = ast.parse(source)
    except SyntaxError as error:
        where = f", line {error.lineno}" if error.lineno else ""
        return f"the draft is no Python: {error.msg}{where}"
    except (ValueError, RecursionError, MemoryError) as error:
        return f"the draft is no Python: {error}"
    tests = [one for one in ast.walk(module) if isinstance(one, _FUNCTIONS) and one.name.startswith("test")]
    if len(tests) != 1 or tests[0] not in module.body:
        return f"the draft has {len(tests)} tests, and one was asked for"
    if not any(_asserts(node) for node in ast.walk(tests[0])):
        return "the draft asserts nothing"
    if not any(name and name in word for word in _words(module) for name in names):
        return "the draft names nothing of what the claim is about"
    return ""


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _asserts(node: ast.AST) -> bool:
    """Whether it asserts something that is not given from the start."""
    if isinstance(node, ast.Assert):
        return not isinstance(node.test, ast.Constant)
    return isinstance(node, ast.Attribute) and node.attr in ("raises", "fail")


def _words(module: ast.Module) -> Iterator[str]:
    """The names and texts in the code, comments and docstrings aside."""
    for node in ast.walk(module):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                yield name
            case ast.ImportFrom(module=str(name)):
                yield name.replace(".", "/")
            case ast.Constant(value=str(text)):
                yield text


def no_check(claim: Claim, why: str) -> Judgement:
    """The judgement of a claim whose draft is no check."""
    return Judgement(claim.id, Verdict.UNKNOWN, "no-draft", why, "oracle", 0.5)

"""What a dependency is used for: "`vitest` runs the tests", "linting: `flake8`".

The role is another's when the task of that name ran the tool at base and runs something else at head; a
library of the tests is none when code imports it and nothing of the tests does.
"""

from __future__ import annotations

import re

from memaudit.domain import Location
from memaudit.grounding.causes import has_word
from memaudit.grounding.ground import Ground, Side, is_test
from memaudit.grounding.language import Polarity, clause
from memaudit.grounding.reference import Mention, Outcome, broken, wrong_before
from memaudit.grounding.shellwords import programs_of, segments
from memaudit.grounding.subject import demands
from memaudit.grounding.words import ClaimText
from memaudit.patterns import lazy_regex
from memaudit.repo.manifests import Task
from memaudit.repo.textsearch import MOST_HITS, Hit

_ROLES = {
    "tests": (r"(?:tests?|testing)", r"(?:^|[:_-])tests?(?:$|[:_-])"),
    "linting": (r"lint(?:s|ing|ed|er)?", r"(?:^|[:_-])lint(?:$|[:_-])"),
    "formatting": (r"format(?:s|ting|ted|ter)?", r"(?:^|[:_-])(?:format|fmt)(?:$|[:_-])"),
    "type checks": (r"type[- ]?check(?:s|ing|ed|er)?", r"(?:^|[:_-])type-?s?-?check(?:$|[:_-])"),
}
"""The words of a role in prose, and the names of the tasks that play it."""

_BETWEEN = (
    r"(?:\s+(?:is|are|for|used|runs?|does|what|the|our|all|to|in|of|unit|snapshot|integration|end-to-end|static"
    r"|code|with|by|via|on|using|use|uses|written|made|done|through|handles?))"
)
_IMPORTED = lazy_regex(r"\b(?:import|from|require|use|using|include)\b|^\s*(?:\w+\s+)?\"[^\"]+\"\s*$")
_TEST_HELP = lazy_regex(r"test|spec|mock|fixture", re.IGNORECASE)


def role_of(mention: Mention, text: ClaimText) -> str | None:
    """The one role that the sentence gives the mention, if any."""
    before, after = clause(text.text, mention.start, mention.end)
    before, after = before.rstrip("`* "), after.lstrip("`*")
    found = [
        role
        for role, (words, _) in _ROLES.items()
        if re.match(rf"{_BETWEEN}{{1,6}}\s+{words}\b", after, re.IGNORECASE)
        or re.search(rf"\b{words}(?::|{_BETWEEN}{{1,4}})$", before, re.IGNORECASE)
    ]
    return found[0] if len(found) == 1 else None


def role_changed(mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
    """Stale when what the claim says a declared dependency is for is not what it is used for."""
    role = role_of(mention, text) if mention.polarity is Polarity.ASSERTED else None
    if role is None:
        return None
    name = re.sub(r"/v\d+\Z", "", mention.target).rpartition("/")[2]
    moved = _task_moved(mention, role, name.lower(), ground)
    if moved or role != "tests" or demands(text):
        return moved
    return _no_test_library(mention, name, ground)


def _task_moved(mention: Mention, role: str, name: str, ground: Ground) -> Outcome | None:
    """The task of the role ran the tool at base; at head it runs another and no task runs the tool."""
    word = has_word(name)
    if any(word(task.body) or word(task.name) for task in _tasks(ground.head).values()):
        return None
    named = re.compile(_ROLES[role][1])
    now = _tasks(ground.head)
    for (path, task_name), task in _tasks(ground.base).items():
        other = now.get((path, task_name))
        if other is None or not named.search(task_name) or not word(task.body):
            continue
        programs = [item for part in segments(other.body) for item in programs_of(part)]
        fresh = [item for item in programs if not has_word(item)(task.body)]
        if not fresh:
            continue
        base, head = ground.base.at(path, task.line), ground.head.at(path, other.line)
        return broken(
            mention,
            "dependency-role",
            f"{task_name} in {path} ran {name} at base and runs {fresh[-1]} at head",
            base=task.body.strip(),
            head=other.body.strip(),
            base_at=base,
            head_at=head,
            commit=ground.line_change(path, base.text) or ground.last_of([path]),
            confidence=0.85,
        )
    return None


def _tasks(side: Side) -> dict[tuple[str, str], Task]:
    return {
        (manifest.path, task.name): task for manifest in side.manifests for task in manifest.tasks.values()
    }


def _no_test_library(mention: Mention, name: str, ground: Ground) -> Outcome | None:
    """Code imports it at head, and no test, task or settings file so much as names it."""
    token = name.replace("-", "_") if name.replace("-", "").isidentifier() else name
    hits, before = ground.head.hits(token), ground.base.hits(token)
    if max(len(hits), len(before)) >= MOST_HITS or not any(map(is_test, ground.head.snapshot.files())):
        return None
    if _serves_tests(hits, ground.head):
        return None
    imported = [hit for hit in hits if _IMPORTED.search(hit.text) and hit.path not in _declaring(ground.head)]
    if not imported:
        return None
    at = ground.head.at_hit(imported[0])
    why = f"{at.path} imports {name}, and no test does"
    served = _serves_tests(before, ground.base)
    if served is None:
        return wrong_before(mention, "dependency-role", why, head=at.text, head_at=at, confidence=0.78)
    return broken(
        mention,
        "dependency-role",
        why,
        base=served.text,
        head=at.text,
        base_at=served,
        head_at=at,
        commit=ground.line_change(served.path, served.text) or ground.removed_by(served.path),
        confidence=0.8,
    )


def _serves_tests(hits: list[Hit], side: Side) -> Location | None:
    """A place that shows a library in use for tests, or in settings that may be about them."""
    declaring = _declaring(side)
    for hit in hits:
        if is_test(hit.path) or _TEST_HELP.search(hit.path):
            return side.at_hit(hit)
        if hit.path not in declaring and not side.code(hit.path):
            return side.at_hit(hit)
    return None


def _declaring(side: Side) -> set[str]:
    return {manifest.path for manifest in side.manifests if manifest.dependencies}

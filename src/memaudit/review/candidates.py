"""What may be meant in place of a name that is gone: real names of the right kind, the likeliest first.

Nothing here is proof: where one successor can be shown, the kind of reference has said so itself.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable

from memaudit.grounding.cli import read_program, walk
from memaudit.grounding.ground import Ground, Side, is_test, package_key
from memaudit.grounding.reference import Outcome, Replacement
from memaudit.grounding.tasks import Asked, files_of
from memaudit.grounding.words import is_compound
from memaudit.repo.manifests import Manifest, Task, read_manifest
from memaudit.repo.symbols import Definition
from memaudit.review.likeness import likeness, related, words
from memaudit.review.successors import successors

_MOST = 3
_LEAST = 62
"""Likeness, from 0 to 100, from which on two names are worth a question."""

_TWIN = 80
"""Likeness of two bodies from which on they are taken for the same."""

_SHORTEST_BODY = 40
_KEYWORDS = frozenset(
    "pub struct enum class interface type trait impl def fun func function const let var val static async"
    " export default public private protected internal final abstract open data return from import"
    " new".split()
)
_MOST_FILES = 60
Found = list[tuple[float, str]]


def candidates(outcome: Outcome, ground: Ground) -> list[Replacement]:
    """At most three replacements for what a contradicted outcome names."""
    # What takes other parameters is still there under its name.
    find = None if outcome.reason == "signature-changed" else _FINDERS.get(outcome.mention.kind)
    found = find(outcome, ground) if find else []
    return list({item.new: item for item in found if item.new != item.old}.values())[:_MOST]


def _tasks(outcome: Outcome, ground: Ground) -> list[Replacement]:
    """Tasks of the same runner: first those whose body is like the lost one's, then those of like names."""
    from rapidfuzz import fuzz

    mention, asked = outcome.mention, Asked.of(outcome.mention)
    here = files_of(asked.runner, ground.head)
    own = [item for item in here if asked.folder and item.folder == asked.folder] or here
    if outcome.reason == "command-steps":
        lost = [item.old for item in outcome.replacements if not item.new]
        found = _running(lost, asked.task, own)
    else:
        before = next(
            (
                item.tasks[asked.task]
                for item in files_of(asked.runner, ground.base)
                if asked.task in item.tasks
            ),
            None,
        )
        known = {name for item in files_of(asked.runner, ground.base) for name in item.tasks}
        if asked.runner == "just" and asked.package and asked.task not in known:
            return []  # It is a module that is called so, and its task is the word behind it.
        found = []
        for task in (task for item in own for task in item.tasks.values()):
            if task.name.startswith("_"):
                continue  # No one types what a task file keeps to itself.
            body = (
                fuzz.ratio(before.body, task.body)
                if before and before.body and task.name not in known
                else 0.0
            )
            named = likeness(asked.task, task.name) if before is None or task.name not in known else 0.0
            leads = (
                70.0
                if before is None and re.search(rf"(?<![\w-]){re.escape(asked.task)}(?![\w-])", task.body)
                else 0.0
            )
            found.append((max(body, named, leads), task.name))
    return [
        Replacement(*_called(mention.target, asked.task, name), False, "nearest task")
        for score, name in sorted(found, key=lambda pair: (-pair[0], pair[1]))
        if score >= _LEAST
    ]


def _running(lost: Iterable[str], name: str, files: Iterable[Manifest]) -> Found:
    """Tasks named after the lost one that run what it no longer runs."""

    def runs(task: Task) -> bool:
        told = f"{task.name} {' '.join(task.needs)} {task.body}".lower()
        return all(word.lower().rstrip("s") in told for word in lost)

    tasks = [task for item in files for task in item.tasks.values() if task.name != name]
    return [
        (80.0 - len(task.name), task.name) for task in tasks if _is_variant(task.name, name) and runs(task)
    ]


def _is_variant(new: str, old: str) -> bool:
    return new.startswith(old) and len(words(new)) <= len(words(old)) + 1


def _called(shown: str, old: str, new: str) -> tuple[str, str]:
    """How a task is typed: ``npm run dev`` becomes ``npm start``, ``npm test`` becomes ``npm run check``."""
    program = shown.partition(" ")[0]
    if program in ("npm", "pnpm", "yarn", "bun") and shown in (f"{program} {old}", f"{program} run {old}"):
        short = new in ("test", "start")
        if short or shown == f"{program} {old}":
            return shown, f"{program} {new}" if short or program != "npm" else f"{program} run {new}"
    return old, new


def _subcommands(outcome: Outcome, ground: Ground) -> list[Replacement]:
    """Sub-commands that head has and base had not, wherever they hang.

    For one that base had not either, those of the same name in other groups.
    """
    from rapidfuzz import fuzz

    program, *parts = outcome.mention.extra
    base, head = (
        ground.remember(("cli", name, program), lambda side=side: read_program(program, side))  # type: ignore[misc]
        for name, side in (("base", ground.base), ("head", ground.head))
    )
    missing, _ = walk(parts, head)
    if missing is None:
        return []
    called = " ".join(parts[: parts.index(missing) + 1])
    was_there = walk(parts, base)[0] is None
    body = _body_at(ground.base, base.names.get(called))
    found: Found = []
    for name, at in head.names.items():
        if " " not in name and head.structured and name not in head.top:
            continue
        namesake = name.rpartition(" ")[2] == missing
        if not namesake and (not was_there or name in base.names):
            continue
        now = _body_at(ground.head, at)
        if not set(words(missing)) & set(words(name)):
            continue
        alike = fuzz.ratio(body, now) if body and now else 0.0
        found.append((max(alike, likeness(called, name) + (25.0 if namesake else 0.0)), name))
    return [
        Replacement(
            called, name, False, "sub-command new at head" if was_there else "sub-command of this name"
        )
        for score, name in sorted(found, key=lambda pair: (-pair[0], pair[1]))
        if score >= _LEAST
    ]


def _body_at(side: Side, at: object) -> str:
    """The text of the function that a registration stands on."""
    path, line = getattr(at, "path", ""), getattr(at, "line", 0)
    if not path:
        return ""
    after = [
        item for item in side.definitions(path) if item.line_end >= line and item.line_start <= line + 12
    ]
    if not after:
        return ""
    first = min(after, key=lambda item: item.line_start)
    return "\n".join(side.lines(path)[first.line_start : first.line_end])[:4000]


def _names(outcome: Outcome, ground: Ground) -> list[Replacement]:
    """Names of the file that the lost one stood in or is said to stand in; new ones where it was there."""
    mention = outcome.mention
    name = mention.extra[0] if mention.kind == "membership" else re.split(r"\.|::|#|->", mention.target)[-1]
    if outcome.base_at is not None:
        line = _same_line(outcome, name, ground)
        if line:
            return [Replacement(name, line, False, "in the same line")]
    at = outcome.base_at or outcome.head_at
    twins = _twins(outcome, name, ground)
    if twins or at is None or not is_compound(name):
        return twins
    path = at.path.rstrip("/")
    if ground.head.snapshot.kind(path) != "file":
        rename = ground.changes.renamed(path)
        if rename is None:
            return []
        path = rename.new
    known = {item.name for item in ground.base.definitions(at.path)} if outcome.base_at else set()
    names = {item.name for item in ground.head.definitions(path) if not item.kind.endswith("?")} - known
    if not ground.head.definitions(path):
        words = re.findall(r"[A-Za-z_]\w{3,}", "\n".join(ground.head.lines(path)[:5000]))
        names = {word for word in words if is_compound(word)}
    alike = (other for other in names if related(name, other) and _is_in_style_of(name, other))
    scored = sorted(((likeness(name, other), other) for other in alike), reverse=True)
    return [
        Replacement(name, other, False, f"nearest name in {path}")
        for score, other in scored
        if score >= _LEAST
    ]


def _is_in_style_of(one: str, other: str) -> bool:
    """Whether two names may be of the same sort of thing: a class is not called in snake case."""
    humps = [bool(re.search(r"[a-z0-9][A-Z]", name)) for name in (one, other)]
    snakes = ["_" in name.strip("_") and name.islower() for name in (one, other)]
    return one[:1].isupper() == other[:1].isupper() and not any(
        hump and snake for hump, snake in ((humps[0], snakes[1]), (humps[1], snakes[0]))
    )


def _twins(outcome: Outcome, name: str, ground: Ground) -> list[Replacement]:
    """Definitions new at head with nearly the lost one's body, in changed files of its language."""
    from rapidfuzz import fuzz

    at = outcome.base_at
    if at is None or outcome.mention.kind != "symbol":
        return []
    was = next((item for item in ground.base.definitions(at.path) if item.name == name), None)
    body = _text_of(ground.base, at.path, was) if was else ""
    if was is None or len(body) < _SHORTEST_BODY:
        return []
    extension, folder = posixpath.splitext(at.path)[1], posixpath.dirname(at.path)
    changed = [path for path in ground.changes.added | ground.changes.modified if path.endswith(extension)]
    changed = [path for path in changed if is_test(path) == is_test(at.path)]
    changed.sort(
        key=lambda path: (
            -len(posixpath.commonprefix([path, at.path])),
            posixpath.dirname(path) != folder,
            path,
        )
    )
    found: Found = []
    for path in changed[:_MOST_FILES]:
        for item in ground.head.definitions(path):
            if item.name == name or item.kind != was.kind:
                continue
            now = _text_of(ground.head, path, item).replace(item.name, name)
            alike = fuzz.ratio(body, now, score_cutoff=_TWIN)
            if "\n" not in body.strip() and not related(name, item.name):
                continue  # One line is like many others.
            # The file at base is only parsed where there is something to tell from what it had.
            if alike and item.name not in {other.name for other in ground.base.definitions(path)}:
                found.append((alike, item.name))
    return [
        Replacement(name, new, False, "the same body under another name")
        for _, new in sorted(found, key=lambda pair: (-pair[0], pair[1]))
    ]


def _text_of(side: Side, path: str, item: Definition) -> str:
    return "\n".join(side.lines(path)[item.line_start - 1 : item.line_end])[:4000]


def _same_line(outcome: Outcome, name: str, ground: Ground) -> str | None:
    """What stands in the place of a name in the line, otherwise the same, of the same file at head."""
    at = outcome.base_at
    if at is None or name not in at.text or len(at.text) > 300:
        return None
    before, _, after = at.text.partition(name)
    if not (before + after).strip(" \t\"'`:=,;(){}[]"):
        return None
    pattern = re.compile(rf"{re.escape(before)}([\w.@+-]+){re.escape(after)}")
    found = {
        match[1] for line in ground.head.lines(at.path) if (match := pattern.fullmatch(line.strip()[:300]))
    }
    known = {
        match[1] for line in ground.base.lines(at.path) if (match := pattern.fullmatch(line.strip()[:300]))
    }
    fresh = found - known
    if len(fresh) != 1:
        return None
    new = fresh.pop()
    # "struct X {" says nothing of what X became: a line has to name more than that. Any test will do for
    # one that a command picks as an example.
    told = [word for word in re.findall(r"[A-Za-z_]{3,}", before + after) if word not in _KEYWORDS]
    return new if told or is_test(at.path) or related(name, new) else None


def _dependencies(outcome: Outcome, ground: Ground) -> list[Replacement]:
    """The one package that came into the manifest with the commit that dropped this one."""
    at, commit = outcome.base_at, outcome.commit
    if at is None or commit is None:
        return []
    before, after = (
        read_manifest(at.path, text) if text else None for text in ground.history.around(commit.sha, at.path)
    )
    if before is None or after is None:
        return []
    gone = {package_key(name) for name in before.dependencies} - {
        package_key(name) for name in after.dependencies
    }
    came = [name for name in after.dependencies if name not in before.dependencies]
    if gone != {package_key(outcome.mention.target)} or len(came) != 1:
        return []
    return [Replacement(outcome.mention.text, came[0], False, "came with the commit that dropped it")]


_FINDERS: dict[str, Callable[[Outcome, Ground], list[Replacement]]] = {
    "path": successors,
    "command": _tasks,
    "subcommand": _subcommands,
    "symbol": _names,
    "membership": _names,
    "dependency": _dependencies,
}

"""Commands that run a task of the repository: npm scripts, make and just targets, and their kin.

A task is looked up from the manifest that the command would use (workspace flags, ``cd`` and the
document's folder), then anywhere. It is stale when it could be run at base and cannot at head, when
no manifest of that runner has it, or when its body no longer does what the claim says it runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from dataclasses import replace as dataclass_replace
from itertools import pairwise

from memaudit.domain import Block
from memaudit.grounding.ground import Ground, Side, folders_up, join
from memaudit.grounding.language import Polarity, polarity
from memaudit.grounding.reference import (
    Mention,
    Outcome,
    Replacement,
    broken,
    supported,
    undecided,
    wrong_before,
)
from memaudit.grounding.shellwords import Segment, segments
from memaudit.grounding.steps import shown_task, steps_changed
from memaudit.grounding.words import ClaimText, Form, is_placeholder
from memaudit.repo.manifests import Manifest, Task

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Run `just lint` first.", ("just lint",)),
    ("Use `npm run build -- --watch`.", ("npm run build",)),
    ("`pnpm run --filter @acme/core gen-defs`", ("pnpm run gen-defs",)),
    ("`make -C tools check fmt`", ("make check", "make fmt")),
    ("`cd web && yarn test:unit`", ("yarn test:unit",)),
    ("`task lint:fix`", ("task lint:fix",)),
    ("`npm install` and `npm ci`", ()),
    ("Run `npm run <script>`.", ()),
    ("`just` is a runner.", ()),
)
"""Claim text and the tasks read from it, as they would be typed."""

_NPM_BUILTIN = frozenset(
    (
        "install i ci add remove rm uninstall update up upgrade exec x dlx create init link unlink pack "
        "publish audit outdated why list ls config cache login logout whoami version view info help "
        "store import rebuild prune dedupe doctor set workspaces workspace global plugin patch patch- "
        "commit deploy fetch env self-update setup approve-builds node pm upgrade-interactive "
        "constraints stage bin root prefix search token owner team access org ping hook fund repo bugs "
        "docs explore completion edit adduser unpublish deprecate dist-tag sbom build-info repl bunx npx"
    ).split()
)
_NPM_SCRIPT_BUILTIN = {
    "test": "test",
    "t": "test",
    "tst": "test",
    "start": "start",
    "stop": "stop",
    "restart": "restart",
}
_VALUE_FLAGS = {
    "npm": {"-w", "--workspace", "--prefix", "-C"},
    "pnpm": {"--filter", "-F", "-C", "--dir", "--filter-prod"},
    "yarn": {"--cwd"},
    "bun": {"--filter", "--cwd", "-F"},
    "make": {"-C", "-f", "-j", "--directory", "--file"},
    "just": {"-f", "--justfile", "-d", "--working-directory", "--set"},
    "task": {"-d", "--dir", "-t", "--taskfile"},
    "nox": {"-f", "-p", "--python"},
    "tox": {"-c", "-r"},
    "rake": {"-f"},
}
_FOLDER_FLAGS = frozenset({"--prefix", "-C", "--dir", "--cwd", "--directory", "-d", "--working-directory"})
_FILTER_FLAGS = frozenset({"-w", "--workspace", "--filter", "-F", "--filter-prod"})
_SIMPLE_RUNNERS = {
    "make": "make",
    "gmake": "make",
    "just": "just",
    "task": "task",
    "rake": "rake",
    "go-task": "task",
}
_SAME_BLOCK = 3
"""Commands at most this many lines apart stand in one block (comments between them are no claims)."""

_TASK_NAME = re.compile(r"[A-Za-z_@][\w:./@-]*\Z")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A task as a command line asks for it. ``loose`` when the word may also be a program."""

    runner: str
    shown: str
    task: str
    folder: str
    package: str
    loose: bool


class CommandKind:
    """Tasks of the repository's own runners."""

    name = "command"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """Task calls in shell lines and in code spans."""
        seen: set[str] = set()
        entered = _entered(text)
        for word in text.of(Form.COMMAND, Form.CODE):
            for segment in segments(word.text):
                for wanted in _wanted(
                    dataclass_replace(segment, folder=f"{entered}/{segment.folder}".strip("/"))
                ):
                    if wanted.shown in seen or is_placeholder(wanted.task):
                        continue
                    seen.add(wanted.shown)
                    start = max(text.text.find(wanted.task, word.start), word.start)
                    said = polarity(text, word.start, word.end)
                    extra = (
                        wanted.runner,
                        wanted.task,
                        wanted.folder,
                        wanted.package,
                        "loose" if wanted.loose else "",
                    )
                    yield Mention(
                        "command",
                        word.text,
                        wanted.shown,
                        start,
                        start + len(wanted.task),
                        word.form,
                        said,
                        extra,
                    )

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Tasks are found in manifests. Nothing to search for."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Look the task up on both sides; then compare what it runs with what the claim says."""
        runner, name, *_, loose = mention.extra
        base, head = find_task(mention, text, ground.base), find_task(mention, text, ground.head)
        if head:
            return steps_changed(mention, text, base, head, ground) or supported(
                mention,
                f"{head[0].path} has {name}",
                base=shown_task(base),
                head=shown_task(head),
                head_at=ground.head.at(head[0].path, head[1].line),
                base_at=ground.base.at(base[0].path, base[1].line) if base else None,
            )
        here = [manifest for manifest in ground.head.manifests if manifest.runner == runner]
        if any(manifest.open_ended for manifest in here):
            return undecided(mention, f"{runner} tasks also come from files that are not read")
        if mention.polarity in (Polarity.REMOVED, Polarity.DENIED):
            return supported(mention, f"no {runner} task {name} at head, as the claim says")
        if mention.polarity not in (Polarity.ASSERTED, Polarity.EXAMPLE):
            return None
        if base:
            return _task_gone(mention, base, here, ground)
        near = _nearest(name, here)
        misspelt = bool(near) and bool(re.search(r"[-:]", name)) and name not in ground.head.dependencies
        if (loose and not misspelt) or not here or mention.polarity is Polarity.EXAMPLE:
            return None if not loose else undecided(mention, f"{name} may be a program", outside=True)
        return wrong_before(
            mention,
            "command-gone",
            f"{_looked_in(mention, here)} has a task {name}",
            head=_names(here),
            head_at=ground.head.at(here[0].path, 1),
            confidence=0.8,
            replacements=(Replacement(name, near, False, "nearest name"),) if near else (),
        )


def _entered(text: ClaimText) -> str:
    """The folder that earlier lines of the same shell block have entered with ``cd``."""
    claim = text.claim
    if claim.block is not Block.COMMAND:
        return ""
    folder, last = "", 0
    for item in text.siblings:
        if item.block is not Block.COMMAND or item.context != claim.context:
            continue
        if item.line_start >= claim.line_start:
            break
        if item.line_start - last > _SAME_BLOCK:
            folder = ""
        last = item.line_end
        entered = re.fullmatch(r"cd\s+([\w./-]+)\s*(?:#.*)?", item.text.strip())
        if entered:
            folder = join(folder, entered[1]) or ""
    return folder if claim.line_start - last <= _SAME_BLOCK else ""


def _wanted(segment: Segment) -> Iterator[Wanted]:
    program, arguments = segment.program, list(segment.arguments)
    if (
        program in ("bundle", "uv", "poetry", "pdm", "rye", "pipx", "npx", "mise", "hatch")
        and "run" not in arguments[:1]
    ):
        if program == "bundle" and arguments[:1] == ["exec"] and len(arguments) > 1:
            program, arguments = arguments[1], arguments[2:]
        else:
            return
    elif program in ("uv", "poetry", "pdm", "rye", "hatch") and len(arguments) > 1:
        rest = [argument for argument in arguments[1:] if not argument.startswith("-")]
        if not rest:
            return
        program, arguments = rest[0], rest[1:]
        if program not in ("poe", "nox", "tox", "make", "just"):
            yield Wanted(
                "python", f"{segment.program} run {program}", program, segment.folder, "", loose=True
            )
            return
    if program in ("npm", "pnpm", "yarn", "bun"):
        yield from _npm(program, arguments, segment.folder)
    elif program in _SIMPLE_RUNNERS:
        runner = _SIMPLE_RUNNERS[program]
        names, options = _split(arguments, _VALUE_FLAGS.get(runner, set()))
        folder = join(segment.folder, options.get("folder", "")) or ""
        if "file" in options:
            return
        for name in names if runner in ("make", "rake", "task") else names[:1]:
            if _TASK_NAME.match(name) and "=" not in name:
                yield Wanted(runner, f"{program} {name}", name.partition("[")[0], folder, "", loose=False)
    elif program in ("nox", "tox"):
        for flag, value in pairwise(arguments):
            if flag in ("-s", "-e", "--session", "--sessions"):
                for name in value.split(","):
                    if _TASK_NAME.match(name):
                        yield Wanted(
                            program, f"{program} {flag} {name}", name, segment.folder, "", loose=False
                        )
    elif program == "poe" and arguments and _TASK_NAME.match(arguments[0]):
        yield Wanted("python", f"poe {arguments[0]}", arguments[0], segment.folder, "", loose=False)
    elif program == "deno" and arguments[:1] == ["task"] and len(arguments) > 1:
        yield Wanted("deno", f"deno task {arguments[1]}", arguments[1], segment.folder, "", loose=False)
    elif program == "composer" and arguments:
        name = arguments[1] if arguments[0] in ("run", "run-script") and len(arguments) > 1 else arguments[0]
        yield Wanted(
            "composer",
            f"composer {name}",
            name,
            segment.folder,
            "",
            loose=arguments[0] not in ("run", "run-script"),
        )


def _npm(program: str, arguments: list[str], folder: str) -> Iterator[Wanted]:
    names, options = _split(arguments, _VALUE_FLAGS[program])
    where = join(folder, options.get("folder", "")) or ""
    package = options.get("package", "")
    if program == "yarn" and names[:1] == ["workspace"] and len(names) > 2:
        package, names = names[1], names[2:]
    if not names:
        return
    if names[0] in ("run", "run-script", "rum"):
        if len(names) > 1 and _TASK_NAME.match(names[1]):
            yield Wanted("npm", f"{program} run {names[1]}", names[1], where, package, loose=False)
    elif names[0] in _NPM_SCRIPT_BUILTIN:
        if program != "bun":
            task = _NPM_SCRIPT_BUILTIN[names[0]]
            yield Wanted("npm", f"{program} {task}", task, where, package, loose=task != "test")
    elif (
        names[0] not in _NPM_BUILTIN
        and program != "npm"
        and _TASK_NAME.match(names[0])
        and "." not in names[0]
    ):
        yield Wanted("npm", f"{program} {names[0]}", names[0], where, package, loose=True)


def _split(arguments: Sequence[str], value_flags: set[str]) -> tuple[list[str], dict[str, str]]:
    """Plain words before ``--``, and the folder, package and file options met on the way."""
    names: list[str] = []
    options: dict[str, str] = {}
    index = 0
    while index < len(arguments):
        word = arguments[index]
        index += 1
        if word == "--":
            break
        if not word.startswith("-"):
            names.append(word.strip("\"'"))
            continue
        flag, _, value = word.partition("=")
        if flag in value_flags and not value and index < len(arguments):
            value = arguments[index]
            index += 1
        if flag in _FOLDER_FLAGS:
            options["folder"] = value
        elif flag in _FILTER_FLAGS and value:
            options["package"] = value.strip("\"'")
        elif flag in ("-f", "--file", "--justfile", "-t", "--taskfile"):
            options["file"] = value
    return names, options


def find_task(mention: Mention, text: ClaimText, side: Side) -> tuple[Manifest, Task] | None:
    """The task a command would run on this side: filtered package, nearest manifest, then any."""
    runner, name, folder, package, _ = mention.extra
    manifests = [
        manifest for manifest in side.manifests if manifest.runner == runner and name in manifest.tasks
    ]
    if runner == "python":
        manifests += [item for item in side.manifests if item.runner in ("nox", "tox") and name in item.tasks]
    if not manifests:
        return None
    if package:
        wanted = package.strip("./{}").removesuffix("...")
        for manifest in manifests:
            if (
                manifest.package == wanted
                or manifest.folder == wanted
                or manifest.folder.endswith("/" + wanted)
            ):
                return manifest, manifest.tasks[name]
    if folder and any(item.runner == runner and item.folder == folder for item in side.manifests):
        here = next((item for item in manifests if item.folder == folder), None)
        return (here, here.tasks[name]) if here else None
    starts = [join(up, folder) for up in folders_up(text.claim.document)]
    for start in (start for start in starts if start is not None):
        for up in [start, *folders_up(start)] if start else [""]:
            for manifest in manifests:
                if manifest.folder == up:
                    return manifest, manifest.tasks[name]
    return manifests[0], manifests[0].tasks[name]


def _looked_in(mention: Mention, here: Sequence[Manifest]) -> str:
    """The manifest that the command would use, where it says which; else all of its runner."""
    runner, _, folder, *_ = mention.extra
    own = next((item.path for item in here if folder and item.folder == folder), None)
    return f"neither end of {own}" if own else f"no {runner} file of the repository"


def _names(manifests: Sequence[Manifest]) -> str:
    return ", ".join(sorted({name for manifest in manifests for name in manifest.tasks}))[:200]


def _nearest(name: str, manifests: Sequence[Manifest]) -> str | None:
    from rapidfuzz import fuzz, process

    names = sorted({task for manifest in manifests for task in manifest.tasks})
    found = process.extractOne(name, names, scorer=fuzz.ratio, score_cutoff=75)
    return found[0] if found else None


def _task_gone(
    mention: Mention, base: tuple[Manifest, Task], here: Sequence[Manifest], ground: Ground
) -> Outcome:
    manifest, task = base
    known = {name for item in ground.base.manifests if item.runner == manifest.runner for name in item.tasks}
    fresh = [item for now in here for item in now.tasks.values() if item.name not in known]
    twins = [item for item in fresh if task.body and item.body == task.body and item.needs == task.needs]
    near = _nearest(task.name, here)
    if not twins:
        twins = [
            item
            for item in fresh
            if re.sub(r"[^a-z0-9]", "", item.name.lower()) == re.sub(r"[^a-z0-9]", "", task.name.lower())
        ]
    if len(twins) == 1:
        replacement: tuple[Replacement, ...] = (
            Replacement(task.name, twins[0].name, True, "same task under a new name"),
        )
    else:
        replacement = (Replacement(task.name, near, False, "nearest name"),) if near else ()
    if replacement:
        replacement = (_callable(mention, task.name, replacement[0]),)
    at = next(
        (
            ground.head.at(now.path, item.line)
            for now in here
            for item in now.tasks.values()
            if replacement and item.name == replacement[0].new.rpartition(" ")[2]
        ),
        None,
    )
    return broken(
        mention,
        "command-renamed" if len(twins) == 1 else "command-gone",
        f"{manifest.path} had {task.name} at base; no {manifest.runner} file has it at head",
        base=shown_task(base),
        head=twins[0].name if len(twins) == 1 else None,
        base_at=ground.base.at(manifest.path, task.line),
        head_at=at,
        commit=ground.line_change(
            manifest.path, f'"{task.name}"' if manifest.path.endswith(".json") else task.name
        ),
        confidence=0.95,
        replacements=replacement,
    )


def _callable(mention: Mention, name: str, replacement: Replacement) -> Replacement:
    """The replacement as it can be typed: ``npm test`` becomes ``npm run check``, not ``npm check``."""
    program = mention.target.partition(" ")[0]
    if mention.target != f"{program} {name}" or program not in ("npm", "pnpm", "yarn", "bun"):
        return replacement
    new = replacement.new if replacement.new in _NPM_SCRIPT_BUILTIN.values() else f"run {replacement.new}"
    return dataclass_replace(replacement, old=f"{program} {name}", new=f"{program} {new}")

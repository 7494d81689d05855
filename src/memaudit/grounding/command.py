"""Commands that run a task of the repository: npm scripts, make targets, Gradle tasks, compose services.

A task is looked up from the manifest that the command would use (workspace flags, ``cd`` and the
document's folder), then anywhere. It is stale when it could be run at base and cannot at head, when
no manifest of a runner that keeps all its tasks in files has it, or when its body no longer does what
the claim says it runs. Plugins bring tasks that no file shows: such a name proves nothing unless it
stood in a file at base, and nothing new at head may have taken it over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace as dataclass_replace

from memaudit.domain import Block
from memaudit.grounding.elsewhere import comes_later
from memaudit.grounding.ground import Ground, entered, join
from memaudit.grounding.language import Polarity, around, polarity
from memaudit.grounding.reference import (
    Mention,
    Outcome,
    Replacement,
    Status,
    broken,
    supported,
    undecided,
    wrong_before,
)
from memaudit.grounding.runners import CLOSED, NPM_SCRIPT_BUILTIN, wanted
from memaudit.grounding.shellwords import segments
from memaudit.grounding.steps import shown_task, steps_changed
from memaudit.grounding.tasks import (
    Asked,
    declares_part,
    declares_task,
    files_of,
    find_task,
    may_have_moved,
    part,
    part_now,
    unread,
)
from memaudit.grounding.words import ClaimText, Form, is_placeholder
from memaudit.patterns import lazy_regex
from memaudit.repo.manifests import Manifest, Task

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Run `just lint` first.", ("just lint",)),
    ("Use `npm run build -- --watch`.", ("npm run build",)),
    ("`pnpm run --filter @acme/core gen-defs`", ("pnpm run gen-defs",)),
    ("`make -C tools check fmt`", ("make check", "make fmt")),
    ("`cd web && yarn test:unit`", ("yarn test:unit",)),
    ("`task lint:fix`", ("task lint:fix",)),
    ("`uv run nox -s unit`", ("nox -s unit",)),
    ("`./gradlew :app:smokeTest --info`", ("./gradlew :app:smokeTest",)),
    ("`./gradlew :app:build`", ("./gradlew :app:build",)),
    ("`./gradlew build -x test`", ()),
    ("`mvn -pl core,:web -Pslow verify`", ("mvn -pl core", "mvn -pl :web", "mvn -Pslow")),
    ("`mvn spotless:apply`", ("mvn spotless:apply",)),
    ("`mvn clean verify`", ()),
    ("`bundle exec rake db:seed`", ("rake db:seed",)),
    ("`bin/rails demo:reset`", ("bin/rails demo:reset",)),
    ("`bin/rails server` or `rails console`", ()),
    ("`composer run lint`", ("composer run lint",)),
    ("`composer lint -- --fix`", ("composer lint",)),
    ("`composer install`", ()),
    ("`mix setup`", ("mix setup",)),
    ("`mix do lint, docs.build`", ("mix lint", "mix docs.build")),
    ("`mix test` after `mix deps.get`", ()),
    ("`mise run deploy`", ("mise run deploy",)),
    ("`mise x -- node`", ()),
    ("`docker compose -f dev.yml up -d db cache`", ("docker compose up db", "docker compose up cache")),
    ("`docker compose exec -u root web sh`", ("docker compose exec web",)),
    ("`docker-compose --profile jobs up`", ("docker-compose --profile jobs",)),
    ("`docker compose up -d`", ()),
    ("`docker build --target dev .`", ("docker build --target dev",)),
    ("`deno task dev`", ("deno task dev",)),
    ("`deno test`", ()),
    ("`npx nx run app:build:production`", ("nx run app:build:production",)),
    ("`pnpm nx test app`", ("nx test app",)),
    ("`nx affected -t lint,test`", ("nx affected -t lint", "nx affected -t test")),
    ("`nx graph`", ()),
    ("`pnpm turbo run build --filter=web`", ("turbo run build",)),
    ("`turbo login`", ()),
    ("`pre-commit run ruff --all-files`", ("pre-commit run ruff",)),
    ("`pre-commit run --all-files`", ()),
    ("`cmake --preset dev`", ("cmake --preset dev",)),
    ("`cmake --build build --target docs`", ("cmake --build --target docs",)),
    ("`cmake -B build`", ()),
    ("`cargo test -p acme-core`", ("cargo -p acme-core",)),
    ("`npm install` and `npm ci`", ()),
    ("Run `npm run <script>`.", ()),
    ("`just` is a runner.", ()),
)
"""Claim text and the tasks read from it, as they would be typed."""

_SAME_BLOCK = 3
"""Commands at most this many lines apart stand in one block (comments between them are no claims)."""


class CommandKind:
    """Tasks of the repository's own runners."""

    name = "command"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """Task calls in shell lines and in code spans."""
        seen: set[str] = set()
        reached = _entered(text)
        for word in text.of(Form.COMMAND, Form.CODE):
            for segment in segments(word.text):
                inside = dataclass_replace(segment, folder=f"{reached}/{segment.folder}".strip("/"))
                for item in wanted(inside):
                    if item.shown in seen or is_placeholder(f"{item.task} {item.package}"):
                        continue
                    seen.add(item.shown)
                    written = item.task.rstrip(":") or item.package
                    start = max(text.text.find(written, word.start), word.start)
                    end = start + len(written) if text.text.startswith(written, start) else word.end
                    said = polarity(text, word.start, word.end)
                    loose = "loose" if item.loose else ""
                    extra = (item.runner, item.task, item.folder, item.package, loose, item.file)
                    yield Mention("command", word.text, item.shown, start, end, word.form, said, extra)

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Tasks are found in manifests. Nothing to search for."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Look module and task up on both sides; then compare what it runs with what the claim says."""
        asked = Asked.of(mention)
        if _leads_out(asked.folder, text, ground):
            return undecided(mention, f"{asked.folder} lies outside the repository", outside=True)
        if asked.package and (lost := _part_gone(mention, asked, ground)):
            return lost
        if not asked.task:
            return _part_there(mention, asked, ground)
        strict = bool(asked.package and (part(asked, ground.base) or part(asked, ground.head)))
        base, head = (find_task(asked, text, side, strict=strict) for side in (ground.base, ground.head))
        if head:
            return steps_changed(mention, text, base, head, ground) or supported(
                mention,
                f"{head[0].path} has {asked.task}",
                base=shown_task(base),
                head=shown_task(head),
                head_at=ground.head.at(head[0].path, head[1].line),
                base_at=ground.base.at(base[0].path, base[1].line) if base else None,
            )
        if base is None and _SCRIPT_FILE.search(asked.task) and "bun" in mention.text:
            # `bun run` starts files too: whether one is there is a question of paths.
            return None
        here = files_of(asked.runner, ground.head)
        if base is None and unread(asked.runner, ground.head):
            return undecided(mention, f"{asked.runner} tasks also come from files that are not read")
        if mention.polarity in (Polarity.REMOVED, Polarity.DENIED):
            return supported(mention, f"no {asked.runner} task {asked.task} at head, as the claim says")
        if mention.polarity not in (Polarity.ASSERTED, Polarity.EXAMPLE):
            return None
        if base:
            moved = may_have_moved(asked.task, asked.runner, ground)
            return shifted(mention, moved) if moved else task_gone(mention, base, here, ground)
        if asked.runner not in CLOSED or _is_for_later(mention, text):
            return None
        return _never_there(mention, asked, here, ground)


_SCRIPT_FILE = lazy_regex(r"\.[cm]?[jt]sx?$")

_PROGRAMS = {
    "tsc": "typescript",
    "ng": "@angular/cli",
    "nest": "@nestjs/cli",
    "biome": "@biomejs/biome",
    "changeset": "@changesets/cli",
}
"""Programs of npm packages under other names than the package's; ``yarn run`` and ``bun run`` start those."""


def _never_there(mention: Mention, asked: Asked, here: Sequence[Manifest], ground: Ground) -> Outcome | None:
    """A task that no file of its runner has at either end."""
    name = asked.task
    alternatives = re.split(r"[/|]", name)
    if len(alternatives) > 1 and any(one in manifest.tasks for one in alternatives for manifest in here):
        return None  # Several tasks written as one: "make lint/test".
    near = _nearest(name, here)
    misspelt = bool(near) and bool(re.search(r"[-:]", name)) and name not in ground.head.dependencies
    if (asked.loose and not misspelt) or not here or mention.polarity is Polarity.EXAMPLE:
        return None if not asked.loose else undecided(mention, f"{name} may be a program", outside=True)
    falls_back = mention.target.startswith(("yarn ", "bun "))
    if asked.runner == "npm" and falls_back and _PROGRAMS.get(name, name) in ground.head.dependencies:
        return undecided(mention, f"{name} may be a program that a dependency brings", outside=True)
    own = [item for item in here if asked.folder and item.folder == asked.folder]
    if not own and any(name in manifest.tasks for manifest in here):
        return undecided(mention, f"{name} is a task of another package than {asked.package or asked.folder}")
    return wrong_before(
        mention,
        "command-gone",
        f"{_looked_in(asked, here)} has a task {name}",
        head=_names(here),
        head_at=ground.head.at(here[0].path, 1),
        confidence=0.8,
        replacements=(Replacement(name, near, False, "nearest name"),) if near else (),
    )


def _part_gone(mention: Mention, asked: Asked, ground: Ground) -> Outcome | None:
    """The module or package that the command is meant for was declared at base and is not at head."""
    was = part(asked, ground.base)
    if (
        was is None
        or part(asked, ground.head)
        or mention.polarity not in (Polarity.ASSERTED, Polarity.EXAMPLE)
    ):
        return None
    if "settings computed" in unread(asked.runner, ground.head):
        return undecided(mention, "modules are also listed by code that is not run")
    now = part_now(was, asked, ground)
    return broken(
        mention,
        "command-renamed" if now else "command-gone",
        f"{was.at.path} declared {was.name} at base and "
        + (f"{now.at.path} calls it {now.name} at head" if now else "nothing declares it at head"),
        base=was.name,
        head=now.name if now else None,
        base_at=was.at,
        head_at=now.at if now else None,
        commit=ground.broken_at(was.at.path, declares_part(was)),
        confidence=0.92,
        replacements=(Replacement(was.name, now.name, True, "the same folder"),) if now else (),
    )


def _part_there(mention: Mention, asked: Asked, ground: Ground) -> Outcome | None:
    """A task that the runner brings along, for a module that is there."""
    found = part(asked, ground.head)
    return supported(mention, f"{found.at.path} declares {found.name}", head_at=found.at) if found else None


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
        step = re.fullmatch(r"cd\s+([\w./-]+)\s*(?:#.*)?", item.text.strip())
        if step:
            folder = entered(folder, step[1])
    return folder if claim.line_start - last <= _SAME_BLOCK else ""


def _leads_out(folder: str, text: ClaimText, ground: Ground) -> bool:
    """Whether a command is run in a folder beside the repository: ``cd ../shop``, ``make -C ../infra``.

    A folder of that name inside may be meant by somebody who stands in one of its neighbours.
    """
    if not folder.startswith(".."):
        return False
    inner = re.sub(r"^(?:\.\./?)+", "", folder).rstrip("/")
    return bool(inner) and not any(
        side.snapshot.kind(path) == "folder"
        for side in (ground.base, ground.head)
        for path in (
            *side.snapshot.by_suffix(inner),
            join(text.claim.document.rpartition("/")[0], folder) or "",
        )
        if path
    )


def _is_for_later(mention: Mention, text: ClaimText) -> bool:
    """Whether the sentence has the command run on some other machine, or made later on."""
    word = text.word_at(mention.start)
    return word is not None and comes_later(*around(text.text, word.start, word.end))


def _looked_in(asked: Asked, here: Sequence[Manifest]) -> str:
    """The manifest that the command would use, where it says which; else all of its runner."""
    own = next((item.path for item in here if asked.folder and item.folder == asked.folder), None)
    return f"neither end of {own}" if own else f"no {asked.runner} file of the repository"


def _names(manifests: Sequence[Manifest]) -> str:
    return ", ".join(sorted({name for manifest in manifests for name in manifest.tasks}))[:200]


def _nearest(name: str, manifests: Sequence[Manifest]) -> str | None:
    from rapidfuzz import fuzz, process

    names = sorted({task for manifest in manifests for task in manifest.tasks})
    found = process.extractOne(name, names, scorer=fuzz.ratio, score_cutoff=75)
    return found[0] if found else None


def shifted(mention: Mention, why: str) -> Outcome:
    """A task that left its file, and that something new may have taken over: neither there nor gone."""
    return Outcome(mention, Status.TOUCHED, "touched", why, confidence=0.5)


def task_gone(
    mention: Mention, base: tuple[Manifest, Task], here: Sequence[Manifest], ground: Ground
) -> Outcome:
    """A task that a file had at base and none of its runner has at head: renamed where a body shows it."""
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
        commit=ground.broken_at(manifest.path, declares_task(manifest, task), follow=True),
        confidence=0.95,
        replacements=replacement,
    )


def _callable(mention: Mention, name: str, replacement: Replacement) -> Replacement:
    """The replacement as it can be typed: ``npm test`` becomes ``npm run check``, not ``npm check``."""
    program = mention.target.partition(" ")[0]
    if mention.target != f"{program} {name}" or program not in ("npm", "pnpm", "yarn", "bun"):
        return replacement
    new = replacement.new if replacement.new in NPM_SCRIPT_BUILTIN.values() else f"run {replacement.new}"
    return dataclass_replace(replacement, old=f"{program} {name}", new=f"{program} {new}")

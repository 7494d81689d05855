"""Where tasks and modules are declared on one side, and where more of them may come from."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from memaudit.domain import Location
from memaudit.grounding.causes import in_manifest
from memaudit.grounding.ground import Ground, Side, folders_up, join, package_key
from memaudit.grounding.reference import Mention
from memaudit.grounding.words import ClaimText
from memaudit.repo.history import Holds
from memaudit.repo.manifests import Manifest, Task
from memaudit.repo.manifests.model import Source

_ALSO = {"python": ("nox", "tox"), "turbo": ("npm",), "nx": ("npm",)}
"""Runners that also run what the files of others declare."""

_ANYWHERE = frozenset({"gradle", "maven", "rake", "mix"})
"""Runners whose tasks another file of the build may give to a module: its own file need not show them."""

_OWNERS = {
    "mix": {
        "phx": "phoenix",
        "ecto": "ecto",
        "deps": "mix",
        "compile": "mix",
        "test": "mix",
        "release": "mix",
    },
    "rake": dict.fromkeys(
        "db assets log tmp test app cache_digests action_mailbox action_text active_storage css javascript "
        "yarn webpacker zeitwerk spec build install release".split(),
        "a gem",
    ),
}
"""Runner, first part of a task's name, and who brings tasks of such names."""

_LONG_ENOUGH = 4
"""Letters from which the first part of a task's name may point to a dependency."""

_BY_NAME = frozenset({"npm", "turbo", "nx"})


class Asked(NamedTuple):
    """What a mention of a command asks for; the fields of :class:`memaudit.grounding.runners.Wanted`."""

    runner: str
    task: str
    folder: str
    package: str
    loose: bool
    file: str

    @classmethod
    def of(cls, mention: Mention) -> Asked:
        """Read back from the extra words of a mention."""
        runner, task, folder, package, loose, file = mention.extra
        return cls(runner, task, folder, package, bool(loose), file)


class Part(NamedTuple):
    """A module or package of the repository: its name, its folder, and where it is declared."""

    name: str
    folder: str
    at: Location


def files_of(runner: str, side: Side) -> list[Manifest]:
    """The manifests whose tasks a runner runs, shallow ones first."""
    runners = (runner, *_ALSO.get(runner, ()))
    return [manifest for manifest in side.manifests if manifest.runner in runners]


def find_task(
    asked: Asked, text: ClaimText, side: Side, *, strict: bool = False
) -> tuple[Manifest, Task] | None:
    """The task a command would run on this side: filtered package, nearest manifest, then any.

    With ``strict`` the package that the command names is one of the repository, and no other will do.
    """
    files = files_of(asked.runner, side)
    found = [(manifest, task) for manifest in files if (task := task_in(manifest, asked.task))]
    if not found:
        return _behind_namespace(asked, files)
    if asked.package:
        inside = [manifest for manifest in files if _is_named(manifest, asked)]
        of_package = [pair for pair in found if pair[0] in inside]
        if of_package:
            return of_package[0]
        if strict and asked.runner in _BY_NAME:
            return None
    if asked.file:
        named = join(asked.folder, asked.file)
        in_file = next((pair for pair in found if pair[0].path == named), None)
        if in_file:
            return in_file
    if asked.folder and asked.runner not in _ANYWHERE and any(item.folder == asked.folder for item in files):
        return next((pair for pair in found if pair[0].folder == asked.folder), None)
    starts = [join(up, asked.folder) for up in folders_up(text.claim.document)]
    for start in (start for start in starts if start is not None):
        for up in [start, *folders_up(start)] if start else [""]:
            for pair in found:
                if pair[0].folder == up:
                    return pair
    return found[0]


def task_in(manifest: Manifest, name: str) -> Task | None:
    """The task of that name in one file; for make also by a pattern rule."""
    if name in manifest.tasks or manifest.runner != "make":
        return manifest.tasks.get(name)
    for pattern, task in manifest.tasks.items():
        stem = pattern.partition("%")
        if stem[1] and len(name) > len(pattern) - 1 and name.startswith(stem[0]) and name.endswith(stem[2]):
            return replace(task, name=name)
    return None


def _behind_namespace(asked: Asked, files: list[Manifest]) -> tuple[Manifest, Task] | None:
    """A task of an included file, called with the namespace that the including file gives it."""
    called = f"{asked.task}:{asked.package}" if asked.runner == "just" and asked.package else asked.task
    namespace, _, rest = called.partition(":")
    if not rest or asked.runner not in ("task", "just"):
        return None
    for manifest in files:
        for source in manifest.sources:
            if source.namespace == namespace:
                for other in included(manifest, source, files):
                    if task := other.tasks.get(rest):
                        return other, replace(task, name=called)
    return None


def included(manifest: Manifest, source: Source, files: Iterable[Manifest]) -> list[Manifest]:
    """The files a source stands for: by path, or those of the same runner in the folder it names."""
    path = join(manifest.folder, source.path)
    if path is None:
        return []
    same = [item for item in files if item.runner == manifest.runner]
    return [item for item in same if item.path == path] or [item for item in same if item.folder == path]


def _is_named(manifest: Manifest, asked: Asked) -> bool:
    wanted = asked.package.strip("./{}").removesuffix("...").strip(":").replace(":", "/")
    if not wanted:
        return False
    return (
        manifest.package == asked.package
        or manifest.package == wanted
        or manifest.folder == wanted
        or manifest.folder.endswith("/" + wanted)
    )


def unread(runner: str, side: Side) -> set[str]:
    """Where tasks of a runner may come from besides the files that are read: plugins, includes, "more"."""
    files = files_of(runner, side)
    found = {
        source.path
        for manifest in files
        for source in manifest.sources
        if not included(manifest, source, files)
    }
    return found | ({"more"} if any(manifest.open_ended for manifest in files) else set())


def may_have_moved(name: str, runner: str, ground: Ground) -> str:
    """Why a task that no file has any more may still be there: a new plugin, or code that names it."""
    fresh = sorted(unread(runner, ground.head) - unread(runner, ground.base))
    if fresh:
        return f"{runner} tasks may come from {', '.join(fresh[:3])} now"
    if not any(manifest.open_ended for manifest in files_of(runner, ground.head)):
        return ""
    if brought := _brought_along(name, runner, ground.head):
        return f"{brought} brings tasks of its own, maybe {name} too"
    token = re.split(r"[:.]", name.rstrip(":"))[-1].lstrip("-")
    named = re.compile(rf"[\"':]{re.escape(token)}\b|\b(?:def|fun|task|namespace)\s+:?{re.escape(token)}\b")
    hit = next((hit for hit in ground.head.hits(token) if named.search(hit.text)), None) if token else None
    return f"{hit.path} still names {token}" if hit else ""


def _brought_along(name: str, runner: str, side: Side) -> str:
    """The framework or dependency whose tasks are called like this one: it may have been overridden only."""
    first = re.split(r"[:.]", name)[0]
    owner = _OWNERS.get(runner, {}).get(first)
    if owner:
        return owner
    wanted = package_key(first)
    if runner not in ("mix", "rake") or len(wanted) < _LONG_ENOUGH:
        return ""
    return next((key for key in side.dependencies if key.startswith(wanted)), "")


def part(asked: Asked, side: Side) -> Part | None:
    """The module, project or workspace package that a command is meant for."""
    wanted = asked.package
    if asked.runner in ("gradle", "maven"):
        for manifest in side.manifests:
            if manifest.runner != asked.runner:
                continue
            pin = manifest.parts.get(wanted.strip("/"))
            if pin:
                return Part(pin.name, join(manifest.folder, pin.spec) or "", side.at(manifest.path, pin.line))
            if wanted.startswith(":") and manifest.package == wanted[1:]:
                return _own(manifest, side)
        return None
    runners = {"cargo": ("cargo",)}.get(asked.runner, ("npm", "nx"))
    if asked.runner in (*_BY_NAME, "cargo"):
        for manifest in side.manifests:
            if manifest.package == wanted and manifest.runner in runners:
                return _own(manifest, side)
    return None


def _own(manifest: Manifest, side: Side) -> Part:
    """A manifest as a part, at the line that gives its name."""
    name = re.compile(rf"(?<![\w-]){re.escape(manifest.package)}(?![\w-])")
    lines = side.lines(manifest.path)
    line = next((number for number, line in enumerate(lines, 1) if name.search(line)), 1)
    return Part(manifest.package, manifest.folder, side.at(manifest.path, line))


def part_now(was: Part, asked: Asked, ground: Ground) -> Part | None:
    """What a part that is gone is called now: the one in its folder, or its namesake in a moved folder."""
    kept = ground.head.snapshot.kind(was.folder) == "folder"
    folder = was.folder if kept else ground.changes.moved_folder(was.folder) if was.folder else None
    if not folder:
        return None
    found = [
        part
        for manifest in ground.head.manifests
        for part in _parts_in(folder, manifest, asked.runner, ground.head)
        if kept or _last_word(part.name) == _last_word(was.name)
    ]
    return found[0] if len(found) == 1 else None


def _parts_in(folder: str, manifest: Manifest, runner: str, side: Side) -> list[Part]:
    if runner not in ("gradle", "maven"):
        own = manifest.folder == folder and manifest.package and manifest.runner in ("npm", "nx", "cargo")
        return [_own(manifest, side)] if own else []
    return [
        Part(pin.name, folder, side.at(manifest.path, pin.line))
        for pin in manifest.parts.values()
        if manifest.runner == runner
        and posixpath.normpath(posixpath.join(manifest.folder, pin.spec)) == folder
    ]


def _last_word(name: str) -> str:
    return re.split(r"[:/]", name)[-1]


def declares_task(manifest: Manifest, task: Task) -> Holds:
    """Whether a version of the task's file still declares it."""
    own = task.name if task_in(manifest, task.name) else task.name.partition(":")[2]
    literal = own if manifest.runner in ("npm", "just", "compose", "actions", "pre-commit") else ""
    return in_manifest(manifest.path, literal, lambda item: task_in(item, own) is not None)


def declares_part(was: Part) -> Holds:
    """Whether a version of the file that declared a part still does."""
    name = was.name
    return in_manifest(was.at.path, name, lambda item: name in item.parts or item.package == name)

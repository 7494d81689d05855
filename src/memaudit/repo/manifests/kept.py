"""Manifests as text that can be kept: JSON without the path, entries in their order."""

from __future__ import annotations

import json
from operator import index
from typing import SupportsIndex

from memaudit.repo.manifests.model import Manifest, Pin, Source, Task


def written(manifest: Manifest | None) -> str:
    """What is kept of a manifest, or of a file that is none."""
    if manifest is None:
        return "null"
    pins = (
        manifest.dependencies,
        manifest.versions,
        manifest.programs,
        manifest.parts,
        manifest.catalog,
        manifest.images,
        manifest.tested,
    )
    kept = (
        manifest.runner,
        manifest.package,
        manifest.open_ended,
        [(key, task.name, task.line, task.body, task.needs) for key, task in manifest.tasks.items()],
        manifest.manager and _pin(manifest.manager),
        [(source.path, source.namespace) for source in manifest.sources],
        *([(key, *_pin(pin)) for key, pin in table.items()] for table in pins),
    )
    return json.dumps(kept, separators=(",", ":"))


def read_back(path: str, text: str) -> Manifest | None:
    """The manifest at ``path`` from what :func:`written` gave.

    Raises ValueError or TypeError for any other text.
    """
    kept = json.loads(text)
    if kept is None:
        return None
    runner, package, open_ended, tasks, manager, sources, *tables = kept
    dependencies, versions, programs, parts, catalog, images, tested = (
        {str(key): _read_pin(name, line, spec) for key, name, line, spec in table} for table in tables
    )
    return Manifest(
        path=path,
        runner=str(runner),
        package=str(package),
        tasks={
            str(key): Task(str(name), index(line), str(body), tuple(map(str, needs)))
            for key, name, line, body, needs in tasks
        },
        dependencies=dependencies,
        versions=versions,
        programs=programs,
        manager=_read_pin(*manager) if manager else None,
        open_ended=bool(open_ended),
        sources=tuple(Source(str(place), str(namespace)) for place, namespace in sources),
        parts=parts,
        catalog=catalog,
        images=images,
        tested=tested,
    )


def _pin(pin: Pin) -> tuple[str, int, str]:
    return pin.name, pin.line, pin.spec


def _read_pin(name: object, line: SupportsIndex, spec: object) -> Pin:
    return Pin(str(name), index(line), str(spec))

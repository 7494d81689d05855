"""Compose files: services as tasks, profiles, and the images services run."""

from __future__ import annotations

from memaudit.repo.manifests import yamltext
from memaudit.repo.manifests.docker import add_image
from memaudit.repo.manifests.model import Manifest, Pin, Source, Task


def read(path: str, text: str) -> Manifest:
    """Read services and the files included. A profile appears as the task ``--profile name``."""
    root = yamltext.load(text)
    services = yamltext.child(root, "services")
    tasks: dict[str, Task] = {}
    images: dict[str, Pin] = {}
    for name, line, service in yamltext.pairs(services):
        needs = yamltext.child(service, "depends_on")
        names = yamltext.scalars(needs) or [key for key, _, _ in yamltext.pairs(needs)]
        tasks.setdefault(name, Task(name, line, yamltext.body(service), tuple(names)))
        image = yamltext.child(service, "image")
        if image is not None and yamltext.scalar(image):
            add_image(images, yamltext.scalar(image), yamltext.line(image))
        profiles = yamltext.child(service, "profiles")
        for profile in yamltext.scalars(profiles):
            task = f"--profile {profile}"
            tasks.setdefault(task, Task(task, yamltext.line(profiles) if profiles else line, ""))
    if services is None and yamltext.child(root, "include") is None:
        raise ValueError("no services")
    sources = [
        Source(found)
        for item in yamltext.items(yamltext.child(root, "include"))
        for found in yamltext.scalars(item) or yamltext.scalars(yamltext.child(item, "path"))
    ]
    return Manifest(path, "compose", tasks=tasks, images=images, sources=tuple(sources))

"""Dockerfiles: build stages as tasks, and the images they start from."""

from __future__ import annotations

import re

from memaudit.patterns import lazy_regex
from memaudit.repo.manifests.model import Manifest, Pin, Task

_FROM = lazy_regex(r"^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+([\w.-]+))?\s*(?:#.*)?$", re.IGNORECASE)
_ARG = lazy_regex(r"^\s*ARG\s+(\w+)=[\"']?([\w.:/@-]+)", re.IGNORECASE)


def read(path: str, text: str) -> Manifest:
    """Read line by line; default values of ``ARG`` are put in where ``FROM`` uses them."""
    defaults: dict[str, str] = {}
    stages: list[tuple[str, int, list[str]]] = []
    images: dict[str, Pin] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if match := _ARG.match(line):
            defaults.setdefault(match[1], match[2])
        if match := _FROM.match(line):
            source = re.sub(
                r"\$\{?(\w+)(?::-([^}]*))?\}?",
                lambda found: defaults.get(found[1], found[2] or "?"),
                match[1],
            )
            add_image(images, source, number)
            stages.append((match[2] or "", number, [source]))
        elif stages and line.strip() and not line.lstrip().startswith("#"):
            stages[-1][2].append(line.strip())
    tasks = {name: Task(name, at, "\n".join(body)[:4000]) for name, at, body in stages if name}
    if not stages:
        raise ValueError("no stage")
    return Manifest(path, "dockerfile", tasks=tasks, images=images)


def add_image(images: dict[str, Pin], reference: str, line: int) -> None:
    """Note an image by its last name, with its tag as spec; the first of a name counts."""
    rest, _, tag = reference.partition("@")[0].rpartition(":")
    if not rest or "/" in tag:
        rest, tag = reference.partition("@")[0], ""
    name = "dotnet" if "/dotnet/" in rest else rest.rpartition("/")[2].lower()
    if re.fullmatch(r"[a-z0-9][\w.-]*", name):
        images.setdefault(name, Pin(name, line, tag))

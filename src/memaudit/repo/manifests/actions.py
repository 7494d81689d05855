"""GitHub Actions workflows: jobs as tasks, the workflow's name, the versions its matrix runs."""

from __future__ import annotations

from memaudit.patterns import lazy_regex
from memaudit.repo.manifests import yamltext
from memaudit.repo.manifests.model import Manifest, Pin, Task

_SET_UP = lazy_regex(
    r"(python|node|ruby|php|java|go|elixir|otp|dotnet|deno|bun|rust)(?:[-_]?(?:version|versions))?\Z"
)


def read(path: str, text: str) -> Manifest:
    """Read jobs by id. Two jobs with the same steps have the same body whatever they are called."""
    root = yamltext.load(text)
    jobs = yamltext.child(root, "jobs")
    if jobs is None:
        raise ValueError("no jobs")
    tasks: dict[str, Task] = {}
    tested: dict[str, list[tuple[int, str]]] = {}
    for name, line, job in yamltext.pairs(jobs):
        body = "\n".join(part for part in yamltext.body(job).split("\n") if not part.startswith("name: "))
        tasks.setdefault(name, Task(name, line, body, tuple(yamltext.scalars(yamltext.child(job, "needs")))))
        matrix = yamltext.child(job, "strategy", "matrix")
        for key, at, values in yamltext.pairs(matrix):
            _note(tested, key, at, [*yamltext.scalars(values)])
        for item in yamltext.items(yamltext.child(matrix, "include")):
            for key, at, value in yamltext.pairs(item):
                _note(tested, key, at, yamltext.scalars(value))
        for step in yamltext.items(yamltext.child(job, "steps")):
            for key, at, value in yamltext.pairs(yamltext.child(step, "with")):
                _note(tested, key, at, yamltext.scalars(value))
    return Manifest(
        path,
        "actions",
        package=yamltext.scalar(yamltext.child(root, "name")),
        tasks=tasks,
        tested={
            name: Pin(name, found[0][0], ", ".join(dict.fromkeys(value for _, value in found)))
            for name, found in tested.items()
        },
    )


def _note(tested: dict[str, list[tuple[int, str]]], key: str, line: int, values: list[str]) -> None:
    match = _SET_UP.match(key.lower())
    for value in values if match else ():
        if match and value[:1].isdigit():
            tested.setdefault(match[1], []).append((line, value))

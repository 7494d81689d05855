"""mise and asdf: ``mise.toml``, ``.tool-versions``, and scripts in a folder of tasks."""

from __future__ import annotations

import re
import tomllib

from memaudit.patterns import lazy_regex
from memaudit.repo.manifests.jsontext import table
from memaudit.repo.manifests.model import Manifest, Pin, Task, line_of, strings

_LANGUAGE = {"nodejs": "node", "golang": "go", "dotnet-core": "dotnet", "openjdk": "java", "otp": "erlang"}
_FILE_TASK = lazy_regex(r"(?:.*/)?(?:\.?mise/tasks|\.?mise-tasks|\.config/mise/tasks)/(.+)")


def read(path: str, text: str) -> Manifest:
    """Read ``[tasks]`` and ``[tools]``, a list of tools, or one task that is a script of its own."""
    if match := _FILE_TASK.fullmatch(path):
        name = re.sub(r"\.(?:sh|bash|py|js|ts|rb)$", "", match[1]).replace("/", ":").removesuffix(":_default")
        return Manifest(path, "mise", tasks={name: Task(name, 1, text[:4000])})
    if path.endswith(".tool-versions"):
        return _tool_versions(path, text)
    data = tomllib.loads(text)
    tasks: dict[str, Task] = {}
    for name, value in table(data, "tasks").items():
        run = value.get("run", "") if isinstance(value, dict) else value
        body = "\n".join(map(str, run)) if isinstance(run, list) else str(run)
        needs = table(value).get("depends")
        at = line_of(text, rf"^\s*(?:\[tasks\.)?[\"']?{re.escape(name)}[\"']?\s*[\]=]")
        task = Task(name, at, body, tuple([needs] if isinstance(needs, str) else strings(needs)))
        tasks[name] = task
        alias = table(value).get("alias")
        for other in [alias] if isinstance(alias, str) else strings(alias):
            tasks.setdefault(other, Task(other, at, body, task.needs))
    tools: dict[str, Pin] = {}
    for name, spec in table(data, "tools").items():
        said = spec.get("version", "") if isinstance(spec, dict) else spec
        shown = ", ".join(map(str, said)) if isinstance(said, list) else str(said)
        tools[name] = Pin(name, line_of(text, rf"^\s*[\"']?{re.escape(name)}[\"']?\s*="), shown)
    return Manifest(
        path,
        "mise",
        tasks=tasks,
        dependencies=tools,
        versions=_by_language(tools),
        open_ended="task_config" in data,
    )


def _by_language(tools: dict[str, Pin]) -> dict[str, Pin]:
    found: dict[str, Pin] = {}
    for name, pin in tools.items():
        short = name.rpartition(":")[2]
        found.setdefault(_LANGUAGE.get(short, short), pin)
    if "java" in found:
        pin = found["java"]
        number = re.search(r"\d.*", pin.spec)
        found["java"] = Pin("java", pin.line, number[0] if number else pin.spec)
    return found


def _tool_versions(path: str, text: str) -> Manifest:
    tools: dict[str, Pin] = {}
    for number, line in enumerate(text.split("\n"), 1):
        words = line.partition("#")[0].split()
        if len(words) > 1:
            tools.setdefault(words[0], Pin(words[0], number, ", ".join(words[1:])))
    return Manifest(path, "mise", dependencies=tools, versions=_by_language(tools))

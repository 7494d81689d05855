"""Tools that a command runs: declared in a manifest, shown by a file of theirs, or run by a task.

A tool named alone is looked up where the repository runs things: tasks, steps of CI, scripts.

Whether the tool is installed on the auditing machine is never evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memaudit.domain import Location
from memaudit.grounding.causes import has_word
from memaudit.grounding.ground import Ground, Side
from memaudit.grounding.language import Polarity, polarity
from memaudit.grounding.reference import Mention, Outcome, broken, supported, undecided
from memaudit.grounding.shellwords import programs_of, segments, started
from memaudit.grounding.words import ClaimText, Form
from memaudit.patterns import lazy_regex

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Run `uv run ruff check .`", ("uv", "ruff")),
    ("`cargo build --workspace`", ("cargo",)),
    ("`npx vitest run`", ("npx", "vitest")),
    ("`python -m pytest tests`", ("python", "pytest")),
    ("Use `prettier`.", ("prettier",)),
    ("Call `load_all`.", ()),
    ("See `src/prettier`.", ()),
)
"""Claim text and the programs its commands start."""

_SHOWN_BY: dict[str, tuple[str, ...]] = {
    "cargo": ("Cargo.toml",),
    "rustup": ("Cargo.toml",),
    "rustc": ("Cargo.toml",),
    "go": ("go.mod",),
    "gofmt": ("go.mod",),
    "uv": ("uv.lock", "pyproject.toml"),
    "pip": ("pyproject.toml", "setup.py", "requirements.txt"),
    "python": ("pyproject.toml", "setup.py", "requirements.txt"),
    "python3": ("pyproject.toml", "setup.py", "requirements.txt"),
    "poetry": ("poetry.lock",),
    "pdm": ("pdm.lock",),
    "npm": ("package.json",),
    "npx": ("package.json",),
    "node": ("package.json",),
    "pnpm": ("pnpm-lock.yaml", "pnpm-workspace.yaml"),
    "yarn": ("yarn.lock",),
    "bun": ("bun.lock", "bun.lockb"),
    "bundle": ("Gemfile",),
    "rake": ("Rakefile",),
    "ruby": ("Gemfile",),
    "mvn": ("pom.xml",),
    "./mvnw": ("mvnw",),
    "mvnw": ("mvnw",),
    "gradle": ("build.gradle", "build.gradle.kts"),
    "./gradlew": ("gradlew",),
    "dotnet": ("global.json", "Directory.Build.props", "Directory.Packages.props"),
    "mix": ("mix.exs",),
    "iex": ("mix.exs",),
    "elixir": ("mix.exs",),
    "composer": ("composer.json",),
    "php": ("composer.json",),
    "rails": ("application.rb",),
    "nx": ("nx.json",),
    "turbo": ("turbo.json", "turbo.jsonc"),
    "lerna": ("lerna.json",),
    "mise": ("mise.toml", ".mise.toml", ".tool-versions"),
    "foreman": ("Procfile", "Procfile.dev"),
    "overmind": ("Procfile", "Procfile.dev"),
    "make": ("Makefile",),
    "just": ("justfile", "Justfile", ".justfile"),
    "task": ("Taskfile.yml", "Taskfile.yaml"),
    "docker": ("Dockerfile", "docker-compose.yml", "compose.yaml", "docker-compose.yaml", "compose.yml"),
    "docker-compose": ("docker-compose.yml", "compose.yaml", "docker-compose.yaml", "compose.yml"),
    "tox": ("tox.ini",),
    "nox": ("noxfile.py",),
    "pre-commit": (".pre-commit-config.yaml",),
    "swift": ("Package.swift",),
    "deno": ("deno.json", "deno.jsonc"),
    "terraform": ("main.tf",),
    "cmake": ("CMakeLists.txt",),
    "ctest": ("CMakeLists.txt",),
    "zig": ("build.zig",),
}


_ALONE = lazy_regex(r"[a-z][a-z0-9]+(?:-[a-z0-9]+)*")
_SHELL = frozenset(
    "test true false echo cat cp mv rm ls cd mkdir touch find grep sed awk sort head tail source set export"
    " exit kill sleep which read eval exec install date env sh bash zsh sudo time build start stop run check"
    " main".split()
)
"""Words of the shell, and such as are tasks rather than tools."""

_SCRIPT = lazy_regex(r"\.(?:sh|bash|zsh)$|(?:^|/)(?:bin|scripts?)/[\w-]+$")


class ToolKind:
    """Programs that commands start."""

    name = "tool"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """The program of each simple command with arguments, and the one it runs in turn."""
        seen: set[str] = set()
        for word in text.of(Form.COMMAND, Form.CODE):
            for segment in segments(word.text):
                alone = word.form is Form.CODE and not segment.arguments
                if alone and not _ALONE.fullmatch(word.text):
                    continue
                for name in programs_of(segment):
                    if name not in seen and re.fullmatch(r"(?:\./)?[a-z][\w.-]*", name):
                        seen.add(name)
                        said = polarity(text, word.start, word.end)
                        extra = ("alone",) if alone else ()
                        yield Mention("tool", word.text, name, word.start, word.end, word.form, said, extra)

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Search for the tools that are named alone: their tasks may be scripts."""
        names = {mention.target for mention, _ in mentions if mention.extra}
        ground.base.look_up(names, perhaps=True)
        ground.head.look_up(names, perhaps=True)

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Supported when head shows the tool in use; otherwise it is somebody else's."""
        if mention.extra:
            return _alone(mention, ground)
        at = shown(mention.target, ground.head)
        if at is None:
            return undecided(mention, f"{mention.target} comes from outside the repository", outside=True)
        return supported(
            mention,
            f"{at.path} shows {mention.target} in use",
            head=at.text,
            head_at=at,
            confidence=0.7,
        )


def shown(name: str, side: Side) -> Location | None:
    """A place at this side that shows a tool in use: its own file, a dependency, or a task that runs it."""
    for file in _SHOWN_BY.get(name, ()):
        found = sorted(side.snapshot.by_name(file), key=lambda path: path.count("/"))
        if found:
            return Location(found[0], 1, file)
    for manifest in side.manifests:
        pin = manifest.dependencies.get(name)
        if pin:
            return side.at(manifest.path, pin.line)
    if name == "dotnet":
        project = next((manifest for manifest in side.manifests if manifest.runner == "dotnet"), None)
        if project:
            return side.at(project.path, 1)
    word = has_word(name)
    for manifest in side.manifests:
        for task in manifest.tasks.values():
            if word(task.body):
                return side.at(manifest.path, task.line)
    return None


def _alone(mention: Mention, ground: Ground) -> Outcome | None:
    """Supported where head runs the tool; stale where base ran it and no file at head has its name."""
    name = mention.target
    if name in _SHELL:
        return None
    head = _run(name, ground.head)
    if head:
        return supported(mention, f"{head.path} runs {name}", head=head.text, head_at=head, confidence=0.7)
    base = _run(name, ground.base)
    if base is None or mention.polarity not in (Polarity.ASSERTED, Polarity.EXAMPLE):
        return None
    if ground.head.files_with(name) or shown(name, ground.head) or ground.head.called(name.replace("-", "")):
        return None
    if any(name in path.rpartition("/")[2] for path in ground.head.snapshot.files()):
        return None
    return broken(
        mention,
        "tool-gone",
        f"{base.path} ran {name} at base; nothing at head does",
        base=base.text,
        base_at=base,
        commit=ground.broken_at(base.path, has_word(name)),
        confidence=0.88,
    )


def _in_script(name: str, side: Side) -> bool:
    """Whether a line of a script starts a program; to put all hits of a common word in order costs more."""
    scripts = (path for path in side.files_with(name) if _SCRIPT.search(path))
    lines = (line for path in scripts for line in side.lines(path) if name in line)
    return any(name in programs_of(segment) for line in lines for segment in segments(line))


def _run(name: str, side: Side) -> Location | None:
    """Where this side runs a program: in a task, a step of CI, a hook or a script."""
    word = has_word(name)
    for manifest in side.manifests:
        for task in manifest.tasks.values():
            if word(task.body) and name in started(task.body):
                lines = enumerate(side.lines(manifest.path)[task.line - 1 :], task.line)
                return side.at(manifest.path, next((at for at, line in lines if word(line)), task.line))
    if not _in_script(name, side):
        return None
    for hit in side.hits(name):
        if _SCRIPT.search(hit.path) and name in started(hit.text):
            return side.at_hit(hit)
    return None

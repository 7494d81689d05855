"""Tools that a command runs: declared in a manifest, shown by a file of theirs, or run by a task.

Whether the tool is installed on the auditing machine is never evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memaudit.domain import Location
from memaudit.grounding.ground import Ground, Side
from memaudit.grounding.language import polarity
from memaudit.grounding.reference import Mention, Outcome, supported, undecided
from memaudit.grounding.shellwords import programs_of, segments
from memaudit.grounding.words import ClaimText, Form

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Run `uv run ruff check .`", ("uv", "ruff")),
    ("`cargo build --workspace`", ("cargo",)),
    ("`npx vitest run`", ("npx", "vitest")),
    ("`python -m pytest tests`", ("python", "pytest")),
    ("Use `prettier`.", ()),
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


class ToolKind:
    """Programs that commands start."""

    name = "tool"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """The program of each simple command with arguments, and the one it runs in turn."""
        seen: set[str] = set()
        for word in text.of(Form.COMMAND, Form.CODE):
            for segment in segments(word.text):
                if word.form is Form.CODE and not segment.arguments:
                    continue
                for name in programs_of(segment):
                    if name not in seen and re.fullmatch(r"(?:\./)?[a-z][\w.-]*", name):
                        seen.add(name)
                        said = polarity(text, word.start, word.end)
                        yield Mention("tool", word.text, name, word.start, word.end, word.form, said)

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Tools are told by manifests and file names. Nothing to search for."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Supported when head shows the tool in use; otherwise it is somebody else's."""
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
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    for manifest in side.manifests:
        for task in manifest.tasks.values():
            if word.search(task.body):
                return side.at(manifest.path, task.line)
    return None

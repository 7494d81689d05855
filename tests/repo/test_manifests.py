"""What manifests declare: tasks with bodies and lines, dependencies, versions, programs."""

from __future__ import annotations

import pytest

from memaudit.repo.manifests import Manifest, read_manifest
from memaudit.repo.manifests.model import READERS, reader_name


def manifest(path: str, text: str) -> Manifest:
    found = read_manifest(path, text)
    assert found is not None
    return found


def test_package_json() -> None:
    found = manifest(
        "web/package.json",
        '{\n "name": "@acme/web",\n "version": "2.4.0",\n "packageManager": "pnpm@9.1.0",\n'
        ' "bin": {"acme": "./cli.js"},\n "engines": {"node": ">=20"},\n'
        ' "scripts": {\n  "build": "tsc -b",\n  "test:unit": "vitest"\n },\n'
        ' "devDependencies": {"vitest": "^2"}\n}\n',
    )
    assert (found.runner, found.package, found.folder) == ("npm", "@acme/web", "web")
    assert found.tasks["build"].body == "tsc -b"
    assert found.tasks["test:unit"].line == 9
    assert found.dependencies["vitest"].spec == "^2"
    assert found.versions["node"].spec == ">=20"
    assert found.versions[""].spec == "2.4.0"
    assert found.programs["acme"].spec == "./cli.js"
    assert found.manager is not None
    assert found.manager.name == "pnpm"


def test_pyproject_with_standard_and_tool_tables() -> None:
    found = manifest(
        "pyproject.toml",
        "[project]\nname = 'acme'\nrequires-python = '>=3.11'\ndependencies = ['Typer>=0.12', 'my_lib']\n"
        "[project.scripts]\nacme = 'acme.cli:main'\n[dependency-groups]\ndev = ['pytest']\n"
        "[tool.poe.tasks]\nlint = 'ruff check'\n[tool.poetry.dependencies]\nhttpx = '^0.27'\n",
    )
    assert {"typer", "my-lib", "pytest", "httpx"} <= found.dependencies.keys()
    assert found.dependencies["typer"].spec == ">=0.12"
    assert found.versions["python"].line == 3
    assert found.programs["acme"].spec == "acme.cli:main"
    assert found.tasks["lint"].body == "ruff check"


def test_makefile_targets_bodies_and_open_ends() -> None:
    found = manifest(
        "Makefile",
        ".PHONY: all test\nX := 1\nall: build test\n\ntest: build ## run\n\tpytest -q\n\nbuild:\n\techo hi\n",
    )
    assert found.tasks.keys() == {"all", "test", "build"}
    assert found.tasks["all"].needs == ("build", "test")
    assert (found.tasks["test"].body, found.tasks["test"].line) == ("pytest -q", 5)
    assert not found.open_ended
    assert [item.path for item in manifest("Makefile", "-include .env other.mk # x\n").sources] == [
        "other.mk"
    ]
    assert "test-%" in manifest("Makefile", "test-%: %.c\n\tcc $<\n").tasks
    assert manifest("Makefile", "$(ALL):\n\tcc $<\n").open_ended


def test_justfile_recipes_parameters_aliases_and_dependencies() -> None:
    found = manifest(
        "justfile",
        "set dotenv-load\nname := 'x'\nalias t := test\n\n# all\ncheck: lint (test 'a')\n\n"
        "lint:\n    ruff check\n\ntest *args:\n    pytest {{args}}\n",
    )
    assert found.tasks.keys() == {"check", "lint", "test", "t"}
    assert found.tasks["check"].needs == ("lint", "test")
    assert found.tasks["t"].body == "pytest {{args}}"


def test_taskfile() -> None:
    found = manifest(
        "Taskfile.yml",
        "version: '3'\ntasks:\n  lint:fix:\n    aliases: [lf]\n    deps: [gen]\n"
        "    cmds:\n      - golangci-lint run --fix\n"
        "  gen: go generate ./...\n",
    )
    assert found.tasks["lint:fix"].body == "golangci-lint run --fix"
    assert found.tasks["lint:fix"].needs == ("gen",)
    assert found.tasks["lf"].body == found.tasks["lint:fix"].body
    assert found.tasks["gen"].line == 8


def test_cargo_go_ruby_composer_mise() -> None:
    cargo = manifest(
        "Cargo.toml",
        "[package]\nname = 'rt'\nrust-version = '1.82'\n[dependencies]\nserde = { version = '1' }\n",
    )
    assert cargo.versions["rust"].spec == "1.82"
    assert cargo.dependencies["serde"].spec == "1"
    assert "rt" in cargo.programs
    go = manifest("go.mod", "module example.org/a\n\ngo 1.24\n\nrequire (\n\texample.org/b/v2 v2.1.0\n)\n")
    assert go.versions["go"].spec == "1.24"
    assert go.dependencies["example.org/b/v2"].line == 6
    gems = manifest(
        "app.gemspec",
        'spec.name = "app"\nspec.required_ruby_version = ">= 3.2"\nspec.add_dependency "thor", "~> 1.3"\n',
    )
    assert gems.dependencies["thor"].spec == "~> 1.3"
    assert gems.versions["ruby"].spec == ">= 3.2"
    rake = manifest("Rakefile", "namespace :db do\n  task :seed do\n  end\nend\ntask default: %i[test]\n")
    assert {"db:seed", "default"} <= rake.tasks.keys()
    php = manifest("composer.json", '{"require": {"php": "^8.3"}, "scripts": {"lint": ["pint"]}}')
    assert php.versions["php"].spec == "^8.3"
    assert "lint" in php.tasks
    tools = manifest("mise.toml", "[tools]\nnode = '22'\n[tasks.build]\nrun = 'make'\n")
    assert tools.versions["node"].spec == "22"
    assert tools.tasks["build"].body == "make"


def test_tox_nox_setup_files_and_requirements() -> None:
    assert "lint" in manifest("tox.ini", "[testenv:lint]\ncommands = ruff check\n").tasks
    nox = manifest("noxfile.py", "import nox\n\n@nox.session(name='unit')\ndef tests(session):\n    pass\n")
    assert nox.tasks["unit"].line == 4
    assert "requests" in manifest("requirements-dev.txt", "-r base.txt\nrequests==2.0  # why\n").dependencies
    assert (
        "attrs"
        in manifest("setup.py", "setup(install_requires=['attrs>=22'], python_requires='>=3.9')").dependencies
    )
    assert "attrs" in manifest("setup.cfg", "[options]\ninstall_requires =\n    attrs\n").dependencies


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("package.json", "{"),
        ("package.json", "[]"),
        ("package.json", '{"scripts": ["a"], "dependencies": "x", "bin": 3, "engines": null}'),
        ("package.json", "[" * 100_000),
        ("pyproject.toml", "[project"),
        ("pyproject.toml", "[project]\ndependencies = 'x'\nscripts = 3\nrequires-python = 3\n"),
        ("Cargo.toml", "package = 3\n"),
        ("Taskfile.yml", "tasks: [1, 2]\n"),
        ("Taskfile.yml", "a: &a [*a]\n"),
        ("composer.json", '{"scripts": 3}'),
        ("mise.toml", "tasks = 1\n"),
        ("setup.cfg", "not an ini file"),
        ("Makefile", "\t\n:::\n=\n"),
        ("justfile", ":\n"),
    ],
)
def test_broken_manifests_are_nothing_worse_than_absent(path: str, text: str) -> None:
    found = read_manifest(path, text)
    assert found is None or isinstance(found, Manifest)


def test_other_files_are_no_manifests() -> None:
    assert read_manifest("src/app.py", "x = 1\n") is None


NAMED = {
    "npm": "package.json deno.json deno.jsonc",
    "workspace": "turbo.json turbo.jsonc nx.json project.json lerna.json pnpm-workspace.yaml",
    "python": "pyproject.toml setup.cfg setup.py tox.ini noxfile.py requirements.txt requirements-dev.in",
    "cargo": "Cargo.toml",
    "golang": "go.mod",
    "make": "Makefile makefile GNUmakefile Makefile.linux rules.mk",
    "just": "Justfile .justfile desk.just",
    "taskfile": "Taskfile.yml taskfile.dist.yaml",
    "mise": "mise.toml .mise.toml mise.local.toml .tool-versions .config/mise/config.toml mise/tasks/book"
    " .mise-tasks/desk/lend",
    "ruby": "Gemfile desk.gemspec Rakefile desk.rake",
    "composer": "composer.json",
    "mix": "mix.exs lib/mix/tasks/desk.ex",
    "maven": "pom.xml .mvn/wrapper/maven-wrapper.properties",
    "gradle": "build.gradle build.gradle.kts libs.versions.toml gradle-wrapper.properties",
    "dotnet": "Desk.csproj Desk.fsproj Desk.vbproj Directory.Build.props Desk.sln Desk.slnx global.json"
    " dotnet-tools.json",
    "docker": "Dockerfile desk.Dockerfile Dockerfile.dev Containerfile",
    "compose": "docker-compose.yml compose.yaml docker-compose.dev.yml",
    "actions": ".github/workflows/test.yml .github/workflows/test.yaml",
    "precommit": ".pre-commit-config.yaml",
    "cmake": "CMakeLists.txt CMakePresets.json CMakeUserPresets.json desk.cmake",
    "procfile": "Procfile Procfile.dev",
}


def test_every_reader_is_found_by_the_names_of_its_files() -> None:
    assert set(NAMED) == {module for _, module in READERS}
    for module, names in NAMED.items():
        for name in names.split():
            assert reader_name(name) == module, name
            assert reader_name(f"tools/{name}") == module, name
    assert reader_name("src/desk.py") is None
    assert reader_name("src/config.toml") is None

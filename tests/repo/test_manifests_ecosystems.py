"""What is read from build files of many languages, and that hostile ones cost nothing and break nothing."""

from __future__ import annotations

import pytest

from memaudit.repo.manifests import Manifest, Source, read_manifest


def manifest(path: str, text: str) -> Manifest:
    found = read_manifest(path, text)
    assert found is not None
    return found


def specs(found: Manifest) -> dict[str, str]:
    return {name: pin.spec for name, pin in found.versions.items()}


def test_pom_modules_properties_plugins_and_profiles() -> None:
    found = manifest(
        "pom.xml",
        '<?xml version="1.0"?>\n<project xmlns="http://maven.apache.org/POM/4.0.0">\n'
        "<artifactId>shop</artifactId>\n<version>1.0</version>\n<properties>\n"
        "<java.version>1.8</java.version><guava.version>33.0</guava.version>\n</properties>\n"
        "<modules>\n<module>core</module>\n<module>apps/web/pom.xml</module>\n</modules>\n"
        "<dependencies><dependency><groupId>com.google.guava</groupId><artifactId>guava</artifactId>"
        "<version>${guava.version}</version></dependency>\n"
        "<dependency><groupId>org.shop</groupId><artifactId>core</artifactId></dependency></dependencies>\n"
        "<build><plugins><plugin><artifactId>spotless-maven-plugin</artifactId></plugin></plugins></build>\n"
        "<profiles><profile><id>slow</id></profile></profiles>\n</project>\n",
    )
    assert (found.package, found.open_ended) == ("shop", True)
    assert {name: pin.line for name, pin in found.parts.items()} == {"core": 9, "apps/web": 10}
    assert found.dependencies["guava"].spec == found.dependencies["com.google.guava:guava"].spec == "33.0"
    assert "core" not in found.dependencies, "a common word names no artifact"
    assert specs(found) == {"java": "8", "": "1.0"}
    assert found.tasks.keys() == {"spotless:", "-Pslow"}


def test_gradle_scripts_in_both_languages() -> None:
    kotlin = manifest(
        "app/build.gradle.kts",
        'plugins {\n    kotlin("jvm") version "2.0.0"\n    id("com.diffplug.spotless") version "6.25.0"\n}\n'
        'kotlin { jvmToolchain(21) }\n// tasks.register("not")\n'
        'tasks.register<Copy>("bundleDocs") {\n    dependsOn("dokka", "docs")\n}\n'
        "val smoke by tasks.registering {\n}\n"
        'dependencies {\n    implementation("io.grpc:grpc-core:1.60.0")\n}\n',
    )
    assert kotlin.tasks.keys() == {"bundleDocs", "smoke"}
    assert (kotlin.tasks["bundleDocs"].line, kotlin.tasks["bundleDocs"].needs) == (7, ("dokka", "docs"))
    assert specs(kotlin) == {"java": "21", "kotlin": "2.0.0"}
    assert {"grpc-core", "io.grpc:grpc-core", "com.diffplug.spotless"} <= kotlin.dependencies.keys()
    groovy = manifest(
        "build.gradle",
        "apply plugin: 'java'\napply from: 'gradle/more.gradle'\n"
        "sourceCompatibility = JavaVersion.VERSION_1_8\n"
        "version = '2.1.0'\n\ntask docs(type: Copy) {\n  from 'x'\n}\ntask('all') { }\n"
        "dependencies {\n"
        "  testImplementation group: 'org.mockito', name: 'mockito-core', version: '5.0'\n}\n",
    )
    assert groovy.tasks.keys() == {"docs", "all"}
    assert groovy.tasks["docs"].body == "from 'x'"
    assert specs(groovy) == {"java": "8", "": "2.1.0"}
    assert Source("gradle/more.gradle") in groovy.sources
    assert groovy.dependencies["mockito"].spec == "5.0"


def test_gradle_settings_catalog_and_wrapper() -> None:
    settings = manifest(
        "settings.gradle", "rootProject.name = 'shop'\ninclude ':core', ':libs:net'\ninclude 'web'\n"
    )
    assert {name: pin.line for name, pin in settings.parts.items()} == {"core": 2, "libs:net": 2, "web": 3}
    assert manifest("settings.gradle", "file('apps').eachDir { include it.name }\n").sources
    catalog = manifest(
        "gradle/libs.versions.toml",
        '[versions]\nkotlin = "2.0.0"\n[libraries]\nokhttp = { module = "com.squareup.okhttp3:okhttp", '
        'version.ref = "kotlin" }\n[plugins]\n'
        'spotless = { id = "com.diffplug.spotless", version = "6.25.0" }\n',
    )
    assert catalog.dependencies["okhttp"].spec == "2.0.0"
    assert catalog.dependencies["com.diffplug.spotless"].line == 6
    wrapper = "distributionUrl=https\\://services.example/distributions/gradle-8.10.2-bin.zip\n"
    assert specs(manifest("gradle/wrapper/gradle-wrapper.properties", wrapper)) == {"gradle": "8.10.2"}


def test_rake_scopes_end_with_their_namespace() -> None:
    found = manifest(
        "lib/tasks/x.rake",
        "require 'net/http'\nnamespace :db do\n  desc 'x'\n  task :fill, [:count] => :environment do |t|\n"
        "    if ENV['X']\n      go\n    end\n  end\n\n  namespace :cache do\n    task warm: %i[a b]\n  end\n"
        "  task 'drop_all'\nend\n\ntask :top do\nend\nRake::TestTask.new(:unit)\n",
    )
    assert found.tasks.keys() == {"db:fill", "db:cache:warm", "db:drop_all", "top", "unit"}
    assert found.tasks["db:fill"].body == "if ENV['X']\ngo\nend"
    assert found.tasks["db:fill"].needs == ("environment",)
    assert found.sources == (Source("net/http"),)


def test_mix_aliases_dependencies_and_task_modules() -> None:
    found = manifest(
        "mix.exs",
        'defmodule A.MixProject do\n  @version "0.14.2"\n  def project do\n'
        '    [app: :a, elixir: "~> 1.17"]\n  end\n\n'
        '  defp deps do\n    [{:phoenix, "~> 1.7"}, {:local, path: "x"}]\n  end\n\n'
        '  defp aliases do\n    [\n      setup: ["deps.get", &seed/1],\n'
        '      "assets.build": "esbuild"\n    ]\n  end\nend\n',
    )
    assert found.package == "a"
    assert found.tasks["setup"].body == "deps.get\n&seed/1"
    assert found.tasks["assets.build"].line == 14
    assert specs(found) == {"elixir": "~> 1.17", "": "0.14.2"}
    assert {name: pin.spec for name, pin in found.dependencies.items()} == {"phoenix": "~> 1.7", "local": ""}
    module = manifest("lib/mix/tasks/gen.ex", "defmodule Mix.Tasks.Shop.GenDocs do\nend\n")
    assert module.tasks.keys() == {"shop.gen_docs"}


def test_dotnet_projects_solutions_and_pins() -> None:
    project = manifest(
        "src/Shop.csproj",
        "\ufeff<Project><PropertyGroup><TargetFrameworks>net48;netstandard2.0;net9.0-windows;net8.0</TargetFrameworks>"
        "<LangVersion>13</LangVersion></PropertyGroup>\n<ItemGroup>\n"
        '<PackageReference Include="Moq" Version="4.20" />\n</ItemGroup></Project>\n',
    )
    assert specs(project) == {"dotnet": "9.0, 8.0", "c#": "13"}
    assert project.dependencies["Moq"].line == 3
    central = '<Project><ItemGroup><PackageVersion Include="Moq" Version="4.20" /></ItemGroup></Project>'
    assert manifest("Directory.Packages.props", central).catalog["Moq"].spec == "4.20"
    assert not manifest("Directory.Packages.props", central).dependencies
    solution = 'Project("{9A}") = "Shop", "src\\Shop\\Shop.csproj", "{1B}"\nEndProject\n'
    assert manifest("All.sln", solution).parts["src/Shop/Shop.csproj"].name == "Shop"
    new = '<Solution>\n<Folder Name="/a/">\n<Project Path="a/A.csproj" />\n</Folder></Solution>'
    assert manifest("All.slnx", new).parts["a/A.csproj"].line == 3
    assert specs(manifest("global.json", '{"sdk": {"version": "9.0.100"}} // pinned\n')) == {
        "dotnet": "9.0.100"
    }
    tools = '{"tools": {"dotnet-ef": {"version": "9.0.0", "commands": ["dotnet-ef"]}}}'
    assert "dotnet-ef" in manifest(".config/dotnet-tools.json", tools).programs


def test_compose_services_profiles_images_and_includes() -> None:
    found = manifest(
        "deploy/docker-compose.dev.yml",
        "include:\n  - path: base.yml\nx-log: &log\n  logging: none\nservices:\n"
        "  web:\n    <<: *log\n    build: .\n"
        "    depends_on:\n      db: {condition: service_started}\n  db:\n"
        "    image: registry.example/library/postgres:16-alpine\n"
        "    profiles: [data]\n",
    )
    assert found.tasks.keys() == {"web", "db", "--profile data"}
    assert found.tasks["web"].needs == ("db",)
    assert (found.images["postgres"].spec, found.images["postgres"].line) == ("16-alpine", 12)
    assert found.sources == (Source("base.yml"),)


def test_dockerfile_stages_and_images() -> None:
    found = manifest(
        "Dockerfile.dev",
        "ARG NODE=20\nFROM --platform=linux/amd64 node:${NODE}-slim AS base\nRUN a\n# FROM x\n"
        "FROM mcr.example/dotnet/sdk:9.0\nFROM base as test\n",
    )
    assert found.tasks.keys() == {"base", "test"}
    assert {name: pin.spec for name, pin in found.images.items()} == {
        "node": "20-slim",
        "dotnet": "9.0",
        "base": "",
    }


def test_workflow_jobs_and_what_they_set_up() -> None:
    found = manifest(
        ".github/workflows/ci.yml",
        "name: CI\non: push\njobs:\n  unit:\n    needs: lint\n    strategy:\n      matrix:\n"
        "        python-version: ['3.10', 3.12]\n    steps:\n      - run: pytest\n  lint:\n    steps:\n"
        "      - uses: actions/setup-node@v4\n        with: {node-version: 20}\n",
    )
    assert found.tasks.keys() == {"unit", "lint"}
    assert found.tasks["unit"].needs == ("lint",)
    assert found.tested["python"].spec == "3.10, 3.12"
    assert found.tested["node"].line == 14
    assert read_manifest("docs/ci.yml", "jobs: {}\n") is None


def test_hooks_processes_presets_and_targets() -> None:
    hooks = manifest(
        ".pre-commit-config.yaml",
        "repos:\n  - repo: local\n    hooks:\n"
        "      - id: types\n        alias: mypy\n        entry: mypy src\n",
    )
    assert {name: task.body for name, task in hooks.tasks.items()} == {
        "types": "mypy src",
        "mypy": "mypy src",
    }
    assert manifest("Procfile.dev", "web: bin/rails s\n# c\njs: yarn watch\n").tasks["js"].line == 3
    presets = manifest(
        "CMakePresets.json", '{"configurePresets": [{"name": "dev"}],\n "buildPresets": [{"name": "rel"}]}'
    )
    assert {name: task.line for name, task in presets.tasks.items()} == {"--preset dev": 1, "--preset rel": 2}
    lists = manifest(
        "CMakeLists.txt",
        'cmake_minimum_required(VERSION 3.25)\nset(CMAKE_CXX_STANDARD 20)\noption(SHOP_TESTS "x" ON)\n'
        "add_library(shop STATIC a.cc)\nadd_executable(${APP} main.cc)\n",
    )
    assert lists.tasks.keys() == {"-DSHOP_TESTS", "shop"}
    assert specs(lists) == {"cmake": "3.25", "c++": "20"}
    assert lists.open_ended


def test_workspace_orchestrators_and_catalogs() -> None:
    turbo = manifest("turbo.json", '{"tasks": {"build": {"dependsOn": ["^build", "gen"]}, "web#e2e": {}}}')
    assert {"build", "web#e2e", "e2e"} <= turbo.tasks.keys()
    assert turbo.tasks["build"].needs == ("build", "gen")
    project = manifest("apps/a/project.json", '{"name": "a", "targets": {"serve": {}}}')
    assert (project.package, project.runner, *project.tasks) == ("a", "nx", "serve")
    assert read_manifest("project.json", '{"name": "something else"}') is None
    catalog = manifest(
        "pnpm-workspace.yaml",
        "packages: ['a/*']\ncatalog:\n  react: ^19.0.0\ncatalogs:\n  old:\n    vite: ^5\n",
    )
    assert {name: pin.spec for name, pin in catalog.catalog.items()} == {"react": "^19.0.0", "vite": "^5"}
    deno = '{ // x\n "tasks": {"dev": {"command": "deno run a.ts", "dependencies": ["gen"]},}, /* y */ }'
    assert manifest("deno.jsonc", deno).tasks["dev"].needs == ("gen",)
    assert (
        manifest("deno.json", '{"tasks": {"url": "curl https://x.example"}}')
        .tasks["url"]
        .body.endswith("example")
    )


def test_tool_versions_and_file_tasks() -> None:
    tools = manifest(".tool-versions", "nodejs 20.1.0 18.0.0 # x\njava temurin-21.0.2\n")
    assert specs(tools) == {"node": "20.1.0, 18.0.0", "java": "21.0.2"}
    assert manifest("mise-tasks/db/reset.sh", "#!/bin/sh\n").tasks.keys() == {"db:reset"}
    mise = manifest("mise.toml", "[tasks.ship]\nrun = ['a', 'b']\ndepends = ['lint']\nalias = 's'\n")
    assert (mise.tasks["s"].body, mise.tasks["ship"].needs) == ("a\nb", ("lint",))


BOMB = "<!DOCTYPE a [<!ENTITY a 'aaaaaaaaaa'>" + "".join(
    f"<!ENTITY {chr(98 + index)} '{('&' + chr(97 + index) + ';') * 10}'>" for index in range(9)
)
LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + index)}: &{chr(98 + index)} [{', '.join(['*' + chr(97 + index)] * 9)}]\n"
    for index in range(9)
)
NAMES = (
    "pom.xml a.csproj a.slnx Directory.Packages.props global.json turbo.json deno.jsonc nx.json "
    "composer.json "
    "CMakePresets.json compose.yaml Taskfile.yml .github/workflows/a.yml .pre-commit-config.yaml "
    "pnpm-workspace.yaml build.gradle build.gradle.kts settings.gradle libs.versions.toml mix.exs Rakefile "
    "Gemfile Makefile justfile Dockerfile Procfile CMakeLists.txt .tool-versions mise.toml a.sln "
    "gradle-wrapper.properties lib/mix/tasks/a.ex"
).split()
HOSTILE = {
    "nothing": "",
    "no text of any kind": "\x00\x01\ufeff\ud7ff",
    "entities": BOMB + "]><project><artifactId>&j;</artifactId></project>",
    "outside entity": "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><project><artifactId>&x;</artifactId></project>",
    "deep elements": "<project>" + "<a>" * 50_000,
    "many elements": "<project>" + "<module/>" * 60_000 + "</project>",
    "aliases": LAUGHS + "services: *j\ntasks: *j\njobs: *j\nrepos: *j\ncatalog: *j\n",
    "alias of itself": "services: &a\n  x: *a\n  <<: *a\njobs: &b {x: *b, steps: [*b]}\ntasks: &c {y: *c}\n",
    "deep lists": "[" * 100_000,
    "deep objects": '{"a":' * 100_000,
    "open comments": "{" + "/*/" * 100_000,
    "open strings": '{"' + '\\"' * 200_000,
    "commas": "{" + "," * 200_000 + "}",
    "wrong shapes": '{"tasks": [1], "scripts": "x", "sdk": 3, "tools": [], '
    '"configurePresets": {"a": 1}, "targets": 1}',
    "wrong shapes in yaml": "services: [1]\njobs: x\nrepos: {a: b}\ntasks: [1, 2]\n"
    "include: 3\ncatalogs: [x]\n",
    "quotes": "include(" + '"' * 100_000,
    "names": "task " * 50_000,
    "braces": 'tasks.register("a") {' * 10_000,
    "spaces": "task" + " " * 200_000 + "x",
    "tabs and colons": ("\t" + ":" * 50) * 3_000,
    "dots": "a." * 100_000,
    "aliases of mix": "  defp aliases do\n" + "    a: [\n" * 20_000,
    "from": "FROM " * 40_000,
    "includes": "include " * 40_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_files_yield_nothing_worse_than_nothing(text: str) -> None:
    for path in NAMES:
        found = read_manifest(path, text)
        assert found is None or isinstance(found, Manifest), path


def test_entities_are_never_expanded() -> None:
    assert read_manifest("pom.xml", HOSTILE["entities"]) is None
    assert read_manifest("pom.xml", HOSTILE["outside entity"]) is None

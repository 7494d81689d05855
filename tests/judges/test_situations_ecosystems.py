"""Situations around the build tools of many languages: what files declare, what plugins bring along.

Each ecosystem has a claim that became stale, its inverse that holds, and one that must not be marked.
A task that no file shows is held for the runner alone, whose use is all that can be checked.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from situationkit import HELD, Situation, check, judged, rows, stale

GRADLE = """plugins {
    id("java")
}

java {
    toolchain { languageVersion = JavaLanguageVersion.of(17) }
}

tasks.register("smokeTest") {
    dependsOn("classes")
    doLast { println("smoke") }
}
"""
SETTINGS = 'rootProject.name = "shop"\n\ninclude("core")\ninclude(\n    "web",\n    "tools:lint",\n)\n'
POM = """<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <groupId>org.shop</groupId>
  <artifactId>shop</artifactId>
  <version>1.2.0</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <mockito.version>5.4.0</mockito.version>
  </properties>
  <modules>
    <module>core</module>
    <module>web</module>
  </modules>
  <dependencies>
    <dependency>
      <groupId>org.mockito</groupId>
      <artifactId>mockito-core</artifactId>
      <version>${mockito.version}</version>
    </dependency>
  </dependencies>
  <profiles>
    <profile>
      <id>slow</id>
      <properties><groups>slow</groups></properties>
    </profile>
  </profiles>
  <build>
    <plugins>
      <plugin>
        <groupId>com.diffplug.spotless</groupId>
        <artifactId>spotless-maven-plugin</artifactId>
        <version>2.43.0</version>
      </plugin>
    </plugins>
  </build>
</project>
"""
SPOTLESS = POM[POM.index("      <plugin>\n") : POM.index("    </plugins>")]
MOCKITO = POM[POM.index("    <dependency>\n") : POM.index("  </dependencies>")]
RAKE = """require "rake/testtask"

namespace :demo do
  desc "Fill the shop"
  task seed: :environment do
    Demo.fill!
  end

  namespace :cache do
    task :warm do
      Cache.warm
    end
  end
end
"""
COMPOSER = """{
    "require": {"php": "^8.3", "laravel/framework": "^11.0"},
    "require-dev": {"pestphp/pest": "^3.0"},
    "scripts": {
        "lint": ["pint --test"],
        "types": "phpstan analyse"
    }
}
"""
MIX = """defmodule Shop.MixProject do
  use Mix.Project

  def project do
    [app: :shop, version: "0.1.0", elixir: "~> 1.17", aliases: aliases(), deps: deps()]
  end

  defp deps do
    [
      {:phoenix, "~> 1.7"},
      {:credo, "~> 1.7", only: :dev}
    ]
  end

  defp aliases do
    [
      setup: ["deps.get", "ecto.setup"],
      "assets.deploy": ["esbuild default --minify", "phx.digest"]
    ]
  end
end
"""
PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net8.0</TargetFramework>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Moq" Version="4.20.0" />
  </ItemGroup>
</Project>
"""
TASKFILE = "version: '3'\nincludes:\n  docs: ./docs\ntasks:\n  lint:\n    cmds: [golangci-lint run]\n"
DOCS = "version: '3'\ntasks:\n  serve:\n    cmds: [hugo serve]\n"
MISE = '[tools]\nnode = "20"\n\n[tasks.deploy]\nrun = "fly deploy"\n\n[tasks.lint]\nrun = "eslint ."\n'
COMPOSE = """services:
  web:
    build: .
    depends_on: [db]
  db:
    image: postgres:16-alpine
  mailer:
    image: example/mailer:2
    command: serve
"""
DOCKERFILE = (
    "FROM node:20-slim AS builder\nRUN npm ci\n\nFROM node:20-slim AS runtime\nCOPY --from=builder /a /a\n"
)
WORKFLOW = """name: CI
on: [push]
jobs:
  unit:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/setup-node@v4
        with:
          node-version: 20
      - run: npm test
  types:
    runs-on: ubuntu-latest
    steps:
      - run: npm run types
"""
HOOKS = """repos:
  - repo: https://code.example/ruff
    rev: v0.5
    hooks:
      - id: ruff
      - id: ruff-format
  - repo: local
    hooks:
      - id: types
        entry: mypy src
        language: system
"""
DENO = """{
  // local tasks
  "tasks": {
    "dev": "deno run -A main.ts",
    "check": "deno lint",
  },
}
"""
CATALOG = """[versions]
mockito = "5.4.0"

[libraries]
mockito-core = { module = "org.mockito:mockito-core", version.ref = "mockito" }
guava = "com.google.guava:guava:33.0"
"""
CENTRAL = """<Project>
  <ItemGroup>
    <PackageVersion Include="Moq" Version="4.20.70" />
  </ItemGroup>
</Project>
"""
USER = '<Project>\n  <ItemGroup><PackageReference Include="Moq" /></ItemGroup>\n</Project>\n'
FAR_AWAY = """version: '3'
includes:
  more:
    taskfile: https://x.example/Taskfile.yml
    flatten: true
  docs: ./docs
tasks: {}
"""
ROOT = '{"name": "shop", "private": true, "devDependencies": {"turbo": "^2", "nx": "^20"}}\n'
APP = '{"name": "@shop/app", "scripts": {"typecheck": "tsc --noEmit", "build": "vite build"}}\n'
PRESETS = '{"version": 6, "configurePresets": [{"name": "dev", "generator": "Ninja"}]}\n'
CMAKE = "cmake_minimum_required(VERSION 3.25)\nproject(shop)\nadd_custom_target(docs COMMAND doxygen)\n"
CRATE = '[package]\nname = "shop-core"\nversion = "0.1.0"\n'

SITUATIONS = (
    # Gradle
    Situation(
        "gradle task gone",
        "Smoke tests: `./gradlew smokeTest`.",
        stale("command-gone"),
        {"build.gradle.kts": GRADLE},
        {"build.gradle.kts": GRADLE[: GRADLE.index("tasks.")]},
    ),
    Situation(
        "gradle task renamed",
        "Smoke tests: `./gradlew smokeTest`.",
        stale("command-renamed"),
        {"build.gradle.kts": GRADLE},
        {"build.gradle.kts": GRADLE.replace("smokeTest", "quickTest")},
        suggests="Smoke tests: `./gradlew quickTest`.",
    ),
    Situation(
        "gradle task gone/inverse",
        "Smoke tests: `./gradlew smokeTest`.",
        HELD,
        {"build.gradle.kts": GRADLE},
        {"build.gradle.kts": GRADLE.replace('smoke")', 'fine")')},
    ),
    Situation(
        "gradle task moved to a script",
        "Smoke tests: `./gradlew smokeTest`.",
        HELD,
        {"build.gradle.kts": GRADLE},
        {
            "build.gradle.kts": GRADLE[: GRADLE.index("tasks.")],
            "buildSrc/src/main/kotlin/smoke.gradle.kts": GRADLE[GRADLE.index("tasks.") :],
        },
    ),
    Situation(
        "gradle task moved to a plugin",
        "Smoke tests: `./gradlew smokeTest`.",
        ("unknown", "touched"),
        {"build.gradle.kts": GRADLE},
        {
            "build.gradle.kts": GRADLE[: GRADLE.index("tasks.")].replace(
                'id("java")', 'id("java")\n    id("shop.smoke")'
            )
        },
    ),
    Situation(
        "gradle task of a plugin",
        "Format with `./gradlew spotlessApply`.",
        HELD,
        {"build.gradle.kts": GRADLE},
        {"build.gradle.kts": GRADLE + "\n"},
    ),
    Situation(
        "gradle built-in",
        "Everything: `./gradlew build`.",
        HELD,
        {"build.gradle.kts": GRADLE, "gradlew": "#!/bin/sh\n"},
        {"build.gradle.kts": GRADLE + "\n"},
    ),
    Situation(
        "gradle module gone",
        "Only the web part: `./gradlew :web:test`.",
        stale("command-gone"),
        {"settings.gradle.kts": SETTINGS},
        {"settings.gradle.kts": SETTINGS.replace('    "web",\n', "")},
    ),
    Situation(
        "gradle module gone/inverse",
        "Only the linter: `./gradlew :tools:lint:test`.",
        HELD,
        {"settings.gradle.kts": SETTINGS},
        {"settings.gradle.kts": SETTINGS.replace('    "web",\n', "")},
    ),
    Situation(
        "java toolchain raised",
        "Built for Java 17.",
        stale("version-changed"),
        {"build.gradle.kts": GRADLE},
        {"build.gradle.kts": GRADLE.replace("17", "21")},
        suggests="Built for Java 21.",
    ),
    Situation(
        "java toolchain kept",
        "Built for Java 17.",
        HELD,
        {"build.gradle.kts": GRADLE},
        {"build.gradle.kts": GRADLE.replace("smoke", "Smoke")},
    ),
    Situation(
        "gradle 8.1 is not 8.10",
        "Built with Gradle 8.1.",
        ("unknown",),
        {
            "gradle/wrapper/gradle-wrapper.properties": "distributionUrl=https\\://x.example/gradle-8.10-bin.zip\n"
        },
        {
            "gradle/wrapper/gradle-wrapper.properties": "distributionUrl=https\\://x.example/gradle-8.11-bin.zip\n"
        },
    ),
    Situation(
        "gradle wrapper raised",
        "Built with Gradle 8.10.",
        stale("version-changed"),
        {
            "gradle/wrapper/gradle-wrapper.properties": "distributionUrl=https\\://x.example/gradle-8.10.2-bin.zip\n"
        },
        {
            "gradle/wrapper/gradle-wrapper.properties": "distributionUrl=https\\://x.example/gradle-9.0-bin.zip\n"
        },
    ),
    Situation(
        "catalog library dropped",
        "Tests mock with `org.mockito:mockito-core`.",
        stale("dependency-gone"),
        {"gradle/libs.versions.toml": CATALOG},
        {"gradle/libs.versions.toml": '[libraries]\nguava = "com.google.guava:guava:33.0"\n'},
    ),
    Situation(
        "catalog library kept",
        "Tests mock with `mockito-core`.",
        HELD,
        {"gradle/libs.versions.toml": CATALOG},
        {"gradle/libs.versions.toml": CATALOG.replace("5.4.0", "5.5.0")},
    ),
    # Maven
    Situation(
        "maven module gone",
        "Web only: `mvn -pl web verify`.",
        stale("command-gone"),
        {"pom.xml": POM},
        {"pom.xml": POM.replace("    <module>web</module>\n", "")},
    ),
    Situation(
        "maven module gone/inverse",
        "Core only: `mvn -pl core verify`.",
        HELD,
        {"pom.xml": POM},
        {"pom.xml": POM.replace("    <module>web</module>\n", "")},
    ),
    Situation(
        "maven phase",
        "`mvn clean verify` before pushing.",
        HELD,
        {"pom.xml": POM},
        {"pom.xml": POM.replace("1.2.0", "1.3.0")},
    ),
    Situation(
        "maven profile gone",
        "Slow tests: `mvn -Pslow test`.",
        stale("command-gone"),
        {"pom.xml": POM},
        {"pom.xml": POM.replace("<id>slow</id>", "<id>nightly</id>").replace("<groups>slow", "<groups>all")},
    ),
    Situation(
        "maven plugin gone",
        "Format with `mvn spotless:apply`.",
        stale("command-gone"),
        {"pom.xml": POM},
        {"pom.xml": POM.replace(SPOTLESS, "")},
    ),
    Situation(
        "maven plugin kept",
        "Format with `mvn spotless:apply`.",
        HELD,
        {"pom.xml": POM},
        {"pom.xml": POM.replace("2.43.0", "2.44.0")},
    ),
    Situation(
        "maven goal never declared",
        "See `mvn versions:display-dependency-updates`.",
        HELD,
        {"pom.xml": POM},
        {"pom.xml": POM.replace("1.2.0", "1.3.0")},
    ),
    Situation(
        "maven dependency dropped",
        "Tests use Mockito.",
        stale("dependency-gone"),
        {"pom.xml": POM},
        {"pom.xml": POM.replace(MOCKITO, "")},
    ),
    Situation(
        "maven java raised",
        "Needs Java 17.",
        stale("version-changed"),
        {"pom.xml": POM},
        {"pom.xml": POM.replace(">17<", ">21<")},
    ),
    Situation(
        "maven property",
        "Mocks with `mockito-core` 5.4.",
        HELD,
        {"pom.xml": POM},
        {"pom.xml": POM.replace("1.2.0", "1.3.0")},
    ),
    Situation(
        "maven gave way to gradle",
        "Built with Maven.",
        stale("manager-changed"),
        {"pom.xml": POM},
        {"pom.xml": None, "build.gradle.kts": GRADLE},
    ),
    Situation(
        "maven central",
        "Published via Maven Central.",
        ("unknown",),
        {"pom.xml": POM},
        {"pom.xml": None, "build.gradle.kts": GRADLE},
    ),
    # Ruby
    Situation(
        "rake task gone",
        "Fill it with `bin/rails demo:seed`.",
        stale("command-gone"),
        {"lib/tasks/demo.rake": RAKE},
        {
            "lib/tasks/demo.rake": RAKE.replace("task seed: :environment", "task all: :environment").replace(
                "Demo.fill!", "Demo.fill_all!"
            )
        },
    ),
    Situation(
        "rake task renamed",
        "Fill it with `bundle exec rake demo:seed`.",
        stale("command-renamed"),
        {"lib/tasks/demo.rake": RAKE},
        {"lib/tasks/demo.rake": RAKE.replace("task seed:", "task fill:")},
        suggests="Fill it with `bundle exec rake demo:fill`.",
    ),
    Situation(
        "rake task gone/inverse",
        "Warm up with `rake demo:cache:warm`.",
        HELD,
        {"lib/tasks/demo.rake": RAKE},
        {"lib/tasks/demo.rake": RAKE.replace("task seed:", "task fill:")},
    ),
    Situation(
        "rake task of the framework",
        "Migrate with `bin/rails db:migrate`.",
        ("unknown",),
        {"lib/tasks/demo.rake": RAKE},
        {"lib/tasks/demo.rake": RAKE.replace("fill!", "load!")},
    ),
    Situation(
        "ruby raised",
        "Runs on Ruby 3.3.",
        stale("version-changed"),
        {".ruby-version": "3.3.5\n"},
        {".ruby-version": "3.4.1\n"},
    ),
    Situation(
        "ruby patch raised",
        "Runs on Ruby 3.3.",
        HELD,
        {".ruby-version": "3.3.5\n"},
        {".ruby-version": "3.3.6\n"},
    ),
    # PHP
    Situation(
        "composer script gone",
        "Types: `composer run types`.",
        stale("command-gone"),
        {"composer.json": COMPOSER},
        {
            "composer.json": COMPOSER.replace(
                '["pint --test"],\n        "types": "phpstan analyse"', '["pint --test"]'
            )
        },
    ),
    Situation(
        "composer script renamed",
        "Types: `composer types`.",
        stale("command-renamed"),
        {"composer.json": COMPOSER},
        {"composer.json": COMPOSER.replace('"types"', '"analyse"')},
        suggests="Types: `composer analyse`.",
    ),
    Situation(
        "composer script gone/inverse",
        "Style: `composer lint`.",
        HELD,
        {"composer.json": COMPOSER},
        {"composer.json": COMPOSER.replace('"types"', '"analyse"')},
    ),
    Situation(
        "composer built-in",
        "Run `composer dump-autoload` after moves.",
        HELD,
        {"composer.json": COMPOSER},
        {"composer.json": COMPOSER.replace('"types"', '"analyse"')},
    ),
    Situation(
        "php raised",
        "PHP 8.3, Laravel.",
        stale("version-changed"),
        {"composer.json": COMPOSER},
        {"composer.json": COMPOSER.replace("^8.3", "^8.4")},
    ),
    Situation(
        "laravel kept",
        "Built on Laravel 11.",
        HELD,
        {"composer.json": COMPOSER},
        {"composer.json": COMPOSER.replace("^8.3", "^8.4")},
    ),
    Situation(
        "laravel raised",
        "Built on Laravel 11.",
        stale("version-changed"),
        {"composer.json": COMPOSER},
        {"composer.json": COMPOSER.replace("^11.0", "^12.0")},
    ),
    Situation(
        "pest dropped",
        "Tests use Pest.",
        stale("dependency-gone"),
        {"composer.json": COMPOSER},
        {"composer.json": COMPOSER.replace("pestphp/pest", "phpunit/phpunit")},
    ),
    # Elixir
    Situation(
        "mix alias gone",
        "Assets: `mix assets.deploy`.",
        stale("command-gone"),
        {"mix.exs": MIX},
        {
            "mix.exs": MIX.replace(
                '"ecto.setup"],\n      "assets.deploy": ["esbuild default --minify", "phx.digest"]',
                '"ecto.setup"]',
            )
        },
    ),
    Situation(
        "mix alias gone/inverse",
        "First `mix setup`.",
        HELD,
        {"mix.exs": MIX},
        {"mix.exs": MIX.replace("--minify", "")},
    ),
    Situation(
        "mix task of a dependency",
        "Check with `mix credo --strict`.",
        HELD,
        {"mix.exs": MIX},
        {"mix.exs": MIX.replace("--minify", "")},
    ),
    Situation(
        "mix task module gone",
        "Write docs with `mix shop.gen_docs`.",
        stale("command-gone"),
        {
            "mix.exs": MIX,
            "lib/mix/tasks/shop.gen_docs.ex": "defmodule Mix.Tasks.Shop.GenDocs do\n  use Mix.Task\nend\n",
        },
        {"lib/mix/tasks/shop.gen_docs.ex": None},
    ),
    Situation(
        "elixir raised",
        "Elixir 1.17 is needed.",
        stale("version-changed"),
        {"mix.exs": MIX},
        {"mix.exs": MIX.replace("~> 1.17", "~> 1.18")},
    ),
    Situation(
        "elixir kept",
        "Elixir 1.17 is needed.",
        HELD,
        {"mix.exs": MIX},
        {"mix.exs": MIX.replace("0.1.0", "0.2.0")},
    ),
    # .NET
    Situation(
        "dotnet raised",
        "All projects target .NET 8.",
        stale("version-changed"),
        {"src/Shop/Shop.csproj": PROJECT},
        {"src/Shop/Shop.csproj": PROJECT.replace("net8.0", "net9.0")},
        suggests="All projects target .NET 9.",
    ),
    Situation(
        "dotnet kept somewhere",
        "Targets `net8.0`.",
        HELD,
        {"src/Shop/Shop.csproj": PROJECT},
        {"src/Shop/Shop.csproj": PROJECT.replace("net8.0</", "net8.0;net9.0</")},
    ),
    Situation(
        "dotnet framework is another",
        "Clients on .NET Framework 4.8 are supported.",
        ("unknown",),
        {"src/Shop/Shop.csproj": PROJECT},
        {"src/Shop/Shop.csproj": PROJECT.replace("net8.0", "net9.0")},
    ),
    Situation(
        "package reference dropped",
        "Tests mock with `Moq`.",
        stale("dependency-gone"),
        {"src/Shop/Shop.csproj": PROJECT},
        {"src/Shop/Shop.csproj": PROJECT.replace("Moq", "NSubstitute")},
    ),
    Situation(
        "central package version",
        "Mocks with `Moq` 4.20.",
        HELD,
        {
            "Directory.Packages.props": CENTRAL,
            "a/A.csproj": USER,
        },
        {"a.txt": "1\n"},
    ),
    Situation(
        "test project gone",
        "Run `dotnet test tests/Shop.Tests/Shop.Tests.csproj`.",
        stale("path-gone"),
        {"tests/Shop.Tests/Shop.Tests.csproj": PROJECT, "src/Shop/Shop.csproj": PROJECT},
        {"tests/Shop.Tests/Shop.Tests.csproj": None},
    ),
    Situation(
        "sdk pinned",
        "Use the .NET SDK 9.0.100.",
        stale("version-changed"),
        {"global.json": '{"sdk": {"version": "9.0.100"}}\n'},
        {"global.json": '{"sdk": {"version": "10.0.100"}}\n'},
    ),
    # Task, mise, just, make
    Situation(
        "task of an included file gone",
        "Docs: `task docs:serve`.",
        stale("command-gone"),
        {"Taskfile.yml": TASKFILE, "docs/Taskfile.yml": DOCS},
        {"docs/Taskfile.yml": DOCS.replace("serve:", "build:").replace("hugo serve", "hugo")},
    ),
    Situation(
        "task of an included file kept",
        "Docs: `task docs:serve`.",
        HELD,
        {"Taskfile.yml": TASKFILE, "docs/Taskfile.yml": DOCS},
        {"docs/Taskfile.yml": DOCS.replace("hugo serve", "hugo serve -D")},
    ),
    Situation(
        "task gone beside a new include",
        "Style: `task lint`.",
        ("unknown", "touched"),
        {"Taskfile.yml": TASKFILE, "docs/Taskfile.yml": DOCS},
        {"Taskfile.yml": FAR_AWAY},
    ),
    Situation(
        "mise task gone",
        "Ship with `mise run deploy`.",
        stale("command-gone"),
        {"mise.toml": MISE},
        {"mise.toml": MISE.replace('[tasks.deploy]\nrun = "fly deploy"\n\n', "")},
    ),
    Situation(
        "mise task gone/inverse",
        "Style: `mise run lint`.",
        HELD,
        {"mise.toml": MISE},
        {"mise.toml": MISE.replace('[tasks.deploy]\nrun = "fly deploy"\n\n', "")},
    ),
    Situation(
        "mise task became a script",
        "Ship with `mise run deploy`.",
        HELD,
        {"mise.toml": MISE},
        {
            "mise.toml": MISE.replace('[tasks.deploy]\nrun = "fly deploy"\n\n', ""),
            ".mise/tasks/deploy.sh": "fly deploy\n",
        },
    ),
    Situation(
        "tool version raised",
        "Node 20 is used.",
        stale("version-changed"),
        {".tool-versions": "nodejs 20.11.0\nelixir 1.17.2-otp-27\n"},
        {".tool-versions": "nodejs 22.1.0\nelixir 1.17.2-otp-27\n"},
    ),
    Situation(
        "target moved to an included file",
        "Run `make fmt`.",
        HELD,
        {"Makefile": "fmt:\n\truff format\n"},
        {"Makefile": "include build/format.mk\n", "build/format.mk": "fmt:\n\truff format\n"},
    ),
    Situation(
        "target gone beside an include that is read",
        "Run `make fmt`.",
        stale("command-gone"),
        {"Makefile": "include build/x.mk\n\nfmt:\n\truff format\n", "build/x.mk": "x:\n\techo\n"},
        {"Makefile": "include build/x.mk\n"},
    ),
    Situation(
        "target by pattern rule",
        "Run `make test-core`.",
        HELD,
        {"Makefile": "test-%:\n\tpytest tests/$*\n"},
        {"a.txt": "1\n"},
    ),
    Situation(
        "target of an unread include",
        "Run `make release`.",
        HELD,
        {"Makefile": "include $(SDK)/common.mk\n\nfmt:\n\truff format\n"},
        {"a.txt": "1\n"},
    ),
    Situation(
        "recipe of a just module",
        "Run `just docs serve`.",
        HELD,
        {"justfile": "mod docs\n", "docs/mod.just": "serve:\n    hugo serve\n"},
        {"a.txt": "1\n"},
    ),
    # Containers
    Situation(
        "service gone",
        "Mail: `docker compose up mailer`.",
        stale("command-gone"),
        {"compose.yaml": COMPOSE},
        {"compose.yaml": COMPOSE[: COMPOSE.index("  mailer")]},
    ),
    Situation(
        "service renamed",
        "Mail: `docker compose up -d mailer`.",
        stale("command-renamed"),
        {"docker-compose.yml": COMPOSE},
        {"docker-compose.yml": COMPOSE.replace("mailer:\n", "mail:\n")},
        suggests="Mail: `docker compose up -d mail`.",
    ),
    Situation(
        "service gone/inverse",
        "Shell: `docker compose exec web sh`.",
        HELD,
        {"compose.yaml": COMPOSE},
        {"compose.yaml": COMPOSE[: COMPOSE.index("  mailer")]},
    ),
    Situation(
        "service moved to another file",
        "Mail: `docker compose up mailer`.",
        HELD,
        {"compose.yaml": COMPOSE},
        {
            "compose.yaml": COMPOSE[: COMPOSE.index("  mailer")],
            "compose.dev.yaml": "services:\n" + COMPOSE[COMPOSE.index("  mailer") :],
        },
    ),
    Situation(
        "service never there",
        "Try `docker compose logs proxy`.",
        HELD,
        {"compose.yaml": COMPOSE},
        {"compose.yaml": COMPOSE.replace(":2", ":3")},
        about="proxy",
    ),
    Situation(
        "service in prose gone",
        "Mail is sent by the `mailer` service.",
        stale("command-gone"),
        {"compose.yaml": COMPOSE},
        {"compose.yaml": COMPOSE[: COMPOSE.index("  mailer")]},
    ),
    Situation(
        "service in prose is a folder",
        "Mail is sent by the `mailer` service.",
        ("unknown",),
        {"compose.yaml": COMPOSE, "apps/mailer/main.go": "package main\n"},
        {"compose.yaml": COMPOSE[: COMPOSE.index("  mailer")]},
    ),
    Situation(
        "database raised",
        "PostgreSQL 16 in development.",
        stale("version-changed"),
        {"compose.yaml": COMPOSE},
        {"compose.yaml": COMPOSE.replace("postgres:16", "postgres:17")},
    ),
    Situation(
        "stage gone",
        "Debug with `docker build --target builder .`.",
        stale("command-gone"),
        {"Dockerfile": DOCKERFILE},
        {"Dockerfile": "FROM node:20-slim AS runtime\n"},
    ),
    Situation(
        "stage kept",
        "Debug with `docker build --target builder .`.",
        HELD,
        {"Dockerfile": DOCKERFILE},
        {"Dockerfile": DOCKERFILE.replace("npm ci", "npm install")},
    ),
    # CI and hooks
    Situation(
        "job gone",
        "The `types` job must pass.",
        stale("command-gone"),
        {".github/workflows/ci.yml": WORKFLOW},
        {".github/workflows/ci.yml": WORKFLOW[: WORKFLOW.index("  types")]},
    ),
    Situation(
        "job renamed",
        "The `types` job must pass.",
        stale("command-renamed"),
        {".github/workflows/ci.yml": WORKFLOW},
        {".github/workflows/ci.yml": WORKFLOW.replace("  types:\n", "  typecheck:\n")},
        suggests="The `typecheck` job must pass.",
    ),
    Situation(
        "job gone/inverse",
        "The `unit` job must pass.",
        HELD,
        {".github/workflows/ci.yml": WORKFLOW},
        {".github/workflows/ci.yml": WORKFLOW[: WORKFLOW.index("  types")]},
    ),
    Situation(
        "job moved to another workflow",
        "The `types` job must pass.",
        HELD,
        {".github/workflows/ci.yml": WORKFLOW},
        {
            ".github/workflows/ci.yml": WORKFLOW[: WORKFLOW.index("  types")],
            ".github/workflows/lint.yml": "jobs:\n" + WORKFLOW[WORKFLOW.index("  types") :],
        },
    ),
    Situation(
        "job of something else",
        "Each `resize` job runs in the queue.",
        ("unknown",),
        {".github/workflows/ci.yml": WORKFLOW},
        {".github/workflows/ci.yml": WORKFLOW[: WORKFLOW.index("  types")]},
    ),
    Situation(
        "node of the workflow only",
        "CI runs on Node 20.",
        stale("version-changed"),
        {".github/workflows/ci.yml": WORKFLOW},
        {".github/workflows/ci.yml": WORKFLOW.replace("20", "22")},
    ),
    Situation(
        "hook gone",
        "Run `pre-commit run types` first.",
        stale("command-gone"),
        {".pre-commit-config.yaml": HOOKS},
        {".pre-commit-config.yaml": HOOKS[: HOOKS.index("  - repo: local")]},
    ),
    Situation(
        "hook gone/inverse",
        "Run `pre-commit run ruff-format --all-files`.",
        HELD,
        {".pre-commit-config.yaml": HOOKS},
        {".pre-commit-config.yaml": HOOKS[: HOOKS.index("  - repo: local")]},
    ),
    Situation(
        "all hooks",
        "Run `pre-commit run --all-files`.",
        HELD,
        {".pre-commit-config.yaml": HOOKS},
        {".pre-commit-config.yaml": HOOKS[: HOOKS.index("  - repo: local")]},
    ),
    # JavaScript workspaces, deno
    Situation(
        "deno task gone",
        "Start: `deno task dev`.",
        stale("command-gone"),
        {"deno.jsonc": DENO},
        {"deno.jsonc": DENO.replace('    "dev": "deno run -A main.ts",\n', "")},
    ),
    Situation(
        "deno task gone/inverse",
        "Lint: `deno task check`.",
        HELD,
        {"deno.jsonc": DENO},
        {"deno.jsonc": DENO.replace('    "dev": "deno run -A main.ts",\n', "")},
    ),
    Situation(
        "turbo task gone",
        "Types: `pnpm turbo run typecheck`.",
        stale("command-gone"),
        {
            "package.json": ROOT,
            "turbo.json": '{"tasks": {"build": {}, "typecheck": {}}}\n',
            "apps/app/package.json": APP,
        },
        {
            "turbo.json": '{"tasks": {"build": {}}}\n',
            "apps/app/package.json": APP.replace('"typecheck": "tsc --noEmit", ', ""),
        },
    ),
    Situation(
        "turbo task gone/inverse",
        "Types: `turbo run typecheck`.",
        HELD,
        {
            "package.json": ROOT,
            "turbo.json": '{"tasks": {"build": {}, "typecheck": {}}}\n',
            "apps/app/package.json": APP,
        },
        {"turbo.json": '{"tasks": {"build": {"cache": false}, "typecheck": {}}}\n'},
    ),
    Situation(
        "workspace package renamed",
        "Build it: `pnpm --filter @shop/app build`.",
        stale("command-renamed"),
        {"package.json": ROOT, "apps/app/package.json": APP},
        {"apps/app/package.json": APP.replace("@shop/app", "@shop/web")},
        suggests="Build it: `pnpm --filter @shop/web build`.",
    ),
    Situation(
        "workspace package kept",
        "Build it: `pnpm --filter @shop/app build`.",
        HELD,
        {"package.json": ROOT, "apps/app/package.json": APP},
        {"apps/app/package.json": APP.replace("vite", "vite ")},
    ),
    Situation(
        "workspace package new, and without the script",
        "Types: `pnpm --filter @shop/tool typecheck`.",
        ("unknown",),
        {"package.json": ROOT, "apps/app/package.json": APP},
        {"apps/tool/package.json": '{"name": "@shop/tool", "scripts": {}}\n'},
    ),
    Situation(
        "workspace package gone, another one new",
        "Build it: `pnpm --filter @shop/app build`.",
        stale("command-gone"),
        {"package.json": ROOT, "apps/app/package.json": APP},
        {
            "apps/app/package.json": None,
            "apps/desk/package.json": APP.replace("@shop/app", "@shop/desk"),
        },
    ),
    Situation(
        "mix alias that overrode a task of a dependency",
        "Start with `mix phx.server`.",
        ("unknown", "touched"),
        {
            "mix.exs": MIX.replace(
                '"assets.deploy"', '"phx.server": ["assets", "phx.server"],\n      "assets.deploy"'
            )
        },
        {"mix.exs": MIX},
    ),
    Situation(
        "version of platforms in general",
        "`.toSorted()` works in Chrome 110+, Safari 16+ and Node.js 20+.",
        ("unknown",),
        {"package.json": '{"name": "a", "engines": {"node": ">=20"}}\n'},
        {"package.json": '{"name": "a", "engines": {"node": ">=24"}}\n'},
    ),
    Situation(
        "filter by folder",
        "Build it: `pnpm --filter ./apps/app build`.",
        HELD,
        {"package.json": ROOT, "apps/app/package.json": APP},
        {"apps/app/package.json": APP.replace("@shop/app", "@shop/web")},
    ),
    Situation(
        "nx target gone",
        "Types: `nx run @shop/app:typecheck`.",
        stale("command-gone"),
        {"package.json": ROOT, "nx.json": "{}\n", "apps/app/package.json": APP},
        {"apps/app/package.json": APP.replace('"typecheck": "tsc --noEmit", ', "")},
    ),
    Situation(
        "nx target that a plugin infers",
        "Serve: `nx run @shop/app:serve`.",
        HELD,
        {"package.json": ROOT, "nx.json": "{}\n", "apps/app/package.json": APP},
        {"apps/app/package.json": APP.replace("vite", "vite ")},
        about="Serve",
    ),
    # CMake, crates, processes
    Situation(
        "preset gone",
        "Configure: `cmake --preset dev`.",
        stale("command-gone"),
        {"CMakeLists.txt": CMAKE, "CMakePresets.json": PRESETS},
        {"CMakePresets.json": '{"version": 6, "configurePresets": []}\n'},
    ),
    Situation(
        "preset kept",
        "Configure: `cmake --preset dev`.",
        HELD,
        {"CMakeLists.txt": CMAKE, "CMakePresets.json": PRESETS},
        {"CMakePresets.json": PRESETS.replace("Ninja", "Unix Makefiles")},
    ),
    Situation(
        "cmake target gone",
        "Docs: `cmake --build build --target docs`.",
        stale("command-gone"),
        {"CMakeLists.txt": CMAKE},
        {"CMakeLists.txt": CMAKE[: CMAKE.index("add_custom")]},
    ),
    Situation(
        "crate gone",
        "Core only: `cargo test -p shop-core`.",
        stale("command-gone"),
        {"Cargo.toml": "[workspace]\nmembers = ['core']\n", "core/Cargo.toml": CRATE},
        {"core/Cargo.toml": None},
    ),
    Situation(
        "crate renamed",
        "Core only: `cargo test -p shop-core`.",
        stale("command-renamed"),
        {"Cargo.toml": "[workspace]\nmembers = ['core']\n", "core/Cargo.toml": CRATE},
        {"core/Cargo.toml": CRATE.replace("shop-core", "shop-base")},
        suggests="Core only: `cargo test -p shop-base`.",
    ),
    Situation(
        "crate of a registry",
        "Update with `cargo update -p serde`.",
        HELD,
        {"Cargo.toml": "[workspace]\nmembers = ['core']\n", "core/Cargo.toml": CRATE},
        {"core/Cargo.toml": CRATE.replace("0.1.0", "0.2.0")},
    ),
    Situation(
        "process gone",
        "The `clock` process fires timers.",
        stale("command-gone"),
        {"Procfile": "web: bin/server\nclock: bin/clock-work\n"},
        {"Procfile": "web: bin/server\n"},
    ),
    Situation(
        "process kept",
        "The `web` process serves pages.",
        HELD,
        {"Procfile": "web: bin/server\nclock: bin/clock-work\n"},
        {"Procfile": "web: bin/server\n"},
    ),
)


@rows(SITUATIONS)
def test_ecosystems(tmp_path: Path, situation: Situation) -> None:
    check(tmp_path / "repo", situation)


@pytest.mark.parametrize(
    "situation", [item for item in SITUATIONS if item.expect[0] == "stale"], ids=lambda item: item.name
)
def test_nothing_is_stale_when_the_change_is_another(tmp_path: Path, situation: Situation) -> None:
    calm = Situation(situation.name, situation.claim, HELD, situation.before, about=situation.about)
    found, _ = judged(tmp_path / "repo", calm)
    assert [judgement.verdict.value for _, judgement in found] == ["held"]

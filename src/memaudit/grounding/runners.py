"""How command lines ask for tasks: which word is the task, which the module, which the folder.

One function a runner, in :data:`RUNNERS`; each reads the arguments of one simple command and yields
what is asked for. Whether it exists is for :mod:`memaudit.grounding.command` to look up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from memaudit.grounding.ground import entered
from memaudit.grounding.shellwords import Segment
from memaudit.patterns import lazy_regex


@dataclass(frozen=True, slots=True)
class Wanted:
    """A task as a command line asks for it.

    ``task`` is empty where only the ``package`` (module, project, workspace) matters, as for tasks that
    the runner brings along. ``loose`` is set when the word may also be a program or a built-in, ``file``
    is the task file the command names.
    """

    runner: str
    shown: str
    task: str
    folder: str = ""
    package: str = ""
    loose: bool = False
    file: str = ""


CLOSED = frozenset({"npm", "make", "just", "task", "python", "nox", "tox", "deno", "composer", "pre-commit"})
"""Runners whose tasks all stand in files, so that a name in none of them was wrong from the start."""

TASK_NAME = lazy_regex(r"[A-Za-z_@][\w:./@+-]*\Z")

_NPM_BUILTIN = frozenset(
    (
        "install i ci add remove rm uninstall update up upgrade exec x dlx create init link unlink pack "
        "publish audit outdated why list ls config cache login logout whoami version view info help "
        "store import rebuild prune dedupe doctor set workspaces workspace global plugin patch patch- "
        "commit deploy fetch env self-update setup approve-builds node pm upgrade-interactive "
        "constraints stage bin root prefix search token owner team access org ping hook fund repo bugs "
        "docs explore completion edit adduser unpublish deprecate dist-tag sbom build-info repl bunx npx"
    ).split()
)
NPM_SCRIPT_BUILTIN = {
    "test": "test",
    "t": "test",
    "tst": "test",
    "start": "start",
    "stop": "stop",
    "restart": "restart",
}
_BUILTIN = {
    "gradle": frozenset(
        (
            "build assemble check test clean run jar javadoc classes testClasses compileJava compileKotlin "
            "compileTestJava compileTestKotlin publish publishToMavenLocal dependencies dependencyInsight "
            "tasks projects properties help init wrapper bootRun bootJar bootBuildImage installDist distZip "
            "distTar assembleDist processResources assembleDebug assembleRelease installDebug bundleRelease "
            "connectedAndroidTest connectedCheck lint lintDebug testDebugUnitTest kotlinCompile war "
            "buildEnvironment components model outgoingVariants buildDependents buildNeeded"
        ).split()
    ),
    "maven": frozenset(
        (
            "validate initialize generate-sources process-sources generate-resources process-resources "
            "compile process-classes generate-test-sources process-test-sources generate-test-resources "
            "process-test-resources test-compile process-test-classes test prepare-package package "
            "pre-integration-test integration-test post-integration-test verify install deploy pre-clean "
            "clean post-clean pre-site site post-site site-deploy"
        ).split()
    ),
    "composer": frozenset(
        (
            "about archive audit browse bump check-platform-reqs clear-cache clearcache completion config "
            "create-project depends diagnose dump-autoload dumpautoload exec fund global help home i info "
            "init install licenses list outdated prohibits r reinstall remove require rm run run-script "
            "search self-update selfupdate show status suggests u update upgrade validate why why-not"
        ).split()
    ),
    "mix": frozenset(
        (
            "app app.config app.start app.tree archive archive.build archive.install archive.uninstall "
            "clean cmd compile deps deps.clean deps.compile deps.get deps.loadpaths deps.partition "
            "deps.precompile deps.tree deps.unlock deps.update do escript escript.build escript.install "
            "escript.uninstall eval format format.all help iex loadconfig loadpaths local local.hex "
            "local.public_keys local.rebar new profile.cprof profile.eprof profile.fprof profile.tprof "
            "release release.init run test test.coverage xref"
        ).split()
    ),
    "rake": frozenset({"default", "clean", "clobber"}),
}
"""Tasks that a runner brings along: never missing, wherever they are declared."""

_RAILS_COMMANDS = frozenset(
    (
        "server s console c generate g destroy d new runner r dbconsole db test t routes about notes "
        "middleware stats secret credentials:edit encrypted:edit plugin boot benchmark initializers"
    ).split()
)
_VALUE_FLAGS: dict[str, set[str]] = {
    "npm": {"-w", "--workspace", "--prefix", "-C"},
    "pnpm": {"--filter", "-F", "-C", "--dir", "--filter-prod"},
    "yarn": {"--cwd"},
    "bun": {"--filter", "--cwd", "-F"},
    "make": {"-C", "-f", "-j", "--directory", "--file"},
    "just": {"-f", "--justfile", "-d", "--working-directory", "--set"},
    "task": {"-d", "--dir", "-t", "--taskfile"},
    "nox": {"-f", "-p", "--python"},
    "tox": {"-c", "-r"},
    "rake": {"-f"},
    "gradle": {"--project-dir", "-b", "--build-file", "-x", "--tests", "-I", "--init-script", "-c"}
    | {"--exclude-task", "--console", "--max-workers", "-g", "--include-build", "--args", "--configuration"},
    "maven": {"-pl", "--projects", "-P", "-f", "--file", "-rf", "-s", "-T", "-D", "-am", "--settings"},
    "compose": {"-f", "--file", "--profile", "-p", "--project-name", "--env-file", "--project-directory"}
    | {"-e", "--env", "-u", "--user", "-w", "--workdir", "--tail", "-n", "--scale", "-t", "--timeout"},
    "turbo": {"--filter", "-F", "--cwd", "--concurrency"},
    "lerna": {"--scope", "--ignore", "--since", "--concurrency"},
    "mise": {"-C", "--cd", "-E", "--env", "-j", "--jobs"},
    "composer": {"-d", "--working-dir", "--timeout"},
    "deno": {"-c", "--config", "--cwd", "-f", "--filter"},
}
_FOLDER_FLAGS = frozenset(
    "--prefix -C --dir --cwd --directory -d --working-directory --cd --working-dir --project-dir".split()
)
_FILTER_FLAGS = frozenset("-w --workspace --filter -F --filter-prod --scope -pl --projects".split())
_FILE_FLAGS = frozenset("-f --file --justfile -t --taskfile --build-file -b --config -c".split())
_PYTHON_TOOLS = frozenset({"uv", "poetry", "pdm", "rye", "hatch"})
_PASSES_ON = frozenset({"npx", "bunx", "uvx", "pipx"})


def wanted(segment: Segment) -> Iterator[Wanted]:
    """The tasks that one simple command asks for."""
    program, arguments = segment.program, list(segment.arguments)
    if program == "bundle":
        if arguments[:1] != ["exec"] or len(arguments) < 2:
            return
        program, arguments = arguments[1], arguments[2:]
    elif program in _PASSES_ON:
        while arguments and (arguments[0].startswith("-") or arguments[0] == "run"):
            arguments.pop(0)
        if not arguments or arguments[0] not in ("nx", "turbo", "lerna", "pre-commit", "nox", "tox"):
            return
        program, arguments = arguments[0], arguments[1:]
    elif program in _PYTHON_TOOLS:
        rest = [argument for argument in arguments[1:] if not argument.startswith("-")]
        if arguments[:1] != ["run"] or not rest:
            return
        called = rest[0]
        if called not in ("poe", "nox", "tox", "make", "just", "pre-commit"):
            shown = f"{segment.program} run {called}"
            yield Wanted("python", shown, called, segment.folder, "", loose=True)
            return
        program, arguments = called, rest[1:] if called != "nox" else arguments[arguments.index(called) + 1 :]
    read = RUNNERS.get(program)
    if read is None:
        return
    for found in read(program, arguments):
        folder = entered(segment.folder, found.folder)
        if not (found.task in _BUILTIN.get(found.runner, ()) and not found.package):
            task = "" if found.task in _BUILTIN.get(found.runner, ()) else found.task
            yield replace(found, folder=folder, task=task)


def _split(arguments: Sequence[str], value_flags: set[str]) -> tuple[list[str], dict[str, str]]:
    """Plain words before ``--``, and the folder, package and file options met on the way."""
    names: list[str] = []
    options: dict[str, str] = {}
    index = 0
    while index < len(arguments):
        word = arguments[index]
        index += 1
        if word == "--":
            break
        if not word.startswith("-"):
            names.append(word.strip("\"'"))
            continue
        flag, _, value = word.partition("=")
        if flag in value_flags and not value and index < len(arguments):
            value = arguments[index]
            index += 1
        if flag in _FILTER_FLAGS and flag in value_flags and value:
            options["package"] = value.strip("\"'")
        elif flag in _FOLDER_FLAGS and flag in value_flags:
            options["folder"] = value
        elif flag in _FILE_FLAGS and flag in value_flags:
            options["file"] = value
        elif flag in ("--profile", "-P") and value:
            options["profile"] = value.strip("\"'")
    return names, options


def _simple(runner: str, *, many: bool) -> Callable[[str, list[str]], Iterator[Wanted]]:
    """Runners that take plain task names: all of them, or the first with arguments of its own."""

    def read(program: str, arguments: list[str]) -> Iterator[Wanted]:
        names, options = _split(arguments, _VALUE_FLAGS.get(runner, set()))
        if "file" in options:
            return
        for name in names if many else names[:1]:
            if TASK_NAME.match(name) and "=" not in name:
                task = name.partition("[")[0].replace("::", ":")
                yield Wanted(runner, f"{program} {name}", task, options.get("folder", ""))

    return read


def _just(program: str, arguments: list[str]) -> Iterator[Wanted]:
    for found in _simple("just", many=False)(program, arguments):
        names, _ = _split(arguments, _VALUE_FLAGS["just"])
        inner = names[1] if len(names) > 1 and TASK_NAME.match(names[1]) else ""
        yield replace(found, package=inner)


def _sessions(program: str, arguments: list[str]) -> Iterator[Wanted]:
    for flag, value in pairwise(arguments):
        if flag in ("-s", "-e", "--session", "--sessions"):
            for name in value.split(","):
                if TASK_NAME.match(name):
                    yield Wanted(program, f"{program} {flag} {name}", name)


def _poe(program: str, arguments: list[str]) -> Iterator[Wanted]:
    if arguments and TASK_NAME.match(arguments[0]):
        yield Wanted("python", f"poe {arguments[0]}", arguments[0])


def _npm(program: str, arguments: list[str]) -> Iterator[Wanted]:
    names, options = _split(arguments, _VALUE_FLAGS[program])
    where, package = options.get("folder", ""), options.get("package", "")
    if program == "yarn" and names[:1] == ["workspace"] and len(names) > 2:
        package, names = names[1], names[2:]
    if not names:
        return
    if names[0] in ("exec", "x") and len(names) > 1 and names[1] in _ORCHESTRATORS:
        names = names[1:]
    if names[0] in _ORCHESTRATORS:
        at = arguments.index(names[0]) if names[0] in arguments else len(arguments)
        yield from RUNNERS[names[0]](names[0], arguments[at + 1 :])
    elif names[0] in ("run", "run-script", "rum"):
        if len(names) > 1 and TASK_NAME.match(names[1]):
            yield Wanted("npm", f"{program} run {names[1]}", names[1], where, package)
    elif names[0] in NPM_SCRIPT_BUILTIN:
        if program != "bun":
            task = NPM_SCRIPT_BUILTIN[names[0]]
            yield Wanted("npm", f"{program} {task}", task, where, package, loose=task != "test")
    elif (
        names[0] not in _NPM_BUILTIN
        and program != "npm"
        and TASK_NAME.match(names[0])
        and "." not in names[0]
    ):
        yield Wanted("npm", f"{program} {names[0]}", names[0], where, package, loose=True)


def _turbo(program: str, arguments: list[str]) -> Iterator[Wanted]:
    names, options = _split(arguments, _VALUE_FLAGS["turbo"])
    called = names[:1] == ["run"]
    for name in names[1:] if called else names[:1]:
        if TASK_NAME.match(name) and name not in ("prune", "login", "link", "daemon", "gen", "ls", "watch"):
            package, _, task = name.rpartition("#")
            shown = f"{program} run {name}" if called else f"{program} {name}"
            yield Wanted("turbo", shown, task, "", package or options.get("package", ""), loose=True)


_NX_COMMANDS = frozenset(
    (
        "affected run-many run graph generate g migrate reset release list report show init connect add "
        "format format:check format:write import repair sync daemon watch exec view-logs dep-graph"
    ).split()
)


def _nx(program: str, arguments: list[str]) -> Iterator[Wanted]:
    names, _ = _split(arguments, {"-t", "--target", "--targets", "-p", "--projects", "--exclude"})
    if names[:1] == ["run"] and len(names) > 1:
        package, _, task = names[1].partition(":")
        yield Wanted("nx", f"{program} run {names[1]}", task.partition(":")[0], "", package, loose=True)
    elif names and names[0] not in _NX_COMMANDS and len(names) == 2 and TASK_NAME.match(names[0]):
        yield Wanted("nx", f"{program} {names[0]} {names[1]}", names[0], "", names[1], loose=True)
    elif names[:1] in (["run-many"], ["affected"]):
        for word, value in pairwise([*arguments, ""]):
            flag, _, given = word.partition("=")
            if flag in ("-t", "--target", "--targets"):
                for name in (given or value).split(","):
                    if TASK_NAME.match(name):
                        yield Wanted("nx", f"{program} {names[0]} -t {name}", name, loose=True)


def _lerna(program: str, arguments: list[str]) -> Iterator[Wanted]:
    names, options = _split(arguments, _VALUE_FLAGS["lerna"])
    if names[:1] == ["run"] and len(names) > 1:
        yield Wanted("npm", f"{program} run {names[1]}", names[1], "", options.get("package", ""), loose=True)


def _deno(program: str, arguments: list[str]) -> Iterator[Wanted]:
    names, options = _split(arguments, _VALUE_FLAGS["deno"])
    if names[:1] == ["task"] and len(names) > 1:
        yield Wanted("deno", f"deno task {names[1]}", names[1], options.get("folder", ""))


def _composer(program: str, arguments: list[str]) -> Iterator[Wanted]:
    names, options = _split(arguments, _VALUE_FLAGS["composer"])
    called = names[:1] in (["run"], ["run-script"]) and len(names) > 1
    name = names[1] if called else (names or [""])[0]
    if TASK_NAME.match(name) and (called or name not in _BUILTIN["composer"]):
        shown = f"composer {'run ' if called else ''}{name}"
        yield Wanted("composer", shown, name, options.get("folder", ""), loose=not called)


def _gradle(program: str, arguments: list[str]) -> Iterator[Wanted]:
    plain = ["--project-dir" if word == "-p" else word for word in arguments]
    names, options = _split(plain, _VALUE_FLAGS["gradle"])
    for name in names:
        package, _, task = name.rpartition(":")
        if re.fullmatch(r"[A-Za-z]\w*", task) and re.fullmatch(r"[\w:.-]*", package):
            where = options.get("folder", "")
            yield Wanted("gradle", f"{program} {name}", task, where, package.strip(":"), loose=True)


def _maven(program: str, arguments: list[str]) -> Iterator[Wanted]:
    names, options = _split(arguments, _VALUE_FLAGS["maven"])
    parts = [part.strip().lstrip("+") for part in options.get("package", "").split(",")]
    for part in parts:
        if re.fullmatch(r":?[\w./-]+", part) and part != ".":
            yield Wanted("maven", f"{program} -pl {part}", "", "", part, loose=True)
    profiles = [word[2:] for word in arguments if re.match(r"-P[\w-]", word)]
    profiles += [value for flag, value in pairwise(arguments) if flag == "-P"]
    for profile in ",".join(profiles).split(","):
        if re.fullmatch(r"[\w.-]+", profile):
            yield Wanted("maven", f"{program} -P{profile}", f"-P{profile}", loose=True)
    for name in names:
        prefix, _, goal = name.partition(":")
        if goal and re.fullmatch(r"[a-z][\w-]*:[a-z][\w-]*(?:@[\w-]+)?", name):
            yield Wanted("maven", f"{program} {name}", f"{prefix}:", loose=True)


def _rails(program: str, arguments: list[str]) -> Iterator[Wanted]:
    name = next((word for word in arguments if not word.startswith("-")), "").partition("[")[0]
    if TASK_NAME.match(name) and name not in _RAILS_COMMANDS and "=" not in name:
        yield Wanted("rake", f"{program} {name}", name, loose=True)


def _mix(program: str, arguments: list[str]) -> Iterator[Wanted]:
    groups = [arguments]
    if arguments[:1] == ["do"]:
        groups = [part.split() for part in re.split(r"[,+]", " ".join(arguments[1:]))]
    for words in groups:
        name = words[0].strip("\"'") if words else ""
        if re.fullmatch(r"[a-z][\w.]*", name):
            yield Wanted("mix", f"mix {name}", name, loose=True)


def _mise(program: str, arguments: list[str]) -> Iterator[Wanted]:
    names, options = _split(arguments, _VALUE_FLAGS["mise"])
    if names[:2] == ["tasks", "run"]:
        names = names[1:]
    if names[:1] in (["run"], ["r"]) and len(names) > 1 and TASK_NAME.match(names[1]):
        yield Wanted("mise", f"mise run {names[1]}", names[1], options.get("folder", ""))


_COMPOSE_ONE = frozenset({"run", "exec", "port", "attach", "scale", "cp"})
_COMPOSE_MANY = frozenset(
    "up logs restart start stop build pull push rm kill ps create pause unpause top watch images wait".split()
)


def _compose(program: str, arguments: list[str]) -> Iterator[Wanted]:
    names, options = _split(arguments, _VALUE_FLAGS["compose"])
    file, folder = options.get("file", ""), options.get("folder", "")
    if "profile" in options:
        task = f"--profile {options['profile']}"
        yield Wanted("compose", f"{program} {task}", task, folder, "", loose=True, file=file)
    if not names or names[0] not in _COMPOSE_ONE | _COMPOSE_MANY:
        return
    for name in names[1:2] if names[0] in _COMPOSE_ONE else names[1:]:
        if re.fullmatch(r"[A-Za-z0-9][\w.-]*", name):
            yield Wanted("compose", f"{program} {names[0]} {name}", name, folder, "", loose=True, file=file)


def _docker(program: str, arguments: list[str]) -> Iterator[Wanted]:
    if arguments[:1] == ["compose"]:
        yield from _compose("docker compose", arguments[1:])
    elif "build" in arguments[:2]:
        file = next((value for flag, value in pairwise(arguments) if flag in ("-f", "--file")), "")
        for word, value in pairwise([*arguments, ""]):
            flag, _, given = word.partition("=")
            if flag == "--target" and (given or value):
                stage = given or value
                yield Wanted("dockerfile", f"{program} build --target {stage}", stage, loose=True, file=file)


def _pre_commit(program: str, arguments: list[str]) -> Iterator[Wanted]:
    names, options = _split(arguments, {"-c", "--config", "--files", "--from-ref", "--to-ref"})
    if names[:1] == ["run"] and len(names) > 1 and "file" not in options and "--files" not in arguments[:1]:
        yield Wanted("pre-commit", f"{program} run {names[1]}", names[1])


def _cmake(program: str, arguments: list[str]) -> Iterator[Wanted]:
    for word, value in pairwise([*arguments, ""]):
        flag, _, given = word.partition("=")
        if flag == "--preset" and (given or value):
            task = f"--preset {given or value}"
            yield Wanted("cmake", f"{program} {task}", task, loose=True)
        elif flag == "--target" or (flag == "-t" and "--build" in arguments):
            name = given or value
            if TASK_NAME.match(name) and name not in ("all", "install", "clean", "test", "help", "package"):
                yield Wanted("cmake", f"{program} --build --target {name}", name, loose=True)
        elif re.fullmatch(r"-D[A-Z]\w+", flag) and not flag.startswith("-DCMAKE_"):
            yield Wanted("cmake", f"{program} {flag}", flag, loose=True)


def _processes(program: str, arguments: list[str]) -> Iterator[Wanted]:
    names, options = _split(arguments, {"-f", "--procfile", "-e", "-p", "-m", "-c", "-l"})
    if names[:1] == ["start"] and len(names) == 2:
        file = options.get("file", "")
        yield Wanted("procfile", f"{program} start {names[1]}", names[1], loose=True, file=file)


def _act(program: str, arguments: list[str]) -> Iterator[Wanted]:
    for flag, value in pairwise(arguments):
        if flag in ("-j", "--job"):
            yield Wanted("actions", f"act -j {value}", value, loose=True)


def _cargo(program: str, arguments: list[str]) -> Iterator[Wanted]:
    for word, value in pairwise([*arguments, ""]):
        flag, _, given = word.partition("=")
        if flag in ("-p", "--package") and re.fullmatch(r"[A-Za-z][\w-]*", given or value):
            yield Wanted("cargo", f"cargo {flag} {given or value}", "", "", given or value, loose=True)


_ORCHESTRATORS = ("nx", "turbo", "lerna")
RUNNERS: dict[str, Callable[[str, list[str]], Iterator[Wanted]]] = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), _npm),
    **dict.fromkeys(("make", "gmake"), _simple("make", many=True)),
    **dict.fromkeys(("task", "go-task"), _simple("task", many=True)),
    **dict.fromkeys(("rake", "bin/rake", "./bin/rake"), _simple("rake", many=True)),
    **dict.fromkeys(("rails", "bin/rails", "./bin/rails"), _rails),
    **dict.fromkeys(("gradle", "gradlew", "./gradlew", "gradlew.bat", ".\\gradlew"), _gradle),
    **dict.fromkeys(("mvn", "mvnw", "./mvnw", "mvnd"), _maven),
    **dict.fromkeys(("nox", "tox"), _sessions),
    **dict.fromkeys(("pre-commit", "prek"), _pre_commit),
    **dict.fromkeys(("docker", "podman"), _docker),
    **dict.fromkeys(("docker-compose", "podman-compose"), _compose),
    **dict.fromkeys(("cmake", "ctest"), _cmake),
    **dict.fromkeys(("foreman", "overmind", "hivemind"), _processes),
    "just": _just,
    "poe": _poe,
    "turbo": _turbo,
    "nx": _nx,
    "lerna": _lerna,
    "deno": _deno,
    "composer": _composer,
    "mix": _mix,
    "mise": _mise,
    "act": _act,
    "cargo": _cargo,
}
"""Program as typed → what reads its arguments. A new runner is one function and one row."""

"""Small projects made up by Hypothesis: their files, the facts that hold in them, and edits.

A :class:`World` is pure data. :func:`files` renders it, :func:`facts` lists what is true of it in
several wordings each, and the functions below change one thing and leave the rest alone. Names are
put together from word lists so that no two of them are alike by chance.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hypothesis import strategies as st

VERBS = ["load", "store", "merge", "count", "parse", "send", "check", "render", "split", "index"]
NOUNS = ["orders", "baskets", "parcels", "invoices", "plants", "ledgers", "tickets", "routes", "reports"]
NEW_VERBS = ["gather", "obtain", "derive", "compile"]
SCRIPTS = ["lint", "typecheck", "e2e", "bundle", "docs:build", "seed"]
TARGETS = ["fmt", "verify", "bench", "image", "schema"]
PACKAGES = ["zod", "fastify", "pino", "undici", "kysely", "dayjs"]
NOT_STALE = [
    "It replaces the older `FaxGateway` class.",
    "Never call `captureException()` for mistakes of users.",
    "The backend's own code is at `~/code/backend`.",
    "A new part gets its `src/<part>/start.py`.",
    "Fixes for customers go to the `release/2.x` branch.",
    "Post it with `gh issue comment --body-file /path/to/text.md`.",
    "What Ada thinks of it is in note_4f2a77c1.",
]
"""Claims that no state of these projects contradicts."""

STYLES = ["tilde", "dev", "bounded", "port of environment", "getenv", "prerequisites", "copied", "vendored"]
"""Other ways to write the files of a project that change nothing that is true of it."""

NORMS = ["Keep answers short.", "Prefer plain words to clever ones.", "Ask before a big change.", "Be kind."]


@dataclass(frozen=True)
class Function:
    """A function: the words of its name, in the spelling of its module's language."""

    verb: str
    noun: str
    twist: int
    """Which of several bodies it has."""


@dataclass(frozen=True)
class Constant:
    """A named number."""

    noun: str
    value: int


@dataclass(frozen=True)
class Module:
    """A source file; ``folder`` and ``stem`` make its path, ``suffix`` its language."""

    folder: str
    stem: str
    suffix: str
    functions: tuple[Function, ...]
    constants: tuple[Constant, ...]
    styled: bool = False
    """Whether it is written another way that says the same."""
    remarks: int = 0
    """How many lines and functions that no claim speaks of stand at the top and at the end."""

    @property
    def path(self) -> str:
        """Path from the root of the repository."""
        return f"{self.folder}/{self.stem}{self.suffix}"


@dataclass(frozen=True)
class World:
    """A project at one revision."""

    modules: tuple[Module, ...]
    scripts: tuple[str, ...]
    targets: tuple[str, ...]
    packages: tuple[tuple[str, int], ...]
    port: int
    python: int
    documented: tuple[str, ...] = ()
    """Names that the guide speaks of, true or not."""
    styles: frozenset[str] = frozenset()
    """Which of :data:`STYLES` the files are written in."""
    minor: int = 1
    """The part of a version that no claim speaks of."""
    extra: int = 0
    """How many scripts, targets and settings there are that no claim speaks of."""


@dataclass(frozen=True)
class Fact:
    """Something true: the names it rests on, several wordings that say the same, and its verdict.

    ``verdict`` is empty where it may be held or unknown.
    """

    names: frozenset[str]
    wordings: tuple[str, ...]
    verdict: str = "held"


def function_name(function: Function, module: Module) -> str:
    """The function's name as its language writes it."""
    if module.suffix == ".py":
        return f"{function.verb}_{function.noun}"
    name = function.verb + function.noun.title()
    return name[0].upper() + name[1:] if module.suffix == ".go" else name


def constant_name(constant: Constant) -> str:
    """The constant's name, the same in every language."""
    return f"MAX_{constant.noun.upper()}"


def _python(module: Module) -> str:
    lines = [f'"""Everything about {module.stem}."""', ""]
    lines += [f"SPARE_{module.stem.upper()}_{number} = {number}" for number in range(module.remarks)]
    for constant in module.constants:
        name, value = constant_name(constant), constant.value
        lines.append(f"{name}: Final[int] = {value:_}  # rows" if module.styled else f"{name} = {value}")
    for item in _with_spare(module):
        called = function_name(item, module)
        lines += ["", ""]
        lines += [
            f"def {called}(source: Source) -> list[Row]:" if module.styled else f"def {called}(source):"
        ]
        lines += [f'    {item.noun} = source.read("{item.noun}")', f"    for row in {item.noun}:"]
        lines += [f"        row.step({item.twist})", f"    return {item.noun}"]
    lines += [f"# remark {number} of {module.stem}" for number in range(module.remarks)]
    return "\n".join(lines) + "\n"


def _typescript(module: Module) -> str:
    lines = [f"// Everything about {module.stem}.", 'import { Source } from "./source";', ""]
    lines += [f"const spare{module.stem.title()}{number} = {number};" for number in range(module.remarks)]
    typed = ": number" if module.styled else ""
    lines += [f"export const {constant_name(item)}{typed} = {item.value};" for item in module.constants]
    for item in _with_spare(module):
        lines += ["", f"export function {function_name(item, module)}(source: Source): string[] {{"]
        if module.styled:
            lines[-1] = f"export const {function_name(item, module)} = (source: Source): string[] => {{"
        lines += [f'  const {item.noun} = source.read("{item.noun}");', f"  source.step({item.twist});"]
        lines += [f"  return {item.noun}.slice({item.twist});", "}"]
    lines += [f"// remark {number} of {module.stem}" for number in range(module.remarks)]
    return "\n".join(lines) + "\n"


def _go(module: Module) -> str:
    lines = [f"// Package {module.folder.rpartition('/')[2]} is about {module.stem}."]
    lines += [f"package {module.folder.rpartition('/')[2]}", ""]
    lines += [f"const spare{module.stem.title()}{number} = {number}" for number in range(module.remarks)]
    typed = " int" if module.styled else ""
    lines += [f"const {constant_name(item)}{typed} = {item.value}" for item in module.constants]
    for item in _with_spare(module):
        lines += ["", f"func {function_name(item, module)}(source Source) []string {{"]
        lines += [f'\t{item.noun} := source.Read("{item.noun}")', f"\tsource.Step({item.twist})"]
        lines += [f"\treturn {item.noun}[{item.twist}:]", "}"]
    lines += [f"// remark {number} of {module.stem}" for number in range(module.remarks)]
    return "\n".join(lines) + "\n"


def _with_spare(module: Module) -> tuple[Function, ...]:
    """The functions, and one that does the same as the first under a name of its own."""
    spare = [replace(item, verb="mimic") for item in module.functions[: min(module.remarks, 1)]]
    return (*spare, *module.functions)


def _off_by_one(module: Module) -> Module:
    """The module with other values."""
    constants = tuple(replace(item, value=item.value + 1) for item in module.constants)
    return replace(module, constants=constants)


_COPIES = {"copied": "old/copies", "vendored": "vendor/depot"}
_RENDER = {".py": _python, ".ts": _typescript, ".go": _go}


def files(world: World) -> dict[str, str]:
    """The project's files by path, memory left out."""
    extra, styles = range(world.extra), world.styles
    sign = "~" if "tilde" in styles else "^"
    dependencies = {name: f"{sign}{major}.{world.minor}.0" for name, major in world.packages}
    package = {
        "name": "depot",
        "scripts": {
            **{f"more-{number}": f"node more{number}.js" for number in extra},
            **{name: f"run-{name}" for name in world.scripts},
        },
        "devDependencies" if "dev" in styles else "dependencies": dependencies,
    }
    before = " more0" if "prerequisites" in styles else ""
    targets = "".join(f"{name}:{before}\n\t./tools/{name}.sh\n\n" for name in world.targets)
    python = f">=3.{world.python},<4" if "bounded" in styles else f">=3.{world.python}"
    token = "os.getenv('DEPOT_TOKEN')" if "getenv" in styles else "os.environ['DEPOT_TOKEN']"
    port = f"int(os.environ.get('PORT', {world.port}))" if "port of environment" in styles else world.port
    copies = [folder for style, folder in _COPIES.items() if style in styles]
    names = [function_name(item, module) for module in world.modules for item in module.functions]
    return {
        **{module.path: _RENDER[module.suffix](module) for module in world.modules},
        "package.json": json.dumps(package, indent=2) + "\n",
        "Makefile": targets + "".join(f"more{number}:\n\ttrue\n\n" for number in extra),
        "pyproject.toml": f'[project]\nname = "depot"\nrequires-python = "{python}"\n'
        + "".join(f"# more {number}\n" for number in extra),
        "server/start.py": "".join(f"MORE_{number} = {number}\n" for number in extra)
        + f"import os\n\nPORT = {port}\nTOKEN = {token}\nOWNER = 'ada@depot.test'\n"
        + "STATES = ['new', 'paid', 'sent']\n",
        "tests/test_all.py": "".join(f"def test_{name}():\n    assert {name}\n\n\n" for name in names),
        ".github/workflows/ci.yml": "on:\n  schedule:\n    - cron: '0 */6 * * *'\n"
        "jobs:\n  test:\n    runs-on: ubuntu-latest\n    steps: []\n"
        + "".join(f"# more {number}\n" for number in extra),
        "docs/start.md": "# Start\n\nHello.\n"
        + "".join(f"\n`{name}()` is explained here.\n" for name in world.documented)
        + "".join(f"\nMore {number}.\n" for number in extra),
        ".gitignore": "dist/\n*.local.json\n",
        **{
            f"{folder}/{module.stem}{module.suffix}": _RENDER[module.suffix](_off_by_one(module))
            for folder in copies
            for module in world.modules
        },
    }


def facts(world: World) -> list[Fact]:
    """What holds in the project, each fact in several wordings, norms at the end."""
    found: list[Fact] = []

    def fact(names: Sequence[str], *wordings: str) -> None:
        found.append(Fact(frozenset(names), wordings))

    for module in world.modules:
        _module_facts(module, fact)
    for name in world.scripts:
        fact(
            [f"npm run {name}"],
            f"Run `npm run {name}` before a push.",
            f"`npm run {name}` must pass.",
            f"What CI runs is `npm run {name}`.",
        )
    for name in world.targets:
        fact([f"make {name}"], f"Run `make {name}` first.", f"`make {name}` comes first.")
    for name, major in world.packages:
        fact([name], f"The server is built on `{name}`.", f"`{name}` does the work.", f"We use `{name}`.")
        fact([name, f"{name} {major}"], f"Built on `{name}` {major}.", f"We are on `{name}` {major}.")
    port, minor = world.port, world.python
    fact(
        [f"port {port}"],
        f"The server listens on port {port}.",
        f"Open http://localhost:{port}/ to see it.",
        f"Port: {port}",
    )
    fact(
        [f"python {minor}"],
        f"Requires Python 3.{minor}+.",
        f"Python >= 3.{minor} is needed.",
        f"It runs on Python 3.{minor} or newer.",
    )
    for folder in sorted({module.folder for module in world.modules}):
        count = sum(module.folder == folder for module in world.modules)
        if count > 1:
            fact(
                [f"count of {folder}"],
                f"There are {count} modules in `{folder}/`.",
                f"`{folder}/` holds {count} modules.",
            )
    fact(["DEPOT_TOKEN"], "Set `DEPOT_TOKEN` first.", "`DEPOT_TOKEN` has to be set.")
    fact([], "Mails go to ada@depot.test.", "Ask ada@depot.test first.")
    fact([], "`STATES` are `new`, `paid` and `sent`.", "`STATES`: `new`, `paid`, `sent`")
    fact(
        [], "`.github/workflows/ci.yml` runs every 6 hours.", "Every 6 hours `.github/workflows/ci.yml` runs."
    )
    fact([], "[The guide](docs/start.md) tells the rest.", "The rest is in [the guide](docs/start.md).")
    fact([], "The bundle is written to `dist/app.js`.", "Your own settings: `dist/me.local.json`")
    fact([], "There is no `Dockerfile`.", "The project has no `Dockerfile`.")
    fact([], "`export_all()` is planned, not built yet.", "Planned: `export_all()`.")
    fact([], "`server/fax.py` was removed on purpose.", "`server/fax.py` is gone for good: it was removed.")
    found += [Fact(frozenset(), (text,), "") for text in NOT_STALE]
    found += [Fact(frozenset(), (norm,), "unknown") for norm in NORMS]
    return found


def _module_facts(module: Module, fact: Callable[..., None]) -> None:
    path = module.path
    fact(
        [path],
        f"The {module.stem} code lives in `{path}`.",
        f"`{path}` is where to look for {module.stem}.",
        f"Before you change {module.stem}, read `{path}`.",
    )
    fact([f"{module.stem}{module.suffix}"], f"See `{module.stem}{module.suffix}` for more.")
    for function in module.functions:
        name, noun = function_name(function, module), function.noun
        fact(
            [name],
            f"`{name}()` does it for {noun}.",
            f"Whatever needs {noun} calls `{name}()`.",
            f"For {noun} use `{name}`.",
            f"`{name}(source)` is what {noun} need.",
        )
        fact(
            [name, path],
            f"`{name}()` is defined in `{path}`.",
            f"`{path}` defines `{name}()`.",
            f"In `{path}` there is `{name}()`.",
        )
    for constant in module.constants:
        name, value = constant_name(constant), constant.value
        fact(
            [name, f"{name}={value}"],
            f"`{name}` is {value}.",
            f"At most {value} of them fit in (`{name}`).",
            f"`{name}` defaults to {value}.",
        )


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """A project of two to five modules in up to three languages."""
    stems = draw(st.permutations(NOUNS))
    pairs = draw(st.permutations([(verb, noun) for verb in VERBS for noun in NOUNS]))
    modules: list[Module] = []
    for number in range(draw(st.integers(2, 5))):
        folder, suffix = draw(
            st.sampled_from([("src/depot", ".py"), ("web/app", ".ts"), ("cmd/hub", ".go"), ("lib", ".py")])
        )
        functions = [
            Function(*pairs.pop(), twist=draw(st.integers(1, 9))) for _ in range(draw(st.integers(1, 3)))
        ]
        constants = [Constant(stems[number], draw(st.integers(2, 5000)))] if draw(st.booleans()) else []
        modules.append(Module(folder, stems[number], suffix, tuple(functions), tuple(constants)))
    names = [function_name(item, module) for module in modules for item in module.functions]
    chosen = st.lists(st.sampled_from(SCRIPTS), min_size=1, max_size=3, unique=True)
    return World(
        modules=tuple(modules),
        scripts=tuple(draw(chosen)),
        targets=tuple(draw(st.lists(st.sampled_from(TARGETS), min_size=1, max_size=3, unique=True))),
        packages=tuple(
            (name, draw(st.integers(1, 20)))
            for name in draw(st.lists(st.sampled_from(PACKAGES), min_size=1, max_size=3, unique=True))
        ),
        port=draw(st.integers(1024, 65000)),
        python=draw(st.integers(9, 14)),
        documented=tuple(names),
    )


@st.composite
def grown(draw: st.DrawFn, world: World) -> World:
    """The project with more lines in every file and all in another order: no claim speaks of it."""
    amount = draw(st.integers(0, 12))
    modules = [
        replace(
            module,
            remarks=module.remarks + amount,
            functions=tuple(draw(st.permutations(module.functions))),
        )
        for module in world.modules
    ]
    return replace(
        world,
        modules=tuple(modules),
        scripts=tuple(draw(st.permutations(world.scripts))),
        targets=tuple(draw(st.permutations(world.targets))),
        packages=tuple(draw(st.permutations(world.packages))),
        minor=draw(st.integers(1, 30)),
        extra=world.extra + amount,
    )


@st.composite
def restyled(draw: st.DrawFn, world: World) -> World:
    """The project written another way: types, quotes, pins, copies; all that was true of it still is."""
    modules = tuple(replace(module, styled=draw(st.booleans())) for module in world.modules)
    return replace(world, modules=modules, styles=frozenset(draw(st.sets(st.sampled_from(STYLES)))))


@st.composite
def regrouped(draw: st.DrawFn, world: World) -> tuple[World, Module, Module]:
    """The project with one function in another file of its language, and that file before and after."""
    number = draw(st.integers(0, len(world.modules) - 1))
    old = world.modules[number]
    place = draw(st.integers(0, len(old.functions) - 1))
    left = replace(old, functions=old.functions[:place] + old.functions[place + 1 :])
    target = Module(
        draw(st.sampled_from([old.folder, "apart"])), "apart", old.suffix, (old.functions[place],), ()
    )
    world = with_module(world, number, left)
    return replace(world, modules=(*world.modules, target)), old, target


def with_module(world: World, number: int, module: Module) -> World:
    """The project with one module replaced."""
    modules = list(world.modules)
    modules[number] = module
    return replace(world, modules=tuple(modules))


def with_function(world: World, number: int, place: int, function: Function) -> World:
    """The project with one function of one module replaced."""
    functions = list(world.modules[number].functions)
    functions[place] = function
    return with_module(world, number, replace(world.modules[number], functions=tuple(functions)))


@st.composite
def broken(draw: st.DrawFn, world: World) -> World:
    """The project with one to three things changed that claims may speak of."""
    for _ in range(draw(st.integers(1, 3))):
        number = draw(st.integers(0, len(world.modules) - 1))
        module = world.modules[number]
        what = draw(st.sampled_from(["function", "value", "drop", "script", "target", "package", "port"]))
        if what == "function" and module.functions:
            place = draw(st.integers(0, len(module.functions) - 1))
            verb = draw(st.sampled_from(NEW_VERBS))
            world = with_function(world, number, place, replace(module.functions[place], verb=verb))
        elif what == "value":
            constants = tuple(replace(item, value=item.value + 1) for item in module.constants)
            world = with_module(world, number, replace(module, constants=constants))
        elif what == "drop" and len(world.modules) > 1:
            world = replace(
                world, modules=tuple(item for place, item in enumerate(world.modules) if place != number)
            )
        elif what == "script":
            world = replace(world, scripts=world.scripts[1:])
        elif what == "target":
            world = replace(world, targets=world.targets[1:])
        elif what == "package":
            world = replace(world, packages=world.packages[1:])
        elif what == "port":
            world = replace(world, port=world.port + 1)
    return world

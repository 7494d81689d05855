"""Modules by dotted name: ``desk.cli``, ``from desk.config import PORT``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memaudit.grounding.ground import Ground, Side, is_test, is_vendored
from memaudit.grounding.language import Polarity, polarity
from memaudit.grounding.reference import Mention, Outcome, broken, supported, wrong_before
from memaudit.grounding.words import ClaimText, Form, is_placeholder
from memaudit.patterns import lazy_regex

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Test through `desk.cli`.", ("desk.cli",)),
    ("❌ `from desk.net.client import client`", ("desk.net.client",)),
    ("Run `python -m desk.cli check`.", ("desk.cli",)),
    ("Call `Session.commit`.", ()),
    ("Edit `app.py`.", ()),
)
"""Claim text and the modules read from it."""

_MODULE = lazy_regex(r"[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)+\Z")
_IMPORT = lazy_regex(r"(?:\bfrom\s+|\bimport\s+|-m\s+)([a-z_][a-z0-9_]*(?:\.[A-Za-z_]\w*)+)")
_FILE = lazy_regex(
    r"\.(?:py|js|ts|rs|go|rb|md|json|toml|yml|yaml|sh|txt|lock|cfg|ini|env|com|dev|io|org|net|ai)\Z"
)
_SUFFIXES = (".py", "/__init__.py")


class ModuleKind:
    """Python modules of this repository."""

    name = "module"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """Dotted lower-case names in code spans, imports and ``-m`` arguments."""
        seen: set[str] = set()
        for word in text.of(Form.CODE, Form.COMMAND, Form.FENCE):
            if _MODULE.match(word.text) and not _FILE.search(word.text):
                names = [word.text]
            else:
                names = _IMPORT.findall(word.text)
            for name in names:
                if name not in seen and not is_placeholder(name):
                    seen.add(name)
                    said = polarity(text, word.start, word.end)
                    yield Mention("module", name, name, word.start, word.end, word.form, said)

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Modules are found in the tree. Nothing to search for."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Stale when the module's file stood at base and none of its name does at head."""
        whole = bool(re.search(rf"\bfrom\s+{re.escape(mention.target)}\s+import\b", text.text))
        base, head = (module_file(mention.target, side, whole=whole) for side in (ground.base, ground.head))
        if head:
            return supported(
                mention,
                f"{mention.target} is {head}",
                head=head,
                head_at=ground.head.place(head),
            )
        if mention.polarity not in (Polarity.ASSERTED, Polarity.EXAMPLE):
            return None
        if base is None:
            return _never_there(mention, ground) if whole else None
        return broken(
            mention,
            "path-gone",
            f"{mention.target} was {base} at base and is not at head",
            base=base,
            base_at=ground.base.place(base),
            commit=ground.removed_by(base),
            confidence=0.88,
        )


_MAKES_MODULES = lazy_regex(
    r"\bsys\.modules\b|\b__getattr__\b|\b__path__\b|\bextend_path\b|\bimport_module\b|\balias_?\w*\("
)
"""What a package does that gives its modules from elsewhere: no file of it need bear their names."""


def _never_there(mention: Mention, ground: Ground) -> Outcome | None:
    """An import from a package of this repository, of a module that it has at neither end."""
    name = mention.target
    if name.count(".") < _DEEP:
        return None
    package = name.rpartition(".")[0]
    while package and module_file(package, ground.head) is None:
        package = package.rpartition(".")[0]
    home = _package_folder(package, ground.head)
    if home is None or _package_folder(package, ground.base) != home:
        return None
    if _MAKES_MODULES.search(ground.head.snapshot.text(f"{home}/__init__.py") or ""):
        return None
    last = name.rpartition(".")[2]
    near = [path for path in ground.head.snapshot.files() if path.startswith(home + "/")]
    places = [path for path in near if path.rpartition("/")[2].lower() == f"{last.lower()}.py"]
    at = ground.head.place(places[0] if len(places) == 1 else home)
    return wrong_before(
        mention,
        "path-gone",
        f"{home}/ is this repository's and has no module {name} at either end",
        head_at=at,
        confidence=0.8,
    )


_DEEP = 2
"""Parts below the package that an import must name: a shallower one may be made by a build."""


def _package_folder(name: str, side: Side) -> str | None:
    """The folder of a regular package of that dotted name, None where there is no single one."""
    found = [
        path.rpartition("/")[0]
        for path in side.snapshot.by_suffix("/".join([*name.split("."), "__init__.py"]) if name else "")
        if not is_test(path) and not is_vendored(path)
    ]
    return found[0] if len(found) == 1 else None


def module_file(name: str, side: Side, *, whole: bool = False) -> str | None:
    """The file of a dotted module, or, unless ``whole``, of the module that its last part is a member of."""
    for parts in (name.split("."), name.split(".")[:-1])[: 1 if whole else 2]:
        if len(parts) < 2 and parts != name.split("."):
            continue
        for suffix in _SUFFIXES:
            found = [
                path
                for path in side.snapshot.by_suffix("/".join(parts) + suffix)
                if not is_test(path) and not is_vendored(path)
            ]
            if found:
                return found[0]
        folder = [
            path for path in side.snapshot.by_suffix("/".join(parts)) if side.snapshot.kind(path) == "folder"
        ]
        if folder:
            return folder[0]
    return None

"""What a claim writes in place of a name: slots and stand-ins, trees that draw no folder of this
repository, packages spelled like imports, and names that only show how such things are called.
"""

from __future__ import annotations

import re

from memaudit.domain import Block, Origin
from memaudit.grounding import trees
from memaudit.grounding.ground import Ground, folders_up, join
from memaudit.grounding.pathwords import EXTENSION
from memaudit.grounding.reference import Mention, Outcome, undecided
from memaudit.grounding.sample import SLOT, stands_for_file
from memaudit.grounding.words import ClaimText, Form
from memaudit.patterns import lazy_regex

STYLE_EXAMPLES: tuple[tuple[str, str, bool], ...] = (
    ("**Naming convention**: `v{XXXX}_{name}.py` (e.g. `v0001_init.py`)", "v0001_init.py", True),
    ("File names are in kebab-case, such as `fee.ts` or `late-fee.ts`.", "late-fee.ts", True),
    ("Naming: such as `late-fee.ts`. Fees are in `fees.ts`.", "fees.ts", False),
    ("Follow the conventions of modules like those in `late-fee.ts`.", "late-fee.ts", False),
    ("Put helpers in shared modules, e.g. `late-fee.ts`.", "late-fee.ts", False),
    ("Format the code with scripts, e.g. `late-fee.ts`.", "late-fee.ts", False),
)
"""Claim, name in it, and whether it only shows how such names are formed, run by the tests."""

_ANY = lazy_regex(r"[a-z]X(?:\(\))?\Z|\A(?:My|Your|Some|Foo)[A-Z]")
"""``subscribeX``, where X is whatever one subscribes to, and ``MyService``, which is the reader's."""

_STYLE = lazy_regex(
    r"\b(?:naming|conventions?)\b|\b(?:kebab|snake|camel|pascal|title|upper|lower)[- _]?case\b"
    r"|\bformat\*{0,2}:|\b(?:name|title|message)s?\s+format\b|\bformat\s+(?:of|for)\b|\bformatted as\b",
    re.IGNORECASE,
)
_EXAMPLE_NAMES = lazy_regex(r"\bexample\b.*\b(?:file ?)?names?\b|\bnames?\b.*\bexample\b", re.IGNORECASE)
_NAMING = lazy_regex(r"\bnaming\b|\bnames\b", re.IGNORECASE)
_SHOWN = lazy_regex(
    r"(?:\be\.?g\.?,?|\bfor (?:example|instance),?|\bexamples?:?|\bsuch as|\blike)\s*:?\s*"
    r"(?:[`\"'“][^`\"”]*[`\"'”](?:\s*(?:,|/|or|and|,\s*(?:or|and))\s*))*[`\"'“]?\Z",
    re.IGNORECASE,
)
"""What introduces an example, and further examples before this one."""

_LISTED = lazy_regex(r"(?:[*_]*`[^`]+`[*_]*\s*(?:,|/|or|and|\.)?\s*)+\Z")
"""A claim that is nothing but names."""

_PACKAGE = lazy_regex(r"[\w.-]+/[\w.-]+\Z")


def foreign(mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
    """The outcome for a path that only looks like one of this repository; None for any other."""
    if mention.form is Form.IMPORT and _is_scoped(mention.target, text, ground):
        return undecided(mention, f"@{mention.target} is the name of a package")
    if mention.form is not Form.TREE:
        return None
    if trees.is_outside(text, ground):
        return undecided(mention, "the tree draws a folder outside of the repository", outside=True)
    if trees.is_template(text, ground):
        return undecided(mention, f"no folder is what the tree draws {mention.target} in")
    return None


def stands_for_any(outcome: Outcome) -> bool:
    """Whether a name that never was, as far as history shows, only stands for names of its sort."""
    if outcome.origin is not Origin.EARLIER or outcome.commit is not None:
        return False
    mention = outcome.mention
    if mention.kind not in ("path", "glob"):
        return bool(_ANY.search(mention.text))
    return bool(SLOT.search(mention.target)) or stands_for_file(mention.target.rpartition("/")[2])


def shows_style(mention: Mention, text: ClaimText) -> bool:
    """Whether a name is an example of how names are formed: it need not be one that is there."""
    if _EXAMPLE_NAMES.search(_column(mention, text)):
        return True
    around = (*text.claim.heading[-1:], *text.claim.context[-1:])
    if _LISTED.match(text.text) and any(map(_NAMING.search, around)):
        return True
    if not _STYLE.search(text.prose) and not any(map(_NAMING.search, around)):
        return False
    return bool(_SHOWN.search(text.text[: mention.start]))


def _column(mention: Mention, text: ClaimText) -> str:
    """The heading of the column of a table that a name stands in, empty elsewhere."""
    columns, number = text.claim.columns, text.text[: mention.start].count(" | ")
    return columns[number] if number < len(columns) else ""


def _is_scoped(target: str, text: ClaimText, ground: Ground) -> bool:
    """Whether ``@scope/name`` is a package: manifests have its scope, or no folder bears it."""
    if not _PACKAGE.match(target):
        return False
    scope = f"@{target.partition('/')[0]}/"
    sides = (ground.base, ground.head)
    named = {one.package or "" for side in sides for one in side.manifests}
    named.update(name for side in sides for name in side.dependencies)
    if f"@{target}" in named:
        return True
    places = (join(folder, scope[1:-1]) for folder in folders_up(text.claim.document))
    folder = any(side.snapshot.kind(place) == "folder" for place in places if place for side in sides)
    if target.endswith(".js") and not folder:
        return True
    if EXTENSION.search(target):
        return False
    if text.claim.block is Block.TREE or any(name.startswith(scope) for name in named):
        return True
    return not folder

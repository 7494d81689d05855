"""Directory trees drawn in a memory document: what they hang under, and whether they draw this repository."""

from __future__ import annotations

import re

from memaudit.grounding.ground import Ground, Side, folders_up, is_vendored, join
from memaudit.grounding.reference import Mention
from memaudit.grounding.sample import SLOT
from memaudit.grounding.words import ClaimText, Form
from memaudit.patterns import lazy_regex

_SHAPES = lazy_regex(
    r"\b(?:conventions?|rules?|patterns?|examples?|templates?|co-?locat\w+|naming|typical|guidelines?"
    r"|best practices|how to|adding|creating|new)\b",
    re.IGNORECASE,
)
"""Headings below which a tree shows what a folder should look like, not one that is there."""

_LEADS = lazy_regex(
    r"\b(?:examples?|e\.?g\.?|sample|typical\w*|suggested|recommended|proposed)\b", re.IGNORECASE
)
"""Words of a lead-in ("Example structure:") that say the same of the tree below it."""

_AWAY = lazy_regex(
    r"~|\$\{?(?:HOME|XDG_\w+|TMPDIR)\b|%\w+%|[A-Za-z]:[/\\]"
    r"|/(?:Users|home|root|etc|usr|var|opt|tmp|mnt|srv|Library|Applications)(?:/|\Z)",
    re.IGNORECASE,
)
"""The root of a tree of a person's or a machine's folders, whatever the repository has by those names."""


def is_outside(text: ClaimText, ground: Ground) -> bool:
    """Whether a tree draws a folder outside of the repository: the home folder, or an absolute path."""
    path = text.claim.path or ""
    if _AWAY.match(path):
        return True
    first = path.strip("/").partition("/")[0]
    return path.startswith("/") and first != "" and not _stands_beside(first, text, ground)


def is_template(text: ClaimText, ground: Ground) -> bool:
    """Whether a tree hangs under a name for any folder, such as ``feature/``, and none that is there.

    It is a name for the document's own folder where at least half of what hangs under it is there.
    """
    root = (text.claim.path or "").partition("/")[0]
    inner = {
        claim.path[len(root) + 1 :]
        for claim in text.siblings
        if claim.path and claim.path.startswith(root + "/") and claim.path != root + "/"
    }
    if root in ("", "..") or not inner or _stands_beside(root, text, ground):
        return False
    if SLOT.search(root):
        return True
    sides = (ground.base, ground.head)
    if any(_is_own_folder(path, side) for side in sides for path in side.snapshot.by_suffix(root)):
        return False
    places = folders_up(text.claim.document)
    found = [
        path
        for path in inner
        if any(side.snapshot.exists(join(place, path) or "") for side in sides for place in places)
    ]
    return bool(_GENERIC.fullmatch(root)) or len(found) * 2 < len(inner)


_GENERIC = lazy_regex(
    r"(?:(?:my|your|some|new|example|sample)[-_]?)?(?:feature|component|module|widget|example|thing|foo|bar)\d?"
    r"|[\w-]+[-_]name",
    re.IGNORECASE,
)
"""Roots that say what sort of folder is drawn."""


def _stands_beside(name: str, text: ClaimText, ground: Ground) -> bool:
    """Whether a folder of that name lies beside the document or above it, at either end."""
    places = (join(folder, name) for folder in folders_up(text.claim.document))
    return any(
        side.snapshot.exists(place) for place in places if place for side in (ground.base, ground.head)
    )


def _is_own_folder(path: str, side: Side) -> bool:
    return side.snapshot.kind(path) == "folder" and not is_vendored(path + "/")


def is_root_label(target: str, text: ClaimText, ground: Ground) -> bool:
    """Whether the entries a tree hangs under ``target`` stand below the document's folders."""
    paths = (claim.path or "" for claim in text.siblings)
    inner = [
        path[len(target) + 1 :] for path in paths if path.startswith(f"{target}/") and path != f"{target}/"
    ]
    places = folders_up(text.claim.document)
    found = [
        path
        for path in inner
        if any(ground.head.snapshot.exists(join(place, path) or "") for place in places)
    ]
    return bool(found) and len(found) * 2 >= len(inner)


def has_label(target: str, text: ClaimText, ground: Ground) -> bool:
    """Whether the first part of a tree's entry is only a name for the folder of the document.

    It is not where a folder of that name lies elsewhere in the repository: then that one is drawn.
    """
    label = target.partition("/")[0]
    if is_root_label(label, text, ground):
        return True
    return not any(
        _is_own_folder(path, side)
        for side in (ground.base, ground.head)
        for path in side.snapshot.by_suffix(label)
    )


def is_led_as_example(mention: Mention, text: ClaimText) -> bool:
    """Whether the words right above a tree call it an example."""
    return mention.form is Form.TREE and any(_LEADS.search(lead) for lead in text.claim.context[:1])


def is_shape(mention: Mention, text: ClaimText, ground: Ground) -> bool:
    """Whether a tree below a heading of rules or examples hangs under no folder where the document is."""
    if mention.form is not Form.TREE:
        return False
    if any(_LEADS.search(part) for part in text.claim.heading[-1:]):
        return True
    if not any(_SHAPES.search(part) for part in text.claim.heading[-2:]):
        return False
    label = mention.target.strip("/").partition("/")[0]
    places = [join(folder, label) for folder in folders_up(text.claim.document)]
    direct = any(
        side.snapshot.exists(place) for side in (ground.base, ground.head) for place in places if place
    )
    return not direct and not is_root_label(label, text, ground)

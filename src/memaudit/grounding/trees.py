"""Directory trees drawn in a memory document: what they hang under, and whether they draw this repository."""

from __future__ import annotations

import re

from memaudit.grounding.ground import Ground, folders_up, is_vendored, join
from memaudit.grounding.reference import Mention
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
        side.snapshot.kind(path) == "folder" and not is_vendored(path + "/")
        for side in (ground.base, ground.head)
        for path in side.snapshot.by_suffix(label)
    )


def is_led_as_example(mention: Mention, text: ClaimText) -> bool:
    """Whether the words right above a tree call it an example."""
    return mention.form is Form.TREE and any(_LEADS.search(lead) for lead in text.claim.context[:1])


def is_shape(mention: Mention, text: ClaimText, ground: Ground) -> bool:
    """Whether a tree below a heading of rules or examples hangs under no folder where the document is."""
    if mention.form is not Form.TREE or not any(_SHAPES.search(part) for part in text.claim.heading[-2:]):
        return False
    label = mention.target.strip("/").partition("/")[0]
    places = [join(folder, label) for folder in folders_up(text.claim.document)]
    direct = any(
        side.snapshot.exists(place) for side in (ground.base, ground.head) for place in places if place
    )
    return not direct and not is_root_label(label, text, ground)

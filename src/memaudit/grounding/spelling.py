"""Misspelt entries of a directory tree: ``soruces/`` where the folder is called ``sources/``.

Such an entry was never true. It takes a folder that exists, nothing of the written name in it at
either end, and exactly one name nearly the same that no other entry of the tree stands for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memaudit.domain import Block
from memaudit.grounding.ground import Ground, Side, folders_up, join
from memaudit.grounding.language import Polarity
from memaudit.grounding.pathwords import GLOB, is_shorthand
from memaudit.grounding.reference import Mention, Outcome, Replacement, wrong_before
from memaudit.grounding.words import ClaimText, Form, is_placeholder

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (("`soruces/` holds the code.", ()),)
"""Claim text outside a tree: nothing is read from it."""

_NEARLY = 85.0
"""From this ratio of rapidfuzz on (0 to 100) two names are one name misspelt."""

_SHORTEST = 6


class SpellingKind:
    """Entries of a directory tree that may be misspelt."""

    name = "spelling"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """The entry itself."""
        path = (text.claim.path or "").rstrip("/")
        name = path.rpartition("/")[2]
        plain = not is_placeholder(path) and not GLOB.search(name) and not is_shorthand(path)
        if text.claim.block is Block.TREE and len(name) >= _SHORTEST and plain:
            yield Mention("spelling", name, path, 0, len(text.text), Form.TREE, Polarity.ASSERTED)

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """The trees are read. Nothing to search for."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """See the module's first lines for the rule."""
        for path in _readings(mention.target, text):
            if any(side.snapshot.exists(path) for side in (ground.base, ground.head)):
                return None
        for path in _readings(mention.target, text):
            parent, _, name = path.rpartition("/")
            near = [_near(name, parent, text, side) for side in (ground.base, ground.head)]
            if near[0] is None or near[0] != near[1] or ground.origin_of(path):
                continue
            found = f"{parent}/{near[0]}".lstrip("/")
            return wrong_before(
                mention,
                "misspelt",
                f"there is no {path} at either end, but {found}",
                head=found,
                head_at=ground.head.place(found),
                confidence=0.8,
                replacements=(Replacement(name, near[0], False, "nearly the same name"),),
            )
        return None


def _readings(path: str, text: ClaimText) -> list[str]:
    """Where the entry may stand: below the document's folders, with or without the tree's own label."""
    inner = [path, path.partition("/")[2]] if "/" in path else [path]
    places = (join(folder, item) for folder in folders_up(text.claim.document) for item in inner)
    return list(dict.fromkeys(place for place in places if place))


def _near(name: str, parent: str, text: ClaimText, side: Side) -> str | None:
    """The only name in the folder that is nearly the same and stands nowhere else in the tree."""
    from rapidfuzz import fuzz

    said = {(claim.path or "").rstrip("/").rpartition("/")[2] for claim in text.siblings}
    near = [
        other
        for other in side.snapshot.children(parent)
        if other not in said and other != name and fuzz.ratio(name, other, score_cutoff=_NEARLY)
    ]
    return near[0] if len(near) == 1 and _misspelt(name, near[0]) else None


def _misspelt(written: str, real: str) -> bool:
    """Whether the difference is a slip of letters: not a number, not a plural or other ending."""
    same = len(written) == len(real) or abs(len(written) - len(real)) == 1
    digits = [char for char in written if char.isdigit()] == [char for char in real if char.isdigit()]
    return same and digits and written[-2:] == real[-2:] and written[0] == real[0]

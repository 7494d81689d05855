"""Proposed rewrites: only what the facts leave one reading of is proposed as sure.

A suggestion is ``apply`` when every contradicted name has one proved replacement and the rewritten
claim, judged again, is held; ``ask`` when there are candidates but no proof, or a part of the claim can
be taken out; a claim with nothing to put in place of its only subject is proposed for retiring.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from memaudit.domain import Block, Claim, Judgement, Suggestion, Tier, Verdict
from memaudit.grounding.ground import Ground
from memaudit.grounding.reference import Outcome, Replacement, Status
from memaudit.grounding.words import Form
from memaudit.patterns import lazy_regex
from memaudit.review.beside import leaves_the_rest
from memaudit.review.candidates import candidates
from memaudit.review.edits import is_number, renumbered, rewritten, without
from memaudit.review.managers import successor, swapped

Rejudge = Callable[[str], Judgement]


def suggest(
    claim: Claim, outcomes: Sequence[Outcome], rejudge: Rejudge, ground: Ground | None = None
) -> Suggestion | None:
    """The suggestion for a stale claim, or None when it is not stale.

    Where ``ground`` is given, names that no fact replaces are looked for among the real ones.
    """
    against = _one_a_name([outcome for outcome in outcomes if outcome.status is Status.CONTRADICTED])
    if not against:
        return None
    if claim.locked:
        return Suggestion(Tier.REFUSE, None, f"not editable: {claim.locked}")
    if len(against) > _MOST_PARTS:
        return Suggestion(Tier.ASK, None, _advice(against, outcomes))
    draft = _Draft(claim.text, rejudge, whole=claim.block is Block.COMMAND)
    alive = any(outcome.status is Status.SUPPORTED for outcome in outcomes)
    for outcome in against:
        draft.settle(outcome, ground, alive=alive)
    if ground and draft.text != claim.text:
        draft.respell(ground)
    if draft.text == claim.text or draft.only_shortens_what_is_false():
        return Suggestion(Tier.ASK, None, _advice(against, outcomes))
    sure = draft.proved and not _unread_version(claim, outcomes)
    if sure and ground is not None and leaves_the_rest(claim, outcomes, ground):
        sure = False
        draft.notes.append("other parts of the line may not have moved along")
    held = sure and rejudge(draft.text).verdict is Verdict.HELD
    return Suggestion(Tier.APPLY if held else Tier.ASK, draft.text, "; ".join(dict.fromkeys(draft.notes)))


_MOST_PARTS = 12
"""Contradicted names up to which a claim is reworded name by name: each is judged anew several times."""

_VERSION = lazy_regex(r"(?<![\w.])(?:[\^~]\s?\d+(?:\.\d+)*|\d+\.\d+(?:\.\d+)*)(?!\w)")


def _unread_version(claim: Claim, outcomes: Sequence[Outcome]) -> bool:
    """Whether beside a version that changed stands one that nothing was found out about: it may have, too."""
    if all(outcome.reason != "version-changed" for outcome in outcomes):
        return False
    read = [(outcome.mention.start, outcome.mention.end) for outcome in outcomes]
    found = _VERSION.finditer(claim.text)
    return not all(any(start < one.end() and one.start() < end for start, end in read) for one in found)


def _is_demanded(item: Replacement, text: str) -> bool:
    """Whether the claim shows a part of the old name by itself that the new one lacks: as a prefix that
    such names must have, say.
    """
    parts = (span.strip("*") for span in re.findall(r"`([^`\s]+)`", text))
    return any(
        len(part) >= _SHORTEST_PART and part != item.old and part in item.old and part not in item.new
        for part in parts
    )


_SHORTEST_PART = 3

_THERE = frozenset({"absence-undone", "plan-built", "signature-changed"})
"""What is there after all is not taken out of the sentence that denies it, or shows other parameters."""


@dataclass(slots=True)
class _Draft:
    """A claim's text on its way: what was contradicted is settled name by name."""

    text: str
    rejudge: Rejudge
    whole: bool = False
    proved: bool = True
    renamed: bool = False
    notes: list[str] = field(default_factory=list)
    _judged: dict[str, int] = field(default_factory=dict)

    def settle(self, outcome: Outcome, ground: Ground | None, *, alive: bool) -> None:
        """Put a name in place of the one that is gone, or take the part that names it out.

        Only where something else of the claim is ``alive`` may its only such part go.
        """
        if outcome.reason == "manager-changed" and self._swap(outcome):
            return
        known = [item for item in outcome.replacements if item.new]
        dropped = [item for item in outcome.replacements if not item.new]
        if known and known[0].proved and self._replace(outcome, known[0]):
            return
        self.proved = False
        if dropped and self._drop_words(outcome, dropped):
            return
        found = known + (candidates(outcome, ground) if ground else [])
        for item in found:
            if self._replace(outcome, item, check=True):
                others = [other.new for other in found if other.new not in (item.new, item.old)]
                self.notes += [f"or {', '.join(others)}"] if others else []
                return
        if not self._drop(outcome, alive=alive):
            self.notes.append(f"{outcome.mention.target.strip()} is left to be reworded")

    def only_shortens_what_is_false(self) -> bool:
        """Whether parts were taken out, nothing was put in, and what is left is contradicted all the same."""
        return not self.renamed and self._contradicted(self.text) > 0

    def respell(self, ground: Ground) -> None:
        """Spell the commands of a text that changes anyway for the manager that head uses."""
        found = successor(self.text, ground)
        text = swapped(self.text, *found, whole=self.whole)[0] if found else self.text
        if text != self.text:
            self.text, self.proved = text, False
            self.notes.append("package manager")

    def _swap(self, outcome: Outcome) -> bool:
        item = outcome.replacements[0]
        text, sure = swapped(self.text, item.old, item.new, whole=self.whole)
        start, end = outcome.mention.start, outcome.mention.end
        if text[start:end].lower() == item.old and self.text[:start].count("`") % 2 == 0:
            text = text[:start] + item.new + text[end:]
        if text == self.text:
            return False
        one = not re.search(r";|[.:!?]\s|\s#\s", self.text)
        told = re.search(rf"(?<![\w-]){re.escape(item.new)}(?![\w-])", self.text)
        self.proved = self.proved and item.proved and sure and one and told is None
        self.text, self.renamed = text, True
        self.notes.append(item.note)
        return True

    def _replace(self, outcome: Outcome, item: Replacement, *, check: bool = False) -> bool:
        alone = True
        command, remark = _parted(self.text) if self.whole else (self.text, "")
        text = rewritten(command, [(item, outcome.mention.form is Form.CODE)])
        text = text if text is None else text + remark
        if text is not None and is_number(item.old):
            text, alone = renumbered(self.text, item.old, item.new, outcome.mention.start) or (text, False)
        if text is None or (check and not self._better(text)):
            return False
        self.proved = self.proved and alone and not _is_demanded(item, self.text)
        self.text, self.renamed = text, True
        self.notes += [item.note] if item.note else []
        return True

    def _better(self, text: str) -> bool:
        """Whether the claim so worded is contradicted in fewer places, or not at all."""
        after = self._contradicted(text)
        return not after or after < self._contradicted(self.text)

    def _contradicted(self, text: str) -> int:
        if text not in self._judged:
            judged = self.rejudge(text)
            names = {piece.reference for piece in judged.evidence}
            self._judged[text] = len(names) if judged.verdict is Verdict.STALE else 0
        return self._judged[text]

    def _drop_words(self, outcome: Outcome, dropped: Sequence[Replacement]) -> bool:
        """Take the listed words out that stand behind the name, if others of the list stay."""
        text = self.text
        for item in dropped:
            start = self.text.find(outcome.mention.text.strip("`"))
            match = re.compile(rf"(?<![\w-]){re.escape(item.old)}(?![\w-])").search(text, max(start, 0))
            if match is None:
                continue
            opened = text.rfind("(", 0, match.start()) > text.rfind(")", 0, match.start())
            listed = opened or re.search(r"\bruns?\b[^.;:()]*$", text[: match.start()])
            kept = without(text, *match.span(), alone=False) if listed else None
            if kept is None:
                return False
            text = kept
        if text == self.text:
            return False
        self.text = text
        self.notes.append(dropped[0].note)
        return True

    def _drop(self, outcome: Outcome, *, alive: bool) -> bool:
        """Take the part of the claim out that names what is gone, where the rest stands without it."""
        mention = outcome.mention
        if outcome.reason in _THERE:
            return False
        name = mention.text if mention.text in self.text else mention.target
        start = self.text.find(name, min(mention.start, len(self.text)))
        start = start if start >= 0 else self.text.find(name)
        if start < 0:
            return True  # It went with another part.
        kept = without(self.text, start, start + len(name), alone=alive)
        if not kept or not re.search(r"\w{3}", kept) or not self._better(kept):
            return False
        self.text = kept
        self.notes.append(f"without {mention.target}")
        return True


def _parted(line: str) -> tuple[str, str]:
    """A command line, and the remark behind it, which speaks of other things by the same names."""
    remark = re.search(r"\s+#\s.*\Z", line, re.DOTALL)
    return (line[: remark.start()], remark[0]) if remark else (line, "")


def _one_a_name(against: Sequence[Outcome]) -> list[Outcome]:
    """One outcome for each name: of several that object to it, those that know what replaces it."""
    answered = {(item.mention.start, item.mention.end) for item in against if item.replacements}
    kept: dict[tuple[int, int, str], Outcome] = {}
    for item in against:
        place = (item.mention.start, item.mention.end)
        if item.replacements or place not in answered:
            kept.setdefault((*place, item.replacements[0].old if item.replacements else ""), item)
    return list(kept.values())


def _advice(against: Sequence[Outcome], outcomes: Sequence[Outcome]) -> str:
    """What to do where no new wording can be proposed."""
    moved = next((outcome.head for outcome in against if outcome.reason == "path-moved"), None)
    if moved:
        return f"what it names is {moved} now: reword it, or move the line where that belongs"
    told = {"path", "glob", "command", "subcommand", "symbol", "module", "program"}
    if any(outcome.status is Status.SUPPORTED and outcome.mention.kind in told for outcome in outcomes):
        return "part of it still holds: reword it"
    return "the facts give no new words for it: retire or reword it"

"""What would be asked, in which order and at what price, before anything is sent."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from memaudit.domain import Claim, Judgement, Verdict
from memaudit.grounding.ground import Ground
from memaudit.judges.model.answers import Answers
from memaudit.judges.model.costs import Estimate, expected, most
from memaudit.judges.model.hunks import Diff
from memaudit.judges.model.packing import Packer, shared
from memaudit.judges.model.prompt import Question, body, question, size
from memaudit.settings_model import ModelSettings

CLOSED = ("no-reference", "outside")
"""Reasons for which no state of the repository could decide: a model is not asked either."""

_NEVER_SENT = (
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "*.tfstate",
    "*.gpg",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    ".netrc",
    ".pgpass",
    ".git-credentials",
)
"""Files that never leave, whatever the settings say."""


@dataclass(frozen=True, slots=True)
class Planned:
    """One question with the judgement it may replace.

    ``key`` is what its answer is known by, ``shared`` tells that others see the same change, ``known`` is the
    answer of an earlier run, ``waits`` tells that it was asked in a batch that is not through yet. ``worst``
    is what a single attempt costs at most in dollars (0 where no price is known).
    """

    question: Question
    key: str
    before: Judgement
    sent: dict[str, Any]
    shared: bool
    known: str | None
    waits: bool
    worst: float


class Plan:
    """All questions of a run, most at risk first, with what they will cost.

    ``open`` counts the claims the cheaper judges left open; those without a question have nothing in the
    change that they name, or lie in a file that may not leave: ``held_back`` counts those. ``under_way``
    counts the questions of batches that are not through yet, those included that nothing asks any more.
    """

    def __init__(
        self,
        questions: list[Planned],
        opened: int,
        settings: ModelSettings,
        held_back: int = 0,
        *,
        under_way: int = 0,
    ) -> None:
        self.questions = questions
        self.open = opened
        self.held_back = held_back
        self.settings = settings
        self.under_way = under_way

    @property
    def new(self) -> list[Planned]:
        """The questions that nobody has asked before."""
        return [planned for planned in self.questions if planned.known is None and not planned.waits]

    @cached_property
    def estimate(self) -> Estimate:
        """Calls, tokens and dollars, as far as they can be told before."""
        return self._estimate(batch=False)

    @cached_property
    def batch_estimate(self) -> Estimate:
        """The same if they go as a batch."""
        return self._estimate(batch=True)

    def _estimate(self, *, batch: bool) -> Estimate:
        sizes: list[tuple[int, int, bool]] = []
        seen: set[str] = set()
        for planned in self.new:
            change = planned.question.change
            front = size(planned.sent["system"]) + size(change) if planned.shared else 0
            sizes.append((size(planned.sent), front, change in seen))
            seen.add(change)
        known = sum(planned.known is not None for planned in self.questions)
        return expected(sizes, self.settings.price, known, batch=batch)


def make_plan(
    judged: Iterable[tuple[Claim, Judgement]],
    ground_of: Callable[[Claim], Ground],
    memory: Iterable[str],
    settings: ModelSettings,
    answers: Answers,
    under_way: Collection[str] = (),
) -> Plan:
    """Pack a question for each claim that was left open and has something to do with the change.

    ``ground_of`` gives what a claim was judged on, ``memory`` are the audited memory files, ``under_way`` the
    keys of the questions in batches that are not through yet. Nothing is sent.
    """
    hidden = hidden_files(settings)
    files = frozenset(memory)
    packers: dict[int, Packer] = {}
    found: list[tuple[Question, Judgement]] = []
    opened = held_back = 0
    for claim, judgement in judged:
        if judgement.verdict is not Verdict.UNKNOWN or judgement.reason in CLOSED:
            continue
        opened += 1
        if hidden(claim.document.lstrip("/")):
            held_back += 1
            continue
        ground = ground_of(claim)
        if id(ground) not in packers:
            packers[id(ground)] = Packer(ground, Diff(ground, hidden, files))
        evidence = packers[id(ground)].pack(claim, judgement)
        if evidence is not None:
            found.append((question(claim, evidence), judgement))
    found.sort(key=_urgency)
    keys = [answers.key(asked) for asked, _ in found]
    known = [answers.known(key) for key in keys]
    common = shared([asked.change for (asked, _), answer in zip(found, known, strict=True) if answer is None])
    planned = []
    for (asked, before), key, answer in zip(found, keys, known, strict=True):
        sent = body(asked, settings, shared=asked.change in common)
        worst = most(size(sent), settings.price) if settings.price else 0.0
        waits = answer is None and key in under_way
        planned.append(Planned(asked, key, before, sent, asked.change in common, answer, waits, worst))
    return Plan(planned, opened, settings, held_back, under_way=len(under_way))


def _urgency(pair: tuple[Question, Judgement]) -> tuple[bool, float, str, int]:
    """Most at risk first: claims whose code is known to have changed, then by what was taken out of it."""
    asked, before = pair
    claim = asked.claim
    return before.reason != "touched", -asked.evidence.risk, claim.document, claim.line_start


def hidden_files(settings: ModelSettings) -> Callable[[str], bool]:
    """Tells of a path whether the file may not leave this machine."""
    from pathspec import GitIgnoreSpec

    never, ignored = GitIgnoreSpec.from_lines(_NEVER_SENT), GitIgnoreSpec.from_lines(settings.ignore)
    return lambda path: never.match_file(path) or ignored.match_file(path)

"""The review screen among others in the same review: what they do, who they are, what is contested."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memaudit.domain import Claim, Decision
from memaudit.errors import JournalBusyError, MemauditError
from memaudit.tui.auditing import AuditingScreen
from memaudit.tui.header import Header
from memaudit.tui.panes.card import Card
from memaudit.tui.telling import decided_words, named, people, place, short, told

if TYPE_CHECKING:
    from memaudit.review.news import News

LOOK_AROUND = 0.4
"""Seconds between two looks at what others did: they are seen within a second."""

_CHOICES = "123456789"


class PairingScreen(AuditingScreen):
    """Follows the review for what others do in it."""

    _turns_on_top = 0
    _fault_told = ""

    def on_mount(self) -> None:
        """Look around for others from now on."""
        self.set_interval(LOOK_AROUND, self.look_around)

    @property
    def others(self) -> str:
        """Who else is here, in words safe to show, or empty."""
        return people(self.sitting.together.others, self.sitting.author)

    @property
    def contested(self) -> int:
        """The number of claims that people decided differently."""
        return len(self.sitting.board.contested)

    def show_waiting(self, line: str) -> None:
        """Say at once that the journal is in use, and go on by itself."""
        header, card = self.query_one(Header), self.query_one(Card)
        header.waiting = True
        header.renew()
        way_out = self.say("This goes on by itself; {quit} leaves.")
        card.blank = ("Waiting for the review journal.", f"{line}. {way_out}")
        card.renew()

    def refresh_now(self) -> None:
        """Take over another board first, where documents are shown as they were or have become."""
        board, claims = self.sitting.board, self.claims
        if self.sitting.opened is not None and claims.board is not board:
            cursor = claims.cursor
            claims.show(board)
            claims.select(board.index(cursor))
        super().refresh_now()

    def look_around(self) -> None:
        """Take in what others did, unless a dialog is open: what lies under it counts as not seen."""
        if self.sitting.opened is None:
            return
        self.query_one(Header).waiting = False
        somebody = self.sitting.together.be_here()
        # After a dialog has closed, what was answered in it is carried out before anything changes.
        self._turns_on_top = self._turns_on_top + 1 if self.app.screen is self else 0
        try:
            news = self.sitting.look_around() if self._turns_on_top > 1 else None
        except JournalBusyError:
            news = None
        except MemauditError as error:
            news = None
            if error.line() != self._fault_told:
                self._fault_told = error.line()
                self.tell(error.line(), "error")
        if news:
            self._tell_news(news)
        if news or somebody:
            self.refresh_now()

    def _tell_news(self, news: News) -> None:
        for sentence in told(news, self.sitting.author, self.sitting.claim):
            self.tell(sentence)
        here = {one.claim_id for item in news.happenings for one in item.decisions}
        for claim_id in here & self.sitting.board.contested.keys():
            where = place(self.sitting.claim(claim_id))
            chooses = self.say("{choose} chooses.")
            self.tell(f"{self._who(claim_id)} decided differently on {where}. {chooses}", "warning")

    def _who(self, claim_id: str) -> str:
        author = self.sitting.author
        names = {one.by: named(one.by, author) for one in self.sitting.contested(claim_id)}
        ordered = sorted(names.values(), key=lambda name: name != "you")
        words = " and ".join(ordered[:3])
        return words[:1].upper() + words[1:]

    # Choosing

    def do_choose(self) -> None:
        """Choose which decision stands on the selected claim, else on the first that is contested."""
        claim = self.sitting.claim(self.claims.cursor)
        if claim is None or not self.sitting.contested(claim.id):
            claim = self._first_contested()
            if claim is None:
                return
            self.claims.select(self.sitting.board.index(claim.id))
        self._ask(claim, lambda _: None)

    def do_save(self) -> None:
        """Choose first what is contested, then show the whole change and write it."""
        claim = self._first_contested()
        if claim is None:
            super().do_save()
            return
        show = super().do_save

        def answered(answer: str) -> None:
            if answer == "s":
                show()
            else:
                self.do_save()

        self.claims.select(self.sitting.board.index(claim.id))
        self._ask(claim, answered, ("s", "save without this claim"))

    def _first_contested(self) -> Claim | None:
        board = self.sitting.board
        indices = [index for one in board.contested if (index := board.index(one)) is not None]
        return board.claims[min(indices)] if indices else None

    def _ask(self, claim: Claim, then: Callable[[str], object], *more: tuple[str, str]) -> None:
        from memaudit.tui.dialogs.confirm import Confirm

        author, stands = self.sitting.author, self.sitting.contested(claim.id)
        answers: dict[str, tuple[str, Decision]] = {}
        for number, one in enumerate(reversed(stands)):
            mine = one.by == author
            key = "m" if mine else "t" if "t" not in answers else _CHOICES[number % 9]
            whose = "keep mine" if mine else f"take {named(one.by)}’s"
            answers[key] = f"{whose}: {one.kind.value}", one
        ordered = sorted(answers.items(), key=lambda item: item[0] != "m")
        sentences = (
            f"{place(claim)}: neither had seen what the other decided.",
            short(claim.text, 200),
            *(f"≠ {decided_words(one, author)}" for one in stands),
        )

        def answered(answer: str | None) -> None:
            if answer in answers:
                self._choose(answers[answer][1])
            if answer:
                then(answer)

        self.app.push_screen(
            Confirm(
                f"{self._who(claim.id)} decided differently",
                sentences,
                (*((key, words) for key, (words, _) in ordered), *more),
            ),
            answered,
        )

    def _choose(self, decision: Decision) -> None:
        try:
            self.sitting.choose(decision)
        except JournalBusyError as error:
            self.wait_for_journal(error, lambda: self._choose(decision))
        except MemauditError as error:
            self.tell(error.line(), "error")
        self.refresh_now()

"""What a person does with claims on the review screen: decide, undo, save, leave."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual.notifications import SeverityLevel

from memaudit.domain import DecisionKind, Judgement, Tier, Verdict
from memaudit.errors import JournalBusyError, MemauditError
from memaudit.text import visible
from memaudit.tui.board import NEEDS_A_PERSON, Rank
from memaudit.tui.claim_list import ClaimList
from memaudit.tui.claim_row import DECISIONS
from memaudit.tui.engine import Engine
from memaudit.tui.gating import GatingScreen
from memaudit.tui.keymap import keymap_of
from memaudit.tui.sitting import Sitting
from memaudit.tui.situation import lines_of_code

if TYPE_CHECKING:
    from memaudit.review.session import FileChange, SaveReport


class DecidingScreen(GatingScreen):
    """The part of the review screen that changes something; how it is laid out is for the subclass."""

    sitting: Sitting
    engine: Engine

    @property
    def claims(self) -> ClaimList:
        """The list of claims."""
        return self.query_one(ClaimList)

    def refresh_now(self) -> None:
        """Bring the screen up to date with the sitting."""
        raise NotImplementedError

    async def reopen(self) -> None:
        """Read the stores again and judge them anew."""
        raise NotImplementedError

    def leave(self) -> None:
        """End the program at once."""
        raise NotImplementedError

    def say(self, sentence: str) -> str:
        """A sentence of ours with the keys of the actions named in braces."""
        return keymap_of(self).say(sentence)

    def tell(self, text: str, severity: SeverityLevel = "information") -> None:
        """A notice of one line; the text may come from anywhere."""
        self.notify(visible(text), severity=severity, markup=False, timeout=6)

    def _targets(self) -> tuple[str, ...]:
        """The claims a decision goes to: all marked ones, else the selected one."""
        if self.claims.marks:
            board = self.sitting.board
            return tuple(claim.id for claim in board.claims if claim.id in self.claims.marks)
        claim = self.sitting.claim(self.claims.cursor)
        return (claim.id,) if claim else ()

    def _decide(self, claim_ids: Iterable[str], kind: DecisionKind, text: str | None = None) -> bool:
        """Decide, say what went wrong if it did, and go on to the next undecided claim."""
        claim_ids = tuple(claim_ids)
        try:
            self.sitting.decide(claim_ids, kind, text)
        except JournalBusyError as error:
            self.wait_for_journal(error, lambda: self._decide(claim_ids, kind, text))
            return False
        except MemauditError as error:
            self.tell(error.line(), "error")
            return False
        self._decided(claim_ids)
        return True

    def wait_for_journal(self, error: JournalBusyError, again: Callable[[], object]) -> None:
        """Say that another program has the journal locked, and do it ``again`` as soon as it is free."""
        from memaudit.tui.dialogs.waiting import Waiting

        def answered(free: bool | None) -> None:
            if free:
                again()

        self.app.push_screen(Waiting(error.line(), lambda: self.sitting.journal_is_free), answered)

    def _decided(self, claim_ids: tuple[str, ...]) -> None:
        """Marks have served their purpose; a claim that is decided gives way to the next undecided one."""
        if self.claims.marks.intersection(claim_ids):
            self.claims.unmark()
        if self.claims.cursor in claim_ids:
            self._go_on()
        self.refresh_now()

    def _undecided_targets(self) -> tuple[str, ...]:
        """The claims a decision goes to; of several marked ones only those without a decision.

        Says how many are left as they are, and keeps the marks when that is all of them.
        """
        targets = self._targets()
        if not self.claims.marks:
            return () if self._is_awaited(targets) else targets
        undecided = tuple(claim_id for claim_id in targets if self.sitting.decision(claim_id) is None)
        decided = len(targets) - len(undecided)
        if not undecided:
            self.tell(
                self.say("Every marked claim is decided already: {undo} takes decisions back."), "warning"
            )
        elif decided:
            self.tell(f"{counted(decided, 'marked claim')} decided before: left as decided.")
        return undecided

    def _is_awaited(self, targets: tuple[str, ...]) -> bool:
        """Whether the selected claim's verdict is still on its way, and say so: the list moves meanwhile."""
        board = self.sitting.board
        ranks = [board.rank(index) for target in targets if (index := board.index(target)) is not None]
        if not self.engine.running or Rank.PENDING not in ranks:
            return False
        self.tell("This claim is still being judged: decide it when its verdict is there.", "warning")
        return True

    def _go_on(self) -> None:
        """Go to the next undecided claim; say so when none is left that needs a person."""
        board, here = self.sitting.board, self.claims.index
        target = board.next_undecided(here)
        before = board.rank(here) if here is not None and here >= 0 else Rank.BROKEN
        if target is not None:
            self.claims.select(target)
        if board.contested and target is None:
            self._tell_contested()
        elif board.contested:
            return
        elif before in NEEDS_A_PERSON and (target is None or board.rank(target) not in NEEDS_A_PERSON):
            left = board.undecided_count((Rank.HELD,))
            held = f"{{accept_held}} accepts the {left} held ones, " if left else ""
            self.tell(self.say(f"Every stale and unknown claim is decided. {held}{{save}} saves."))

    def _tell_contested(self) -> None:
        count = len(self.sitting.board.contested)
        left = f"{counted(count, 'claim')} {'is' if count == 1 else 'are'}"
        self.tell(self.say(f"{left} decided differently by two people. {{choose}} chooses."), "warning")

    def do_accept(self) -> None:
        """The claim holds."""
        if targets := self._undecided_targets():
            self._decide_marked(targets, DecisionKind.ACCEPT)

    def do_retire(self) -> None:
        """Take the claim out; asks first when others hang under it."""
        targets = self._undecided_targets()
        if not targets:
            return
        below = self.sitting.below(targets)
        if not below:
            self._decide_marked(targets, DecisionKind.RETIRE)
            return
        from memaudit.tui.dialogs.confirm import Confirm

        noun = "claim hangs" if len(below) == 1 else "claims hang"
        first = self.sitting.claim(below[0])
        sentences = (
            f"{len(below)} {noun} under it and would be left without it, first:",
            visible(first.text)[:200] if first else "",
        )

        def answered(answer: str | None) -> None:
            if answer:
                self._decide((*targets, *below), DecisionKind.RETIRE)

        self.app.push_screen(
            Confirm(
                "Retire with all that hangs under it?",
                sentences,
                (("r", f"retire all {len(below) + len(targets)}"),),
            ),
            answered,
        )

    def _decide_marked(self, targets: tuple[str, ...], kind: DecisionKind) -> None:
        """Decide the same on the claim, or on all marked ones, and say of several how many they were."""
        if self._decide(targets, kind) and len(targets) > 1:
            word = DECISIONS[kind][1]
            self.tell(f"{counted(len(targets), 'claim')} {word}. {self.say('{undo} takes it back.')}")

    def do_rewrite(self) -> None:
        """Open the editor."""
        from memaudit.tui.dialogs.rewrite import Rewrite

        claim = self.sitting.claim(self.claims.cursor)
        if claim is None:
            return
        if reason := lines_of_code(claim):
            self.tell(f"Rewrite: {reason}.", "warning")
            return
        decision = self.sitting.decision(claim.id)
        claim_id = claim.id

        async def rejudge(text: str) -> Judgement:
            return await self.engine.rejudge(claim_id, text)

        async def complete(word: str) -> tuple[list[str], bool]:
            return await self.engine.complete(claim_id, word)

        def answered(text: str | None) -> None:
            if text is not None:
                self._decide((claim_id,), DecisionKind.REWRITE, text)

        own = decision.text if decision else None
        judgement = self.sitting.audited(claim_id)
        self.app.push_screen(Rewrite(claim, judgement, own, rejudge, complete), answered)

    def do_take(self) -> None:
        """Take a proved suggestion; any other one only if it is judged better than what it replaces."""
        claim_id = self.claims.cursor
        judgement = self.sitting.judgement(claim_id)
        suggestion = judgement.suggestion if judgement else None
        if claim_id is None or suggestion is None:
            return
        if suggestion.tier is Tier.APPLY:
            kind = DecisionKind.RETIRE if suggestion.text is None else DecisionKind.REWRITE
            self._decide((claim_id,), kind, suggestion.text)
        elif suggestion.text is not None:
            self.run_worker(
                self._take_if_better(claim_id, suggestion.text),
                group="take",
                exclusive=True,
                exit_on_error=False,
            )

    async def _take_if_better(self, claim_id: str, text: str) -> None:
        from memaudit.review.gate import dropped

        try:
            judged = await self.engine.rejudge(claim_id, text)
        except MemauditError:
            judged = None
        if self.claims.cursor != claim_id or self.app.screen is not self:
            return
        old = self.sitting.judgement(claim_id)
        if judged is not None and judged.verdict is not Verdict.STALE and not dropped(old, judged):
            self._decide((claim_id,), DecisionKind.REWRITE, text)
            return
        self.do_rewrite()

    def do_undo(self) -> None:
        """Take the last step back."""
        self._step_back(self.sitting.undo, "Undone")

    def do_redo(self) -> None:
        """Do it again."""
        self._step_back(self.sitting.redo, "Done again")

    def _step_back(self, step: Callable[[], tuple[str, ...]], word: str) -> None:
        try:
            touched = step()
        except JournalBusyError as error:
            self.wait_for_journal(error, lambda: self._step_back(step, word))
            return
        except MemauditError as error:
            self.tell(error.line(), "error")
            return
        index = self.sitting.board.index(touched[0]) if touched else None
        if index is not None:
            self.claims.select(index)
            if len(touched) > 1:
                self.tell(f"{word}: {len(touched):,} decisions.")
            elif self.sitting.board.row(index) is None:
                self.tell(f"{word}, on a claim that is not listed now.")
        self.refresh_now()

    def do_next(self) -> None:
        """Go to the next undecided claim."""
        target = self.sitting.board.next_undecided(self.claims.index)
        if target is None and self.sitting.board.contested:
            self._tell_contested()
            return
        if target is None:
            self.tell("No undecided claim is listed. s saves what is decided.")
            return
        self.claims.select(target)

    # Save

    def do_save(self) -> None:
        """Show the whole change, then write it."""
        from memaudit.tui.dialogs.save import SavePreview

        if self.judging_save:
            self.tell("The last save is still being judged.", "warning")
            return
        try:
            changes = self.sitting.preview()
        except MemauditError as error:
            self.tell(error.line(), "error")
            return

        def answered(answer: bool | None) -> None:
            if answer:
                self.save_now(changes)

        self.app.push_screen(SavePreview(changes, self.sitting.unsaved_kinds()), answered)

    def save_now(
        self, previewed: Sequence[FileChange] | None = None, then: Callable[[], None] | None = None
    ) -> None:
        """Write the files, say what was written, and have it judged; ``then`` follows if all went well.

        Changes that were ``previewed`` are shown again when others made other ones of them meanwhile.
        """
        try:
            report = self.sitting.save(previewed)
        except JournalBusyError as error:
            self.wait_for_journal(error, lambda: self.save_now(previewed, then))
            return
        except MemauditError as error:
            self.tell(error.line(), "error")
            return
        if report.overtaken:
            self.refresh_now()
            self.do_save()
            self.tell("Others decided meanwhile, so nothing was written: this is the change now.", "warning")
            return
        told = ""
        if len(report.written) == 1:
            (written,) = report.written
            # In two words that have room on a line each: a path that is broken cannot be copied.
            kept, folder = written.backup.name, short_path(written.backup.parent)
            told = f"Saved {written.path.name}. What it held before is {kept} in {folder}"
        elif report.written:
            folder = short_path(os.path.commonpath([written.backup.parent for written in report.written]))
            told = f"Saved {len(report.written)} files. What they held before is in {folder}"
        for failure in report.failed:
            self.tell(failure.line(), "error")
        if not (report.written or report.failed or report.conflicts):
            self.tell("Saved: no file had to change.")
        if report.conflicts:
            self._show_conflicts(report)
        self.refresh_now()
        if report.conflicts or report.failed:
            then = None
        if report.written:
            self.judge_save(told, then)
        elif then is not None:
            then()

    def _show_conflicts(self, report: SaveReport) -> None:
        from memaudit.tui.dialogs.confirm import Confirm

        sentences = []
        for conflict in report.conflicts:
            sentences.append(
                f"{visible(conflict.path)} was changed by somebody else meanwhile. Nothing was written to it."
            )
            if conflict.unmatched:
                sentences.append(f"{len(conflict.unmatched)} decisions no longer find their claim:")
                sentences += [f"  {visible(lost.claim.text)[:120]}" for lost in conflict.unmatched[:5]]
            else:
                sentences.append("Every decision found its claim in the new text.")
            if conflict.reworded:
                sentences.append(f"{reworded_words(len(conflict.reworded))}:")
                sentences += [f"  {visible(claim.text)[:120]}" for claim in conflict.reworded[:5]]

        def answered(_: str | None) -> None:
            self.run_worker(self.reopen(), group="reopen", exclusive=True, exit_on_error=False)

        self.app.push_screen(
            Confirm("Changed on disk", tuple(sentences), (("enter", "read it again and judge it anew"),)),
            answered,
        )

    # Leave

    def do_quit(self) -> None:
        """Leave; asks when decisions are not in the files."""
        if self.leave_when_judged(self.leave):
            return
        unsaved = self.sitting.unsaved
        if not unsaved or (self.sitting.opened and self.sitting.opened.read_only):
            self.leave()
            return
        from memaudit.tui.dialogs.confirm import Confirm

        noun = "decision is" if unsaved == 1 else "decisions are"
        later = "leave"
        if self.engine.request.throw_away:
            become = (
                "This is the demo: its copy of the sample project is removed when you leave, and they go "
            )
            become += "with it."
        elif not self.sitting.is_kept:
            become = "Their journal was removed, so leaving loses them. {export} exports them as a patch."
        else:
            become = "Nothing is lost if you leave: they are in the journal and come back at the next start."
            later = "leave, go on later"
        sentences = (f"{unsaved:,} {noun} not in the files yet.", self.say(become))

        def answered(answer: str | None) -> None:
            if answer == "q":
                self.leave()
            elif answer == "s":
                self.save_now(then=self.leave)

        self.app.push_screen(Confirm("Leave?", sentences, (("s", "save and leave"), ("q", later))), answered)


def counted(number: int, noun: str) -> str:
    """A number with its noun: ``1 claim``, ``2 claims``."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def short_path(path: str | os.PathLike[str]) -> str:
    """A path with the home folder as ``~``, as shells take it."""
    given, home = os.fspath(path), str(Path("~").expanduser())
    inside = given.startswith(home.rstrip(os.sep) + os.sep) and home != os.sep
    return f"~{given[len(home.rstrip(os.sep)) :]}" if inside else given


def reworded_words(number: int) -> str:
    """That decisions stand on words that somebody changed after they were made."""
    verb = "stands" if number == 1 else "stand"
    return f"{counted(number, 'decision')} now {verb} on words that were changed since"

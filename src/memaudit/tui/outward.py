"""What leads out of the review screen: the clipboard, the user's own editor, a commit to be read whole."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from memaudit.domain import WORKTREE, Claim, Evidence
from memaudit.errors import MemauditError, UsageError
from memaudit.text import visible
from memaudit.tui.deciding import DecidingScreen
from memaudit.tui.panes.evidence import EvidencePane

if TYPE_CHECKING:
    from memaudit.tui.copying import Copyable


class OutwardScreen(DecidingScreen):
    """The part of the review screen that hands something over to other programs."""

    @property
    def evidence(self) -> Evidence | None:
        """The piece of evidence that is shown, or would be on its tab."""
        judgement = self.sitting.judgement(self.claims.cursor)
        if judgement is None or not judgement.evidence:
            return None
        pane = self.query_one(EvidencePane)
        number = pane.turned[0] if pane.is_about(judgement.claim_id) else 1
        return judgement.evidence[max(number - 1, 0)]

    # Copy

    def do_copy(self) -> None:
        """Ask what to copy; with marked claims there is only one thing."""
        from memaudit.tui.copying import claim_lines, copyables
        from memaudit.tui.dialogs.copy import CopyMenu

        claims = [claim for one in self._targets() if (claim := self.sitting.claim(one)) is not None]
        if len(claims) > 1:
            self._copy(f"{len(claims):,} claims", claim_lines(claims))
            return
        choices = copyables(claims[0], self.sitting.judgement(claims[0].id), self.evidence) if claims else ()

        def answered(choice: Copyable | None) -> None:
            if choice is not None:
                self._copy(choice.what, choice.text)

        if choices:
            self.app.push_screen(CopyMenu(choices), answered)

    def _copy(self, what: str, text: str) -> None:
        self.run_worker(self._copy_now(what, text), group="copy", exit_on_error=False)

    async def _copy_now(self, what: str, text: str) -> None:
        from memaudit.tui.clipboard import copy

        how = await copy(text, self.app.copy_to_clipboard)
        self.tell(f"Copied {what} {how}.")

    # Commit

    def do_commit(self) -> None:
        """Read the commit of the evidence that is shown, else the first one that is known."""
        judgement = self.sitting.judgement(self.claims.cursor)
        shown = self.evidence
        known = [one for one in (shown, *(judgement.evidence if judgement else ())) if one and one.commit]
        if judgement is None or not known or (commit := known[0].commit) is None:
            return
        places = (known[0].head, known[0].base)
        paths = list(dict.fromkeys(place.path for place in places if place is not None))
        from memaudit.tui.dialogs.commit import CommitDialog

        claim_id, engine = judgement.claim_id, self.engine

        def copy(text: str) -> None:
            self._copy("the commit id", text)

        self.app.push_screen(CommitDialog(commit, lambda sha: engine.commit(claim_id, sha, paths), copy))

    # Editor

    def do_edit_memory(self) -> None:
        """Open the claim's file at its line; what was changed there is read again and judged anew."""
        from memaudit.tui.external_editor import file_of, nearest_line

        claim = self.sitting.claim(self.claims.cursor)
        document = self.sitting.document(claim) if claim else None
        if claim is None or document is None:
            return

        def find() -> tuple[Path, int]:
            path = file_of(self._root, document)
            own = document.raw.decode("utf-8", errors="replace").split("\n")[claim.line_start - 1 :][:1]
            return path, nearest_line(path, "".join(own), claim.line_start)

        self._edit(find, claim)

    def do_edit_evidence(self) -> None:
        """Open the file of the evidence at its line."""
        from memaudit.tui.external_editor import file_inside, nearest_line

        evidence = self.evidence
        claim = self.sitting.claim(self.claims.cursor)
        if evidence is None or claim is None:
            return

        def find() -> tuple[Path, int]:
            place = evidence.head
            if place is None:
                was = evidence.base.path if evidence.base else "the file"
                raise UsageError("it is gone at head: there is nothing to open", was)
            path = file_inside(self._root, place.path)
            return path, nearest_line(path, place.text, place.line)

        self._edit(find, claim)

    @property
    def _root(self) -> Path | None:
        opened = self.sitting.opened
        return Path(opened.root) if opened is not None and opened.root is not None else None

    def _edit(self, find: Callable[[], tuple[Path, int]], claim: Claim) -> None:
        """Hand the terminal to the editor, then see what it changed."""
        from memaudit.tui.external_editor import at_line, editor_of, run_editor, state_of

        opened = self.sitting.opened
        try:
            if opened is not None and opened.read_only:
                raise UsageError(f"there is no file to open: {opened.read_only}")
            path, line = find()
            arguments = at_line(editor_of(os.environ), path, line)
        except MemauditError as error:
            self.tell(error.line(), "error")
            return
        memory = self._memory_files()
        before = state_of([path, *memory])
        try:
            with self.app.suspend():
                code = run_editor(arguments, path.parent)
        except SuspendNotSupported:
            self.tell("This terminal cannot be handed to an editor.", "error")
            return
        except MemauditError as error:
            self.tell(error.line(), "error")
            return
        if code:
            self.tell(f"The editor ended with exit code {code}: {visible(arguments[0])}", "warning")
        after = state_of(list(before))
        changed = [one for one in before if before[one] != after[one]]
        if changed:
            self._edited(changed, set(memory), claim)

    def _memory_files(self) -> list[Path]:
        """The files of all memory documents that are on disk."""
        from memaudit.tui.external_editor import file_of

        found = []
        for document in self.sitting.documents:
            try:
                found.append(file_of(self._root, document))
            except MemauditError:
                continue
        return found

    def _edited(self, changed: list[Path], memory: set[Path], claim: Claim) -> None:
        """Read again what bears on the review, and say what does not."""
        names = ", ".join(visible(path.name) for path in changed[:3])
        opened = self.sitting.opened
        at_commit = opened is not None and opened.range.head != WORKTREE
        if at_commit and not memory.intersection(changed):
            self.tell(f"{names} changed. The range ends at a commit, so no verdict changes.")
            return
        self.tell(f"{names} changed: read again and judged anew. Decisions are kept.")
        self.run_worker(self.reopen(), group="reopen", exclusive=True, exit_on_error=False)

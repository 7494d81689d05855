"""Export from the review screen: the cleaned store, a report of the review, or a patch of it."""

from __future__ import annotations

from pathlib import Path

from memaudit.errors import MemauditError
from memaudit.outputs import write_output
from memaudit.tui.deciding import DecidingScreen


class ExportingScreen(DecidingScreen):
    """The part of the review screen that writes files other than memory."""

    def do_export(self) -> None:
        """Ask for a format and a file, and write it."""
        from memaudit.tui.dialogs.export import ExportDialog

        def answered(answer: tuple[str, Path] | None) -> None:
            if answer:
                self.run_worker(self._export(*answer), group="export", exit_on_error=False)

        self.app.push_screen(ExportDialog(self.sitting.files), answered)

    async def _export(self, format_: str, path: Path) -> None:
        from memaudit.review.exporting import REPORTS

        try:
            if format_ in REPORTS:
                data = self.sitting.report(format_, await self._contents())
            else:
                data = self.sitting.export(format_)
            write_output(str(path), data)
        except MemauditError as error:
            self.tell(error.line(), "error")
        else:
            self.tell(f"Exported to {path} ({len(data):,} bytes).")

    async def _contents(self) -> dict[tuple[str, str, str], str | None]:
        """The files that evidence lies in, as far as the audit process can still give them."""
        found: dict[tuple[str, str, str], str | None] = {}
        for wanted in self.sitting.wanted_contents():
            try:
                found[wanted] = await self.engine.content(*wanted)
            except MemauditError:
                found[wanted] = None
        return found

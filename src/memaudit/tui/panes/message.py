"""A few plain sentences in place of content, saying what to do next."""

from __future__ import annotations

from collections.abc import Sequence

from textual.geometry import Size

from memaudit.tui.diff_layout import wrapped
from memaudit.tui.lines import Lines, Row


class Hint(Lines):
    """Sentences, the first one emphasised, wrapped to the width."""

    DEFAULT_CSS = """
    Hint { height: 1fr; padding: 1 2; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._sentences: tuple[str, ...] = ()

    def show(self, *sentences: str) -> None:
        """Say something else; callers pass untrusted text through ``visible`` first."""
        self._sentences = tuple(sentence for sentence in sentences if sentence)
        self.renew()

    def build(self, width: int, height: int) -> Sequence[Row]:
        """One paragraph per sentence."""
        rows: list[Row] = []
        for number, sentence in enumerate(self._sentences):
            role = "strong" if number == 0 else "muted"
            rows += [[(sentence[start:end], role)] for start, end in wrapped(sentence, max(width, 1))]
        return rows


class Paragraphs(Lines):
    """Sentences as tall as they need to be."""

    DEFAULT_CSS = """
    Paragraphs { height: auto; }
    """

    def __init__(self, *sentences: str, id: str | None = None) -> None:
        super().__init__(id=id)
        self._sentences = sentences

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the sentences wrap to."""
        return len(self.build(width, 0))

    def build(self, width: int, height: int) -> Sequence[Row]:
        """One paragraph per sentence."""
        return [
            [(sentence[start:end], "")]
            for sentence in self._sentences
            for start, end in wrapped(sentence, max(width, 1))
        ]

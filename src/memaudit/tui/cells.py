"""Text cut and padded by the cells it takes on a terminal, not by its characters."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style


def fit(text: str, width: int) -> str:
    """``text`` in exactly ``width`` cells: padded with blanks, or cut with an ellipsis."""
    if width <= 0:
        return ""
    size = len(text) if text.isascii() else cell_len(text)
    if size <= width:
        return text + " " * (width - size)
    if width == 1:
        return "…"
    return set_cell_size(text, width - 1) + "…"


def fit_end(text: str, width: int) -> str:
    """Like :func:`fit`, right-aligned, and cut at its beginning: the end of a path says most."""
    if width <= 0:
        return ""
    size = cell_len(text)
    if size <= width:
        return " " * (width - size) + text
    while text and cell_len(text) > width - 1:
        text = text[1:]
    return fit(f"…{text}", width) if width > 1 else "…"


def styled(parts: list[tuple[str, Style]]) -> list[Segment]:
    """Segments of the parts that hold any text; neighbours of one style become one, for fewer bytes."""
    segments: list[Segment] = []
    held, style = "", None
    for text, own in parts:
        if own is style:
            held += text
            continue
        if held:
            segments.append(Segment(held, style))
        held, style = text, own
    if held:
        segments.append(Segment(held, style))
    return segments

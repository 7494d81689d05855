"""Styles of what a widget draws, put together once per theme instead of once per piece of text."""

from __future__ import annotations

from rich.style import Style
from textual.widget import Widget


class Roles:
    """The styles of a widget's component classes ``<prefix>--<role>`` on its own background.

    Whoever owns it calls :meth:`forget` when the widget's styles change.
    """

    def __init__(self, widget: Widget, prefix: str) -> None:
        self._widget = widget
        self._prefix = prefix
        self._styles: dict[tuple[str, ...], Style] = {}

    def forget(self) -> None:
        """The theme is another one."""
        self._styles.clear()

    def partial(self, role: str) -> Style:
        """What the role alone adds."""
        return self._widget.get_component_rich_style(f"{self._prefix}--{role}", partial=True)

    def __call__(self, *roles: str) -> Style:
        """The widget's own style with roles laid over it one after the other; empty ones are passed over."""
        style = self._styles.get(roles)
        if style is None:
            style = self._widget.rich_style
            for role in roles:
                if role:
                    style += self.partial(role)
            self._styles[roles] = style
        return style

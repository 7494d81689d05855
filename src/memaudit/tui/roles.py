"""Styles of what a widget draws, put together once per theme instead of once per piece of text."""

from __future__ import annotations

from rich.style import Style
from textual.dom import DOMNode
from textual.widget import Widget


class Roles:
    """The styles that ``<prefix>--<role>`` has below a widget, on the widget's own background.

    They are looked up when they are drawn first. Component classes would give the same, but Textual looks up
    all of them for every widget at each change of a class or of the focus.

    Whoever owns it calls :meth:`forget` when the widget's styles change.
    """

    def __init__(self, widget: Widget, prefix: str) -> None:
        self._widget = widget
        self._prefix = prefix
        self._styles: dict[tuple[str, ...], Style] = {}
        self._partial: dict[str, Style] = {}

    def forget(self) -> None:
        """The theme is another one."""
        self._styles.clear()
        self._partial.clear()

    def partial(self, role: str) -> Style:
        """What the role alone adds."""
        if role not in self._partial:
            node = DOMNode(classes=f"{self._prefix}--{role}")
            # What Textual does for component classes; it has no public name for it.
            node._attach(self._widget)
            self._widget.app.stylesheet.apply(node, animate=False)
            self._partial[role] = node.styles.partial_rich_style
        return self._partial[role]

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

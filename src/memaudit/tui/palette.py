"""The command palette, with every action of the table."""

from __future__ import annotations

from functools import partial

from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider

from memaudit.tui.actions import Scope, of_scope
from memaudit.tui.dialogs.once import Once
from memaudit.tui.keymap import keymap_of
from memaudit.tui.review_screen import ReviewScreen


class Palette(CommandPalette, Once[None]):
    """Does one action, however often enter is pressed."""


class ActionProvider(Provider):
    """The actions of the review."""

    def _review(self) -> ReviewScreen | None:
        screen = self.screen
        return screen if isinstance(screen, ReviewScreen) else None

    async def discover(self) -> Hits:
        """All that can be done now."""
        review = self._review()
        if review is None:
            return
        for action in of_scope(Scope.REVIEW):
            if not action.why_not(review):
                name = f"{action.name}  ({keymap_of(review).shown(action)})"
                yield DiscoveryHit(name, partial(review.act, action), help=action.help)

    async def search(self, query: str) -> Hits:
        """What matches; an action that cannot be done says so when it is chosen."""
        review = self._review()
        if review is None:
            return
        matcher = self.matcher(query)
        for action in of_scope(Scope.REVIEW):
            name = f"{action.name}  ({keymap_of(review).shown(action)})"
            score = max(matcher.match(name), matcher.match(action.help) * 0.8)
            if score > 0:
                yield Hit(score, matcher.highlight(name), partial(review.act, action), help=action.help)

"""The part of a sitting that has to do with others: who they are, and what they did. No terminal needed."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memaudit.review.news import News
    from memaudit.review.place import Place
    from memaudit.review.presence import Person, Presence
    from memaudit.review.session import Review

READ_SECONDS = 1.0
"""How long something has to be on the screen before a person counts as having seen it."""


class Together:
    """Follows one review for others; nobody is there until :meth:`open`."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.others: list[Person] = []
        """Who else has the review open."""
        self.clock = clock
        self._review: Review | None = None
        self._presence: Presence | None = None
        self._beat_at = float("-inf")
        self._shown: list[tuple[float, int]] = []

    def open(self, review: Review, place: Place) -> None:
        """Begin to follow a review, and be seen in it."""
        from memaudit.review.presence import Presence

        self.close()
        self._review = review
        self._presence = Presence(place.folder, review.key, review.author)
        self._beat_at = self.clock()
        review.look_around()
        # What was decided before is on the screen from the first moment.
        self._shown = [(float("-inf"), review.read_to)]

    def close(self) -> None:
        """Follow nothing, be seen no more."""
        if self._presence is not None:
            self._presence.leave()
        self._review = self._presence = None
        self.others = []

    @property
    def seen(self) -> int:
        """The last line of the journal that was on the screen long enough to be seen."""
        now = self.clock()
        while len(self._shown) > 1 and self._shown[1][0] <= now - READ_SECONDS:
            self._shown.pop(0)
        return self._shown[0][1] if self._shown else 0

    def look_around(self) -> News:
        """What others did since. Raises JournalError."""
        from memaudit.review.news import News

        if self._review is None:
            return News()
        news = self._review.look_around()
        read_to = self._review.read_to
        if self._shown[-1][1] != read_to:
            self._shown.append((self.clock(), read_to))
        return news

    def be_here(self) -> bool:
        """Say that we are here, if it is time, and see who else is; whether that changed."""
        from memaudit.review.presence import BEAT_SECONDS

        if self._presence is None:
            return False
        if self.clock() - self._beat_at >= BEAT_SECONDS:
            self._beat_at = self.clock()
            self._presence.beat()
        before, self.others = self.others, self._presence.others()
        return before != self.others

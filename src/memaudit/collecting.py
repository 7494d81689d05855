"""How seldom Python looks for objects that only hold each other."""

from __future__ import annotations

import gc


def collect_seldom() -> None:
    """Collect such objects once in 20,000 new ones instead of 700, for the whole process.

    An audit builds many values that live to its end and next to none that hold each other: looking
    through them all the time takes a tenth of it.
    """
    gc.set_threshold(20_000, 20, 50)

"""The table of store families: a new format is a file of its own and a row here."""

from __future__ import annotations

from memaudit.stores import agents, claude, memory_dir
from memaudit.stores.family import Family

FAMILIES: tuple[Family, ...] = (
    claude.FAMILY,
    agents.FAMILY,
    memory_dir.FAMILY,
)
"""All families, in the order their stores are listed."""

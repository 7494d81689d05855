"""Fees that are owed and paid."""

TITLE = "Fees that are owed and paid"


def rows(storage: object) -> list[str]:
    return []

"""Tools that are late, by member."""

TITLE = "Tools that are late, by member"


def rows(storage: object) -> list[str]:
    return []

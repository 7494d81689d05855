"""Members who joined or left."""

TITLE = "Members who joined or left"


def rows(storage: object) -> list[str]:
    return []

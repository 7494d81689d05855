"""Paper labels for the tools."""


def label(tool: str, shelf: str) -> str:
    return f"{tool:<24}\nshelf {shelf}\n"

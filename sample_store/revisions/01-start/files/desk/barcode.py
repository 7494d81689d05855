"""Read the barcode stickers of the first hundred tools."""


def parse_barcode(raw: str) -> int:
    if not raw.startswith("LW") or not raw[2:].isdigit():
        raise ValueError(f"not one of our stickers: {raw}")
    return int(raw[2:])

"""When the desk is open."""

OPEN = {"tuesday": (16, 19), "friday": (16, 19), "saturday": (10, 14)}


def is_open(weekday: str, hour: int) -> bool:
    start, end = OPEN.get(weekday, (0, 0))
    return start <= hour < end

"""What questions cost: an estimate before, a bound for each call, the bill after."""

from __future__ import annotations

from dataclasses import dataclass, field

from memaudit.judges.model.prompt import MOST_OUTPUT
from memaudit.judges.model.reply import Usage
from memaudit.settings_model import Price

ATTEMPTS = 3
"""How often a question is sent at most: the SDK tries again after 429, 5xx and broken connections."""

_MILLION = 1_000_000
_CHARACTERS_A_TOKEN = 3.0
"""Code has fewer characters a token than prose; measured on requests of this program it may be more."""
_USUAL_OUTPUT = 60
_LEAST_KEPT = 4_096
"""Tokens below which a server keeps nothing; some models keep less, and then it gets cheaper than told."""
_BESIDE = 1_000
"""Tokens that a server may add to a request on its own."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run will take. ``usd`` is what is to be expected, ``at_most`` what it cannot exceed.

    ``known`` claims were answered before and cost nothing; dollars are None where no price is known.
    """

    calls: int
    known: int
    input_tokens: int
    output_tokens: int
    usd: float | None
    at_most: float | None


@dataclass(frozen=True, slots=True)
class Bill:
    """What a run took so far.

    ``usd`` is what the server counted; ``uncertain`` is what calls that broke off may have cost besides, at
    most. Together they never exceed the cap.
    """

    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    usd: float = 0.0
    uncertain: float = 0.0


def dollars(usage: Usage, price: Price) -> float:
    """What tokens cost."""
    return (
        usage.input * price.input
        + usage.output * price.output
        + usage.cache_read * price.cache_read
        + usage.cache_write * price.cache_write
    ) / _MILLION


def most(size: int, price: Price) -> float:
    """What a request of ``size`` bytes can cost at most, in one attempt: no byte is more than a token."""
    return ((size + _BESIDE) * max(price.input, price.cache_write) + MOST_OUTPUT * price.output) / _MILLION


def expected(
    sizes: list[tuple[int, int, bool]], price: Price | None, known: int, *, batch: bool = False
) -> Estimate:
    """The estimate for requests: bytes, bytes of the part in front that others share, and whether another
    one has that part already.

    A ``batch`` costs less, is sent once, and may be worked on all at once: nothing is sure to be read from
    what was kept.
    """
    share = price.batch if price and batch else 1.0
    read = written = plain = 0.0
    for size, given, again in sizes:
        front = given if given / _CHARACTERS_A_TOKEN >= _LEAST_KEPT else 0
        own, common = (size - front) / _CHARACTERS_A_TOKEN, front / _CHARACTERS_A_TOKEN
        plain += own
        read += common if again and not batch else 0
        written += 0 if again and not batch else common
    output = _USUAL_OUTPUT * len(sizes)
    usage = Usage(round(plain), output, round(read), round(written))
    return Estimate(
        calls=len(sizes),
        known=known,
        input_tokens=usage.input + usage.cache_read + usage.cache_write,
        output_tokens=output,
        usd=share * dollars(usage, price) if price else None,
        at_most=(1 if batch else ATTEMPTS) * share * sum(most(size, price) for size, _, _ in sizes)
        if price
        else None,
    )


def added(one: Usage, other: Usage) -> Usage:
    """Two usages together."""
    return Usage(
        one.input + other.input,
        one.output + other.output,
        one.cache_read + other.cache_read,
        one.cache_write + other.cache_write,
    )


def shown(usd: float) -> str:
    """Dollars for people, with as many digits as tell something."""
    return f"${usd:.2f}" if usd >= 1 or usd == 0 else f"${usd:.4f}"

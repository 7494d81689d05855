"""The one call for a drafted check: within the cap, and not again for what was drafted before."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memaudit.errors import ModelError
from memaudit.judges.model.apikey import ApiKey
from memaudit.judges.model.check_prompt import Ask
from memaudit.judges.model.client import Attempt, Client
from memaudit.judges.model.costs import ATTEMPTS, dollars, shown
from memaudit.judges.model.reply import read_test
from memaudit.paths import private_folder
from memaudit.settings_model import ModelSettings

FOLDER = "checks"
"""Where drafts are kept, in the state folder of a repository: each as the file that would be run."""

_MOST_KEPT = 500
_LONGEST = 64 * 1024


@dataclass(frozen=True, slots=True)
class Drafted:
    """A test as a model wrote it, not looked at yet, and what it cost in dollars.

    ``uncertain`` is what attempts that broke off may have cost besides; ``kept`` tells that it was drafted
    before and cost nothing now.
    """

    source: str
    usd: float
    uncertain: float
    kept: bool


class NoDraftError(ModelError):
    """No check came of a call that may have been billed: ``usd`` dollars, perhaps ``uncertain`` more."""

    usd = 0.0
    uncertain = 0.0


def known_draft(folder: Path, ask: Ask) -> Drafted | None:
    """What was drafted for the same request before; ``folder`` is the repository's state folder."""
    try:
        source = (folder / FOLDER / f"{ask.key}.py").read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None
    return Drafted(source, 0.0, 0.0, kept=True)


def check_cap(ask: Ask, settings: ModelSettings) -> None:
    """Raise ModelError unless a price is known and a draft cannot cost more than the cap."""
    if settings.price is None:
        fix = f"give it in the settings: [model.prices.{settings.name}]"
        raise ModelError("no price is known for this model", settings.name, fix)
    if ATTEMPTS * ask.worst > settings.cap_usd:
        worst, cap = shown(ATTEMPTS * ask.worst), shown(settings.cap_usd)
        what = f"a draft could cost {worst}, more than the cap of {cap}"
        raise ModelError(what, settings.name, "raise model.cap_usd in the settings")


def draft(
    folder: Path, ask: Ask, settings: ModelSettings, key: ApiKey, may_send: Callable[[], None] = lambda: None
) -> Drafted:
    """Have a check drafted. Raises ModelError, NoDraftError where none came."""
    check_cap(ask, settings)
    attempt = asyncio.run(_ask(ask, settings, key, may_send))
    reply, price = attempt.reply, settings.price
    usd = dollars(reply.usage, price) if reply and price else 0.0
    uncertain = (attempt.unheard + (reply is not None and not reply.usage.told)) * ask.worst
    if reply is None or reply.answer is None:
        fault = reply.fault if reply else attempt.fault
        spent = f" (billed {shown(usd)}, perhaps {shown(uncertain)} more)" if usd or uncertain else ""
        failed = NoDraftError(f"no check was drafted: {fault}{spent}", settings.host, attempt.fix)
        failed.usd, failed.uncertain = usd, uncertain
        raise failed
    source = reply.answer[:_LONGEST]
    _keep(folder / FOLDER, ask, source)
    return Drafted(source, usd, uncertain, kept=False)


async def _ask(ask: Ask, settings: ModelSettings, key: ApiKey, may_send: Callable[[], None]) -> Attempt:
    async with Client(settings, key, may_send) as client:
        return await client.ask(ask.sent, read_test)


def _keep(folder: Path, ask: Ask, source: str) -> None:
    """Keep a draft as a file; where that cannot be, it is done without."""
    new = folder / f"{ask.key}.new"
    with contextlib.suppress(OSError, ValueError):
        private_folder(folder)
        new.write_text(source, encoding="utf-8")
        new.replace(folder / f"{ask.key}.py")
        old = sorted(folder.glob("*.py"), key=lambda file: file.stat().st_mtime)[:-_MOST_KEPT]
        for file in old:
            file.unlink(missing_ok=True)

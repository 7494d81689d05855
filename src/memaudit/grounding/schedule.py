"""When a scheduled job runs: "`nightly.yml` runs every 6 hours", "`dependabot.yml` checks weekly".

The claim must name the file that holds the schedule. A cron line is read only as far as the usual
phrases go; what it means beyond them is not guessed.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence

from memaudit.domain import Location
from memaudit.grounding.ground import Ground, Side
from memaudit.grounding.language import Polarity, polarity
from memaudit.grounding.path import PathKind
from memaudit.grounding.places import resolve
from memaudit.grounding.reference import Mention, Outcome, Replacement, broken, supported, wrong_before
from memaudit.grounding.words import ClaimText
from memaudit.patterns import lazy_regex

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("`nightly.yml` runs every 6 hours.", ("every 6 hours @ nightly.yml",)),
    ("`.github/workflows/audit.yml`: hourly audit", ("every 1 hours @ .github/workflows/audit.yml",)),
    ("`.github/dependabot.yml` opens weekly updates.", ("every week @ .github/dependabot.yml",)),
    ("`stats.yaml` runs every night.", ("every day @ stats.yaml",)),
    ("`src/daily.py` makes the daily report.", ()),
    ("Run `deploy.yml` by hand, the daily build does not.", ()),
    ("The job runs hourly.", ()),
)
"""Claim text, and the rhythm read from it with the file that is said to hold it."""

_HOLDER = lazy_regex(r"\.(?:ya?ml|json5?|toml)\Z")
_NUMBERS = {"two": 2, "three": 3, "four": 4, "six": 6, "twelve": 12, "fifteen": 15, "thirty": 30}
_EVERY = lazy_regex(
    rf"\bevery\s+(?:(\d+|{'|'.join(_NUMBERS)})\s+)?(minutes?|hours?|days?|nights?|weeks?|months?)\b",
    re.IGNORECASE,
)
_ADVERB = re.compile(r"\b(hourly|daily|nightly|weekly|monthly)\b", re.IGNORECASE)
_ADVERBS = {"hourly": "hours", "daily": "day", "nightly": "day", "weekly": "week", "monthly": "month"}
_CRON = lazy_regex(r"cron['\"]?\s*[:=]\s*['\"]?((?:[\d*/,A-Za-z-]+\s+){4}[\d*/,A-Za-z-]+)")
_INTERVAL = lazy_regex(r"\binterval['\"]?\s*[:=]\s*['\"]?(daily|weekly|monthly|hourly)\b")


class ScheduleKind:
    """Rhythms of jobs, beside the file that sets them."""

    name = "schedule"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """The only rhythm of a claim that names exactly one settings file."""
        files = [item for item in PathKind().mentions(text) if item.kind == "path"]
        if len(files) != 1 or not _HOLDER.search(files[0].target):
            return
        found = [*_EVERY.finditer(text.prose), *_ADVERB.finditer(text.prose)]
        if len(found) != 1:
            return
        match, file = found[0], files[0].target
        between = text.text[files[0].end : match.start()] or text.text[match.end() : files[0].start]
        if re.search(r"[,;.]\s", between):
            return
        yield Mention(
            "schedule",
            match[0],
            f"{_phrase(match)} @ {file}",
            match.start(),
            match.end(),
            files[0].form,
            polarity(text, match.start(), match.end()),
            (_phrase(match), file),
        )

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """The file is read. Nothing to search for."""

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Stale when schedules of the file are all of another rhythm than the claim's."""
        if mention.polarity is not Polarity.ASSERTED:
            return None
        claimed = mention.extra[0]
        base, head = (list(_rhythms(mention, text, side)) for side in (ground.base, ground.head))
        if not head:
            return None
        same = next((at for rhythm, at in head if rhythm == claimed), None)
        if same:
            return supported(mention, f"{same.path} runs {claimed}", head=claimed, head_at=same)
        now, at = head[0]
        if any(rhythm is None for rhythm, _ in head) or now is None:
            return None
        was = next((place for rhythm, place in base if rhythm == claimed), None)
        replacement = Replacement(mention.text, now, False, "schedule") if len(head) == 1 else None
        changes = (replacement,) if replacement else ()
        if was:
            return broken(
                mention,
                "schedule-changed",
                f"{at.path} ran {claimed} at base and runs {now} at head",
                base=claimed,
                head=now,
                base_at=was,
                head_at=at,
                commit=ground.line_change(was.path, was.text),
                replacements=changes,
            )
        if not base or any(rhythm is None for rhythm, _ in base):
            return None
        return wrong_before(
            mention,
            "schedule-changed",
            f"{at.path} runs {now} at head and ran {base[0][0]} at base",
            base=base[0][0],
            head=now,
            base_at=base[0][1],
            head_at=at,
            confidence=0.8,
            replacements=changes,
        )


def _phrase(match: re.Match[str]) -> str:
    if match.re is _ADVERB:
        unit = _ADVERBS[match[1].lower()]
        return "every 1 hours" if unit == "hours" else f"every {unit}"
    unit = match[2].lower().rstrip("s").replace("night", "day")
    number = _NUMBERS.get((match[1] or "1").lower()) or int(match[1] or 1)
    return _every(number, unit)


def _every(number: int, unit: str) -> str:
    if unit in ("minute", "hour"):
        if unit == "minute" and number % 60 == 0:
            number, unit = number // 60, "hour"
        return "every day" if unit == "hour" and number == 24 else f"every {number} {unit}s"
    return f"every {unit}" if number == 1 else f"every {number} {unit}s"


def _rhythms(mention: Mention, text: ClaimText, side: Side) -> Iterator[tuple[str | None, Location]]:
    """Each schedule of the file in the claim's words; None for one that no usual phrase describes."""
    file = Mention(
        "path",
        mention.text,
        mention.extra[1],
        mention.start,
        mention.end,
        mention.form,
        mention.polarity,
    )
    found = next(iter(resolve(file, text, side)), None)
    for number, line in enumerate(side.lines(found.path) if found else (), 1):
        if line.lstrip().startswith(("#", "//")):
            continue
        if match := _CRON.search(line):
            yield rhythm(match[1]), side.at(found.path, number)  # type: ignore[union-attr]
        elif match := _INTERVAL.search(line):
            unit = _ADVERBS[match[1]]
            phrase = "every 1 hours" if unit == "hours" else f"every {unit}"
            yield phrase, side.at(found.path, number)  # type: ignore[union-attr]


def rhythm(cron: str) -> str | None:
    """A five-field cron line in words: "every 6 hours", "every day", "every week"; None for others."""
    minute, hour, day, month, weekday = cron.split()
    stepped = re.fullmatch(r"\*/(\d+)", minute)
    if (day, month, weekday) == ("*", "*", "*"):
        if hour == "*" and stepped:
            return _every(int(stepped[1]), "minute")
        if not minute.isdigit():
            return None
        if hour == "*":
            return "every 1 hours"
        if every := re.fullmatch(r"(?:\*|0)(?:-23)?/(\d+)", hour):
            return _every(int(every[1]), "hour")
        hours = hour.split(",")
        if len(hours) > 1 and all(item.isdigit() for item in hours):
            return _spread([int(item) for item in hours])
        return "every day" if hour.isdigit() else None
    if not (minute.isdigit() and hour.isdigit() and month == "*"):
        return None
    if day == "*" and re.fullmatch(r"[0-7]|[A-Za-z]{3}", weekday):
        return "every week"
    return "every month" if day.isdigit() and weekday == "*" else None


def _spread(hours: list[int]) -> str | None:
    """Hours listed one by one at even distances, as a step."""
    step = hours[1] - hours[0]
    even = all(later - earlier == step for earlier, later in itertools.pairwise(hours))
    return _every(step, "hour") if even and step * len(hours) == 24 else None

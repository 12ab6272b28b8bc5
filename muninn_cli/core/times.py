"""Instants: how times are read from text and written back.

Every instant is an aware datetime in UTC. A time without a zone is UTC; a bare date is that
day at midnight UTC and is shown as it was written, in every zone.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

_DATE = r"\d{4}-\d{2}-\d{2}$"
_EPOCH = r"-?\d{9,16}$"
_ZONE = r"(?i)\s*(Z|[+-]\d{1,2}(?::?\d{2})?)$"
_EPOCH_START = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_SECOND = 253402300799.0
"""The last whole second of the year 9999: as a float, the microseconds after it are year 10000."""
_SPANS = {"d": 1, "w": 7, "m": 30, "y": 365}
_LONGEST_SPAN = 365 * 1000
"""Days; from here on it is always."""
_MILLISECONDS_FROM = 10**11
"""Whole numbers from here on are milliseconds: as seconds they would lie after the year 5000."""


class When(NamedTuple):
    """An instant, and the text it was read from."""

    instant: datetime
    text: str

    @property
    def shown(self) -> str:
        """The bare date as written, else the instant in RFC 3339."""
        return self.text if re.match(_DATE, self.text) else rfc3339(self.instant)


def parse_time(text: str) -> When | None:
    """Read a date, a date and time with or without zone, or epoch seconds or milliseconds.

    Returns None for anything that is no instant (30 February, a word, an empty text).
    """
    text = text.strip()
    try:
        if re.match(_EPOCH, text):
            number = int(text)
            seconds = number / 1000 if abs(number) >= _MILLISECONDS_FROM else number
            return When(_EPOCH_START + timedelta(seconds=seconds), text)
        instant = datetime.fromisoformat(_iso(text))
        if instant.tzinfo is None:
            instant = instant.replace(tzinfo=UTC)
        return When(instant.astimezone(UTC), text)
    except (ValueError, OverflowError):
        return None


def parse_moment(text: str, now: datetime) -> datetime | None:
    """Read what `parse_time` reads, or a span back from now: days, weeks, months or years (`30d`).

    A month is 30 days, a year 365.
    """
    number, unit = text[:-1], text[-1:].lower()
    if number.isdecimal() and unit in _SPANS:
        return now - timedelta(days=min(int(number[:9]) * _SPANS[unit], _LONGEST_SPAN))
    when = parse_time(text)
    return when.instant if when else None


def _iso(text: str) -> str:
    """Bring YAML's looser zone spellings (` +02:00`, `+2`, `z`) to what fromisoformat reads."""
    zone = re.search(_ZONE, text)
    if zone is None or re.match(_DATE, text):
        return text
    stamp, offset = text[: zone.start()], zone.group(1).upper()
    if offset != "Z":
        sign, digits = offset[0], offset[1:].replace(":", "")
        digits = digits.zfill(2) if len(digits) <= 2 else digits.zfill(4)
        offset = sign + digits
    return stamp + offset


def rfc3339(instant: datetime) -> str:
    """`2026-03-28T06:00:00Z`: UTC, whole seconds."""
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def epoch(instant: datetime) -> float:
    """Seconds since 1970-01-01T00:00:00Z."""
    return min(instant.timestamp(), _LAST_SECOND)


def from_epoch(seconds: float) -> datetime:
    """The instant `seconds` after 1970-01-01T00:00:00Z."""
    return _EPOCH_START + timedelta(seconds=seconds)

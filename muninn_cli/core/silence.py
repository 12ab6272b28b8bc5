"""Silence: muninn has seen nothing happen for so long that the clock is not believed."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

SILENCE = timedelta(days=60)
"""Without any event for this long, a leave or a wrong clock is likelier than age."""


def is_silent(newest: datetime | None, now: datetime) -> bool:
    """Whether the newest event of all logs is more than 60 days old.

    While it is, nothing counts as expired, nothing is archived and no recall is logged, until a
    person says that this is right (`Present`). With no event at all there is nothing to miss.
    """
    return newest is not None and now - newest > SILENCE

"""When anything was last seen to happen in any vault: what tells whether the clock is believed.

Only reads. What is later than now did not happen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.core.silence import SILENCE
from muninn_cli.store.log import last_time

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from muninn_cli.paths import Home
    from muninn_cli.store.vault import Vault


def newest_event(home: Home, vaults: Iterable[Vault], now: datetime) -> datetime | None:
    """The newest use or sighting; None on a first day."""
    from muninn_cli.store.seen import Seen
    from muninn_cli.store.usage import UsageLog

    logs = [
        log for each in vaults for log in (UsageLog(home.usage(each.id)), Seen(home.seen(each.id)))
    ]
    return max((at for log in logs if (at := log.newest(now)) is not None), default=None)


def seen_lately(home: Home, vaults: Iterable[Vault], now: datetime) -> bool:
    """A cheap look: whether the last line of any log is of the last 60 days."""
    paths = [path for each in vaults for path in (home.usage(each.id), home.seen(each.id))]
    return any(at is not None and at <= now <= at + SILENCE for at in map(last_time, paths))

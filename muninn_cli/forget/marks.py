"""What a person says of one memory: its tier, and whether it is pinned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.core.events import Recall
from muninn_cli.store import files
from muninn_cli.store.reading import edited

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from muninn_cli.core.fields import Value
    from muninn_cli.core.terms import Tier
    from muninn_cli.store.reading import Opened
    from muninn_cli.store.usage import UsageLog


def set_tier(opened: Opened, present: Tier, tier: Tier, now: datetime) -> bool:
    """Put a memory into a tier, from now on; returns whether that was news.

    `present` is the tier that it has by its recalls, whatever its file says. Its expiry may come
    nearer by this, but never nearer than seven days (see `core.tiers`).
    """
    if opened.memory.tier is present is tier:
        return False
    _write(opened, {"tier": tier.value, "tier_since": now})
    return True


def set_pinned(opened: Opened, pinned: bool, usage: UsageLog, now: datetime) -> bool:
    """Pin a memory, or let it go; returns whether that was news.

    What is let go begins a new life: it must not expire the moment it is no longer pinned.
    """
    if opened.memory.pinned is pinned:
        return False
    if not pinned:
        usage.append(Recall(now, ((opened.memory.id, 1.0),), "unpin"))
    _write(opened, {"pinned": True if pinned else None})
    return True


def _write(opened: Opened, changes: Mapping[str, Value | None]) -> None:
    files.replace(opened.place, edited(opened, changes), files.content_hash(opened.data))

"""What a person says of one memory: its tier, and whether it is pinned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.core.events import Recall
from muninn_cli.core.memory_file import edit
from muninn_cli.errors import UnreadableError
from muninn_cli.store import files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from muninn_cli.core.fields import Value
    from muninn_cli.core.memory import Memory, Tier
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


def edited(opened: Opened, changes: Mapping[str, Value | None]) -> bytes:
    """The file with these keys set, and with the memory's id where it does not state it yet.

    Raises UnreadableError, with the path, where the file must not be rewritten.
    """
    try:
        return edit(opened.data, _with_id(opened.memory, changes))
    except UnreadableError as error:
        raise UnreadableError(f"{opened.place}: {error.message}", error.hint) from None


def _with_id(memory: Memory, changes: Mapping[str, Value | None]) -> dict[str, Value | None]:
    return dict(changes) if memory.written_id else {"id": memory.id, **changes}


def _write(opened: Opened, changes: Mapping[str, Value | None]) -> None:
    files.replace(opened.place, edited(opened, changes), files.content_hash(opened.data))

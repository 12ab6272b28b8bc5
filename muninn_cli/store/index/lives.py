"""What usage makes of memories: the cached fold of the log, tiers as they are now, and expiry.

Made from state and files alone, so it can be thrown away and made again. Expects the caller's
transaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.core.associations import Association
from muninn_cli.core.memory_usage import MemoryUsage
from muninn_cli.core.terms import Tier
from muninn_cli.core.tiers import Life, effective
from muninn_cli.core.times import epoch, from_epoch
from muninn_cli.core.usage import (
    Alias,
    AssociationChange,
    Present,
    Recall,
    StabilityChange,
    Summary,
    Undo,
    VaultUsage,
    fold,
    is_ahead,
    must_restart,
)
from muninn_cli.store.index import vectors
from muninn_cli.store.index.filters import int_list
from muninn_cli.store.index.schema import ALWAYS_HIDDEN, NEVER_HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from muninn_cli.core.tiers import Effective, Limits
    from muninn_cli.core.usage import Event
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.usage import UsageLog

_Reckoned = tuple[str, float | None, float | None]
"""Tier, since when, and expiry, as `memory` holds them."""

_IN_LIST = "IN (SELECT value FROM json_each(?))"


def fold_log(connection: Connection, vault: int, log: UsageLog, now: datetime) -> set[int]:
    """Take in what was added to a vault's usage log; returns the memories it is about."""
    position = connection.value("SELECT usage_position FROM vault WHERE num = ?", (vault,))
    newest = connection.value("SELECT newest_event FROM vault WHERE num = ?", (vault,))
    size = log.path.stat().st_size if log.path.exists() else 0
    events, end = log.read(position)
    touched = _mentioned(events)
    behind = newest is not None and is_ahead(from_epoch(newest), now)
    if must_restart(events) or behind or not 0 <= end - position <= size:
        # Undone, or the clock went back, or rewritten: a position then jumps by more than the
        # log is long.
        touched |= {row[0] for row in connection.execute(_USED, (vault,))}
        connection.execute("DELETE FROM usage WHERE vault = ?", (vault,))
        connection.execute("DELETE FROM association WHERE vault = ?", (vault,))
        position = 0
        events, end = log.read(position)
        usage = VaultUsage()
    else:
        usage = _load(connection, vault, touched, newest)
    usage = fold(usage, events, now)
    if any(is_ahead(event.at, now) for event in events):
        end = position  # they count once their time has come: to be read again
    _save(connection, vault, usage)
    newest = epoch(usage.newest_event) if usage.newest_event else None
    connection.execute(_SET_POSITION, (end, size, newest, vault))
    return _numbers(connection, vault, touched | usage.memories.keys())


_USED = "SELECT id FROM usage WHERE vault = ?"
_SET_POSITION = """
    UPDATE vault SET usage_position = ?, usage_size = ?, newest_event = ? WHERE num = ?"""


def refresh(connection: Connection, memories: Iterable[int], now: datetime, limits: Limits) -> None:
    """Bring tier, expiry and moment of hiding in step, of these memories and those they link to.

    What they linked to before a change is for the caller to find.
    """
    numbers = set(memories)
    changes: list[tuple[str | float | None, ...]] = []
    for num, known, life, usage in _lives(connection, numbers):
        found = _seconds(effective(life, usage, now, limits))
        if found != known:
            changes.append((*found, num))
    connection.executemany(_SET_LIFE, changes)
    _hide(connection, numbers | linked_from(connection, numbers))


_SET_LIFE = "UPDATE memory SET tier_now = ?, tier_now_since = ?, expires = ? WHERE num = ?"


def linked_from(connection: Connection, memories: Iterable[int]) -> set[int]:
    """The memories that these link to, in their own vaults."""
    query = f"""
        SELECT DISTINCT target.num
        FROM memory m
        CROSS JOIN link k ON k.memory = m.num
        CROSS JOIN name n ON n.key = k.key
        CROSS JOIN memory target ON target.num = n.memory AND target.vault = m.vault
        WHERE m.num {_IN_LIST}"""
    return {row[0] for row in connection.execute(query, (int_list(memories),))}


def _hide(connection: Connection, memories: Iterable[int]) -> None:
    rows = connection.execute(_UNTIL, (int_list(memories),))
    changed = [(until, num) for num, known, until in rows if known != until]
    connection.executemany("UPDATE memory SET until = ? WHERE num = ?", changed)
    vectors.restamp(connection, [num for _, num in changed])


_UNTIL = f"""
    SELECT m.num, m.until, CASE
        WHEN m.archived OR m.superseded_by != '' THEN {ALWAYS_HIDDEN}
        ELSE max(ifnull(m.expires, {NEVER_HIDDEN}), ifnull((
            SELECT max(ifnull(linker.expires, {NEVER_HIDDEN}))
            FROM name n
            CROSS JOIN link k ON k.key = n.key
            CROSS JOIN memory linker ON linker.num = k.memory
            WHERE n.memory = m.num AND linker.num != m.num
                AND linker.vault = m.vault AND NOT linker.archived
        ), {ALWAYS_HIDDEN})) END
    FROM memory m WHERE m.num {_IN_LIST}"""


def _lives(
    connection: Connection, memories: Iterable[int]
) -> Iterable[tuple[int, _Reckoned, Life, MemoryUsage]]:
    """Number, what was reckoned last, and what it follows from."""
    for row in connection.execute(_LIFE, (int_list(memories),)):
        num, tier, since, created, first_seen, floor, mortal, used, *reckoned = row
        life = Life(
            tier=Tier(tier),
            tier_since=_instant(since),
            created=_instant(created),
            first_seen=from_epoch(first_seen),
            floor=_instant(floor),
            immortal=not mortal,
        )
        yield num, tuple(reckoned), life, MemoryUsage.from_json(used) if used else MemoryUsage()


_LIFE = f"""
    SELECT m.num, m.tier, m.tier_since, m.created, m.first_seen, m.floor,
        v.ages AND NOT m.pinned, u.fold, m.tier_now, m.tier_now_since, m.expires
    FROM memory m
    JOIN vault v ON v.num = m.vault
    LEFT JOIN usage u ON u.vault = m.vault AND u.id = m.id
    WHERE m.num {_IN_LIST}"""


def _seconds(found: Effective) -> _Reckoned:
    since, expires = found.tier_since, found.expires
    return (
        str(found.tier),
        epoch(since) if since else None,
        epoch(expires) if expires else None,
    )


def _instant(seconds: float | None) -> datetime | None:
    return None if seconds is None else from_epoch(seconds)


def _mentioned(events: Iterable[Event]) -> set[str]:
    """The ids that events are about."""
    found: set[str] = set()
    for event in events:
        match event:
            case Recall(hits=hits):
                found.update(memory_id for memory_id, _ in hits)
            case StabilityChange(id=memory_id) | Summary(id=memory_id):
                found.add(memory_id)
            case AssociationChange(a=one, b=other) | Alias(loser=one, survivor=other):
                found.update((one, other))
            case Undo() | Present():
                pass
    return found


def _load(
    connection: Connection, vault: int, ids: Iterable[str], newest: float | None
) -> VaultUsage:
    """The cached usage of some memories, and the associations among them."""
    listed = _text_list(ids)
    usage = f"SELECT id, fold FROM usage WHERE vault = ? AND id {_IN_LIST}"
    pairs = f"""
        SELECT a, b, weight, at, inferred FROM association
        WHERE vault = ?1 AND a {_IN_LIST.replace("?", "?2")} AND b {_IN_LIST.replace("?", "?2")}"""
    return VaultUsage(
        {
            memory_id: MemoryUsage.from_json(text)
            for memory_id, text in connection.execute(usage, (vault, listed))
        },
        {
            (a, b): Association(weight, from_epoch(at), bool(inferred))
            for a, b, weight, at, inferred in connection.execute(pairs, (vault, listed))
        },
        _instant(newest),
    )


def _save(connection: Connection, vault: int, usage: VaultUsage) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO usage(vault, id, fold) VALUES(?, ?, ?)",
        [(vault, memory_id, used.to_json()) for memory_id, used in usage.memories.items()],
    )
    connection.executemany(
        "INSERT OR REPLACE INTO association(vault, a, b, weight, at, inferred)"
        " VALUES(?, ?, ?, ?, ?, ?)",
        [
            (vault, *pair, known.weight, epoch(known.at), known.inferred)
            for pair, known in usage.associations.items()
        ],
    )


def _numbers(connection: Connection, vault: int, ids: Iterable[str]) -> set[int]:
    query = f"SELECT num FROM memory WHERE vault = ? AND id {_IN_LIST}"
    return {row[0] for row in connection.execute(query, (vault, _text_list(ids)))}


def _text_list(texts: Iterable[str]) -> str:
    """Texts as the JSON that `json_each` reads."""
    import json

    return json.dumps(list(texts))

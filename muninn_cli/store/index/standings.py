"""Where the live memories of one vault stand, as a sweep needs it. Only reads."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muninn_cli.core.memory_usage import UNUSED, MemoryUsage
from muninn_cli.core.strength import relevance
from muninn_cli.core.sweep import Standing
from muninn_cli.core.terms import Tier
from muninn_cli.core.tiers import Effective
from muninn_cli.core.times import from_epoch

if TYPE_CHECKING:
    from datetime import datetime

    from muninn_cli.store.index.connection import Connection


@dataclass(frozen=True, slots=True)
class Place:
    """Where a memory's file is, the hash of its content when it was read, and its usage."""

    path: str
    content: bytes
    usage: MemoryUsage


@dataclass(frozen=True, slots=True)
class Standings:
    """The standings of a vault's live memories, and their places, by id."""

    by_id: dict[str, Standing]
    places: dict[str, Place]


def standings(connection: Connection, vault_id: str, now: datetime, *, by_dream: bool) -> Standings:
    """The standings of a vault; a dream must not archive `consolidate: false` either."""
    links = _links(connection, vault_id)
    found = Standings({}, {})
    for row in connection.execute(_LIVE, (vault_id,)):
        memory_id, path, content, tier, tier_now, since, expires, born = row[:8]
        importance, pinned, consolidate, editable, fold = row[8:]
        usage = MemoryUsage.from_json(fold) if fold else UNUSED
        life = Effective(Tier(tier_now), _instant(since), _instant(expires), 0)
        found.places[memory_id] = Place(path, content, usage)
        found.by_id[memory_id] = Standing(
            id=memory_id,
            tier=Tier(tier),
            now=life,
            relevance=relevance(from_epoch(born), usage.newest, usage.recalls, now),
            importance=importance,
            links=frozenset(links[memory_id]),
            protected=bool(pinned) or life.tier is Tier.T0 or (by_dream and not consolidate),
            editable=bool(editable),
        )
    return found


_LIVE = """
    SELECT m.id, m.path, f.hash, m.tier, m.tier_now, m.tier_now_since, m.expires,
        coalesce(m.created, m.first_seen), m.importance, m.pinned, m.consolidate, m.editable,
        u.fold
    FROM memory m
    JOIN vault v ON v.num = m.vault
    JOIN file f ON f.num = m.num
    LEFT JOIN usage u ON u.vault = m.vault AND u.id = m.id
    WHERE v.id = ? AND NOT m.archived"""


def _links(connection: Connection, vault_id: str) -> dict[str, set[str]]:
    """By id, the ids of the live memories of the vault that a live memory links to."""
    query = """
        SELECT m.id, target.id
        FROM link k
        CROSS JOIN memory m ON m.num = k.memory AND NOT m.archived
        CROSS JOIN vault v ON v.num = m.vault AND v.id = ?
        CROSS JOIN name n ON n.key = k.key
        CROSS JOIN memory target ON target.num = n.memory
            AND target.vault = m.vault AND NOT target.archived"""
    links: dict[str, set[str]] = defaultdict(set)
    for source, target in connection.execute(query, (vault_id,)):
        links[source].add(target)
    return links


def _instant(seconds: float | None) -> datetime | None:
    return None if seconds is None else from_epoch(seconds)

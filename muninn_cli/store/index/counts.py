"""Counting what the index holds. Only reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.link_keys import key_of
from muninn_cli.core.terms import Tier
from muninn_cli.store.index.filters import STATE, State

if TYPE_CHECKING:
    from muninn_cli.store.index.connection import Connection


class VaultCounts(NamedTuple):
    """How many memories of one vault are in each tier (live ones) and in each state."""

    tiers: dict[Tier, int]
    states: dict[State, int]
    expiring: int

    @property
    def live(self) -> int:
        return self.states[State.LIVE]


class IndexCounts(NamedTuple):
    """Rows of the index: memories, their chunks, chunks with a vector, chunks without."""

    memories: int
    chunks: int
    vectors: int
    waiting: int


def vault_counts(connection: Connection, vault_id: str, *, now: float, soon: float) -> VaultCounts:
    """Count a vault; `expiring` are live memories that will be hidden by `soon`."""
    query = f"""
        SELECT m.tier_now, {STATE}, count(*), sum(m.until > :now AND m.until <= :soon)
        FROM memory m JOIN vault v ON v.num = m.vault
        WHERE v.id = :vault GROUP BY 1, 2"""
    counted = VaultCounts(dict.fromkeys(Tier, 0), dict.fromkeys(State, 0), 0)
    expiring = 0
    values = {"vault": vault_id, "now": now, "soon": soon}
    for tier, state, count, ending in connection.execute(query, values):
        counted.states[State(state)] += count
        if state == State.LIVE:
            counted.tiers[Tier(tier)] += count
            expiring += ending
    return counted._replace(expiring=expiring)


def namesakes(connection: Connection, vault_id: str, name: str, most: int) -> int:
    """How many memories in sight of a vault answer to a name; `most` at most."""
    query = """
        SELECT count(*) FROM (
            SELECT 1 FROM name n JOIN memory m ON m.num = n.memory JOIN vault v ON v.num = m.vault
            WHERE n.key = ? AND v.id = ? AND m.until > 0 LIMIT ?)"""
    return int(connection.value(query, (key_of(name), vault_id, most)))


def index_counts(connection: Connection) -> IndexCounts:
    """The sizes of the index's tables."""
    without_vector = "chunk WHERE num NOT IN (SELECT chunk FROM embedding)"
    tables = ("memory", "chunk", "embedding", without_vector)
    return IndexCounts(*(connection.value(f"SELECT count(*) FROM {table}") for table in tables))

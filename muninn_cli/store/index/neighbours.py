"""What stands in the index beside a text that is about to be added: the same, and the alike.

Only reads. Archived and superseded memories do not count; expired ones do, they may come back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.store.index.filters import Filters, State, int_list
from muninn_cli.store.index.schema import ALWAYS_HIDDEN
from muninn_cli.store.index.search import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from muninn_cli.store.index.connection import Connection

NEAREST = 20
"""Chunks looked at for each chunk of the new text."""


class Neighbour(NamedTuple):
    """A memory of the index: its place, and the tier it has now."""

    num: int
    id: str
    path: str
    title: str
    tier: str


_COLUMNS = "m.num, m.id, m.path, m.title, m.tier_now"
_PRESENT = f"NOT m.archived AND m.until > {ALWAYS_HIDDEN} AND m.superseded_by = ''"


def vault_number(connection: Connection, vault_id: str) -> int | None:
    """The index's number of a vault, None while it holds nothing of it."""
    row = connection.execute("SELECT num FROM vault WHERE id = ?", (vault_id,)).fetchone()
    return None if row is None else int(row[0])


def same_text(connection: Connection, vault: int, key: bytes) -> list[Neighbour]:
    """The memories whose text has this key, oldest first; their normal forms may differ."""
    query = f"""
        SELECT {_COLUMNS} FROM memory m
        WHERE m.vault = ? AND m.text_key = ? AND {_PRESENT} ORDER BY m.created, m.num"""
    return [Neighbour(*row) for row in connection.execute(query, (vault, key))]


def near_text(
    connection: Connection, vault: int, vectors: Iterable[bytes], now: float
) -> list[Neighbour]:
    """The memories that hold one of the nearest chunks to any of these vectors."""
    present = Filters((vault,), frozenset({State.LIVE, State.EXPIRED}))
    found = [nearest(connection, vector, present, now=now, limit=NEAREST) for vector in vectors]
    memories = {chunk.memory for chunks in found for chunk in chunks}
    query = f"""
        SELECT {_COLUMNS} FROM memory m
        WHERE m.num IN (SELECT value FROM json_each(?)) AND {_PRESENT}"""
    return [Neighbour(*row) for row in connection.execute(query, (int_list(memories),))]


def own_vectors(connection: Connection, memory: int) -> Sequence[bytes]:
    """The vectors of a memory's chunks, in their order."""
    query = """
        SELECT e.own FROM chunk c JOIN embedding e ON e.chunk = c.num
        WHERE c.memory = ? ORDER BY c.position"""
    return [row[0] for row in connection.execute(query, (memory,))]

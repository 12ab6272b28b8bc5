"""Memories that a dream found to contradict one another, unsettled so far. Only reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.store.index.filters import int_list

if TYPE_CHECKING:
    from collections.abc import Collection

    from muninn_cli.store.index.connection import Connection


class Conflict(NamedTuple):
    """Two memories by number, and since when each holds: None where its file does not say."""

    a: int
    b: int
    a_since: float | None
    b_since: float | None


def conflicts(connection: Connection, memories: Collection[int]) -> list[Conflict]:
    """The conflicts among some memories, as far as their texts are still the same."""
    query = """
        SELECT p.a, p.b, coalesce(x.valid_from, x.created), coalesce(y.valid_from, y.created)
        FROM json_each(:memories) m
        CROSS JOIN pair p ON p.a = m.value
        JOIN memory x ON x.num = p.a
        JOIN memory y ON y.num = p.b
        WHERE p.relation = 'value' AND p.b IN (SELECT value FROM json_each(:memories))"""
    return [Conflict(*row) for row in connection.execute(query, {"memories": int_list(memories)})]

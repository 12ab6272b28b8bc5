"""The vectors that are searched, and which of them have to be made anew.

A row of vec0 is never deleted and inserted again, which leaks its space: it is changed in place,
and the number of a removed chunk is used again. Expects the caller's transaction.
"""

from __future__ import annotations

from array import array
from contextlib import contextmanager
from typing import TYPE_CHECKING

from muninn_cli.store.index.connection import has_vec0
from muninn_cli.store.index.filters import int_list
from muninn_cli.store.index.passages import sources
from muninn_cli.store.index.schema import (
    ALWAYS_HIDDEN,
    DONE,
    NO_VAULT,
    VECTOR_TABLE,
    WANTS_WINDOW,
)
from muninn_cli.store.index.windows import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from muninn_cli.store.index.connection import Connection

_REACH = max(WEIGHTS)
_FAR_AWAY = 1000.0
_IN_LIST = "IN (SELECT value FROM json_each(?))"


@contextmanager
def windows_renewed(connection: Connection, memories: Collection[int]) -> Iterator[None]:
    """Let the windows into which these memories go, before or after what is done, be made anew."""
    before = _around(connection, memories)
    yield
    if chunks := before | _around(connection, memories):
        update = f"UPDATE chunk SET stage = {WANTS_WINDOW} WHERE stage = {DONE} AND num {_IN_LIST}"
        connection.execute(update, (int_list(chunks),))


def _around(connection: Connection, memories: Collection[int]) -> set[int]:
    """The chunks of these memories that have neighbours, and the neighbours."""
    found: set[int] = set()
    for source in sources(connection, memories):
        for place, (_, memory) in enumerate(source):
            if memory in memories and len(source) > 1:
                near = source[max(0, place - _REACH) : place + _REACH + 1]
                found.update(chunk for chunk, _ in near)
    return found


def drop(connection: Connection, chunks: Iterable[int]) -> None:
    """Forget the vectors of chunks whose text is gone."""
    listed = int_list(chunks)
    connection.execute(f"DELETE FROM embedding WHERE chunk {_IN_LIST}", (listed,))
    if connection.exact_scan:
        return
    present = _present(connection, listed)
    if present:
        width = connection.value("SELECT value FROM meta WHERE key = 'dimension'")
        nowhere = array("f", [_FAR_AWAY, *[0.0] * (int(width) - 1)]).tobytes()
        rows = [(nowhere, NO_VAULT, ALWAYS_HIDDEN, number) for number in present]
        connection.executemany(_UPDATE_VECTOR, rows)


def restamp(connection: Connection, memories: Iterable[int]) -> None:
    """Bring the moments of hiding beside the vectors in step with the memories."""
    if connection.exact_scan:
        return
    query = f"""
        SELECT m.until, c.num
        FROM memory m
        CROSS JOIN chunk c ON c.memory = m.num
        CROSS JOIN vector_rowids v ON v.rowid = c.num
        WHERE m.num {_IN_LIST}"""
    rows = connection.execute(query, (int_list(memories),)).fetchall()
    connection.executemany("UPDATE vector SET until = ? WHERE rowid = ?", rows)


def place(connection: Connection, chunks: Sequence[int]) -> None:
    """Bring the searched vectors of these chunks in step with `embedding` and `memory`."""
    if connection.exact_scan:
        return
    query = f"""
        SELECT coalesce(e.window, e.own), m.vault, m.until, c.num
        FROM chunk c JOIN embedding e ON e.chunk = c.num JOIN memory m ON m.num = c.memory
        WHERE c.num {_IN_LIST}"""
    listed = int_list(chunks)
    rows = connection.execute(query, (listed,)).fetchall()
    present = _present(connection, listed)
    connection.executemany(_UPDATE_VECTOR, [row for row in rows if row[3] in present])
    connection.executemany(_INSERT_VECTOR, [row for row in rows if row[3] not in present])


def make_table(connection: Connection, dimension: int) -> None:
    """Make the searched vectors anew from `embedding`, where vec0 can be loaded."""
    if has_vec0(connection):
        connection.execute("DROP TABLE IF EXISTS vector")
        connection.execute(VECTOR_TABLE.format(dimension=dimension))
        connection.exact_scan = False
        place_all = f"SELECT coalesce(e.window, e.own), m.vault, m.until, c.num {_EMBEDDED}"
        connection.execute(f"INSERT INTO vector(window, vault, until, rowid) {place_all}")
    engine = "scan" if connection.exact_scan else "vec0"
    connection.execute("INSERT OR REPLACE INTO meta(key, value) VALUES('engine', ?)", (engine,))


_EMBEDDED = "FROM embedding e JOIN chunk c ON c.num = e.chunk JOIN memory m ON m.num = c.memory"
_UPDATE_VECTOR = "UPDATE vector SET window = ?, vault = ?, until = ? WHERE rowid = ?"
_INSERT_VECTOR = "INSERT INTO vector(window, vault, until, rowid) VALUES(?, ?, ?, ?)"


def _present(connection: Connection, listed: str) -> set[int]:
    query = f"SELECT rowid FROM vector_rowids WHERE rowid {_IN_LIST}"
    return {row[0] for row in connection.execute(query, (listed,))}

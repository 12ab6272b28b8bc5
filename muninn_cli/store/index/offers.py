"""Names in the index that begin in a certain way, for a shell to offer. Only reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from muninn_cli.store.index.connection import Connection

MOST = 100
"""Names offered at once."""
_LAST = "\U0010ffff"


class Named(NamedTuple):
    """A memory by its names."""

    id: str
    path: str
    title: str


def vaults(connection: Connection) -> list[str]:
    """The names of the vaults."""
    return [row[0] for row in connection.execute("SELECT name FROM vault ORDER BY name")]


def tags(connection: Connection, beginning: str) -> list[tuple[str, int]]:
    """Tags, folded, with how many memories carry them, the commonest first."""
    query = """
        SELECT tag, count(*) AS carriers FROM tag WHERE tag >= :beginning AND tag < :end
        GROUP BY tag ORDER BY carriers DESC, tag LIMIT :most"""
    return list(connection.execute(query, _bounds(beginning)))


def memories(
    connection: Connection, beginning: str, folded: str, *, archived: bool
) -> Iterator[Named]:
    """Memories whose path, title, alias, file name or id begins so, by path."""
    query = """
        SELECT m.id, m.path, m.title FROM memory m
        WHERE m.archived = :archived AND (
            substr(m.path, 1, length(:typed)) = :typed
            OR substr(lower(m.id), 1, length(:beginning)) = :beginning
            OR substr(lower(m.id), -8, length(:beginning)) = :beginning
            OR m.num IN (SELECT memory FROM name WHERE key >= :beginning AND key < :end))
        ORDER BY m.path LIMIT :most"""
    values = {**_bounds(folded), "typed": beginning, "archived": int(archived)}
    return map(Named._make, connection.execute(query, values))


def _bounds(beginning: str) -> dict[str, str | int]:
    return {"beginning": beginning, "end": beginning + _LAST, "most": MOST}

"""Single memories as a dream touches them: their usage, their files, and how a copy hides them.

Nothing here begins a transaction or reads a vault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.memory_usage import UNUSED, MemoryUsage
from muninn_cli.core.terms import Tier

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from muninn_cli.store.index.connection import Connection


class LifeSoFar(NamedTuple):
    """A memory's usage, and its tier by that usage."""

    usage: MemoryUsage
    tier: Tier


def life(connection: Connection, vault_id: str, memory_id: str) -> LifeSoFar:
    """That of a memory that is not archived; an unused one's where there is none."""
    row = connection.execute(_LIFE, (vault_id, memory_id)).fetchone()
    if row is None:
        return LifeSoFar(UNUSED, Tier.T2)
    fold, tier = row
    return LifeSoFar(MemoryUsage.from_json(fold) if fold else UNUSED, Tier(tier))


_LIFE = """
    SELECT u.fold, m.tier_now
    FROM vault v JOIN memory m ON m.vault = v.num
    LEFT JOIN usage u ON u.vault = m.vault AND u.id = m.id
    WHERE v.id = ? AND m.id = ? AND NOT m.archived"""


class Pointing(NamedTuple):
    """A memory that names another one as what has taken its place; `hash` is its file's."""

    id: str
    title: str
    path: str
    hash: bytes


def superseded_by(connection: Connection, vault_id: str, memory_id: str) -> Iterator[Pointing]:
    """The live files that point to a memory and may be rewritten."""
    return (Pointing(*row) for row in connection.execute(_POINTING, (vault_id, memory_id)))


_POINTING = """
    SELECT m.id, m.title, m.path, f.hash
    FROM vault v JOIN memory m ON m.vault = v.num JOIN file f ON f.num = m.num
    WHERE v.id = ? AND m.superseded_by = ? AND NOT m.archived AND m.editable
    ORDER BY m.id"""


class Place(NamedTuple):
    """A live file as the index knows it."""

    num: int
    vault: int
    folder: str
    name: str
    mtime_ns: int
    size: int
    inode: int
    hash: bytes
    first_seen: float
    tier_since: float | None


def place(connection: Connection, vault_id: str, memory_id: str) -> Place | None:
    """Where the live file of a memory is."""
    row = connection.execute(_PLACE, (vault_id, memory_id)).fetchone()
    return Place(*row) if row else None


_PLACE = """
    SELECT f.num, f.vault, f.folder, f.name, f.mtime_ns, f.size, f.inode, f.hash,
        m.first_seen, m.tier_since
    FROM vault v
    JOIN memory m ON m.vault = v.num
    JOIN file f ON f.num = m.num
    WHERE v.id = ? AND m.id = ? AND NOT m.archived"""


def hide_or_show(connection: Connection, memories: Iterable[int]) -> None:
    """Take live memories out of sight as if archived, and bring back those that are."""
    rows = [(number,) for number in memories]
    connection.executemany("UPDATE memory SET archived = NOT archived WHERE num = ?", rows)

"""Rows of memories as a person is shown them: by number, by filter, and by any of their names.

Only reads.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from muninn_cli.core.ids import SHORT_ID
from muninn_cli.core.memory_usage import MemoryUsage
from muninn_cli.core.terms import Tier
from muninn_cli.core.times import from_epoch
from muninn_cli.core.words import fold
from muninn_cli.store.index.filters import STATE, State, condition, int_list
from muninn_cli.store.index.schema import ALWAYS_HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from muninn_cli.core.associations import Association
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.index.filters import Filters


class Row(NamedTuple):
    """A memory as the index knows it.

    `created` is None where the file says nothing, `created_shown` the bare date as written or
    empty, `expires` None for what never does.
    """

    num: int
    vault: int
    vault_id: str
    vault_name: str
    id: str
    path: str
    title: str
    tier: Tier
    type: str
    tags: tuple[str, ...]
    pinned: bool
    created: datetime | None
    created_shown: str
    first_seen: datetime
    expires: datetime | None
    state: State
    superseded_by: str
    usage: MemoryUsage

    @property
    def since(self) -> datetime:
        """When it came to be, as far as anybody knows."""
        return self.first_seen if self.created is None else self.created


NEVER_USED = MemoryUsage()

_COLUMNS = f"""m.num, m.vault, v.id, v.name, m.id, m.path, m.title, m.tier_now, m.type, m.tags,
    m.pinned, m.created, m.created_shown, m.first_seen, m.expires, {STATE},
        m.superseded_by, u.fold"""
_TABLES = """memory m JOIN vault v ON v.num = m.vault
    LEFT JOIN usage u ON u.vault = m.vault AND u.id = m.id"""
_SELECT = f"SELECT {_COLUMNS} FROM {_TABLES}"


def vault_numbers(connection: Connection, ids: Iterable[str]) -> tuple[int, ...]:
    """The index's numbers of vaults; those it does not know are left out."""
    query = "SELECT num FROM vault WHERE id = ?"
    found = (connection.execute(query, (vault_id,)).fetchone() for vault_id in ids)
    return tuple(row[0] for row in found if row)


def rows_of(
    connection: Connection, memories: Iterable[int], filters: Filters, *, now: float
) -> dict[int, Row]:
    """Those of some memories that pass the filters, by number."""
    where = condition(filters, now)
    query = f"{_SELECT} WHERE m.num IN (SELECT value FROM json_each(:memories)) AND {where.sql}"
    values = {**where.values, "memories": int_list(memories)}
    return {row.num: row for row in map(_row, connection.execute(query, values))}


def newest_rows(
    connection: Connection, filters: Filters, *, now: float, limit: int | None = None
) -> Iterator[Row]:
    """All memories that pass the filters, newest first; those without a date come last."""
    where = condition(filters, now)
    query = f"""{_SELECT} WHERE {where.sql}
        ORDER BY m.created IS NULL, coalesce(m.created, m.first_seen) DESC, m.id DESC
        LIMIT :limit"""
    values = {**where.values, "limit": -1 if limit is None else limit}
    return map(_row, connection.execute(query, values))


def by_id(connection: Connection, vault: int, memory_id: str, *, now: float) -> Row | None:
    """The memory of a vault with exactly this id that is not archived."""
    query = f"{_SELECT} WHERE m.vault = :vault AND m.id = :id AND NOT m.archived"
    values = {"vault": vault, "id": memory_id, "now": now}
    return next(map(_row, connection.execute(query, values)), None)


def expiring_rows(
    connection: Connection, vaults: Iterable[int], *, now: float, until: float
) -> Iterator[Row]:
    """The live memories that will be hidden by `until`, the first to go first."""
    query = f"""{_SELECT}
        WHERE m.vault IN (SELECT value FROM json_each(:vaults))
            AND m.until > :now AND m.until <= :until
        ORDER BY m.until, m.id"""
    values = {"vaults": int_list(vaults), "now": now, "until": until}
    return map(_row, connection.execute(query, values))


def count(connection: Connection, filters: Filters, *, now: float) -> int:
    """How many memories pass the filters."""
    where = condition(filters, now)
    query = f"SELECT count(*) FROM memory m WHERE {where.sql}"
    return int(connection.execute(query, dict(where.values)).get)


def expired_count(connection: Connection, filters: Filters, *, now: float) -> int:
    """How many memories of the filters' vaults are hidden because they have expired.

    The `+` keeps SQLite on the index of `until`, of which this range is a small part.
    """
    query = """
        SELECT count(*) FROM memory
        WHERE until > ? AND until <= ? AND +vault IN (SELECT value FROM json_each(?))"""
    values = (ALWAYS_HIDDEN, now, int_list(filters.vaults))
    return int(connection.execute(query, values).get)


def at_path(connection: Connection, vault: int, path: str, *, now: float) -> list[Row]:
    """The memory in one file of a vault; the path is relative to the vault, with `/`."""
    query = f"{_SELECT} WHERE m.vault = :vault AND m.path = :path"
    values = {"vault": vault, "path": path, "now": now}
    return [_row(row) for row in connection.execute(query, values)]


def named(connection: Connection, handle: str, vaults: Iterable[int], *, now: float) -> list[Row]:
    """The memories that a handle may mean, of the first way to read it that finds any.

    It is an id, else a path in the vault, else a title, alias or name of a file in any case,
    else the beginning or the end of an id, or the beginning of its short form. Archived memories
    count where nothing else is found.
    """
    text = handle.encode(errors="replace").decode()
    folded = fold(text).strip()
    values = {
        "vaults": int_list(vaults),
        "now": now,
        "handle": text,
        "key": folded.removesuffix(".md"),
        "part": folded,
    }
    for way in _WAYS:
        query = f"""{_SELECT}
            WHERE m.vault IN (SELECT value FROM json_each(:vaults)) AND ({way})
            ORDER BY m.path"""
        found = [_row(row) for row in connection.execute(query, values)]
        if found:
            return [row for row in found if row.state is not State.ARCHIVED] or found
    return []


_WAYS = (
    "m.id = :handle",
    "m.path = :handle",
    "m.num IN (SELECT memory FROM name WHERE key = :key)",
    f"""substr(lower(m.id), 1, length(:part)) = :part
        OR substr(lower(m.id), -length(:part)) = :part
        OR substr(lower(m.id), -{SHORT_ID}, length(:part)) = :part""",
)


def names(connection: Connection, vaults: Iterable[int]) -> list[str]:
    """Every key that a live memory answers to: what a mistyped handle may have meant."""
    query = """
        SELECT DISTINCT n.key FROM memory m JOIN name n ON n.memory = m.num
        WHERE m.vault IN (SELECT value FROM json_each(?)) AND NOT m.archived"""
    return [row[0] for row in connection.execute(query, (int_list(vaults),))]


def tags(connection: Connection, vaults: Iterable[int]) -> dict[str, int]:
    """Every tag, folded, and how many live memories carry it, by name."""
    query = """
        SELECT t.tag, count(*) FROM tag t JOIN memory m ON m.num = t.memory
        WHERE m.vault IN (SELECT value FROM json_each(?)) AND m.until > 0
        GROUP BY t.tag"""
    return dict(connection.execute(query, (int_list(vaults),)))


def associated(connection: Connection, memory: Row, *, now: float) -> list[tuple[Row, Association]]:
    """The live memories of a vault that are associated with one of them."""
    from muninn_cli.core.associations import Association

    query = f"""
        SELECT {_COLUMNS}, a.weight, a.at, a.inferred FROM association a
        JOIN ({_TABLES}) ON m.vault = a.vault AND m.id = iif(a.a = :id, a.b, a.a)
        WHERE a.vault = :vault AND :id IN (a.a, a.b) AND m.until > :now"""
    values = {"vault": memory.vault, "id": memory.id, "now": now}
    return [
        (_row(row), Association(weight, from_epoch(at), bool(inferred)))
        for *row, weight, at, inferred in connection.execute(query, values)
    ]


def _row(columns: Sequence[Any]) -> Row:
    num, vault, vault_id, vault_name, memory_id, path, title, tier, kind, tags = columns[:10]
    pinned, created, created_shown, first_seen, expires, state, successor, usage = columns[10:]
    return Row(
        num=num,
        vault=vault,
        vault_id=vault_id,
        vault_name=vault_name,
        id=memory_id,
        path=path,
        title=title,
        tier=Tier(tier),
        type=kind,
        tags=tuple(json.loads(tags)),
        pinned=bool(pinned),
        created=None if created is None else from_epoch(created),
        created_shown=created_shown,
        first_seen=from_epoch(first_seen),
        expires=None if expires is None else from_epoch(expires),
        state=State(state),
        superseded_by=successor,
        usage=MemoryUsage.from_json(usage) if usage else NEVER_USED,
    )

"""What a vault holds, file by file: by id, and what of it is no memory. Only reads."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.store.index.filters import int_list
from muninn_cli.store.index.troubles import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from muninn_cli.store.index.connection import Connection


class Holding(NamedTuple):
    """One memory's file: its path below the vault's root, and its content hash."""

    path: str
    hash: bytes


def holdings(connection: Connection, vault_id: str) -> dict[str, list[Holding]]:
    """The memories of a vault by id; also by the id that a file states and another one holds."""
    query = """
        SELECT m.id, m.stated_id, m.path, f.hash
        FROM memory m JOIN file f ON f.num = m.num JOIN vault v ON v.num = m.vault
        WHERE v.id = ?"""
    found: defaultdict[str, list[Holding]] = defaultdict(list)
    for memory_id, stated, path, content in connection.execute(query, (vault_id,)):
        for name in {memory_id, stated} - {""}:
            found[name].append(Holding(path, content))
    return dict(found)


def unreadable(connection: Connection, vaults: Iterable[int]) -> Iterator[Trouble]:
    """The files of vaults that cannot be read as memories, by vault and path."""
    query = """
        SELECT v.name, iif(f.folder = '', f.name, f.folder || '/' || f.name) AS path, f.problems
        FROM file f JOIN vault v ON v.num = f.vault
        WHERE NOT f.readable AND v.num IN (SELECT value FROM json_each(?))
        ORDER BY v.name, path"""
    for vault, path, problems in connection.execute(query, (int_list(vaults),)):
        line, cause = json.loads(problems)[0]
        yield Trouble(vault, path, line, cause)

"""Files that a crash left under two names, in the middle of a move to or from the archive."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from muninn_cli.store.index.connection import Connection


def torn_moves(connection: Connection) -> dict[str, dict[str, str]]:
    """By vault id, the live path by memory id of memories that are archived as the same file."""
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for vault, memory_id, path in connection.execute(_TWO_NAMES):
        found[vault][memory_id] = path
    return dict(found)


_TWO_NAMES = """
    SELECT v.id, live.id, live.path
    FROM memory gone
    JOIN memory live ON live.vault = gone.vault AND live.id = gone.id AND NOT live.archived
    JOIN file one ON one.num = gone.num
    JOIN file other ON other.num = live.num AND other.inode = one.inode
    JOIN vault v ON v.num = gone.vault
    WHERE gone.archived"""

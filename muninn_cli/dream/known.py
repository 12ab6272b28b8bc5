"""What the index knows of memories that a plan touches, beside what the plan says. Only reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.changes import Ref
from muninn_cli.core.memory_usage import UNUSED, MemoryUsage
from muninn_cli.core.terms import Tier
from muninn_cli.dream.plan import Subject

if TYPE_CHECKING:
    from muninn_cli.store.index.connection import Connection


class LifeSoFar(NamedTuple):
    """A memory's usage, and its tier by that usage."""

    usage: MemoryUsage
    tier: Tier


@dataclass(frozen=True, slots=True)
class Known:
    """The index that `connection` reads, asked about one memory at a time."""

    connection: Connection

    def life(self, ref: Ref) -> LifeSoFar:
        """What the ledger of the archive keeps of a memory that leaves."""
        row = self.connection.execute(_LIFE, ref).fetchone()
        if row is None:
            return LifeSoFar(UNUSED, Tier.T2)
        fold, tier = row
        return LifeSoFar(MemoryUsage.from_json(fold) if fold else UNUSED, Tier(tier))

    def superseded_by(self, ref: Ref) -> list[Subject]:
        """The memories that point to this one as what has taken their place."""
        return [
            Subject(Ref(ref.vault, memory_id), title, path, content.hex(), "")
            for memory_id, title, path, content in self.connection.execute(_POINTING, ref)
        ]


_LIFE = """
    SELECT u.fold, m.tier_now
    FROM vault v JOIN memory m ON m.vault = v.num
    LEFT JOIN usage u ON u.vault = m.vault AND u.id = m.id
    WHERE v.id = ? AND m.id = ? AND NOT m.archived"""
_POINTING = """
    SELECT m.id, m.title, m.path, f.hash
    FROM vault v JOIN memory m ON m.vault = v.num JOIN file f ON f.num = m.num
    WHERE v.id = ? AND m.superseded_by = ? AND NOT m.archived AND m.editable
    ORDER BY m.id"""

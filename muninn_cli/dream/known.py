"""What the index knows of memories that a plan touches, beside what the plan says. Only reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from muninn_cli.core.changes import Ref
from muninn_cli.dream.plan import Subject
from muninn_cli.store.index import touched

if TYPE_CHECKING:
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.index.touched import LifeSoFar


@dataclass(frozen=True, slots=True)
class Known:
    """The index that `connection` reads, asked about one memory at a time."""

    connection: Connection

    def life(self, ref: Ref) -> LifeSoFar:
        """What the ledger of the archive keeps of a memory that leaves."""
        return touched.life(self.connection, *ref)

    def superseded_by(self, ref: Ref) -> list[Subject]:
        """The memories that point to this one as what has taken their place."""
        return [
            Subject(Ref(ref.vault, each.id), each.title, each.path, each.hash.hex(), "")
            for each in touched.superseded_by(self.connection, *ref)
        ]

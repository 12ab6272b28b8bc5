"""What an import will do, and has done, as values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from muninn_cli.store.run_folder import Left

if TYPE_CHECKING:
    from muninn_cli.store.run_folder import Receipt
    from muninn_cli.store.steps import Batch
    from muninn_cli.store.vault import Vault


@dataclass(frozen=True, slots=True)
class Arrival:
    """A memory that arrives: how its source calls it, its id and path here, and its steps."""

    name: str
    vault: Vault
    id: str
    path: str
    batch: Batch


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """Memories that arrive, and what else became of a source.

    `known` is how many were there already; `homeless` counts memories by the name of a vault that
    is not there; `unused` are keys of other tools that nothing became of; `usage` are the events
    that belong to several of the memories.
    """

    arrivals: tuple[Arrival, ...] = ()
    known: int = 0
    left: tuple[Left, ...] = ()
    homeless: Counter[str] = field(default_factory=Counter)
    unused: tuple[str, ...] = ()
    usage: tuple[Batch, ...] = ()

    @property
    def batches(self) -> tuple[Batch, ...]:
        return tuple(arrival.batch for arrival in self.arrivals) + self.usage

    def carried_out(self, receipt: Receipt) -> ImportPlan:
        """The plan as it went: what the run dropped was left."""
        dropped = {left.name: left.why for left in receipt.dropped}
        kept = tuple(each for each in self.arrivals if each.batch.name not in dropped)
        gone = tuple(
            Left(each.name, dropped[each.batch.name])
            for each in self.arrivals
            if each.batch.name in dropped
        )
        return replace(self, arrivals=kept, left=self.left + gone)

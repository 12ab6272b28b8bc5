"""The draft of a plan: what the phases hand on to one another, each adding to it.

Immutable. A change that a person said no to, and a suggestion that waits for an answer already,
are not taken in; neither is what a dream may not touch.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from muninn_cli.core.associations import Association, Pair
from muninn_cli.core.changes import (
    Archive,
    Associate,
    Change,
    ChangeTier,
    Cluster,
    Merge,
    Ref,
    SetStability,
    Suggest,
    Supersede,
    involved,
    key_of,
)
from muninn_cli.dream.snapshot import Reach

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from muninn_cli.core.journal import ModelUse
    from muninn_cli.dream.advice import StabilityAdvice
    from muninn_cli.dream.plan import LeftOut, VaultMap, Waiting
    from muninn_cli.dream.snapshot import Snapshot
    from muninn_cli.dream.tools import Tools


@dataclass(frozen=True)
class Draft:
    """What a dream proposes so far.

    `clusters` are for a judge, the most alike first; `waiting` those that none has judged.
    `advice` is a model's on stability. `maps` is what phase 0 saw, a vault each.
    """

    snapshot: Snapshot
    changes: tuple[Change, ...] = ()
    clusters: tuple[Cluster, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    advice: tuple[StabilityAdvice, ...] = ()
    judged: tuple[str, ...] = ()
    estimate: int = 0
    models: tuple[ModelUse, ...] = ()
    narrative: tuple[str, ...] = ()
    maps: tuple[VaultMap, ...] = ()

    @cached_property
    def gone(self) -> frozenset[Ref]:
        """The memories that leave sight by these changes: merged, superseded or archived."""
        found: set[Ref] = set()
        for change in self.changes:
            match change:
                case Merge(vault=vault, losers=losers):
                    found.update(Ref(vault, loser) for loser in losers)
                case Supersede(vault=vault, old=old):
                    found.add(Ref(vault, old))
                case Archive(vault=vault, id=memory_id):
                    found.add(Ref(vault, memory_id))
                case ChangeTier() | SetStability() | Associate() | Suggest():
                    pass
        return frozenset(found)

    @cached_property
    def associations(self) -> Mapping[str, Mapping[Pair, Association]]:
        """The associations by vault, as these changes make them."""
        found = {vault: dict(known) for vault, known in self.snapshot.associations.items()}
        for change in self.changes:
            if isinstance(change, Associate):
                new = Association(change.new, change.at, change.inferred)
                found[change.vault][change.a, change.b] = new
        return found

    def proposing(self, changes: Iterable[Change]) -> Draft:
        """The draft with these changes as well, as far as they may be."""
        settled = _Settled(self.snapshot)
        allowed = (settled.allowed(change) for change in changes)
        return replace(self, changes=(*self.changes, *(each for each in allowed if each)))

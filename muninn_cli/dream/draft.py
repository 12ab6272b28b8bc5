"""The draft of a plan: what the phases hand on to one another, each adding to it.

Immutable. A change that a person said no to, and a suggestion that waits for an answer already,
are not taken in; neither is what a dream may not touch.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from muninn_cli.core.associations import Association, Pair
from muninn_cli.core.changes import (
    Archive,
    Associate,
    Change,
    ChangeTier,
    ClusterReason,
    Merge,
    Ref,
    SetStability,
    Suggest,
    Supersede,
)
from muninn_cli.dream.permission import Permission

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from muninn_cli.core.journal import ModelUse
    from muninn_cli.dream.judging.advice import StabilityAdvice
    from muninn_cli.dream.plan import Judged, LeftOut, VaultMap, Waiting
    from muninn_cli.dream.snapshot import Facts, Snapshot


@dataclass(frozen=True, slots=True)
class Candidate:
    """Memories that a judge should see together; `cosine` is that of the most alike two."""

    reason: ClusterReason
    refs: tuple[Ref, ...]
    cosine: float


@dataclass(frozen=True)
class Draft:
    """What a dream proposes so far.

    `candidates` are for a judge, the most urgent first; `waiting` those that none has judged.
    `advice` is a model's on stability. `maps` is what phase 0 saw, a vault each.
    """

    snapshot: Snapshot
    changes: tuple[Change, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    advice: tuple[StabilityAdvice, ...] = ()
    judged: tuple[Judged, ...] = ()
    estimate: int = 0
    models: tuple[ModelUse, ...] = ()
    narrative: tuple[str, ...] = ()
    maps: tuple[VaultMap, ...] = ()

    @cached_property
    def successors(self) -> Mapping[Ref, Ref]:
        """What takes the place of a memory that is merged or superseded, by that memory."""
        found: dict[Ref, Ref] = {}
        for change in self.changes:
            match change:
                case Merge(vault=vault, survivor=survivor, losers=losers):
                    found.update((Ref(vault, loser), Ref(vault, survivor)) for loser in losers)
                case Supersede(vault=vault, old=old, new=new):
                    found[Ref(vault, old)] = Ref(vault, new)
                case ChangeTier() | SetStability() | Associate() | Archive() | Suggest():
                    pass
        return found

    @cached_property
    def gone(self) -> frozenset[Ref]:
        """The memories that leave sight by these changes: merged, superseded or archived."""
        archived = (c for c in self.changes if isinstance(c, Archive))
        return frozenset((*self.successors, *(Ref(c.vault, c.id) for c in archived)))

    @cached_property
    def staying(self) -> Mapping[Ref, Facts]:
        """The live memories that these changes leave."""
        known = self.snapshot.facts
        return {ref: facts for ref, facts in known.items() if facts.live and ref not in self.gone}

    @cached_property
    def associations(self) -> Mapping[str, Mapping[Pair, Association]]:
        """The associations by vault, as these changes make them."""
        found = {vault: dict(known) for vault, known in self.snapshot.associations.items()}
        for change in self.changes:
            if isinstance(change, Associate):
                new = Association(change.new, change.at, change.inferred)
                found.setdefault(change.vault, {})[change.a, change.b] = new
        return found

    def head(self, ref: Ref) -> Ref:
        """What stands in a memory's place after these changes; itself where it stays."""
        seen = {ref}
        while ref in self.successors and self.successors[ref] not in seen:
            ref = self.successors[ref]
            seen.add(ref)
        return ref

    def proposing(self, changes: Iterable[Change]) -> Draft:
        """The draft with these changes as well, as far as a dream may propose them."""
        permission = Permission(self.snapshot)
        allowed = [found for change in changes if (found := permission.of(change)) is not None]
        return replace(self, changes=(*self.changes, *allowed))

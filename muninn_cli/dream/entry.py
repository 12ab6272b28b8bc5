"""From a plan to its journal entry: what was done and left, sorted and counted. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muninn_cli.core.changes import (
    Archive,
    Associate,
    ChangeTier,
    ClusterReason,
    Merge,
    Ref,
    SetStability,
    Suggest,
    Supersede,
)
from muninn_cli.core.journal import (
    Archived,
    ArchiveReason,
    Connection,
    JournalEntry,
    Merged,
    Named,
    Omission,
    Omitted,
    Promoted,
    Resolved,
    Strengthened,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from muninn_cli.core.changes import Change
    from muninn_cli.dream.plan import LeftOut, Plan
    from muninn_cli.dream.snapshot import Snapshot

_NAMED = 3
"""Memories or causes that one line about what was left names."""


def journal_entry(
    plan: Plan, snapshot: Snapshot, when: datetime, seconds: float, *, dry_run: bool
) -> JournalEntry:
    """The entry of a plan as it was, or would be, carried out."""
    return _Teller(plan, snapshot).entry(when, seconds, dry_run=dry_run)


@dataclass(frozen=True, slots=True)
class _Teller:
    plan: Plan
    snapshot: Snapshot

    def entry(self, when: datetime, seconds: float, *, dry_run: bool) -> JournalEntry:
        plan = self.plan
        by_kind: defaultdict[type[Change], list[Change]] = defaultdict(list)
        for change in plan.changes:
            by_kind[type(change)].append(change)
        pairs = [each for each in plan.changes if isinstance(each, Associate)]
        stabilities = [each for each in plan.changes if isinstance(each, SetStability)]
        return JournalEntry(
            when=when,
            run=plan.run,
            scanned=sum(vault.memories for vault in plan.vaults),
            vaults=len(plan.vaults),
            legal=plan.legal,
            seconds=seconds,
            dry_run=dry_run,
            connections=tuple(self._connections()),
            strengthened=tuple(self._strengthened(stabilities)),
            weakened=sum(each.new < each.old for each in stabilities),
            associations=sum(not each.inferred for each in pairs),
            inferred=sum(each.inferred for each in pairs),
            promoted=tuple(self._promoted()),
            merged=tuple(self._merged()),
            resolved=tuple(self._resolved()),
            archived=tuple(self._archived()),
            omitted=tuple(self._omitted()),
            narrative=plan.narrative,
            measure=plan.measure,
            models=plan.models,
        )

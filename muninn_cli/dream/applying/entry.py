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
    involved,
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
from muninn_cli.core.plain import one_line
from muninn_cli.dream.phase3_schema import HUB
from muninn_cli.dream.snapshot import Reach

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from muninn_cli.dream.plan import LeftOut, Plan
    from muninn_cli.dream.snapshot import Snapshot

ADVICE = "advice"
"""The reason of a stability that a model has spoken for."""
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

    def _named(self, ref: Ref) -> Named:
        facts = self.snapshot.facts.get(ref)
        vault = self.snapshot.vaults.get(ref.vault)
        return Named(facts.title if facts else "", vault.name if vault else "", ref.id)

    def _connections(self) -> Iterator[Connection]:
        for change in self.plan.changes:
            if isinstance(change, Suggest) and change.what is None and len(change.refs) > 1:
                left, right = map(self._named, change.refs[:2])
                yield Connection(left, right, change.text)

    def _strengthened(self, changes: Iterable[SetStability]) -> Iterator[Strengthened]:
        """Those recalled often, then those that a model has spoken for."""
        grown = [each for each in changes if each.new > each.old]
        for advised in (False, True):
            refs = [Ref(c.vault, c.id) for c in grown if (c.reason == ADVICE) is advised]
            recalls = [self._recalls(ref) for ref in refs]
            if refs:
                fewest = 0 if advised else min(recalls)
                yield Strengthened(tuple(map(self._named, refs)), fewest)

    def _recalls(self, ref: Ref) -> int:
        facts = self.snapshot.facts.get(ref)
        return facts.usage.recalls if facts else 0

    def _promoted(self) -> Iterator[Promoted]:
        for change in self.plan.changes:
            if isinstance(change, ChangeTier):
                memory = self._named(Ref(change.vault, change.id))
                yield Promoted(memory, change.old, change.new, hub=change.reason == HUB)

    def _merged(self) -> Iterator[Merged]:
        for change in self.plan.changes:
            if isinstance(change, Merge):
                survivor, *losers = map(self._named, involved(change))
                yield Merged(survivor, tuple(losers), rewritten=change.content is not None)

    def _resolved(self) -> Iterator[Resolved]:
        for change in self.plan.changes:
            if isinstance(change, Supersede):
                yield Resolved(*map(self._named, involved(change)))

    def _archived(self) -> Iterator[Archived]:
        found: defaultdict[tuple[str, str], list[Named]] = defaultdict(list)
        for change in self.plan.changes:
            if isinstance(change, Archive):
                named = self._named(Ref(change.vault, change.id))
                found[named.vault, change.reason].append(named)
        for (vault, reason), memories in sorted(found.items()):
            yield Archived(vault, ArchiveReason(reason), tuple(memories))

    def _omitted(self) -> Iterator[Omitted]:
        """What was left, by reason; titles or causes of the first few."""
        found: defaultdict[Omission, list[str]] = defaultdict(list)
        for waiting in self.plan.waiting:
            if waiting.reason is not ClusterReason.CONNECTION:
                found[Omission.UNJUDGED].append(self._titles(waiting.refs))
        for change in self.plan.changes:
            if isinstance(change, Suggest) and change.what is not None:
                found[self._why_asked(change)].append(self._titles(change.refs))
        for left in self.plan.left_out:
            found[left.why].append(self._detail(left))
        for why in Omission:
            if why in found:
                details = list(dict.fromkeys(filter(None, found[why])))
                shown = "; ".join(details[:_NAMED]) + ("; …" if len(details) > _NAMED else "")
                yield Omitted(why, len(found[why]), shown)

    def _why_asked(self, change: Suggest) -> Omission:
        """Why a person is asked: a memory that only they may touch, or what no rule can tell."""
        facts = map(self.snapshot.facts.get, change.refs)
        if not all(each and each.reach is Reach.FREE for each in facts):
            return Omission.PROTECTED
        return Omission.NO_VERDICT if isinstance(change.what, Supersede) else Omission.UNLIKE

    def _detail(self, left: LeftOut) -> str:
        return ": ".join(filter(None, (self._titles(left.refs), left.detail)))

    def _titles(self, refs: Sequence[Ref]) -> str:
        titles = [f"“{one_line(self._named(ref).title, 60)}”" for ref in refs[:_NAMED]]
        return ", ".join(titles) + (", …" if len(refs) > _NAMED else "")

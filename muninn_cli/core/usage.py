"""Folding a vault's usage log: from its events to what is known of each memory.

The fold is pure and takes events in the order of the log. Folding the same events twice, or a
log in sixty pieces instead of one, gives the same. An earlier recall never counts, a time more
than a day ahead of now is ignored, and only `Undo` takes anything back. An undo reaches events
that an earlier fold may have taken in: `must_restart` says when to fold a log from its start.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.associations import Association, Pair, pair_of, stronger
from muninn_cli.core.events import (
    Alias,
    AssociationChange,
    Event,
    Present,
    Recall,
    StabilityChange,
    Summary,
    Undo,
    format_event,
    parse_event,
)
from muninn_cli.core.memory_usage import UNUSED, MemoryUsage, Weakening

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = [
    "UNUSED",
    "Alias",
    "AssociationChange",
    "Event",
    "MemoryUsage",
    "Present",
    "Recall",
    "StabilityChange",
    "Summary",
    "Undo",
    "VaultUsage",
    "Weakening",
    "fold",
    "format_event",
    "is_ahead",
    "must_restart",
    "not_undone",
    "parse_event",
    "recalls_since",
]

CLOCK_TOLERANCE = timedelta(days=1)


class VaultUsage(NamedTuple):
    """What a log says: usage by memory id, associations by pair, and its newest instant."""

    memories: Mapping[str, MemoryUsage] = MappingProxyType({})
    associations: Mapping[Pair, Association] = MappingProxyType({})
    newest_event: datetime | None = None

    def of(self, memory_id: str) -> MemoryUsage:
        """The usage of a memory, also of one that was never used."""
        return self.memories.get(memory_id, UNUSED)


def fold(usage: VaultUsage, events: Iterable[Event], now: datetime) -> VaultUsage:
    """`usage` and what `events` add to it; `usage` itself is not changed."""
    state = _State(dict(usage.memories), dict(usage.associations))
    newest = usage.newest_event
    for event in not_undone(events):
        if is_ahead(event.at, now):
            continue
        newest = event.at if newest is None else max(newest, event.at)
        state.take_in(event)
    return VaultUsage(state.memories, state.associations, newest)


def must_restart(events: Iterable[Event]) -> bool:
    """Whether these new events change what earlier ones meant, or reach over many memories.

    Then an earlier fold is to be thrown away and the log folded from its start.
    """
    return any(isinstance(event, Undo | Alias) for event in events)


def not_undone(events: Iterable[Event]) -> list[Event]:
    """The events without those of a run that an `Undo` after them names; recalls always stay."""
    undone: set[str] = set()
    kept: list[Event] = []
    for event in reversed(list(events)):
        if isinstance(event, Undo):
            undone.add(event.run)
        if not _is_undone(event, undone):
            kept.append(event)
    return kept[::-1]


def _is_undone(event: Event, undone: set[str]) -> bool:
    match event:
        case StabilityChange(run=run) | AssociationChange(run=run) | Alias(run=run):
            return run in undone
        case Recall() | Undo() | Summary() | Present():
            return False


def is_ahead(at: datetime, now: datetime) -> bool:
    """Whether a time is more than a day ahead of now, so that some clock was wrong."""
    return at - now > CLOCK_TOLERANCE


def recalls_since(events: Iterable[Event], since: datetime | None) -> list[Recall]:
    """The recalls later than `since` that somebody asked for, in the order of the log."""
    recalls = [event for event in events if isinstance(event, Recall) and event.counts]
    return [recall for recall in recalls if since is None or recall.at > since]


class _State:
    """A usage while it is being folded."""

    def __init__(
        self, memories: dict[str, MemoryUsage], associations: dict[Pair, Association]
    ) -> None:
        self.memories = memories
        self.associations = associations
        self._partners: dict[str, set[str]] = defaultdict(set)
        for a, b in associations:
            self._pair(a, b)

    def take_in(self, event: Event) -> None:
        match event:
            case Recall(at=at, hits=hits):
                for memory_id, _ in hits:
                    self.memories[memory_id] = self._of(memory_id).recalled(at, counts=event.counts)
            case StabilityChange(at=at, id=memory_id, days=days):
                self.memories[memory_id] = self._of(memory_id).with_stability(at, days)
            case AssociationChange(at=at, a=a, b=b):
                self._associate(a, b, Association(event.weight, at, event.inferred))
            case Alias(at=at, loser=loser, survivor=survivor):
                self._join(loser, survivor, at)
            case Summary(id=memory_id, usage=stored):
                self.memories[memory_id] = self._of(memory_id).or_newer(stored)
            case Undo() | Present():
                pass

    def _of(self, memory_id: str) -> MemoryUsage:
        return self.memories.get(memory_id, UNUSED)

    def _pair(self, a: str, b: str) -> None:
        self._partners[a].add(b)
        self._partners[b].add(a)

    def _associate(self, a: str, b: str, new: Association) -> None:
        old = self.associations.get(pair_of(a, b))
        if a != b and (old is None or new.at > old.at):
            self.associations[pair_of(a, b)] = new
            self._pair(a, b)

    def _join(self, loser: str, survivor: str, at: datetime) -> None:
        known = self._of(survivor)
        if loser == survivor or known.has_merged(loser, at):
            return
        self.memories[survivor] = known.merge(loser, self._of(loser), at)
        for other in self._partners[loser] - {survivor}:
            pair = pair_of(survivor, other)
            heritage = self.associations[pair_of(loser, other)]
            self.associations[pair] = stronger(self.associations.get(pair), heritage)
            self._pair(survivor, other)

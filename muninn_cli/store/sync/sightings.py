"""When each memory was first seen, and since when it has its tier: noted in the state, for good.

The index knows both of the memories that it holds; only for others is the log read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from muninn_cli.core.tiers import noted_since
from muninn_cli.store.seen import Seen, SeenRecord

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from muninn_cli.core.memory import Memory
    from muninn_cli.core.terms import Tier

_FEW = 50
"""Up to so many unknown ids, a look through the bytes of the log may spare parsing it."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """What is noted of a memory."""

    first_seen: datetime
    tier: Tier
    tier_since: datetime | None


class Sightings:
    """The notes of one vault."""

    def __init__(self, path: Path, now: datetime) -> None:
        self._log = Seen(path)
        self._now = now.replace(microsecond=0)
        self._records: dict[str, SeenRecord] | None = None

    def note(
        self, memories: Sequence[tuple[str, bytes, Memory]], known: Mapping[str, Sighting]
    ) -> dict[str, Sighting]:
        """What is noted of memories (id, content hash, memory), by id; news go to the log.

        `known` is what the index holds of them.
        """
        unknown = self._find({memory_id for memory_id, _, _ in memories if memory_id not in known})
        noted: dict[str, Sighting] = {}
        news: list[SeenRecord] = []
        for memory_id, content, memory in memories:
            before = known.get(memory_id) or _sighting(unknown.get(memory_id))
            noted[memory_id] = now = self._see(memory, before)
            if now != before:
                records = self._find({memory_id}) if memory_id in known else unknown
                news.append(_noted(memory_id, content, now, records.get(memory_id)))
        if news:
            self._log.append(news)
            if self._records is not None:
                self._records.update((record.id, record) for record in news)
        return noted

    def _see(self, memory: Memory, before: Sighting | None) -> Sighting:
        since = memory.tier_since.instant if memory.tier_since else None
        if before is None:
            return Sighting(self._now, memory.tier, since)
        since = noted_since(memory.tier, since, before.tier, before.tier_since, self._now)
        return Sighting(before.first_seen, memory.tier, since)

    def _find(self, ids: Collection[str]) -> Mapping[str, SeenRecord]:
        """The records of the log, or none where it has nothing of these ids."""
        if self._records is None and ids:
            if len(ids) <= _FEW and not self._mentions(ids):
                return {}
            self._records = self._log.load()
        return self._records or {}

    def _mentions(self, ids: Iterable[str]) -> bool:
        try:
            data = self._log.path.read_bytes()
        except FileNotFoundError:
            return False
        return any(memory_id.encode() in data for memory_id in ids)


def _sighting(record: SeenRecord | None) -> Sighting | None:
    if record is None:
        return None
    return Sighting(record.first_seen, record.tier, record.tier_since)


def _noted(memory_id: str, content: bytes, now: Sighting, record: SeenRecord | None) -> SeenRecord:
    if record is None:
        first = now.first_seen
        return SeenRecord(memory_id, content, first, tier_since=now.tier_since, tier=now.tier)
    return replace(record, tier=now.tier, tier_since=now.tier_since)

"""The usage log of one vault: events appended, read from where one left off, and compacted.

It never holds the text of a query. A line is only ever appended, but for compaction (old events
become one summary a memory, with the same fold) and for the erasure that `purge` asks for.
"""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import TYPE_CHECKING

from muninn_cli.core.usage import (
    AssociationChange,
    Event,
    Recall,
    Summary,
    Undo,
    VaultUsage,
    fold,
    format_event,
    parse_event,
)
from muninn_cli.store import log

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

KEPT_WHOLE = timedelta(days=400)
"""Events younger than this stay as they are."""
_TAIL_BYTES = 65_536
_OFFSET_BITS = 40
_GENERATION = re.compile(r'\{"v":1,"k":"log","generation":(\d{1,6})\}')


class UsageLog:
    """The usage log at `path`, which need not exist yet."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, *events: Event) -> None:
        """Add events, one line each."""
        log.append(self.path, [format_event(event) for event in events])

    def read(self, position: int = 0) -> tuple[list[Event], int]:
        """The events from a position on, and the position after them.

        A position is 0 or what an earlier read gave. After a compaction the log is read from its
        start: to fold its events again changes nothing. A torn last line is left for later.
        """
        generation = self._generation()
        offset = position & ((1 << _OFFSET_BITS) - 1)
        if position >> _OFFSET_BITS != generation or offset > self._size():
            offset = 0
        lines, offset = log.read_lines(self.path, offset)
        return _events(lines), generation << _OFFSET_BITS | offset

    def newest(self, now: datetime) -> datetime | None:
        """The instant of the newest event that is not later than now."""
        tail, _ = log.read_lines(self.path, max(self._size() - _TAIL_BYTES, 0))
        past = [event.at for event in _events(tail) if event.at <= now]
        if not past and self._size() > _TAIL_BYTES:
            past = [event.at for event in self.read()[0] if event.at <= now]
        return max(past, default=None)

    def compact(self, now: datetime, settled: Mapping[str, datetime]) -> None:
        """Put one summary a memory in place of the events older than 400 days.

        `settled` gives the instant up to which a memory's recalls can no longer promote it: its
        `tier_since`, or now where it cannot rise.
        """
        log.rewrite(self.path, lambda lines: _compacted(lines, now, settled))

    def erase(self, memory_id: str) -> None:
        """Take every trace of a memory out of the log."""
        log.rewrite(self.path, lambda lines: _erased(lines, memory_id))

    def _size(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0

    def _generation(self) -> int:
        """How often the log was rewritten: it makes a position of before invalid."""
        if not self.path.exists():
            return 0
        with self.path.open("rb") as file:
            return _stated_generation(file.readline(80).decode(errors="replace"))


def _events(lines: Sequence[str]) -> list[Event]:
    return [event for line in lines if (event := parse_event(line)) is not None]


def _stated_generation(line: str) -> int:
    stated = _GENERATION.match(line)
    return int(stated[1]) if stated else 0


def _next_generation(lines: Sequence[str]) -> str:
    generation = _stated_generation(lines[0] if lines else "") + 1
    return json.dumps({"v": 1, "k": "log", "generation": generation}, separators=(",", ":"))


def _compacted(lines: list[str], now: datetime, settled: Mapping[str, datetime]) -> list[str]:
    events = [parse_event(line) for line in lines]
    is_old = [event is None or now - event.at > KEPT_WHOLE for event in events]
    cut = is_old.index(False) if False in is_old else len(lines)
    old = [event for event in events[:cut] if event is not None]
    if all(isinstance(event, Summary | AssociationChange) for event in old):
        return lines
    undos = [event for event in events[cut:] if isinstance(event, Undo)]
    usage = fold(VaultUsage(), [*old, *undos], now)
    summaries = [format_event(event) for event in _summaries(usage, old[-1].at, settled)]
    return [_next_generation(lines), *summaries, *lines[cut:]]


def _summaries(usage: VaultUsage, at: datetime, settled: Mapping[str, datetime]) -> Iterator[Event]:
    for memory_id, known in usage.memories.items():
        until = settled.get(memory_id)
        yield Summary(at, memory_id, known.settled(until) if until else known)
    for (a, b), known_pair in usage.associations.items():
        yield AssociationChange(known_pair.at, a, b, known_pair.weight, known_pair.inferred, "")


def _erased(lines: list[str], memory_id: str) -> list[str]:
    kept = [_without(line, memory_id) for line in lines if _GENERATION.match(line) is None]
    return [_next_generation(lines), *(line for line in kept if line)]


def _without(line: str, memory_id: str) -> str:
    """The line without a memory; empty where it is about that memory alone."""
    if f'"{memory_id}"' not in line:
        return line
    event = parse_event(line)
    if not isinstance(event, Recall):
        return ""
    hits = tuple(hit for hit in event.hits if hit[0] != memory_id)
    return format_event(event._replace(hits=hits)) if hits else ""

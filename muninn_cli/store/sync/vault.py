"""Bringing the rows of one vault in step with its files, as a plan says.

Every batch is a transaction of its own, so that other writers never wait long, and a sync that is
killed goes on where it was: the digest of a folder is noted only when all its files are. Writes
no byte into the vault.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.ids import valid_id
from muninn_cli.core.listing import digest
from muninn_cli.core.terms import Tier
from muninn_cli.core.times import epoch, from_epoch
from muninn_cli.store.index import lives, vectors
from muninn_cli.store.index.entries import Entry
from muninn_cli.store.index.filters import int_list
from muninn_cli.store.index.schema import UNSETTLED
from muninn_cli.store.sync.identity import Aliases, Identities
from muninn_cli.store.sync.plan import Found, Known, Plan
from muninn_cli.store.sync.reading import Reader, Reading
from muninn_cli.store.sync.report import FileProblem
from muninn_cli.store.sync.sightings import Sighting, Sightings
from muninn_cli.store.walk import is_archived

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from muninn_cli.core.tiers import Limits
    from muninn_cli.paths import Home
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.index.memories import Memories
    from muninn_cli.store.sync.survey import Survey

_BATCH_FILES = 1000
"""About 5,000 rows, a tenth of a second of writing."""
_BATCH_BYTES = 8_000_000
_ROUNDS = 4
"""Ids that become free may free others; longer chains wait for the next sync."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What every vault of one sync is brought in step with."""

    connection: Connection
    memories: Memories
    home: Home
    now: datetime
    limits: Limits
    progress: Callable[[int, int], None]


class _Before(NamedTuple):
    """What the index held under a number: the id, and what was noted of it."""

    id: str
    sighting: Sighting


class VaultSync:
    """One vault, whose number in the index is `num`."""

    def __init__(self, tools: Tools, survey: Survey, num: int, plan: Plan) -> None:
        self._tools = tools
        self._connection = tools.connection
        self._survey = survey
        self._num = num
        self._plan = plan
        vault = survey.vault
        folders = survey.differing.keys() | survey.vanished
        aliases = Aliases(tools.home.aliases(vault.id), vault.id_name)
        self._aliases = aliases
        self._identities = Identities(tools.connection, num, aliases, plan.ids, folders)
        self._sightings = Sightings(tools.home.seen(vault.id), tools.now)
        self._reader = Reader(vault, plan.nameless)
        self._next: int = self._connection.value("SELECT max(num) FROM file") or 0
        self._free: set[str] = set()
        self._displaced: set[int] = set()
        self._done = 0
        self._problems: list[FileProblem] = []

    def run(self) -> list[FileProblem]:
        """Carry the plan out; returns the problems of the files that were read."""
        if self._plan.writes_rows:
            self._make_room()
        self._read(self._plan.read)
        for _ in range(_ROUNDS):
            if waiting := self._waiting():
                self._read(waiting)
        with self._connection.writing():
            self._note_digests(settled=True)
            self._tools.memories.drop_unused_words()
        return self._problems

    def _make_room(self) -> None:
        """Remove what is gone, and take the names of what moves out of the way."""
        plan = self._plan
        self._free.update(row.id for row in plan.remove if row.id)
        with self._connection.writing():
            self._note_digests(settled=False)
            self._connection.executemany(_RESTAMP, [(*s[1:], row.num) for row, s in plan.restamp])
        for start in range(0, len(plan.remove), _BATCH_FILES):
            self._remove([row.num for row in plan.remove[start : start + _BATCH_FILES]])
        with self._connection.writing():
            for vacate in _VACATE:
                self._connection.executemany(vacate, [(row.num,) for row in plan.vacate])

    def _remove(self, numbers: Sequence[int]) -> None:
        with self._connection.writing():
            linked = lives.linked_from(self._connection, numbers)
            self._tools.memories.remove(numbers)
            self._refresh(linked)

    def _read(self, files: Sequence[Found]) -> None:
        """Read files and put them into the index, batch by batch."""
        total = self._done + len(files)
        for batch in _batches(files):
            readings = list(filter(None, map(self._reader.read, batch)))
            found = {reading.found.path for reading in readings}
            for file in batch:
                if file.path not in found:
                    self._plan.unsettled.update({file.folder, file.row.folder if file.row else ""})
            self._put(readings)
            self._done += len(batch)
            self._tools.progress(self._done, total)

    def _put(self, readings: Sequence[Reading]) -> None:
        entries = self._entries(readings)
        numbers = {entry.num for entry in entries}
        prepared = self._tools.memories.prepare(entries)
        with self._connection.writing():
            linked = lives.linked_from(self._connection, numbers)
            with vectors.windows_renewed(self._connection, numbers):
                self._tools.memories.put(prepared)
                self._refresh(numbers | linked)
        for entry in entries:
            if entry.mtime_ns == UNSETTLED:
                self._plan.unsettled.add(entry.folder)
            self._problems += (
                FileProblem(self._survey.vault.name, entry.path, problem.line, problem.cause)
                for problem in entry.problems
            )

    def _entries(self, readings: Sequence[Reading]) -> list[Entry]:
        """Give each file its number and its memory an id, and note what is new in the state."""
        numbers = [self._number(reading.found) for reading in readings]
        before = self._before(numbers)
        ids = self._ids(numbers, readings, before)
        sightings = self._sight(numbers, readings, ids, before)
        self._free.update(old.id for num, old in before.items() if ids.get(num) != old.id)
        unseen = Sighting(self._tools.now, Tier.T2, None)
        return [
            _entry(self._num, num, reading, ids.get(num, ""), sightings.get(num, unseen))
            for num, reading in zip(numbers, readings, strict=True)
        ]

    def _number(self, found: Found) -> int:
        if found.row:
            return found.row.num
        self._next += 1
        return self._next

    def _before(self, numbers: Iterable[int]) -> dict[int, _Before]:
        return {
            num: _Before(
                memory_id,
                Sighting(from_epoch(seen), Tier(tier), from_epoch(since) if since else None),
            )
            for num, memory_id, seen, tier, since in self._connection.execute(
                _BEFORE, (int_list(numbers),)
            )
        }

    def _ids(
        self, numbers: Sequence[int], readings: Sequence[Reading], before: Mapping[int, _Before]
    ) -> dict[int, str]:
        """The ids of the memories, by number."""
        ids: dict[int, str] = {}
        claims = []
        for num, (found, _, _, memory, _, origin, handle) in zip(numbers, readings, strict=True):
            if memory is None:
                continue
            stated = memory.id if memory.written_id else ""
            kept = before[num].id if num in before and valid_id(before[num].id) else ""
            if is_archived(found.folder):
                known = handle or stated or kept
                ids[num] = self._identities.archived_id(found.path, origin, known)
            else:
                created = epoch(memory.created.instant) if memory.created else None
                claims.append(self._identities.claim(num, found.path, stated, kept, created))
        settled = self._identities.settle(claims, ids)
        self._aliases.save()
        self._displaced.update(settled.displaced)
        return ids | settled.ids

    def _sight(
        self,
        numbers: Sequence[int],
        readings: Sequence[Reading],
        ids: Mapping[int, str],
        before: Mapping[int, _Before],
    ) -> dict[int, Sighting]:
        known = {old.id: old.sighting for num, old in before.items() if ids.get(num) == old.id}
        listed = [
            (ids[num], reading.hash, reading.memory)
            for num, reading in zip(numbers, readings, strict=True)
            if reading.memory is not None and valid_id(ids[num])
        ]
        noted = self._sightings.note(listed, known)
        return {num: noted[memory_id] for num, memory_id in ids.items() if memory_id in noted}

    def _refresh(self, numbers: Iterable[int]) -> None:
        lives.refresh(self._connection, numbers, self._tools.now, self._tools.limits)

    def _waiting(self) -> list[Found]:
        """Files that lost their id to another, and those whose stated id has become free."""
        free = json.dumps(sorted(self._free))
        rows = self._connection.execute(_FREED, (self._num, free))
        numbers = self._displaced | {row[0] for row in rows}
        self._free, self._displaced = set(), set()
        files = self._connection.execute(_FILES, (int_list(numbers),))
        known = map(Known._make, files)
        return [Found(row.folder, row.stamp, row) for row in known]

    def _note_digests(self, *, settled: bool) -> None:
        """Note the digests of the folders that differ; empty ones where they are not settled."""
        survey, unsettled = self._survey, self._plan.unsettled
        digests = dict.fromkeys((*survey.differing, *survey.vanished, *unsettled), b"")
        if settled:
            for folder, listing in survey.differing.items():
                digests[folder] = b"" if folder in unsettled else digest(listing)
        rows = [(self._num, folder, found) for folder, found in digests.items()]
        self._connection.executemany(_SET_DIGEST, rows)
        if settled:
            emptied = {folder for folder, listing in survey.differing.items() if not listing}
            gone = (survey.vanished | emptied) - unsettled
            self._connection.executemany(_FORGET_FOLDER, [(self._num, each) for each in gone])


_VACATE = (
    "UPDATE file SET name = '/' || num WHERE num = ?",
    "UPDATE memory SET path = '.moving/' || num WHERE num = ?",
)
_RESTAMP = "UPDATE file SET mtime_ns = ?, size = ?, inode = ? WHERE num = ?"
_SET_DIGEST = "INSERT OR REPLACE INTO folder(vault, path, digest) VALUES(?, ?, ?)"
_FORGET_FOLDER = "DELETE FROM folder WHERE vault = ? AND path = ?"
_BEFORE = """
    SELECT num, id, first_seen, tier, tier_since FROM memory
    WHERE num IN (SELECT value FROM json_each(?))"""
_FREED = """
    SELECT num FROM memory m
    WHERE vault = ?1 AND stated_id != '' AND stated_id != id AND NOT archived
        AND stated_id IN (SELECT value FROM json_each(?2))
        AND NOT EXISTS (
            SELECT 1 FROM memory h WHERE h.vault = ?1 AND h.id = m.stated_id AND NOT h.archived)"""
_FILES = """
    SELECT f.num, f.folder, f.name, f.mtime_ns, f.size, f.inode, f.hash, m.id
    FROM file f LEFT JOIN memory m ON m.num = f.num
    WHERE f.num IN (SELECT value FROM json_each(?))"""


def _entry(vault: int, num: int, reading: Reading, memory_id: str, sighting: Sighting) -> Entry:
    found = reading.found
    name, _, size, inode = found.stamp
    since = sighting.tier_since
    return Entry(
        num,
        vault,
        found.folder,
        name,
        reading.mtime_ns,
        size,
        inode,
        reading.hash,
        reading.problems,
        reading.memory,
        memory_id,
        epoch(sighting.first_seen),
        epoch(since) if since else None,
    )


def _batches(files: Iterable[Found]) -> Iterator[list[Found]]:
    """Files in batches that are neither many nor large."""
    batch: list[Found] = []
    size = 0
    for file in files:
        if batch and (len(batch) >= _BATCH_FILES or size >= _BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(file)
        size += file.stamp[2]
    if batch:
        yield batch

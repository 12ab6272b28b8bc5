"""What muninn has seen of one vault's memories: when first, with which text and which tier.

One line a memory, the last one holds. Nothing here reads a memory file.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from muninn_cli.core.memory_usage import read_instant
from muninn_cli.core.terms import Tier
from muninn_cli.core.times import rfc3339
from muninn_cli.store import log

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_TAIL_BYTES = 16_384
_COMPACT_FROM = 1000
"""Lines that are no longer the last of their memory, before a log is worth shortening."""


@dataclass(frozen=True, slots=True)
class SeenRecord:
    """`hash` is the content hash of the file; `tier` and `tier_since` as `core.tiers.noted_since`
    needs them at the next reading. `text` names the title and text last dreamed of."""

    id: str
    hash: bytes
    first_seen: datetime
    last_dreamed: datetime | None = None
    tier_since: datetime | None = None
    tier: Tier = Tier.T2
    text: str = ""


class Seen:
    """The log at `path`, which need not exist yet."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> dict[str, SeenRecord]:
        """The last record of every memory, by id; lines that cannot be understood are skipped."""
        records = map(_parsed, log.read_lines(self.path)[0])
        return {record.id: record for record in records if record is not None}

    def newest(self, now: datetime) -> datetime | None:
        """When something was last seen, of what is not later than now."""
        tail, _ = log.read_lines(self.path, max(log.size(self.path) - _TAIL_BYTES, 0))
        records = [record for line in tail if (record := _parsed(line)) is not None]
        moments = [at for each in records for at in (each.first_seen, each.last_dreamed) if at]
        return max((at for at in moments if at <= now), default=None)

    def append(self, records: Sequence[SeenRecord]) -> None:
        log.append(self.path, [_formatted(record) for record in records])

    def compact(self) -> None:
        """Leave one line a memory, where that shortens the log by much."""
        log.rewrite(self.path, _compacted)

    def erase(self, memory_id: str) -> None:
        """Take every trace of a memory out of the log."""
        mark = f'"{memory_id}"'
        log.rewrite(self.path, lambda lines: [line for line in lines if mark not in line])


def _formatted(record: SeenRecord) -> str:
    fields: dict[str, object] = {
        "v": 1,
        "id": record.id,
        "hash": record.hash.hex(),
        "first_seen": rfc3339(record.first_seen),
        "tier": record.tier,
    }
    if record.last_dreamed:
        fields["last_dreamed"] = rfc3339(record.last_dreamed)
    if record.tier_since:
        fields["tier_since"] = rfc3339(record.tier_since)
    if record.text:
        fields["text"] = record.text
    return json.dumps(fields, separators=(",", ":"))


def _parsed(line: str) -> SeenRecord | None:
    try:
        return _record(json.loads(line))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None


def _record(stored: dict[str, Any]) -> SeenRecord:
    dreamed, since = stored.get("last_dreamed"), stored.get("tier_since")
    return SeenRecord(
        id=str(stored["id"]),
        hash=bytes.fromhex(stored["hash"]),
        first_seen=read_instant(stored["first_seen"]),
        last_dreamed=read_instant(dreamed) if dreamed else None,
        tier_since=read_instant(since) if since else None,
        tier=Tier(stored.get("tier", Tier.T2)),
        text=str(stored.get("text", "")),
    )


def _compacted(lines: list[str]) -> list[str]:
    records = [record for line in lines if (record := _parsed(line)) is not None]
    last = {record.id: record for record in records}
    if len(lines) - len(last) < max(_COMPACT_FROM, len(last)):
        return lines
    return [_formatted(record) for record in last.values()]

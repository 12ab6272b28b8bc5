"""The ledger of a vault's archive: one line for each text that goes in or comes out.

Lines are only ever appended, but for `purge`. What a ledger says is not trusted: it may come with
a vault that somebody else shares, so whoever uses a path of it checks that it lies in the vault.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from muninn_cli.core.ids import short_id, valid_id
from muninn_cli.core.memory_usage import UNUSED, MemoryUsage, read_instant
from muninn_cli.core.terms import Tier
from muninn_cli.core.times import rfc3339
from muninn_cli.store import log

_ARCHIVED_NAME = re.compile(r"(?P<path>.+\.\w+)~(?P<short>[A-Za-z0-9_-]{1,8})(?:~\d+)?\.md$", re.S)
_LONGEST_NAME = 255
"""Bytes of a file name."""


class Piece(StrEnum):
    """What an archived text is: a memory, an earlier text of a living one, a merged newcomer."""

    MEMORY = "memory"
    VERSION = "version"
    INCOMING = "incoming"


class Reason(StrEnum):
    """Why a text went in, or how it came out."""

    MERGED = "merged"
    EXPIRED = "expired"
    BUDGET = "budget"
    BY_HAND = "by hand"
    REPLACED = "replaced text"
    RESTORED = "restored"
    UNDONE = "undone"
    PURGED = "purged"


OUT = frozenset({Reason.RESTORED, Reason.UNDONE, Reason.PURGED})


@dataclass(frozen=True, slots=True)
class Entry:
    """One line. `path` is where the text lives when it is live; `file` its name in the archive.

    `reason` is a `Reason`, or what a later version wrote; `into` the id that it was merged into.
    """

    at: datetime
    id: str
    path: str
    file: str
    piece: Piece
    reason: str
    into: str = ""
    run: str = ""
    usage: MemoryUsage = UNUSED
    tier: Tier = Tier.T2

    @property
    def is_out(self) -> bool:
        return self.reason in OUT


def format_entry(entry: Entry) -> str:
    """One line of JSON, without its line end."""
    return log.line_of(
        {
            "v": 1,
            "t": rfc3339(entry.at),
            "id": entry.id,
            "path": entry.path,
            "file": entry.file,
            "kind": entry.piece,
            "reason": entry.reason,
            "into": entry.into,
            "run": entry.run,
            "usage": entry.usage.as_dict(),
            "tier": entry.tier,
        }
    )


def parse_entry(line: str) -> Entry | None:
    """The entry of a line; None for anything else."""
    try:
        return _entry(json.loads(line))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None


def _entry(stored: dict[str, Any]) -> Entry | None:
    memory_id, path = str(stored["id"]), str(stored["path"])
    if not valid_id(memory_id):
        return None
    return Entry(
        at=read_instant(stored["t"]),
        id=memory_id,
        path=path,
        file=str(stored.get("file") or archived_name(path, memory_id)),
        piece=Piece(stored["kind"]),
        reason=str(stored["reason"]),
        into=str(stored.get("into") or ""),
        run=str(stored.get("run") or ""),
        usage=MemoryUsage.from_dict(stored.get("usage") or {}),
        tier=Tier(stored.get("tier") or Tier.T2),
    )


def archived_name(path: str, memory_id: str, number: int = 1) -> str:
    """The name in the archive: `<path>~<end of the id>.md`, then `~2`, `~3` … on a clash.

    A file name that would grow too long is cut; the ledger holds the whole one.
    """
    folder, slash, name = path.rpartition("/")
    mark = f"~{short_id(memory_id)}" + (f"~{number}" if number > 1 else "") + ".md"
    room = _LONGEST_NAME - len(mark.encode())
    data = name.encode(errors="surrogateescape")
    if len(data) > room:
        name = data[:room].decode(errors="ignore")
    return f"{folder}{slash}{name}{mark}"


def live_path(file: str) -> str:
    """Where an archived file without a line belongs: its name without what was added."""
    named = _ARCHIVED_NAME.fullmatch(file)
    return named["path"] if named else file

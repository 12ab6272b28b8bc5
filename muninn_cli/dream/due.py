"""The sidecar `dream.due`: a session has ended, and a dream is due at the next start.

Whatever lies there makes a dream due, also what cannot be read. Only the very file that was read
is removed: a later session may have put down another meanwhile.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muninn_cli.core.times import rfc3339
from muninn_cli.store import files

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Due:
    """A sidecar that lies there; `data` is None where it cannot be read."""

    data: bytes | None


def read_due(path: Path) -> Due | None:
    """The sidecar; None where there is none."""
    try:
        return Due(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError:
        return Due(None)


def write_due(path: Path, now: datetime, mark: str) -> None:
    """Say that a dream is due; `mark` tells this end of a session from every other."""
    if path.is_dir():
        return  # somebody put a folder there: that makes a dream due as well
    files.write(path, json.dumps({"v": 1, "t": rfc3339(now), "mark": mark}).encode() + b"\n")


def remove_due(path: Path, due: Due) -> bool:
    """Remove the sidecar that was read; returns whether none is left."""
    if due.data is not None and read_due(path) == due:
        files.remove(path)
    return read_due(path) is None

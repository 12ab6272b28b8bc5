"""Locks: one muninn at a time, by an OS lock on an open file, which no dead process can hold.

The notes inside the file are for people: they name the holder. The file is never removed, since
another process may be waiting on it.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.times import parse_time, rfc3339
from muninn_cli.errors import BusyError
from muninn_cli.store import files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

FOREIGN_HOLD = timedelta(hours=1)
"""How long the note of another host is believed: its lock may not show through a shared folder."""
_PAUSE = 0.05
"""Seconds between two attempts."""
_NOTES_BYTES = 4096


class Taken(NamedTuple):
    """A lock that is held; `notice` says whose leftover it took over, or is empty."""

    notice: str = ""


class _Notes(NamedTuple):
    """What a holder wrote into the file; `since` as written."""

    host: str
    pid: str
    since: str

    def __str__(self) -> str:
        if not self.host:
            return f"somebody who noted {self.since!r}"
        return f"process {self.pid} on {self.host} since {self.since}"


class Look(NamedTuple):
    """A lock as it is now: whether a process holds it, and who noted himself in it, or empty."""

    held: bool
    noted: str


def look(path: Path) -> Look:
    """Look at a lock without taking it or writing anything."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return Look(held=False, noted="")
    try:
        notes = _read(handle)
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return Look(held=False, noted=str(notes) if notes else "")
    except BlockingIOError:
        return Look(held=True, noted=str(notes) if notes else "")
    finally:
        os.close(handle)


@contextmanager
def hold(path: Path, *, now: datetime, host: str, pid: int, wait: float = 0.0) -> Iterator[Taken]:
    """Hold the lock of this file, waiting at most `wait` seconds for it; its folder is made.

    A free lock is taken whatever its notes say, but for the note of another host that is younger
    than FOREIGN_HOLD. Raises BusyError, which names the holder.
    """
    with files.named(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        with files.named(path):
            locked = _locked(handle, wait)
        if not locked:
            raise _busy(path, _read(handle))
        left = _read(handle)
        if left and left.host not in ("", host) and _is_fresh(left, now):
            raise _busy(path, left, f"or until an hour after it began: then {path.name} is free")
        _write(handle, {"host": host, "pid": pid, "since": rfc3339(now)})
        try:
            yield Taken(f"took over a lock left by {left}: {path.name}" if left else "")
        finally:
            os.ftruncate(handle, 0)
    finally:
        os.close(handle)


def _locked(handle: int, wait: float) -> bool:
    deadline = time.monotonic() + wait
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_PAUSE)


def _read(handle: int) -> _Notes | None:
    """The notes in a lock file; None where there are none."""
    text = os.pread(handle, _NOTES_BYTES, 0).decode(errors="replace").strip()
    if not text:
        return None
    try:
        notes = json.loads(text)
        return _Notes(str(notes["host"]), str(notes["pid"]), str(notes["since"]))
    except (ValueError, TypeError, KeyError, RecursionError):
        return _Notes("", "", text[:40])


def _is_fresh(notes: _Notes, now: datetime) -> bool:
    since = parse_time(notes.since)
    return since is not None and abs(now - since.instant) < FOREIGN_HOLD


def _write(handle: int, notes: dict[str, str | int]) -> None:
    with suppress(OSError):  # a full disk does not undo the lock
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps(notes).encode(), 0)


def _busy(path: Path, holder: _Notes | None, or_until: str = "then try again") -> BusyError:
    named = f"held by {holder}" if holder else "held by another process"
    return BusyError(f"busy: {path.name} is {named}", f"wait until it ends, {or_until}")

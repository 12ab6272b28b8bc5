"""What is to be done with the files of one vault: which to read, and which rows they continue.

Reads files to hash them where one may have moved; writes nothing.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.listing import A_HANDFUL, diff, pair_moves, too_many_gone
from muninn_cli.core.naming import is_skipped_name
from muninn_cli.store.files import content_hash
from muninn_cli.store.index.schema import UNSETTLED
from muninn_cli.store.vault import ARCHIVE
from muninn_cli.store.walk import is_archived

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from muninn_cli.core.listing import Stamp
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.sync.survey import Survey

_FINE_GRAIN = 20_000_000
_COARSE_GRAIN = 2_000_000_000
"""Nanoseconds in which two changes of a file may carry the same time: a tick of the kernel, or
what a file system keeps that knows whole seconds only."""


class TooManyGoneError(Exception):
    """More than half of a vault's files vanished at once."""

    def __init__(self, gone: int, known: int) -> None:
        super().__init__(f"{gone} of {known} files are gone at once")


class Known(NamedTuple):
    """A file as the index knows it; `id` is its memory's, None where it has none."""

    num: int
    folder: str
    name: str
    mtime_ns: int
    size: int
    inode: int
    hash: bytes
    id: str | None

    @property
    def path(self) -> str:
        return join(self.folder, self.name)

    @property
    def stamp(self) -> Stamp:
        return (self.name, self.mtime_ns, self.size, self.inode)


class Found(NamedTuple):
    """A file to read; `row` is the known file that it continues, None for a new one."""

    folder: str
    stamp: Stamp
    row: Known | None

    @property
    def path(self) -> str:
        return join(self.folder, self.stamp[0])


@dataclass(slots=True)
class Plan:
    """What to do with the files of a vault, in this order.

    `remove` and `vacate` are rows: of files that are gone, and of files that leave their name to
    another. `restamp` are rows whose file has the same content and another stamp. `ids` are the
    ids that paths held, `unsettled` folders to be looked at again next time, `nameless` paths
    that stand for names which are no Unicode.
    """

    remove: list[Known] = field(default_factory=list)
    vacate: list[Known] = field(default_factory=list)
    restamp: list[tuple[Known, Stamp]] = field(default_factory=list)
    read: list[Found] = field(default_factory=list)
    ids: dict[str, str | None] = field(default_factory=dict)
    unsettled: set[str] = field(default_factory=set)
    nameless: set[str] = field(default_factory=set)
    added: int = 0
    changed: int = 0
    moved: int = 0

    @property
    def writes_rows(self) -> bool:
        """Whether anything but stamps of folders changes."""
        return bool(self.remove or self.restamp or self.read)


@dataclass(frozen=True, slots=True)
class _Changes:
    """New files and files with another stamp, by path; rows of files that are gone."""

    appeared: dict[str, Found] = field(default_factory=dict)
    restamped: dict[str, Found] = field(default_factory=dict)
    vanished: dict[str, Known] = field(default_factory=dict)


def join(folder: str, name: str) -> str:
    """The path of a file below the root."""
    return f"{folder}/{name}" if folder else name


def settled_mtime(mtime_ns: int) -> int:
    """The mtime to note of a file about to be read: UNSETTLED if it may yet change without a trace.

    The clock is that of the files, not that of the memories.
    """
    grain = _FINE_GRAIN if mtime_ns % 1_000_000_000 else _COARSE_GRAIN
    return UNSETTLED if abs(time.time_ns() - mtime_ns) < grain else mtime_ns


def make_plan(connection: Connection, survey: Survey, vault: int, *, accept_losses: bool) -> Plan:
    """Compare the folders that differ with their rows. Raises TooManyGoneError."""
    plan = Plan()
    changes = _compare(connection, survey, vault, plan)
    hashes = _Hashes(survey.vault.root, plan)
    rewritten = hashes.rewritten(changes.restamped)
    moves = hashes.moves(changes, rewritten)
    sources = set(moves.values())
    gone = [row for path, row in changes.vanished.items() if path not in sources]
    if not accept_losses:
        _refuse_losses(connection, vault, gone)
    rows = changes.vanished | {path: file.row for path, file in rewritten.items() if file.row}
    plan.remove = gone + [rows[path] for path in moves if path in rewritten and path not in sources]
    plan.vacate = [rows[path] for path in sources]
    wanted = changes.appeared | rewritten
    plan.read = [
        wanted[path]._replace(row=rows.get(moves.get(path, path))) for path in sorted(wanted)
    ]
    plan.added = len(changes.appeared.keys() - moves.keys())
    plan.changed = len(rewritten.keys() - moves.keys())
    plan.moved = len(moves)
    return plan


def _compare(connection: Connection, survey: Survey, vault: int, plan: Plan) -> _Changes:
    changes = _Changes()
    for folder in sorted(survey.differing.keys() | survey.vanished):
        rows = {row.name: row for row in _rows(connection, vault, folder)}
        plan.ids.update((row.path, row.id) for row in rows.values())
        listing = _memory_files(folder, survey.differing.get(folder, ()), plan)
        difference = diff((row.stamp for row in rows.values()), listing)
        for stamp in difference.appeared:
            changes.appeared[join(folder, stamp[0])] = Found(folder, stamp, None)
        for stamp in difference.restamped:
            changes.restamped[join(folder, stamp[0])] = Found(folder, stamp, rows[stamp[0]])
        for name in difference.vanished:
            changes.vanished[join(folder, name)] = rows[name]
    return changes


def _rows(connection: Connection, vault: int, folder: str) -> Iterator[Known]:
    query = """
        SELECT f.num, f.folder, f.name, f.mtime_ns, f.size, f.inode, f.hash, m.id
        FROM file f LEFT JOIN memory m ON m.num = f.num
        WHERE f.vault = ? AND f.folder = ?"""
    return map(Known._make, connection.execute(query, (vault, folder)))


def _memory_files(folder: str, listing: Iterable[Stamp], plan: Plan) -> Iterator[Stamp]:
    """The files that are no leftovers; names that are no Unicode in a form that can be stored."""
    for stamp in listing:
        name = stamp[0].encode(errors="backslashreplace").decode()
        if name != stamp[0]:
            plan.nameless.add(join(folder, name))
        if not is_skipped_name(name):
            yield (name, *stamp[1:])


@dataclass(frozen=True, slots=True)
class _Hashes:
    """Content hashes of files that may be old ones under another name or stamp."""

    root: Path
    plan: Plan

    def rewritten(self, restamped: Mapping[str, Found]) -> dict[str, Found]:
        """Those whose content is another; the others only get their new stamp."""
        found: dict[str, Found] = {}
        for path, file in restamped.items():
            mtime = settled_mtime(file.stamp[1])  # as it is before the file is read
            content = self._hash(path)
            if content is None:
                self.plan.unsettled.add(file.folder)
            elif file.row is None or not content or content != file.row.hash:
                found[path] = file
            else:
                if mtime == UNSETTLED:
                    self.plan.unsettled.add(file.folder)
                name, _, size, inode = file.stamp
                self.plan.restamp.append((file.row, (name, mtime, size, inode)))
        return found

    def moves(self, changes: _Changes, rewritten: Mapping[str, Found]) -> dict[str, str]:
        """New path -> old path. Only files with the size of a lost one are read."""
        lost = dict(changes.vanished)
        lost |= {path: file.row for path, file in rewritten.items() if file.row}
        sizes = {row.size for row in lost.values()}
        new = rewritten if not changes.vanished else {**changes.appeared, **rewritten}
        gained = {
            path: (self._hash(path) or b"") if file.stamp[2] in sizes else b""
            for path, file in new.items()
        }
        return pair_moves({path: row.hash for path, row in lost.items() if row.hash}, gained)

    def _hash(self, path: str) -> bytes | None:
        """The content hash; empty where it cannot be read, None where there is no file any more."""
        if path in self.plan.nameless:
            return b""
        try:
            return content_hash((self.root / path).read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError:
            return b""


def _refuse_losses(connection: Connection, vault: int, gone: Sequence[Known]) -> None:
    lost = sum(not is_archived(row.folder) for row in gone)
    if lost > A_HANDFUL:
        query = "SELECT count(*) FROM file WHERE vault = ? AND NOT folder GLOB ?"
        known = connection.value(query, (vault, f"{ARCHIVE}*"))
        if too_many_gone(known, lost):
            raise TooManyGoneError(lost, known)

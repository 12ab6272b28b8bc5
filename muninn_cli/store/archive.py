"""The archive of a vault: texts moved out of sight, unchanged, and back.

Nothing here destroys a text but `erase`, which `purge` calls. A file is moved before the ledger
says so: a file without a line is archived, and a crash in between loses nothing. Nothing comes
back over a live file.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from muninn_cli.core.ids import derived_id
from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import Unreadable, read
from muninn_cli.core.times import from_epoch
from muninn_cli.errors import ConflictError, MuninnError, NotFoundError, UsageError
from muninn_cli.store import files, log
from muninn_cli.store.ledger import (
    Entry,
    Piece,
    Reason,
    archived_name,
    format_entry,
    live_path,
    parse_entry,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

    from muninn_cli.store.vault import Vault


@dataclass(frozen=True, slots=True)
class Kept:
    """One archived text, and the handle by which a person names it: `id`, or `id~n`."""

    entry: Entry
    handle: str


class VaultArchive:
    """The archive of one vault; paths and names are relative, with `/`."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def place(self, file: str) -> Path:
        """Where an archived file lies."""
        return _inside(self._vault.archive, file)

    def live_place(self, path: str) -> Path:
        """Where a live file lies or would lie. Raises UsageError outside the vault."""
        place = _inside(self._vault.root, path)
        if any(part.startswith(".") for part in PurePosixPath(path).parts):
            raise UsageError(f"{path!r} would be hidden: no part of it may begin with a dot")
        if place.suffix.lower() != ".md":
            raise UsageError(f"{path!r} is not the path of a memory: it must end in .md")
        return place

    def ledger(self) -> list[Entry]:
        """Every line, oldest first; lines that cannot be understood are skipped."""
        lines, _ = log.read_lines(self._vault.ledger)
        return [entry for line in lines if (entry := parse_entry(line)) is not None]

    def kept(self) -> list[Kept]:
        """What lies in the archive now, oldest line first, then the files without a line."""
        on_disk = set(self._files())
        kept: dict[str, Kept] = {}
        versions: dict[str, int] = {}
        for entry in self.ledger():
            if entry.is_out:
                kept.pop(entry.file, None)
                continue
            if entry.piece is Piece.VERSION:
                versions[entry.id] = versions.get(entry.id, 0) + 1
            if entry.file in on_disk:
                number = versions[entry.id] if entry.piece is Piece.VERSION else 0
                kept[entry.file] = Kept(entry, f"{entry.id}~{number}" if number else entry.id)
        unnoted = [self._unnoted(file) for file in sorted(on_disk - kept.keys())]
        return [*kept.values(), *(Kept(entry, entry.id) for entry in unnoted)]

    def lost(self) -> list[Entry]:
        """What lies in the archive by the ledger, and does not."""
        on_disk = set(self._files())
        last = {entry.file: entry for entry in self.ledger()}
        return [entry for entry in last.values() if not entry.is_out and entry.file not in on_disk]

    def entry_of(self, file: str) -> Entry:
        """What is known of an archived file. Raises NotFoundError where there is none."""
        found = next((kept.entry for kept in self.kept() if kept.entry.file == file), None)
        if found is None:
            raise NotFoundError(f"nothing is archived as {file}", "muninn archive list")
        return found

    def free_name(self, path: str, memory_id: str, taken: Collection[str] = ()) -> str:
        """The name that a text would get in the archive, of those neither there nor `taken`."""
        number = 1
        while True:
            name = archived_name(path, memory_id, number)
            if name not in taken and not self.place(name).exists():
                return name
            number += 1

    def store(self, entry: Entry, expected: bytes) -> None:
        """Move a live file in. Raises ConflictError where its content hash is another by now."""
        source = self.live_place(entry.path)
        if _hash_of(source) != expected:
            raise ConflictError(f"the file has changed since it was read: {source}", "try again")
        files.move(source, self.place(entry.file))
        with self._taken_back(self.place(entry.file), source):
            self.note(entry)

    def keep(self, entry: Entry, data: bytes) -> None:
        """Put a text in that is not a live file: a version, or a newcomer that was merged."""
        files.create_at(self.place(entry.file), data)
        self.note(entry)

    def restore(self, entry: Entry, path: str, now: datetime, reason: Reason) -> None:
        """Move a text back to `path`. Raises ConflictError, with both paths, where that is taken.

        Where the very same bytes are live there already, only the archived copy goes.
        """
        source, target = self.place(entry.file), self.live_place(path)
        out = replace(entry, at=now, path=path, reason=reason, run="")
        if target.exists() or target.is_symlink():
            if _hash_of(target) != _hash_of(source):
                raise ConflictError(
                    f"{target} is taken; {source} stays archived",
                    "choose another place with --to PATH",
                )
            files.remove(source)
            self.note(out)
            return
        files.move(source, target)
        with self._taken_back(target, source):
            self.note(out)

    def note(self, entry: Entry) -> None:
        log.append(self._vault.ledger, [format_entry(entry)])

    @staticmethod
    @contextmanager
    def _taken_back(now_at: Path, was_at: Path) -> Iterator[None]:
        """Move a file back where that cannot be noted: what fails has done nothing."""
        try:
            yield
        except MuninnError:
            files.move(now_at, was_at)
            raise

    def settle_doubles(self, live: Mapping[str, str], now: datetime) -> list[str]:
        """Drop archived copies of live memories where the bytes are equal; returns their names.

        `live` gives the path of every live memory by its id.
        """
        removed: list[str] = []
        for kept in self.kept():
            entry = kept.entry
            path = live.get(entry.id)
            if entry.piece is not Piece.MEMORY or path is None:
                continue
            if _hash_of(self.place(entry.file)) == _hash_of(self.live_place(path)):
                self.restore(entry, path, now, Reason.RESTORED)
                removed.append(entry.file)
        return removed

    def erase(self, memory_id: str, now: datetime) -> list[str]:
        """Destroy a memory's archived texts (also versions, and newcomers merged into it).

        Its ledger lines go too, since paths tell titles; one line without a path stays. Returns
        the names of the files that are gone.
        """
        gone = [kept.entry for kept in self.kept() if _belongs(kept.entry, memory_id)]
        for entry in gone:
            files.remove(self.place(entry.file))
        log.rewrite(self._vault.ledger, lambda lines: _without(lines, memory_id))
        self.note(Entry(now, memory_id, "", "", Piece.MEMORY, Reason.PURGED))
        return [entry.file for entry in gone]

    def _files(self) -> Iterator[str]:
        base = self._vault.archive
        for path in base.rglob("*.md"):
            if path.is_file() and not path.name.startswith("."):
                yield path.relative_to(base).as_posix()

    def _unnoted(self, file: str) -> Entry:
        """A file without a line: archived all the same, by a crash or by hand."""
        path = live_path(file)
        memory: Memory | Unreadable = Unreadable("")
        with suppress(OSError):
            memory = read(self.place(file).read_bytes(), path, self._vault.id_name)
        if isinstance(memory, Unreadable):
            memory = Memory(derived_id(self._vault.id_name, path), path, "")
        return Entry(from_epoch(0), memory.id, path, file, Piece.MEMORY, "", tier=memory.tier)


def _inside(base: Path, path: str) -> Path:
    """`base / path`. Raises UsageError where that leads out of `base`."""
    parts = PurePosixPath(path).parts
    place = base.joinpath(*parts)
    leads_out = path.startswith("/") or ".." in parts or not parts
    if leads_out or not place.parent.resolve().is_relative_to(base.resolve()):
        raise UsageError(f"{path!r} leads out of {base}")
    return place


def _hash_of(place: Path) -> bytes | None:
    """The content hash of a file; None where there is none."""
    return files.content_hash(place.read_bytes()) if place.is_file() else None


def _belongs(entry: Entry, memory_id: str) -> bool:
    return entry.id == memory_id or (entry.piece is Piece.INCOMING and entry.into == memory_id)


def _without(lines: list[str], memory_id: str) -> list[str]:
    """The lines that say nothing of a memory but its id."""
    entries = map(parse_entry, lines)
    return [
        line
        for line, entry in zip(lines, entries, strict=True)
        if not (_belongs(entry, memory_id) if entry else f'"{memory_id}"' in line)
    ]

"""The steps of a run: what each does to a vault, how it is written down, and how it is reversed.

A step only acts on the file that its plan saw, and is only reversed while the file is the one it
left; whatever a person changed since stays, and is named. Reversing twice is reversing once.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from muninn_cli.store import files
from muninn_cli.store.archive import VaultArchive
from muninn_cli.store.ledger import Entry, Reason

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from muninn_cli.core.usage import Event
    from muninn_cli.store.vault import Vault


@dataclass(frozen=True, slots=True)
class EditFile:
    """Put `data` in place of the live file whose content hash is `old`."""

    vault: str
    id: str
    path: str
    old: bytes
    data: bytes


@dataclass(frozen=True, slots=True)
class CreateFile:
    """A new live file at exactly `path`."""

    vault: str
    id: str
    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class ArchiveFile:
    """Move the live file `entry.path`, whose content hash is `old`, into the archive.

    The entry's `file` and `run` are filled in by the run.
    """

    vault: str
    entry: Entry
    old: bytes


@dataclass(frozen=True, slots=True)
class ArchiveText:
    """Put a text into the archive that is no live file: a version, or a merged newcomer."""

    vault: str
    entry: Entry
    data: bytes


Step = EditFile | CreateFile | ArchiveFile | ArchiveText


@dataclass(frozen=True, slots=True)
class Batch:
    """Steps that happen all or not at all, and the usage events that come with them.

    `name` tells people which batch it was; it holds ids, never a text. Events are pairs of a
    vault's id and an event, whose `run` is filled in.
    """

    name: str
    steps: tuple[Step, ...]
    events: tuple[tuple[str, Event], ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """A step as its run's plan keeps it: places and content hashes (hex), never a text."""

    number: int
    kind: Literal["edit", "create", "archive", "text"]
    vault: str
    id: str
    path: str
    file: str = ""
    old: str = ""
    new: str = ""

    def as_dict(self) -> dict[str, object]:
        return {key: value for key, value in asdict(self).items() if value != ""}

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> Record:
        return cls(**stored)

    @property
    def places(self) -> frozenset[tuple[str, str, str]]:
        """The files a step is about, so that two runs can be compared."""
        live = {(self.vault, "live", self.path)} if self.kind != "text" else set()
        return frozenset(live | ({(self.vault, "archived", self.file)} if self.file else set()))


def record(number: int, step: Step) -> Record:
    """The step as a plan keeps it."""
    match step:
        case EditFile(vault=vault, id=memory_id, path=path, old=old, data=data):
            hashes = old.hex(), files.content_hash(data).hex()
            return Record(number, "edit", vault, memory_id, path, "", *hashes)
        case CreateFile(vault=vault, id=memory_id, path=path, data=data):
            new = files.content_hash(data).hex()
            return Record(number, "create", vault, memory_id, path, new=new)
        case ArchiveFile(vault=vault, entry=entry, old=old):
            return Record(number, "archive", vault, entry.id, entry.path, entry.file, old.hex())
        case ArchiveText(vault=vault, entry=entry, data=data):
            new = files.content_hash(data).hex()
            return Record(number, "text", vault, entry.id, entry.path, entry.file, new=new)


def act(step: Step, vault: Vault) -> None:
    """Carry a step out. Raises ConflictError where a file is not the one the plan saw."""
    archive = VaultArchive(vault)
    match step:
        case EditFile(path=path, old=old, data=data):
            files.replace(archive.live_place(path), data, old)
        case CreateFile(path=path, data=data):
            files.create_at(archive.live_place(path), data)
        case ArchiveFile(entry=entry, old=old):
            archive.store(entry, old)
        case ArchiveText(entry=entry, data=data):
            archive.keep(entry, data)


class Reversal:
    """Reverses steps of one run in one vault.

    `before` holds the before-images by number; `after` gets what a reversal takes away.
    """

    def __init__(self, vault: Vault, folder: Path, run: str, now: datetime) -> None:
        self._archive = VaultArchive(vault)
        self._before = folder / "before"
        self._after = folder / "after"
        self._run = run
        self._now = now

    def reverse(self, done: Record) -> str:
        """Bring back what was there; returns why a file was left as it is, or an empty text."""
        match done.kind:
            case "edit":
                return self._edit(done)
            case "create":
                return self._remove(self._archive.live_place(done.path), done)
            case "archive":
                return self._archived(done)
            case "text":
                why = self._remove(self._archive.place(done.file), done)
                return why or self._note(done)

    @cached_property
    def _archived_as(self) -> dict[str, Entry]:
        """The last line of the ledger for every file, by its name in the archive."""
        return {entry.file: entry for entry in self._archive.ledger()}

    def _edit(self, done: Record) -> str:
        place = self._archive.live_place(done.path)
        image = self._before / str(done.number)
        if not place.exists():
            return "it is gone"
        data = place.read_bytes()
        if _hex(data) == done.old:
            return ""
        if _hex(data) != done.new:
            return "it was changed since"
        if not image.exists():
            return "its earlier text was purged"
        files.write(self._after / str(done.number), data)
        files.replace(place, image.read_bytes(), bytes.fromhex(done.new))
        return ""

    def _remove(self, place: Path, done: Record) -> str:
        """Take away a file that the run made; it stays in the run's folder."""
        if not place.exists():
            return ""
        data = place.read_bytes()
        if _hex(data) != done.new:
            return "it was changed since"
        files.write(self._after / str(done.number), data)
        files.remove(place)
        return ""

    def _archived(self, done: Record) -> str:
        archived, live = self._archive.place(done.file), self._archive.live_place(done.path)
        if not archived.exists():
            return "" if live.exists() else "its archived file is gone"
        if _hex(archived.read_bytes()) != done.old:
            return "its archived file was changed since"
        if not live.exists():
            files.move(archived, live)
        elif _hex(live.read_bytes()) == done.old:
            files.remove(archived)
        else:
            return "its place is taken by another file"
        return self._note(done)

    def _note(self, done: Record) -> str:
        """Let the ledger say that the file came out, where it says that it went in."""
        last = self._archived_as.get(done.file)
        if last and not last.is_out:
            out = replace(last, at=self._now, reason=Reason.UNDONE, run=self._run)
            self._archive.note(out)
            self._archived_as[done.file] = out
        return ""


def _hex(data: bytes) -> str:
    return files.content_hash(data).hex()

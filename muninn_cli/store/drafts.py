"""A run before it begins: its steps numbered, checked against the disk, before-images saved.

Nothing in a vault is touched here.
"""

from __future__ import annotations

import errno
from dataclasses import replace
from typing import TYPE_CHECKING

from muninn_cli.errors import ConflictError, MuninnError, NotFoundError, UsageError
from muninn_cli.store import files
from muninn_cli.store.archive import VaultArchive
from muninn_cli.store.run_folder import Left, RunFolder
from muninn_cli.store.steps import (
    ArchiveFile,
    ArchiveText,
    Batch,
    CreateFile,
    EditFile,
    Record,
    Step,
    record,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from pathlib import Path

    from muninn_cli.store.ledger import Entry
    from muninn_cli.store.vault import Vault

_OF_THE_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO})


def is_about_one_file(error: MuninnError) -> bool:
    """Whether a failure concerns one file, so that the other batches can go on."""
    cause = error.__cause__
    if isinstance(cause, OSError):
        return cause.errno not in _OF_THE_DISK
    return isinstance(error, ConflictError | NotFoundError | UsageError)


class Draft:
    """The batches that can be carried out, and those dropped because a file is another by now.

    Files are looked at as the batches before would leave them.
    """

    def __init__(self, folder: RunFolder, vaults: Mapping[str, Vault], now: datetime) -> None:
        self.ready: list[tuple[Batch, list[tuple[Record, Step]]]] = []
        self.dropped: list[Left] = []
        self._folder = folder
        self._archives = {vault_id: VaultArchive(vault) for vault_id, vault in vaults.items()}
        self._now = now
        self._planned: dict[Path, bytes | None] = {}
        self._names: set[str] = set()
        self._number = 0

    @property
    def records(self) -> tuple[Record, ...]:
        return tuple(each for _, steps in self.ready for each, _ in steps)

    @property
    def usage(self) -> tuple[str, ...]:
        """The vaults whose usage logs get events."""
        return tuple(sorted({vault for batch, _ in self.ready for vault, _ in batch.events}))

    def add(self, batch: Batch) -> None:
        """Number and check a batch; it is dropped whole where one of its files is another."""
        before = dict(self._planned)
        try:
            steps = [self._checked(step) for step in batch.steps]
        except MuninnError as error:
            if not is_about_one_file(error):
                raise
            self._planned = before
            self.dropped.append(Left(batch.name, error.message))
            return
        self.ready.append((batch, steps))

    def _checked(self, step: Step) -> tuple[Record, Step]:
        self._number += 1
        archive = self._archives.get(step.vault)
        if archive is None:
            raise NotFoundError("its vault is no longer on the list")
        match step:
            case EditFile(path=path, old=old, data=data):
                place = archive.live_place(path)
                self._folder.save_image(self._number, self._required(place, old))
                self._planned[place] = data
            case CreateFile(path=path, data=data):
                place = archive.live_place(path)
                if self._read(place) is not None:
                    raise ConflictError(f"there is a file already: {place}")
                self._planned[place] = data
            case ArchiveFile(entry=entry, old=old):
                place = archive.live_place(entry.path)
                self._required(place, old)
                self._planned[place] = None
                step = replace(step, entry=self._filed(archive, entry))
            case ArchiveText(entry=entry):
                step = replace(step, entry=self._filed(archive, entry))
        return record(self._number, step), step

    def _filed(self, archive: VaultArchive, entry: Entry) -> Entry:
        file = archive.free_name(entry.path, entry.id, self._names)
        self._names.add(file)
        return replace(entry, at=self._now, file=file, run=self._folder.id)

    def _required(self, place: Path, old: bytes) -> bytes:
        data = self._read(place)
        if data is None:
            raise ConflictError(f"the file is gone: {place}")
        if files.content_hash(data) != old:
            raise ConflictError(f"the file has changed since it was read: {place}")
        return data

    def _read(self, place: Path) -> bytes | None:
        if place in self._planned:
            return self._planned[place]
        try:
            return place.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise MuninnError(f"cannot read {place}: {error.strerror}") from error

"""Carrying memories out of their vaults: as records, or as the files they are.

Files are carried byte for byte. Nothing in a vault or in the state is changed, and nothing that
stands at the destination is written over.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.records import MANIFEST, Carried, Record, Shelved
from muninn_cli.core.times import epoch
from muninn_cli.core.usage import VaultUsage, fold
from muninn_cli.errors import ConflictError, MuninnError, NotFoundError, UsageError
from muninn_cli.store import files
from muninn_cli.store.archive import VaultArchive
from muninn_cli.store.index.filters import State
from muninn_cli.store.index.rows import newest_rows
from muninn_cli.store.reading import opened
from muninn_cli.store.registry import overlap
from muninn_cli.store.usage import UsageLog
from muninn_cli.store.vault import checked_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from muninn_cli.core.memory import Memory
    from muninn_cli.paths import Home
    from muninn_cli.recall.query import Tools
    from muninn_cli.store.index.filters import Filters
    from muninn_cli.store.index.rows import Row
    from muninn_cli.store.ledger import Entry
    from muninn_cli.store.vault import Vault


class Outgoing(NamedTuple):
    """One memory on its way out; `place` is its file's path below the vault's root."""

    record: Record
    memory: Memory
    state: State
    place: str


class Missed(NamedTuple):
    """A memory that could not be carried out, and why."""

    name: str
    why: str


def outgoing(
    filters: Filters, vaults: Sequence[Vault], home: Home, tools: Tools
) -> Iterator[Outgoing | Missed]:
    """The memories that pass the filters, newest first, with their files and their usage."""
    by_id = {vault.id: vault for vault in vaults}

    @cache
    def usage(vault_id: str) -> _Usage:
        return _Usage.of(home, vault_id, tools)

    @cache
    def archive(vault_id: str) -> dict[str, Entry]:
        kept = VaultArchive(by_id[vault_id]).kept()
        return {each.entry.file: each.entry for each in kept}

    for row in newest_rows(tools.connection, filters, now=epoch(tools.now)):
        vault = by_id[row.vault_id]
        try:
            yield _outgoing(row, vault, usage(row.vault_id), archive)
        except MuninnError as error:
            yield Missed(f"{vault.name}/{row.path}", error.message)


def write_files(pieces: Iterable[Outgoing], folder: Path) -> None:
    """Write each memory's file to `<folder>/<vault>/<path>`; a whole export has a manifest.

    Raises ConflictError where the folder holds something already.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConflictError(f"{folder} is there already", "name a folder that is new or empty")
    names: set[str] = set()
    for piece in pieces:
        names.add(name := checked_name(piece.record.vault))
        files.create_at(folder / name / piece.place, piece.record.data)
    manifest = {"v": 1, "vaults": sorted(names)}
    files.create_at(folder / MANIFEST, json.dumps(manifest, ensure_ascii=False).encode() + b"\n")


def refuse_vaults(place: Path, vaults: Iterable[Vault]) -> None:
    """Raises UsageError for a place in a vault: what is written there would be remembered."""
    for vault in vaults:
        if overlap(place, vault.root):
            message = f"{place} overlaps the vault {vault.name}: the copies would be memories"
            raise UsageError(message, "name a folder outside of it")


class _Usage(NamedTuple):
    """The usage of one vault, and its associations by each of their two ids."""

    known: VaultUsage
    pairs: dict[str, Carried]

    @classmethod
    def of(cls, home: Home, vault_id: str, tools: Tools) -> _Usage:
        events, _ = UsageLog(home.usage(vault_id)).read()
        known = fold(VaultUsage(), events, tools.now)
        pairs: dict[str, Carried] = {}
        for (a, b), association in known.associations.items():
            for one, other in ((a, b), (b, a)):
                before = pairs.get(one, Carried()).associations
                pairs[one] = Carried(associations=(*before, (other, association)))
        return cls(known, pairs)

    def carried(self, memory_id: str) -> Carried:
        pairs = self.pairs.get(memory_id, Carried()).associations
        return Carried(self.known.of(memory_id), pairs)


def _outgoing(
    row: Row, vault: Vault, usage: _Usage, archive: Callable[[str], dict[str, Entry]]
) -> Outgoing:
    found = opened(row, vault)
    memory_id, path, shelved = row.id, row.path, None
    carried = usage.carried(row.id)
    if row.state is State.ARCHIVED:
        entry = archive(vault.id).get(found.place.relative_to(vault.archive).as_posix())
        if entry is None:
            raise NotFoundError(f"{found.place} has just gone")
        memory_id, path = entry.id, entry.path
        shelved = Shelved(entry.at, entry.piece.value, str(entry.reason), entry.into)
        carried = Carried(entry.usage)
    record = Record(memory_id, vault.name, path, found.data, carried, shelved)
    return Outgoing(record, found.memory._replace(title=row.title), row.state, row.path)

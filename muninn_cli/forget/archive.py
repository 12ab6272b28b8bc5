"""Archiving one memory by hand, and bringing an archived text back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from muninn_cli.core.events import Recall, Summary
from muninn_cli.core.memory_usage import UNUSED
from muninn_cli.errors import ConflictError
from muninn_cli.store.archive import VaultArchive
from muninn_cli.store.files import content_hash
from muninn_cli.store.ledger import Entry, Piece, Reason
from muninn_cli.store.vault import ARCHIVE, LEDGER

if TYPE_CHECKING:
    from datetime import datetime

    from muninn_cli.core.usage import MemoryUsage
    from muninn_cli.store.reading import Opened
    from muninn_cli.store.usage import UsageLog
    from muninn_cli.store.vault import Vault


@dataclass(frozen=True, slots=True)
class Moved:
    """A text that went into the archive or came out: its id, live path and archived name."""

    id: str
    path: str
    file: str

    @property
    def paths(self) -> tuple[str, ...]:
        """What was written, relative to the vault."""
        return (self.path, f"{ARCHIVE}/{self.file}", LEDGER)


def archive(opened: Opened, path: str, usage: MemoryUsage, vault: Vault, now: datetime) -> Moved:
    """Move a live memory out of sight. Raises ConflictError where the file has just changed."""
    memory, vault_archive = opened.memory, VaultArchive(vault)
    file = vault_archive.free_name(path, memory.id)
    entry = Entry(
        now, memory.id, path, file, Piece.MEMORY, Reason.BY_HAND, usage=usage, tier=memory.tier
    )
    vault_archive.store(entry, content_hash(opened.data))
    return Moved(memory.id, path, file)


def restore(
    file: str, vault: Vault, usage: UsageLog, now: datetime, *, live: str | None, to: str | None
) -> Moved:
    """Bring an archived text back to where it was, or to the path `to`; its usage comes back too.

    `live` is the path of a live memory with the same id, if there is one. To restore is to ask
    for the memory: its clock starts again. Raises ConflictError, with both paths, where the place
    or the id is taken.
    """
    vault_archive = VaultArchive(vault)
    entry = vault_archive.entry_of(file)
    path = to or entry.path
    if live not in (None, path) and to is None:
        raise ConflictError(
            f"{entry.id} is live as {live}; {ARCHIVE}/{file} stays archived",
            "choose a place for a second copy with --to PATH",
        )
    vault_archive.restore(entry, path, now, Reason.RESTORED)
    if entry.usage != UNUSED:
        usage.append(Summary(now, entry.id, entry.usage))
    usage.append(Recall(now, ((entry.id, 1.0),), "restore"))
    return Moved(entry.id, path, file)

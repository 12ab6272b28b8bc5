"""Checks of archives: whether everything in them can be restored, and nothing is there twice."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from muninn_cli.doctor.finding import Finding
from muninn_cli.errors import UsageError
from muninn_cli.store import log
from muninn_cli.store.archive import VaultArchive
from muninn_cli.store.ledger import Piece, Reason, parse_entry
from muninn_cli.store.walk import ARCHIVE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from muninn_cli.app import App
    from muninn_cli.doctor.checkup import Checkup, MemoryFile, VaultFiles
    from muninn_cli.store.archive import Kept
    from muninn_cli.store.vault import Vault

_LEDGER = f"{ARCHIVE}.jsonl"


def check_ledgers(checkup: Checkup) -> Iterator[Finding]:
    """Lines that mean nothing, files that are gone, files that no line tells of."""
    for held in checkup.vaults:
        if held.is_there and held.vault.inner.is_dir():
            yield from _odd_lines(held.vault)
            for entry in VaultArchive(held.vault).lost():
                cause = f"the ledger has it, and the file is gone: {entry.id} cannot be restored"
                hint = "bring the file back from git or a backup"
                path = f"{ARCHIVE}/{entry.file}"
                yield Finding("archive_lost", held.vault.name, path, cause, hint=hint)
            for kept in VaultArchive(held.vault).kept():
                yield from _unrestorable(checkup.app, held.vault, kept)


def _odd_lines(vault: Vault) -> Iterator[Finding]:
    try:
        lines, _ = log.read_lines(vault.ledger)
    except OSError as error:
        cause = f"cannot be read: {error.strerror}"
        yield Finding("unreadable", vault.name, _LEDGER, cause)
        return
    for number, line in enumerate(lines, 1):
        if parse_entry(line) is None:
            cause = "the line is no entry of an archive's ledger"
            hint = "the texts are where they were; take the line out by hand"
            yield Finding("ledger_line", vault.name, _LEDGER, cause, number, hint)


def _unrestorable(app: App, vault: Vault, kept: Kept) -> Iterator[Finding]:
    entry = kept.entry
    path = f"{ARCHIVE}/{entry.file}"
    if not entry.reason:
        cause = "lies in the archive, and no line of the ledger says so"
        mend = partial(_note, app, vault, kept)
        yield Finding("archive_unnoted", vault.name, path, cause, mend=mend)
    try:
        VaultArchive(vault).live_place(entry.path)
    except UsageError as error:
        hint = f"muninn restore {kept.handle} --to PATH"
        cause = f"cannot go back to where it was: {error.message}"
        yield Finding("archive_path", vault.name, path, cause, hint=hint)


def _note(app: App, vault: Vault, kept: Kept) -> None:
    with app.locked(f"vault-{vault.id}"):
        VaultArchive(vault).note(replace(kept.entry, at=app.time, reason=Reason.BY_HAND))
    app.commit(vault, [f"{ARCHIVE}/{kept.entry.file}", _LEDGER], "Note what lies in the archive")


def check_doubles(checkup: Checkup) -> Iterator[Finding]:
    """Memories that are live and archived: the same bytes, or two texts of one id."""
    for held in checkup.vaults:
        if not held.archived:
            continue
        live = {file.memory.id: file for file in held.live}
        hashes = held.hashes()
        for kept in VaultArchive(held.vault).kept():
            file = live.get(kept.entry.id)
            path = f"{ARCHIVE}/{kept.entry.file}"
            if file is not None and kept.entry.piece is Piece.MEMORY:
                yield _double(checkup.app, held, file, path, equal=hashes.get(path) == file.hash)


def _double(app: App, held: VaultFiles, file: MemoryFile, path: str, *, equal: bool) -> Finding:
    name, memory_id = held.vault.name, file.memory.id
    if equal:
        cause = f"is live as {file.path} too, with the same bytes"
        mend = partial(_settle, app, held.vault, file)
        return Finding("archive_double", name, path, cause, mend=mend)
    cause = f"has the id {memory_id} of the live {file.path}, and another text"
    hint = "compare both, and take the id out of the one that is to be a memory of its own"
    return Finding("archive_conflict", name, path, cause, hint=hint)


def _settle(app: App, vault: Vault, file: MemoryFile) -> None:
    with app.locked(f"vault-{vault.id}"):
        live = {file.memory.id: file.path}
        removed = VaultArchive(vault).settle_doubles(live, app.time).removed
    paths = [f"{ARCHIVE}/{each}" for each in removed]
    app.commit(vault, [*paths, _LEDGER], f"Drop the archived double of {file.path}")


CHECKS: tuple[Callable[[Checkup], Iterator[Finding]], ...] = (check_ledgers, check_doubles)

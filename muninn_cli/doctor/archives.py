"""Checks of archives: whether everything in them can be restored, and nothing is there twice."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from muninn_cli.doctor.finding import Finding
from muninn_cli.errors import UsageError
from muninn_cli.store import log
from muninn_cli.store.archive import VaultArchive
from muninn_cli.store.ledger import Piece, Reason, parse_entry
from muninn_cli.store.vault import ARCHIVE, LEDGER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from muninn_cli.app import App
    from muninn_cli.doctor.checkup import Checkup, MemoryFile, VaultFiles
    from muninn_cli.store.ledger import Entry
    from muninn_cli.store.vault import Vault


def check_ledgers(checkup: Checkup) -> Iterator[Finding]:
    """Lines that are none, and what the ledger says otherwise than it is."""
    for held in checkup.vaults:
        if held.is_there and held.vault.inner.is_dir() and not held.vault.ledger.is_dir():
            yield from _odd_lines(checkup.app, held.vault)
            yield from _gone(checkup.app, held)
            yield from _unnoted(checkup.app, held)


def _odd_lines(app: App, vault: Vault) -> Iterator[Finding]:
    try:
        text = vault.ledger.read_bytes().decode(errors="surrogateescape")
    except FileNotFoundError:
        return
    except OSError as error:
        yield Finding("unreadable", vault.name, LEDGER, f"cannot be read: {error.strerror}")
        return
    mend = partial(_drop_fragments, app, vault)
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        if line and _is_fragment(line):
            cause = "the line is torn, or was left by a merge: the texts are where they were"
            yield Finding("ledger_line", vault.name, LEDGER, cause, number, mend=mend)
        elif line and parse_entry(line) is None:
            cause = "the line is no entry that this version of muninn knows"
            yield Finding("ledger_line", vault.name, LEDGER, cause, number)


def _is_fragment(line: str) -> bool:
    """Whether a line is no JSON, as a crash or git leaves it; another version writes JSON too."""
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return True
    return False


def _drop_fragments(app: App, vault: Vault) -> None:
    with app.writing(vault):
        log.rewrite(vault.ledger, lambda lines: [line for line in lines if not _is_fragment(line)])
    app.commit(vault, [LEDGER], "Drop torn lines of the archive's ledger")


def _gone(app: App, held: VaultFiles) -> Iterator[Finding]:
    live = {file.memory.id for file in held.live}
    for entry in VaultArchive(held.vault).lost():
        path = f"{ARCHIVE}/{entry.file}"
        if entry.id in live and entry.piece is Piece.MEMORY:
            cause = "is live again, and no line of the ledger says so"
            mend = partial(_note, app, held.vault, entry, Reason.RESTORED)
            yield Finding("archive_unnoted", held.vault.name, path, cause, mend=mend)
        else:
            cause = f"the ledger has it, and the file is gone: {entry.id} cannot be restored"
            hint = "bring the file back from git or a backup"
            yield Finding("archive_lost", held.vault.name, path, cause, hint=hint)


def _unnoted(app: App, held: VaultFiles) -> Iterator[Finding]:
    live = {file.memory.id for file in held.live}
    for kept in VaultArchive(held.vault).kept():
        entry, name = kept.entry, held.vault.name
        path = f"{ARCHIVE}/{entry.file}"
        if not entry.reason and entry.id not in live:
            cause = "lies in the archive, and no line of the ledger says so"
            mend = partial(_note, app, held.vault, entry, Reason.BY_HAND)
            yield Finding("archive_unnoted", name, path, cause, mend=mend)
        try:
            VaultArchive(held.vault).live_place(entry.path)
        except UsageError as error:
            hint = f"muninn restore {kept.handle} --to PATH"
            cause = f"cannot go back to where it was: {error.message}"
            yield Finding("archive_path", name, path, cause, hint=hint)


def _note(app: App, vault: Vault, entry: Entry, reason: Reason) -> None:
    with app.writing(vault):
        VaultArchive(vault).note(replace(entry, at=app.time, reason=reason))
    paths = [entry.path, f"{ARCHIVE}/{entry.file}", LEDGER]
    app.commit(vault, paths, f"Note where {entry.path} is")


def check_doubles(checkup: Checkup) -> Iterator[Finding]:
    """Memories that are live and archived: the same bytes, or two texts of one id."""
    for held in checkup.vaults:
        if not held.archived or held.vault.ledger.is_dir():
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
    """Drop the archived copy, while nobody is in the middle of moving the live one."""
    with app.writing(vault), app.locked("runs"):
        live = {file.memory.id: file.path}
        removed = VaultArchive(vault).settle_doubles(live, app.time)
    paths = [file.path, *(f"{ARCHIVE}/{each}" for each in removed), LEDGER]
    app.commit(vault, paths, f"Drop the archived double of {file.path}")


CHECKS: tuple[Callable[[Checkup], Iterator[Finding]], ...] = (check_ledgers, check_doubles)

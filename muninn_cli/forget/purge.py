"""True erasure: the only way in muninn by which a text is destroyed.

Git history is not touched, and neither are backups: whoever asks for a purge has to be told.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from muninn_cli.core.ids import SHORT_ID, short_id
from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import read
from muninn_cli.core.plain import inline
from muninn_cli.core.times import rfc3339
from muninn_cli.store import files, log
from muninn_cli.store.archive import VaultArchive
from muninn_cli.store.ledger import Piece
from muninn_cli.store.seen import Seen
from muninn_cli.store.usage import UsageLog

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

    from muninn_cli.paths import Home
    from muninn_cli.store.archive import Kept
    from muninn_cli.store.runs import Runs
    from muninn_cli.store.vault import Vault

_TOLD = 24
"""Characters of a title by which a line of the journal is known to be about it."""
_PURGED_LINE = "- (purged)"


@dataclass(frozen=True, slots=True)
class Purged:
    """`files` are gone, relative to the vault. `merged` are handles of archived memories whose
    texts were merged into this one: they may say the same, and are still there."""

    files: tuple[str, ...]
    merged: tuple[str, ...]


def purge(
    memory_id: str, live: str | None, vault: Vault, *, home: Home, runs: Runs, now: datetime
) -> Purged:
    """Erase a memory: its live file at `live`, archive, before-images, usage, state and journal.

    A tombstone stays. The index is the caller's: sync, then scrub it. The live file goes last, so
    that a purge which was interrupted can be asked for again.
    """
    archive = VaultArchive(vault)
    kept = archive.kept()
    pieces = [each for each in kept if _is_piece(each, memory_id)]
    merged = [each.handle for each in kept if each not in pieces and each.entry.into == memory_id]
    titles = set(_titles(pieces, live, vault))
    ids = {memory_id, *(each.entry.id for each in pieces)}
    runs.scrub(vault.id, ids, now)
    for each_id in ids:
        _erase_state(each_id, vault, home)
    _erase_from_journal(home, titles, ids)
    gone = [f".muninn/archive/{file}" for file in archive.erase(memory_id, now)]
    if live is not None:
        files.remove(archive.live_place(live))
        gone.append(live)
    log.append(home.tombstones, [_tombstone(memory_id, vault, now)])
    return Purged(tuple(gone), tuple(merged))


def _is_piece(kept: Kept, memory_id: str) -> bool:
    entry = kept.entry
    merged_newcomer = entry.piece is Piece.INCOMING and entry.into == memory_id
    return entry.id == memory_id or merged_newcomer


def _titles(pieces: Iterable[Kept], live: str | None, vault: Vault) -> Iterable[str]:
    """Every title and alias that the texts to be erased have."""
    archive = VaultArchive(vault)
    places = [(each.entry.path, archive.place(each.entry.file)) for each in pieces]
    if live is not None:
        places.append((live, archive.live_place(live)))
    for path, place in places:
        memory = read(place.read_bytes(), path, vault.id_name) if place.is_file() else None
        if isinstance(memory, Memory):
            yield from (memory.title, *memory.aliases)


def _erase_state(memory_id: str, vault: Vault, home: Home) -> None:
    UsageLog(home.usage(vault.id)).erase(memory_id)
    Seen(home.seen(vault.id)).erase(memory_id)
    mark = f'"{memory_id}"'
    for path in (home.aliases(vault.id), home.suggestions, home.judged, home.dismissed):
        log.rewrite(path, lambda lines: [line for line in lines if mark not in line])


def _erase_from_journal(home: Home, titles: Collection[str], ids: Collection[str]) -> None:
    """Put a mark in place of every line of the journal that names the memory."""
    if not home.journal.is_file():
        return
    data = home.journal.read_bytes()
    text = data.decode(errors="surrogateescape")
    starts = {inline(title, 1000)[:_TOLD] for title in titles}
    marks = {f"{quote}{start}" for start in starts for quote in "«“"} | set(map(_shown_id, ids))
    lines = [
        _PURGED_LINE if line.startswith("- ") and any(mark in line for mark in marks) else line
        for line in text.split("\n")
    ]
    new = "\n".join(lines).encode(errors="surrogateescape")
    if new != data:
        files.replace(home.journal, new, files.content_hash(data))


def _shown_id(memory_id: str) -> str:
    """The id as the journal has it; one shorter than usual counts only in its usual place."""
    short = short_id(memory_id)
    return short if len(short) == SHORT_ID else f", {short})"


def _tombstone(memory_id: str, vault: Vault, now: datetime) -> str:
    return log.line_of({"v": 1, "t": rfc3339(now), "vault": vault.id, "id": memory_id})

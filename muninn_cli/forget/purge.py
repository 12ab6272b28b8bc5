"""True erasure: the only way in muninn by which a text is destroyed.

Git history is not touched, and neither are backups: whoever asks for a purge has to be told.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import read
from muninn_cli.core.times import rfc3339
from muninn_cli.forget.blot import Traces, blot_out
from muninn_cli.store import files, git, log
from muninn_cli.store.archive import VaultArchive
from muninn_cli.store.index.connection import discard, scrub
from muninn_cli.store.ledger import Piece
from muninn_cli.store.seen import Seen
from muninn_cli.store.usage import UsageLog
from muninn_cli.store.vault import ARCHIVE
from muninn_cli.store.versions import versions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from muninn_cli.paths import Home
    from muninn_cli.store.archive import Kept
    from muninn_cli.store.ledger import Entry
    from muninn_cli.store.runs import Runs
    from muninn_cli.store.vault import Vault


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

    The caller holds the locks of dreams and of the vault. A tombstone stays. The index is the
    caller's too: sync, then `scrub_index`. The live file goes last, so that a purge which was
    interrupted can be asked for again.
    """
    archive = VaultArchive(vault)
    kept = archive.kept()
    pieces = [each for each in kept if _is_piece(each.entry, memory_id)]
    merged = [each.handle for each in kept if each not in pieces and each.entry.into == memory_id]
    traces = Traces(
        titles=frozenset(_titles(pieces, live, vault)),
        ids=frozenset({memory_id, *(each.entry.id for each in pieces)}),
        paths=frozenset(_paths(pieces, live, memory_id, archive)),
    )
    runs.scrub(vault.id, traces.ids, now)
    for each_id in traces.ids:
        _erase_state(each_id, vault, home)
    blot_out(home.journal, traces)
    gone = [f"{ARCHIVE}/{file}" for file in archive.erase(memory_id, now)]
    gone += [live] if live is not None else []
    _forget_pending(home, gone)
    if live is not None:
        files.remove(archive.live_place(live))
    log.append(home.tombstones, [_tombstone(memory_id, vault, now)])
    return Purged(tuple(gone), tuple(merged))


def commits_of(memory_id: str, live: str | None, vault: Vault) -> list[str]:
    """The commits of a vault's repository that hold a memory's text, which no purge scrubs.

    Raises MuninnError or GitError where git fails.
    """
    if git.enclosing_repository(vault.root) is None:
        return []
    archived = (kept.entry for kept in VaultArchive(vault).kept())
    paths = [live] if live else [entry.path for entry in archived if entry.id == memory_id]
    found = [each for path in paths for each in versions(vault, path, memory_id)]
    commits = [each.revision.commit for each in found if each.data is not None]
    return list(dict.fromkeys(commits + git.commits_with_text(vault.root, memory_id)))


def scrub_index(home: Home, *, in_step: bool) -> None:
    """Leave no trace of what is gone in the index; one that is not in step with the files goes.

    So does the copy that a killed dream has left behind: the caller holds the lock of dreams.
    """
    if in_step:
        scrub(home.index_db)
    else:
        discard(home.index_db)
    discard(home.scratch / home.index_db.name)


def _is_piece(entry: Entry, memory_id: str) -> bool:
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


def _paths(
    pieces: Iterable[Kept], live: str | None, memory_id: str, archive: VaultArchive
) -> Iterator[str]:
    """Every path that the memory is known to have had, live and archived."""
    noted = (entry for entry in archive.ledger() if _is_piece(entry, memory_id))
    for entry in (*noted, *(each.entry for each in pieces)):
        yield from filter(None, (entry.path, entry.file))
    if live is not None:
        yield live


def _erase_state(memory_id: str, vault: Vault, home: Home) -> None:
    UsageLog(home.usage(vault.id)).erase(memory_id)
    Seen(home.seen(vault.id)).erase(memory_id)
    mark = f'"{memory_id}"'
    for path in (home.aliases(vault.id), home.suggestions, home.judged, home.dismissed):
        log.rewrite(path, lambda lines: [line for line in lines if mark not in line])


def _forget_pending(home: Home, paths: Sequence[str]) -> None:
    """Take destroyed files out of the commits that are still to be made."""
    marks = [json.dumps(path, ensure_ascii=False) for path in paths]
    log.rewrite(
        home.pending_commits,
        lambda lines: [line for line in lines if not any(mark in line for mark in marks)],
    )


def _tombstone(memory_id: str, vault: Vault, now: datetime) -> str:
    return log.line_of({"v": 1, "t": rfc3339(now), "vault": vault.id, "id": memory_id})

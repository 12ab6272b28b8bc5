"""Ending a move to or from the archive that was killed in the middle: the live name stays.

Only where both names are one and the same file, so that no text can go with a name; equal copies
may be on their way through a sync program and are for the doctor to name.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from muninn_cli.errors import BusyError
from muninn_cli.store import lock
from muninn_cli.store.archive import VaultArchive
from muninn_cli.store.index.connection import open_reader
from muninn_cli.store.index.torn_moves import torn_moves
from muninn_cli.store.ledger import Piece, Reason
from muninn_cli.store.vault import ARCHIVE, LEDGER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from muninn_cli.paths import Home
    from muninn_cli.store.archive import Kept
    from muninn_cli.store.vault import Vault
    from muninn_cli.world import World


def end_torn_moves(
    home: Home,
    vaults: Sequence[Vault],
    world: World,
    now: datetime,
    commit: Callable[[Vault, Sequence[str], str], None],
) -> bool:
    """Take the archived name away wherever the index, just synced, sees both; whether it did.

    Nothing is done where another muninn may be in the middle of the move.
    """
    with closing(open_reader(home.index_db)) as connection:
        torn = torn_moves(connection)
    any_ended = False
    for vault in (each for each in vaults if each.id in torn):
        try:
            with (
                lock.hold(home.lock(f"vault-{vault.id}"), now=now, host=world.host, pid=world.pid),
                lock.hold(home.lock("runs"), now=now, host=world.host, pid=world.pid),
            ):
                ended = _end(vault, torn[vault.id], now)
        except BusyError:
            continue
        commit(vault, ended, "End a move that was interrupted")
        any_ended = any_ended or bool(ended)
    return any_ended


def _end(vault: Vault, live: Mapping[str, str], now: datetime) -> list[str]:
    """Restore what is torn (live paths by id); returns the paths that were written."""
    torn = list(_torn(vault, live))
    for kept in torn:
        VaultArchive(vault).restore(kept.entry, live[kept.entry.id], now, Reason.RESTORED)
    pairs = ((live[kept.entry.id], f"{ARCHIVE}/{kept.entry.file}") for kept in torn)
    return [*(path for pair in pairs for path in pair), LEDGER] if torn else []


def _torn(vault: Vault, live: Mapping[str, str]) -> Iterator[Kept]:
    archive = VaultArchive(vault)
    for kept in archive.kept():
        path = live.get(kept.entry.id)
        if kept.entry.piece is Piece.MEMORY and path is not None:
            place, live_place = archive.place(kept.entry.file), archive.live_place(path)
            if live_place.exists() and place.samefile(live_place):
                yield kept

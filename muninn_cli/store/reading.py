"""A memory as its file is at this moment: the index tells where, the file tells what."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import read
from muninn_cli.errors import NotFoundError, UnreadableError

if TYPE_CHECKING:
    from pathlib import Path

    from muninn_cli.store.index.rows import Row
    from muninn_cli.store.vault import Vault


class Opened(NamedTuple):
    """A memory, the bytes it was read from, and their place."""

    memory: Memory
    data: bytes
    place: Path


def opened(row: Row, vault: Vault) -> Opened:
    """Read a memory's file. Raises NotFoundError where it has gone, UnreadableError."""
    place = vault.root / row.path
    try:
        data = place.read_bytes()
    except FileNotFoundError:
        raise NotFoundError(f"{place} has just gone", "try again") from None
    except OSError as error:
        raise UnreadableError(f"{place} cannot be read: {error.strerror}") from error
    memory = read(data, row.path, vault.id_name)
    if not isinstance(memory, Memory):
        raise UnreadableError(f"{place}: {memory.cause}")
    return Opened(memory, data, place)

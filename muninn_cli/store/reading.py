"""A memory as its file is at this moment: the index tells where, the file tells what."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import edit, read
from muninn_cli.errors import NotFoundError, UnreadableError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from muninn_cli.core.fields import Value
    from muninn_cli.store.index.rows import Row
    from muninn_cli.store.vault import Vault


class Opened(NamedTuple):
    """A memory under the id that the index knows it by, its bytes, and their place."""

    memory: Memory
    data: bytes
    place: Path


def opened(row: Row, vault: Vault) -> Opened:
    """Read a memory's file. Raises NotFoundError where it has gone, UnreadableError."""
    return opened_at(row.path, row.id, vault)


def opened_at(path: str, memory_id: str, vault: Vault) -> Opened:
    """The same by path and id.

    The id need not be the one that the file gives: of doubled ones only one file keeps it, and a
    file without any keeps the derived one when it is moved.
    """
    place = vault.root / path
    try:
        data = place.read_bytes()
    except FileNotFoundError:
        raise NotFoundError(f"{place} has just gone", "try again") from None
    except OSError as error:
        raise UnreadableError(f"{place} cannot be read: {error.strerror}") from error
    memory = read(data, path, vault.id_name)
    if not isinstance(memory, Memory):
        raise UnreadableError(f"{place}: {memory.cause}")
    return Opened(memory._replace(id=memory_id), data, place)


def edited(opened: Opened, changes: Mapping[str, Value | None]) -> bytes:
    """The file with these keys set, and with the memory's id where it does not state it yet.

    Raises UnreadableError, with the path, where the file must not be rewritten.
    """
    try:
        return edit(opened.data, _with_id(opened.memory, changes))
    except UnreadableError as error:
        raise UnreadableError(f"{opened.place}: {error.message}", error.hint) from None


def _with_id(memory: Memory, changes: Mapping[str, Value | None]) -> dict[str, Value | None]:
    return dict(changes) if memory.written_id else {"id": memory.id, **changes}

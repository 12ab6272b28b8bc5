"""Where what is imported goes in a vault: where it was, or beside what is there already."""

from __future__ import annotations

from functools import cached_property
from itertools import chain, count
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import read
from muninn_cli.remember import foreign
from muninn_cli.store.archive import VaultArchive
from muninn_cli.store.files import content_hash
from muninn_cli.store.index.holdings import Holding, holdings

if TYPE_CHECKING:
    from muninn_cli.core.foreign_records import ForeignRecord
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.vault import Vault


class Filling:
    """A vault that is being filled: what it held before, and what is planned for it.

    Whether bytes are there already is asked of the vault as it was before, so that two files of
    one import that say the same both arrive.
    """

    def __init__(self, vault: Vault, connection: Connection) -> None:
        self.vault = vault
        self._connection = connection
        self._archive = VaultArchive(vault)
        self._paths: set[str] = set()
        self._planned: dict[str, bytes] = {}
        self._renamed: dict[str, str] = {}

    def plan(self, path: str, memory_id: str, data: bytes, known_as: str = "") -> None:
        """Take a path and an id; `known_as` is the memory's id where it comes from."""
        self._paths.add(path)
        self._planned[memory_id] = data
        self._renamed[known_as] = memory_id

    def id_here(self, known_as: str) -> str:
        """The id of a memory of the same import, or of one that was here; empty for no memory."""
        held = known_as if known_as in self._holdings else ""
        return self._renamed.get(known_as, held)

    def is_taken(self, memory_id: str) -> bool:
        return memory_id in self._planned or memory_id in self._holdings

    def has(self, memory_id: str, data: bytes) -> bool:
        """Whether the vault had these very bytes under this id, live or archived."""
        content = content_hash(data)
        return any(holding.hash == content for holding in self._holdings.get(memory_id, ()))

    def has_archived(self, memory_id: str, data: bytes) -> bool:
        """Whether the archive holds these very bytes of this memory, as any piece of it."""
        return (memory_id, content_hash(data)) in self._archived

    def free_id(self, record: ForeignRecord) -> str | None:
        """The record's own id, or one made of it; None where the vault has the record."""
        for memory_id in filter(None, (record.id, record.key)):
            if not self.is_taken(memory_id):
                return memory_id
            if self._states(memory_id, foreign.body(record)):
                return None
        return None

    def free_path(self, path: str, data: bytes) -> str | None:
        """The path, or with -2, -3 … where it is taken; None where these bytes are there already.

        Raises UsageError for a path that no memory can have.
        """
        for candidate in _candidates(path):
            place = self._archive.live_place(candidate)
            if candidate in self._paths:
                continue
            if place.is_file() and place.read_bytes() == data:
                return None
            if not (place.exists() or place.is_symlink()):
                return candidate
        raise AssertionError  # the candidates never end

    def _states(self, memory_id: str, body: str) -> bool:
        """Whether the memory of this id, here or of the same import, has this body."""
        places = [self.vault.root / held.path for held in self._holdings.get(memory_id, ())]
        texts = [place.read_bytes() for place in places if place.is_file()]
        memories = (read(data, "", "") for data in (self._planned.get(memory_id, b""), *texts))
        return any(isinstance(memory, Memory) and memory.body == body for memory in memories)

    @cached_property
    def _holdings(self) -> dict[str, list[Holding]]:
        return holdings(self._connection, self.vault.id)

    @cached_property
    def _archived(self) -> set[tuple[str, bytes]]:
        entries = [kept.entry for kept in self._archive.kept()]
        return {
            (entry.id, content_hash(self._archive.place(entry.file).read_bytes()))
            for entry in entries
        }


def _candidates(path: str) -> chain[str]:
    place = PurePosixPath(path)
    numbered = (str(place.with_stem(f"{place.stem}-{number}")) for number in count(2))
    return chain((path,), numbered)

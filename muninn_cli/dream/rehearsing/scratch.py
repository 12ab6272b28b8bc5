"""A scratch copy of the index that shows files as a plan would leave them.

No vault and no other index is written. What is shown is made as a sync would make it, so that a
search answers here as it would after the dream.
"""

from __future__ import annotations

import shutil
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING

from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import read
from muninn_cli.core.words import Stems
from muninn_cli.errors import MuninnError
from muninn_cli.store.files import content_hash
from muninn_cli.store.index import filling, lives, touched, vectors
from muninn_cli.store.index.connection import copy_index, open_writer
from muninn_cli.store.index.counts import namesakes
from muninn_cli.store.index.entries import Entry
from muninn_cli.store.index.memories import Memories
from muninn_cli.store.index.search import embedder_id
from muninn_cli.store.index.word_table import WordTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from muninn_cli.core.changes import Ref
    from muninn_cli.core.tiers import Limits
    from muninn_cli.dream.surroundings import Surroundings
    from muninn_cli.embedding import Embedder
    from muninn_cli.paths import Home
    from muninn_cli.store.index.touched import Place
    from muninn_cli.store.index.word_table import WordVectors
    from muninn_cli.store.vault import Vault

    Files = Mapping[Ref, bytes | None]
    """Files by memory; None for one that is archived."""


@contextmanager
def scratch_of(home: Home, vaults: Mapping[str, Vault], around: Surroundings) -> Iterator[Scratch]:
    """A copy of the index of a home in a folder of its own, gone afterwards."""
    from muninn_cli.embedding import word_vectors

    with _emptied(home.scratch):
        copy = home.scratch / home.index_db.name
        copy_index(home.index_db, copy)
        scratch = Scratch(
            copy,
            vaults,
            languages=around.settings.search.languages,
            embedder=around.embedder,
            word_vectors=word_vectors,
            limits=around.limits,
            now=around.now,
        )
        with closing(scratch.connection):
            yield scratch


@contextmanager
def _emptied(folder: Path) -> Iterator[None]:
    """A new folder that only its owner can read; what a killed dream left in its place goes."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Scratch:
    """The copy at `path`, which nobody else has open; `vaults` are by id."""

    def __init__(
        self,
        path: Path,
        vaults: Mapping[str, Vault],
        *,
        languages: tuple[str, ...],
        embedder: Callable[[], Embedder],
        word_vectors: WordVectors,
        limits: Limits,
        now: datetime,
    ) -> None:
        self.connection = open_writer(path)
        self._memories = Memories(
            self.connection, WordTable(self.connection, Stems(languages), word_vectors)
        )
        self._vaults = vaults
        self._embedder = embedder
        self._limits = limits
        self._now = now
        self._shown: dict[Ref, bytes | None] = {}
        self._places: dict[Ref, Place] = {}

    def show(self, files: Files) -> frozenset[Ref]:
        """Show these files so, and all others as they are; returns those shown in a new way."""
        wanted = {**{ref: self._on_disk(ref) for ref in self._shown}, **files}
        changed = {ref: data for ref, data in wanted.items() if data != self._now_shown(ref)}
        moved = [ref for ref in changed if (wanted[ref] is None) is not self._is_hidden(ref)]
        entries = list(self._entries(changed))
        self._shown.update(changed)
        self._hide(moved)
        self._put(entries)
        filling.mix(self.connection, _silently)
        return frozenset(changed)

    def namesakes(self, vault: str, title: str, most: int) -> int:
        """How many memories of a vault have this title, `most` at most."""
        return namesakes(self.connection, vault, title, most)

    def memory(self, ref: Ref) -> Memory | None:
        """A memory as it is shown; None where it is archived or its file cannot be read."""
        return self.reading(ref, self._now_shown(ref))

    def reading(self, ref: Ref, data: bytes | None) -> Memory | None:
        """What a memory would say with these bytes in its file."""
        return self._read(ref, data) if data is not None and self._place(ref) else None

    def _now_shown(self, ref: Ref) -> bytes | None:
        return self._shown[ref] if ref in self._shown else self._on_disk(ref)

    def _is_hidden(self, ref: Ref) -> bool:
        return ref in self._shown and self._shown[ref] is None

    def _on_disk(self, ref: Ref) -> bytes | None:
        vault, place = self._vaults.get(ref.vault), self._place(ref)
        try:
            return (
                (vault.root / place.folder / place.name).read_bytes() if vault and place else None
            )
        except OSError:
            return None

    def _place(self, ref: Ref) -> Place | None:
        """Where a memory's live file was when it was first asked for."""
        if ref not in self._places and (place := touched.place(self.connection, *ref)):
            self._places[ref] = place
        return self._places.get(ref)

    def _read(self, ref: Ref, data: bytes) -> Memory | None:
        place = self._places[ref]
        path = f"{place.folder}/{place.name}" if place.folder else place.name
        memory = read(data, path, self._vaults[ref.vault].id_name)
        return memory if isinstance(memory, Memory) else None

    def _entries(self, files: Files) -> Iterator[Entry]:
        """The live files of which a search would see another text than is shown."""
        for ref, data in files.items():
            place = self._place(ref)
            memory = self.reading(ref, data)
            if data is None or place is None or memory is None or self._seems(ref, memory):
                continue
            yield Entry(
                num=place.num,
                vault=place.vault,
                folder=place.folder,
                name=place.name,
                mtime_ns=place.mtime_ns,
                size=place.size,
                inode=place.inode,
                hash=content_hash(data),
                problems=(),
                memory=memory,
                id=ref.id,
                first_seen=place.first_seen,
                tier_since=place.tier_since,
            )

    def _seems(self, ref: Ref, memory: Memory) -> bool:
        """Whether a memory that is shown already looks like this one to every search."""
        known = self.memory(ref) or self.reading(ref, self._on_disk(ref))
        return known is not None and _searched(known) == _searched(memory)

    def _hide(self, refs: Iterable[Ref]) -> None:
        """Take live memories out of sight, or bring them back."""
        numbers = [place.num for ref in refs if (place := self._place(ref))]
        with self.connection.writing(), vectors.windows_renewed(self.connection, set(numbers)):
            touched.hide_or_show(self.connection, numbers)
            self._refresh(numbers)

    def _put(self, entries: Sequence[Entry]) -> None:
        if not entries:
            return
        prepared = self._memories.prepare(entries)
        with self.connection.writing():
            numbers = [entry.num for entry in entries]
            linked = lives.linked_from(self.connection, numbers)
            self._memories.put(prepared)
            self._refresh([*numbers, *linked])
        if filling.wants_vectors(self.connection) and (embedder := self._same_embedder()):
            filling.embed(self.connection, embedder, _silently)

    def _refresh(self, numbers: Iterable[int]) -> None:
        lives.refresh(self.connection, numbers, self._now, self._limits)

    def _same_embedder(self) -> Embedder | None:
        """The embedder that the vectors are of; without it a new text waits for its vector."""
        with suppress(MuninnError):
            embedder = self._embedder()
            if embedder.id == embedder_id(self.connection):
                return embedder
        return None


def _searched(memory: Memory) -> tuple[object, ...]:
    """What of a memory decides where a search finds it."""
    return memory.title, memory.body, memory.tags, memory.tier, memory.superseded_by


def _silently(_done: int, _total: int) -> None:
    """Progress that nobody watches."""

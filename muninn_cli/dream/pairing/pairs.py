"""The pairs of alike memories: every live memory against every other, only the new ones each time.

Works block by block over the vectors in the index, keeps in the index what it has, and goes on
there the next time. Reads no text, and writes nothing but pairs.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from muninn_cli.core.likeness import alike
from muninn_cli.core.times import epoch
from muninn_cli.dream.pairing import shelves
from muninn_cli.dream.pairing.nearest import nearest
from muninn_cli.store.index import pairs
from muninn_cli.store.index.connection import open_reader, open_writer
from muninn_cli.store.index.search import embedder_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime
    from pathlib import Path

    from muninn_cli.dream.pairing.nearest import Hits
    from muninn_cli.dream.pairing.shelves import Flags, Floats, Shelf
    from muninn_cli.providers.base import Deadline
    from muninn_cli.store.index.connection import Connection

    Pairs = Iterable[tuple[int, int, float]]

CONNECTED = 0.60
"""Across vaults, memories at least so alike may have a connection."""
NEAREST_ABROAD = 3
"""Memories of other vaults that one is paired with."""
NEAREST_AT_HOME = 64
"""Memories of its own vault that one is paired with at most: a hundred thousand notes of one
shape must not become five thousand million pairs."""
FEWEST_AT_HOME = 16
"""In vaults of very many memories it is fewer, but never fewer than this."""
PAIRS_AT_HOME = 1_600_000
"""Pairs that a vault should not have many more of."""


def update(
    index: Path,
    vaults: Sequence[int],
    bound: float,
    now: datetime,
    *,
    deadline: Deadline,
    progress: Callable[[int, int], None],
) -> bool:
    """Compare what has not been compared yet of these vaults; false where the time ran out.

    `bound` is the cosine from which on two memories of one vault are alike. When another process
    changes the index meanwhile, the block at hand is compared again.
    """
    with closing(open_reader(index)) as reader:
        embedder = embedder_id(reader)
        if not embedder:
            return True  # no memory has a vector yet
        stale = pairs.is_stale(reader, embedder, bound)
        if not stale and not pairs.waiting(reader, vaults, epoch(now)).fresh:
            return True
    with closing(open_writer(index)) as writer:
        pairs.begin(writer, embedder, bound)
        while deadline.left > 0:
            if _Comparison(writer, vaults, bound, now).run(deadline, progress):
                return True
    return False


class _Comparison:
    """One run over the vectors as the index holds them at this moment."""

    def __init__(
        self, connection: Connection, vaults: Sequence[int], bound: float, now: datetime
    ) -> None:
        self._connection = connection
        self._bound = bound
        with pairs.reading(connection) as self._version:
            self._shelves = shelves.shelves(connection, vaults, epoch(now))

    def run(self, deadline: Deadline, progress: Callable[[int, int], None]) -> bool:
        """Compare until all is done; false where the time ran out or the index has changed."""
        total = sum(shelf.waiting for shelf in self._shelves)
        for shelf in self._shelves:
            while shelf.waiting:
                if deadline.left <= 0 or not self._advance(shelf):
                    return False
                progress(total - sum(each.waiting for each in self._shelves), total)
        return True

    def _advance(self, shelf: Shelf) -> bool:
        """Compare the next memories of a shelf with all that are compared, and one another."""
        end = min(shelf.done + shelves.ROWS, len(shelf.nums))
        rows = shelf.beginnings(end)
        at_home, abroad = self._at_home(shelf, rows, end), self._abroad(shelf, rows)
        found = pairs.Found(list(at_home), list(abroad))
        compared = shelf.nums[shelf.done : end].tolist()
        if not pairs.keep(self._connection, found, compared, self._version):
            return False
        shelf.done = end
        return True

    def _at_home(self, shelf: Shelf, rows: Floats, end: int) -> Pairs:
        """The next memories with those before them in their own vault."""
        hits = nearest(rows, shelf, end, self._bound, _most(len(shelf.nums)), own=True)
        hits = hits._replace(rows=hits.rows + shelf.done)
        long = shelf.is_long(hits.rows) | shelf.is_long(hits.others)
        yield from _listed(shelf, hits, ~long)
        for row, other in zip(hits.rows[long].tolist(), hits.others[long].tolist(), strict=True):
            cosines = shelf.chunks_of(row) @ shelf.chunks_of(other).T
            cosine = min(alike(cosines.tolist()), 1.0)
            if cosine >= self._bound:
                yield int(shelf.nums[row]), int(shelf.nums[other]), cosine

    def _abroad(self, shelf: Shelf, rows: Floats) -> Pairs:
        """The next memories with the nearest of other vaults, judged by how they begin."""
        found: list[list[tuple[float, int]]] = [[] for _ in range(len(rows))]
        for other in self._shelves:
            if other is not shelf and other.done:
                hits = nearest(rows, other, other.done, CONNECTED, NEAREST_ABROAD)
                nums, cosines = other.nums[hits.others].tolist(), hits.cosines.tolist()
                for row, cosine, num in zip(hits.rows.tolist(), cosines, nums, strict=True):
                    found[row].append((cosine, num))
        for row, near in enumerate(found, start=shelf.done):
            for cosine, num in sorted(near, reverse=True)[:NEAREST_ABROAD]:
                yield int(shelf.nums[row]), num, min(cosine, 1.0)


def _most(memories: int) -> int:
    """How many pairs each memory of a vault of this size has at most."""
    return min(NEAREST_AT_HOME, max(FEWEST_AT_HOME, PAIRS_AT_HOME // memories))


def _listed(shelf: Shelf, hits: Hits, wanted: Flags) -> Pairs:
    """The wanted hits inside a shelf, as Python's own numbers."""
    found = hits.where(wanted)
    nums = (shelf.nums[column].tolist() for column in (found.rows, found.others))
    return zip(*nums, found.cosines.clip(max=1).tolist(), strict=True)

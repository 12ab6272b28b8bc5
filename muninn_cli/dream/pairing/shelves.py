"""The vectors of vaults as a comparison works on them, read from the index.

Where many memories are new, all vectors are held in memory; where few are, they are read past them
once and not kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Protocol

from muninn_cli.store.index import pairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np
    import numpy.typing as npt

    from muninn_cli.store.index.connection import Connection

    Floats = npt.NDArray[np.float32]
    Integers = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

ROWS = 2048
"""Memories that are compared, and kept, at a time."""
_READ_AT_ONCE = 4096


class Vectors(Protocol):
    """The vectors of a vault's chunks, which have places in an order of their own.

    A chunk without a known word has zeros, which are like nothing.
    """

    def take(self, places: Integers) -> Floats:
        """The vectors at these places, a row each."""
        ...

    def blocks(self, last: int, columns: int) -> Iterator[tuple[Floats, Integers]]:
        """All vectors before the place `last`, at most `columns` at once, and their places."""
        ...


@dataclass(frozen=True, slots=True)
class Held:
    """Vectors in memory."""

    rows: Floats

    def take(self, places: Integers) -> Floats:
        return self.rows[places]

    def blocks(self, last: int, columns: int) -> Iterator[tuple[Floats, Integers]]:
        import numpy as np

        for start in range(0, last, columns):
            end = min(start + columns, last)
            yield self.rows[start:end], np.arange(start, end)


@dataclass(frozen=True, slots=True)
class Stored:
    """Vectors that are read whenever they are wanted; `chunks` are the numbers by place."""

    connection: Connection
    chunks: Integers

    def take(self, places: Integers) -> Floats:
        import numpy as np

        chunks = self.chunks[places]
        rows = np.zeros((len(chunks), pairs.dimension(self.connection)), np.float32)
        row_of = {int(chunk): row for row, chunk in enumerate(chunks)}
        for chunk, vector in pairs.vectors_of(self.connection, row_of):
            rows[row_of[chunk]] = np.frombuffer(vector, "<f4")
        return rows

    def blocks(self, last: int, columns: int) -> Iterator[tuple[Floats, Integers]]:
        import numpy as np

        order = np.argsort(self.chunks)
        ascending = self.chunks[order]
        stored = pairs.vectors(self.connection)
        while batch := list(islice(stored, min(columns, _READ_AT_ONCE))):
            numbers, blobs = zip(*batch, strict=True)
            rows = np.frombuffer(b"".join(blobs), "<f4").reshape(len(batch), -1)
            at = np.searchsorted(ascending, numbers).clip(max=len(ascending) - 1)
            places = np.where(ascending[at] == numbers, order[at], last)
            wanted = places < last
            yield (rows, places) if wanted.all() else (rows[wanted], places[wanted])

    def held(self) -> Held:
        """The same vectors, in memory."""
        import numpy as np

        count = len(self.chunks)
        rows = np.zeros((count, pairs.dimension(self.connection)), np.float32)
        for block, places in self.blocks(count, _READ_AT_ONCE) if count else ():
            rows[places] = block
        return Held(rows)


@dataclass(slots=True)
class Shelf:
    """The memories of one vault and the vectors of their chunks, the compared ones first.

    The chunks of memory `n` are at the places `starts[n]` to `starts[n + 1]`, and `owner` gives
    a chunk's memory; `nums` are the index's numbers. `done` memories are compared.
    """

    nums: Integers
    starts: Integers
    owner: Integers
    vectors: Vectors
    done: int

    @property
    def waiting(self) -> int:
        return len(self.nums) - self.done

    def beginnings(self, end: int) -> Floats:
        """The vectors of the first chunks of the waiting memories before `end`."""
        return self.vectors.take(self.starts[self.done : end])

    def chunks_of(self, memory: int) -> Floats:
        import numpy as np

        return self.vectors.take(np.arange(self.starts[memory], self.starts[memory + 1]))

    def is_long(self, memories: Integers) -> Flags:
        """Whether each of these memories has more than one chunk."""
        found: Flags = self.starts[memories + 1] - self.starts[memories] > 1
        return found


def shelves(connection: Connection, vaults: Sequence[int], now: float) -> tuple[Shelf, ...]:
    """A shelf for each vault that has live memories. Expects a transaction."""
    import numpy as np

    waiting = pairs.waiting(connection, vaults, now)
    live = _table(pairs.live(connection, vaults, now), 2)
    live = live[~np.isin(live[:, 0], list(waiting.aside))]
    fresh = np.isin(live[:, 0], list(waiting.fresh))
    order = np.lexsort((live[:, 0], fresh, live[:, 1]))
    (nums, vault), fresh = live[order].T, fresh[order]
    sizes, chunks = _chunks(connection, nums)
    starts = np.concatenate(([0], np.cumsum(sizes)))
    bounds = [*np.flatnonzero(np.diff(vault)) + 1, len(vault)] if len(vault) else []
    once = len(bounds) == 1 and fresh.sum() <= ROWS
    stored = Stored(connection, chunks)
    held = None if once else stored.held()
    found, first = [], 0
    for last in bounds:
        own = starts[first : last + 1]
        vectors: Vectors = Held(held.rows[own[0] : own[-1]]) if held else stored
        owner = np.repeat(np.arange(last - first), sizes[first:last])
        done = int((~fresh[first:last]).sum())
        found.append(Shelf(nums[first:last], own - own[0], owner, vectors, done))
        first = last
    return tuple(found)


def _chunks(connection: Connection, memories: Integers) -> tuple[Integers, Integers]:
    """How many chunks each of these memories has, and the numbers of all, one memory's together."""
    import numpy as np

    table = _table(pairs.chunks(connection), 2)
    begins, ends = (np.searchsorted(table[:, 0], memories, side) for side in ("left", "right"))
    sizes = ends - begins
    ahead = np.cumsum(sizes) - sizes
    places = np.arange(sizes.sum()) + np.repeat(begins - ahead, sizes)
    return sizes, table[places, 1]


def _table(rows: Iterable[tuple[int, ...]], width: int) -> Integers:
    """Rows of whole numbers as an array."""
    import numpy as np

    return np.fromiter(chain.from_iterable(rows), np.int64).reshape(-1, width)

"""The vectors of vaults as arrays: what a comparison works on, read from the index in one go."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING

from muninn_cli.store.index import pairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

    from muninn_cli.store.index.connection import Connection

    Floats = npt.NDArray[np.float32]
    Integers = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

_READ_AT_ONCE = 4096


@dataclass(slots=True)
class Shelf:
    """The memories of one vault and the vectors of their chunks, the compared ones first.

    The chunks of memory `n` are `starts[n]` to `starts[n + 1]`, and `owner` gives a chunk's
    memory; `nums` are the index's numbers. `done` memories are compared.
    """

    nums: Integers
    starts: Integers
    owner: Integers
    vectors: Floats
    done: int

    @property
    def waiting(self) -> int:
        return len(self.nums) - self.done

    def chunks_of(self, memory: int) -> Floats:
        return self.vectors[self.starts[memory] : self.starts[memory + 1]]

    def is_long(self, memories: Integers) -> Flags:
        """Whether each of these memories has more than one chunk."""
        found: Flags = self.starts[memories + 1] - self.starts[memories] > 1
        return found


def shelves(connection: Connection, vaults: Sequence[int], now: float) -> tuple[Shelf, ...]:
    """A shelf for each vault that has live memories.

    A chunk without a known word has zeros, which are like nothing. Expects a transaction.
    """
    import numpy as np

    waiting = pairs.waiting(connection, vaults, now)
    live = _table(pairs.live(connection, vaults, now), 2)
    live = live[~np.isin(live[:, 0], list(waiting.aside))]
    fresh = np.isin(live[:, 0], list(waiting.fresh))
    order = np.lexsort((live[:, 0], fresh, live[:, 1]))
    (nums, vault), fresh = live[order].T, fresh[order]
    sizes, chunks = _chunks(connection, nums)
    starts = np.concatenate(([0], np.cumsum(sizes)))
    vectors = _vectors(connection, chunks)
    bounds = [*np.flatnonzero(np.diff(vault)) + 1, len(vault)] if len(vault) else []
    found, first = [], 0
    for last in bounds:
        own = starts[first : last + 1]
        found.append(
            Shelf(
                nums=nums[first:last],
                starts=own - own[0],
                owner=np.repeat(np.arange(last - first), sizes[first:last]),
                vectors=vectors[own[0] : own[-1]],
                done=int((~fresh[first:last]).sum()),
            )
        )
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


def _vectors(connection: Connection, chunks: Integers) -> Floats:
    """The vectors of these chunks, a row each."""
    import numpy as np

    vectors = np.zeros((len(chunks), pairs.dimension(connection)), np.float32)
    if not vectors.size:
        return vectors
    order = np.argsort(chunks)
    ascending = chunks[order]
    stored = pairs.vectors(connection)
    while batch := list(islice(stored, _READ_AT_ONCE)):
        numbers, blobs = zip(*batch, strict=True)
        found = np.frombuffer(b"".join(blobs), "<f4").reshape(len(batch), -1)
        places = np.searchsorted(ascending, numbers)
        places[places == len(ascending)] = 0
        wanted = ascending[places] == numbers
        if not wanted.all():
            places, found = places[wanted], found[wanted]
        vectors[order[places]] = found
    return vectors

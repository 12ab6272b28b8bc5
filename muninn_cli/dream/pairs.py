"""The pairs of alike memories: every live memory against every other, only the new ones each time.

Works block by block over the vectors in the index, keeps in the index what it has, and goes on
there the next time. Reads no text, and writes nothing but pairs.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.likeness import alike
from muninn_cli.core.times import epoch
from muninn_cli.store.index import pairs
from muninn_cli.store.index.connection import open_reader, open_writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from muninn_cli.providers.base import Deadline
    from muninn_cli.store.index.connection import Connection

    Floats = npt.NDArray[np.float32]
    Integers = npt.NDArray[np.int64]

CONNECTED = 0.60
"""Across vaults, memories at least so alike may have a connection."""
NEAREST_ABROAD = 3
"""Memories of other vaults that one is paired with."""
NEAREST_AT_HOME = 32
"""Memories of its own vault that one is paired with at most: a hundred thousand notes of one
shape must not become five thousand million pairs."""
_ROWS = 2048
"""Memories compared, and kept, at a time."""
_BLOCK = 1 << 23
"""Cosines of one block of the product: 32 MB."""
_READ_AT_ONCE = 4096
_MOST_HITS = 1_000_000
"""Hits of one block of rows held in memory before only the nearest are kept."""


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
        embedder = pairs.embedder(reader)
        stale = pairs.is_stale(reader, embedder, bound)
        if not stale and not pairs.waiting(reader, vaults, epoch(now)).fresh:
            return True
    with closing(open_writer(index)) as writer:
        pairs.begin(writer, embedder, bound)
        while deadline.left > 0:
            if _Comparison(writer, vaults, bound, now).run(deadline, progress):
                return True
    return False


class _Hits(NamedTuple):
    """Pairs as three columns: the memory compared, the other one, and their cosine."""

    rows: Integers
    others: Integers
    cosines: Floats


@dataclass(slots=True)
class _Shelf:
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

    def is_long(self, memories: Integers) -> npt.NDArray[np.bool_]:
        """Whether each of these memories has more than one chunk."""
        found: npt.NDArray[np.bool_] = self.starts[memories + 1] - self.starts[memories] > 1
        return found


class _Comparison:
    """One run over the vectors as the index holds them at this moment."""

    def __init__(
        self, connection: Connection, vaults: Sequence[int], bound: float, now: datetime
    ) -> None:
        self._connection = connection
        self._bound = bound
        with pairs.reading(connection) as self._version:
            waiting = pairs.waiting(connection, vaults, epoch(now))
            live = _table(pairs.live(connection, vaults, epoch(now)), 2)
            self._shelves = _shelves(connection, live, waiting)

    def run(self, deadline: Deadline, progress: Callable[[int, int], None]) -> bool:
        """Compare until all is done; false where the time ran out or the index has changed."""
        total = sum(shelf.waiting for shelf in self._shelves)
        for shelf in self._shelves:
            while shelf.waiting:
                if deadline.left <= 0 or not self._advance(shelf):
                    return False
                progress(total - sum(each.waiting for each in self._shelves), total)
        return True

    def _advance(self, shelf: _Shelf) -> bool:
        """Compare the next memories of a shelf with all that are compared, and one another."""
        end = min(shelf.done + _ROWS, len(shelf.nums))
        rows = shelf.vectors[shelf.starts[shelf.done : end]]
        at_home, abroad = self._at_home(shelf, rows, end), self._abroad(shelf, rows)
        found = pairs.Found(list(at_home), list(abroad))
        compared = shelf.nums[shelf.done : end].tolist()
        if not pairs.keep(self._connection, found, compared, self._version):
            return False
        shelf.done = end
        return True

    def _at_home(self, shelf: _Shelf, rows: Floats, end: int) -> Iterable[tuple[int, int, float]]:
        hits = _nearest(rows, shelf, end, self._bound, NEAREST_AT_HOME, first=shelf.done)
        long = shelf.is_long(hits.rows) | shelf.is_long(hits.others)
        short = ~long
        yield from _listed(shelf.nums[hits.rows], shelf.nums[hits.others], hits.cosines, short)
        for row, other in zip(hits.rows[long].tolist(), hits.others[long].tolist(), strict=True):
            cosines = shelf.chunks_of(row) @ shelf.chunks_of(other).T
            cosine = min(alike(cosines.tolist()), 1.0)
            if cosine >= self._bound:
                yield int(shelf.nums[row]), int(shelf.nums[other]), cosine

    def _abroad(self, shelf: _Shelf, rows: Floats) -> Iterable[tuple[int, int, float]]:
        """For each of the next memories the nearest of other vaults, by its beginning."""
        found: list[list[tuple[float, int]]] = [[] for _ in range(len(rows))]
        for other in self._shelves:
            if other is shelf or not other.done:
                continue
            hits = _nearest(rows, other, other.done, CONNECTED, NEAREST_ABROAD)
            nums = other.nums[hits.others].tolist()
            for row, num, cosine in zip(
                hits.rows.tolist(), nums, hits.cosines.tolist(), strict=True
            ):
                found[row].append((cosine, num))
        for row, near in enumerate(found, start=shelf.done):
            for cosine, num in sorted(near, reverse=True)[:NEAREST_ABROAD]:
                yield int(shelf.nums[row]), num, min(cosine, 1.0)


def _nearest(
    rows: Floats, shelf: _Shelf, end: int, bound: float, most: int, *, first: int = -1
) -> _Hits:
    """The nearest of the first `end` memories of a shelf to each row, `most` at most.

    With `first`, the rows are the memories of the shelf from there on: each is compared with
    those before it alone, and the hits name it by its place in the shelf.
    """
    import numpy as np

    none = np.empty(0, np.int64)
    kept, held = _Hits(none, none, np.empty(0, np.float32)), 0
    waiting: list[_Hits] = []
    last = int(shelf.starts[end])
    columns = min(max(_BLOCK // len(rows), 1), last)
    cosines = np.empty(len(rows) * columns, np.float32)
    above = np.empty(len(rows) * columns, np.bool_)
    for start in range(0, last, columns):
        width = min(columns, last - start)
        block = cosines[: len(rows) * width].reshape(len(rows), width)
        np.matmul(rows, shelf.vectors[start : start + width].T, out=block)
        mask = np.greater_equal(
            block, np.float32(bound), out=above[: block.size].reshape(block.shape)
        )
        places = np.flatnonzero(mask)  # far quicker than in two dimensions
        if not len(places):
            continue
        row, column = np.divmod(places, width)
        hits = _Hits(row + max(first, 0), shelf.owner[column + start], block.ravel()[places])
        if first >= 0:
            before = hits.others < hits.rows
            hits = _Hits(hits.rows[before], hits.others[before], hits.cosines[before])
        waiting.append(hits)
        held += len(hits.rows)
        if held > _MOST_HITS:
            kept, held = _trimmed([kept, *waiting], most), 0
            waiting = []
    return _trimmed([kept, *waiting], most)


def _trimmed(hits: Sequence[_Hits], most: int) -> _Hits:
    """The nearest others of each row, each other one once with its best cosine."""
    import numpy as np

    rows, others, cosines = (np.concatenate(column) for column in zip(*hits, strict=True))
    order = np.lexsort((-cosines, others, rows))
    rows, others, cosines = rows[order], others[order], cosines[order]
    fresh = np.ones(len(rows), np.bool_)
    fresh[1:] = (rows[1:] != rows[:-1]) | (others[1:] != others[:-1])
    rows, others, cosines = rows[fresh], others[fresh], cosines[fresh]
    order = np.lexsort((others, -cosines, rows))
    rows, others, cosines = rows[order], others[order], cosines[order]
    rank = np.arange(len(rows)) - np.searchsorted(rows, rows, side="left")
    near = rank < most
    return _Hits(rows[near], others[near], cosines[near])


def _listed(
    rows: Integers, others: Integers, cosines: Floats, wanted: npt.NDArray[np.bool_]
) -> Iterable[tuple[int, int, float]]:
    """The wanted pairs as Python's own numbers."""
    found = (rows[wanted].tolist(), others[wanted].tolist(), cosines[wanted].clip(max=1).tolist())
    return zip(*found, strict=True)


def _shelves(connection: Connection, live: Integers, waiting: pairs.Waiting) -> tuple[_Shelf, ...]:
    """A shelf for each vault, of live memories given as number and vault.

    A chunk without a known word has zeros, which are like nothing.
    """
    import numpy as np

    live = live[~np.isin(live[:, 0], list(waiting.aside))]
    fresh = np.isin(live[:, 0], list(waiting.fresh))
    order = np.lexsort((live[:, 0], fresh, live[:, 1]))
    num, vault = live[order].T
    fresh = fresh[order]
    chunks = _table(pairs.chunks(connection), 2)
    begins, ends = (np.searchsorted(chunks[:, 0], num, side) for side in ("left", "right"))
    sizes = ends - begins
    starts = np.concatenate(([0], np.cumsum(sizes)))
    places = np.arange(starts[-1]) + np.repeat(begins - starts[:-1], sizes)
    vectors = _vectors(connection, chunks[places, 1])
    shelves = []
    for each in np.unique(vault):
        first, last = np.searchsorted(vault, each, "left"), np.searchsorted(vault, each, "right")
        own = starts[first : last + 1]
        shelves.append(
            _Shelf(
                nums=num[first:last],
                starts=own - own[0],
                owner=np.repeat(np.arange(last - first), sizes[first:last]),
                vectors=vectors[own[0] : own[-1]],
                done=int((~fresh[first:last]).sum()),
            )
        )
    return tuple(shelves)


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

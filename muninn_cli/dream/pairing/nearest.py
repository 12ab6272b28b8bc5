"""The nearest memories of a shelf to some vectors: a matrix product in blocks, and what it hits.

Time and memory stay bounded whatever the vectors: where all are alike, a row that has found enough
of the others asks for nearer ones from then on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from muninn_cli.dream.pairing.shelves import Floats, Integers, Shelf

BLOCK = 1 << 23
"""Cosines of one block of the product: 32 MB."""
_NEVER = -2.0
"""Less than any cosine."""


class Hits(NamedTuple):
    """Pairs as three columns: the row, the memory of the shelf, and their cosine."""

    rows: Integers
    others: Integers
    cosines: Floats

    def where(self, wanted: npt.NDArray[np.generic]) -> Hits:
        """Those that an array of flags or of places picks."""
        return Hits(self.rows[wanted], self.others[wanted], self.cosines[wanted])


def nearest(
    rows: Floats, shelf: Shelf, end: int, bound: float, most: int, *, own: bool = False
) -> Hits:
    """The nearest of the first `end` memories of a shelf to each row, `most` at most.

    With `own` the rows are themselves the memories of the shelf from `shelf.done` on: each is
    compared with those before it alone.
    """
    import numpy as np

    search = _Search(len(rows), bound, most, may_repeat=len(shelf.owner) > len(shelf.nums))
    buffer = np.empty(0, np.float32)
    for vectors, places in shelf.vectors.blocks(int(shelf.starts[end]), _columns(len(rows))):
        size = len(rows) * len(vectors)
        if size > len(buffer):
            buffer = np.empty(size, np.float32)
        block = buffer[:size].reshape(len(rows), len(vectors))
        np.matmul(rows, vectors.T, out=block)
        others = shelf.owner[places]
        if own and others.max(initial=-1) >= shelf.done:
            themselves = np.arange(shelf.done, shelf.done + len(rows))
            block[others >= themselves[:, np.newaxis]] = _NEVER
        search.take_in(block, others)
    return search.found()


def _columns(rows: int) -> int:
    return max(BLOCK // max(rows, 1), 1)


class _Search:
    """What was hit so far, and from which cosine on each row still wants more."""

    def __init__(self, rows: int, bound: float, most: int, *, may_repeat: bool) -> None:
        """`may_repeat`: several chunks may be of one memory."""
        import numpy as np

        none = np.empty(0, np.int64)
        self._kept = self._new = Hits(none, none, np.empty(0, np.float32))
        self._bounds = np.full((rows, 1), bound, np.float32)
        self._most = most
        self._may_repeat = may_repeat

    def take_in(self, block: Floats, others: Integers) -> None:
        """The cosines of all rows with some chunks, which are of these memories."""
        import numpy as np

        enough = len(block) * self._most
        above = np.greater_equal(block, self._bounds)
        if np.count_nonzero(above) > 2 * enough:
            self._raise(block[:, : block.shape[1] // 2])
            np.greater_equal(block, self._bounds, out=above)
        places = np.flatnonzero(above)  # far quicker than in two dimensions
        row, column = np.divmod(places, block.shape[1])
        self._new = _joined(self._new, Hits(row, others[column], block.ravel()[places]))
        if len(self._new.rows) > enough:
            self._trim()

    def _raise(self, block: Floats) -> None:
        """Want no more of a row than what is as near as the nearest of these; twice as many are
        counted, since some may be of one memory."""
        import numpy as np

        count = 2 * self._most
        if block.shape[1] > count:
            nearest_of_row = np.partition(block, -count, axis=1)[:, -count, np.newaxis]
            np.maximum(self._bounds, nearest_of_row, out=self._bounds)

    def found(self) -> Hits:
        self._trim()
        return self._kept

    def _trim(self) -> None:
        """Keep the nearest others of each row, each other one once with its best cosine."""
        import numpy as np

        hits = _joined(self._kept, self._new)
        hits = hits.where(hits.cosines >= self._bounds[hits.rows, 0])
        hits = hits.where(_order(hits))
        if self._may_repeat:
            hits = hits.where(_first(hits.rows, hits.others))
        rank = np.arange(len(hits.rows)) - np.searchsorted(hits.rows, hits.rows)
        self._kept, self._new = hits.where(rank < self._most), self._new.where(rank[:0])
        last = hits.where(rank == self._most - 1)
        self._bounds[last.rows, 0] = last.cosines


def _order(hits: Hits) -> Integers:
    """Row by row, the nearest first. One whole number a hit sorts far quicker than two columns."""
    import numpy as np

    distance = ((1.5 - hits.cosines.astype(np.float64)) * (1 << 30)).astype(np.int64)
    return np.argsort(hits.rows << 32 | distance)


def _joined(one: Hits, other: Hits) -> Hits:
    import numpy as np

    return Hits(
        np.concatenate((one.rows, other.rows)),
        np.concatenate((one.others, other.others)),
        np.concatenate((one.cosines, other.cosines)),
    )


def _first(rows: Integers, others: Integers) -> Integers:
    """The places at which a pair stands for the first time, in order."""
    import numpy as np

    pairs = rows * (int(others.max(initial=0)) + 1) + others
    return np.sort(np.unique(pairs, return_index=True)[1])

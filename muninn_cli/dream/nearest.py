"""The nearest memories of a shelf to some vectors: a matrix product in blocks, and what it hits.

Memory stays bounded whatever the vectors: one block of cosines, and a million hits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import numpy.typing as npt

    from muninn_cli.dream.shelves import Floats, Integers, Shelf

BLOCK = 1 << 23
"""Cosines of one block of the product: 32 MB."""
MOST_HITS = 1_000_000
"""Hits held in memory before only the nearest are kept."""


class Hits(NamedTuple):
    """Pairs as three columns: the row, the memory of the shelf, and their cosine."""

    rows: Integers
    others: Integers
    cosines: Floats

    def where(self, wanted: npt.NDArray[np.bool_]) -> Hits:
        return Hits(self.rows[wanted], self.others[wanted], self.cosines[wanted])


def nearest(rows: Floats, shelf: Shelf, end: int, bound: float, most: int) -> Hits:
    """The nearest of the first `end` memories of a shelf to each row, `most` at most."""
    return _trimmed(_held(_hits(rows, shelf, end, bound), most), most)


def nearest_before(rows: Floats, shelf: Shelf, end: int, bound: float, most: int) -> Hits:
    """For the memories of a shelf from `shelf.done` to `end`, the nearest of those before each.

    `rows` are their vectors; hits name them by their place in the shelf.
    """
    hits = (
        Hits(found.rows + shelf.done, found.others, found.cosines)
        for found in _hits(rows, shelf, end, bound)
    )
    before = (found.where(found.others < found.rows) for found in hits)
    return _trimmed(_held(before, most), most)


def _hits(rows: Floats, shelf: Shelf, end: int, bound: float) -> Iterator[Hits]:
    """What is at or above the bound, block by block."""
    import numpy as np

    columns = max(BLOCK // len(rows), 1)
    cosines, above = np.empty(0, np.float32), np.empty(0, np.bool_)
    for vectors, places in shelf.vectors.blocks(int(shelf.starts[end]), columns):
        size = len(rows) * len(vectors)
        if size > len(cosines):
            cosines, above = np.empty(size, np.float32), np.empty(size, np.bool_)
        np.matmul(rows, vectors.T, out=cosines[:size].reshape(len(rows), len(vectors)))
        np.greater_equal(cosines[:size], np.float32(bound), out=above[:size])
        hits = np.flatnonzero(above[:size])  # far quicker than in two dimensions
        if len(hits):
            row, column = np.divmod(hits, len(vectors))
            yield Hits(row, shelf.owner[places[column]], cosines[hits])


def _held(hits: Iterator[Hits], most: int) -> list[Hits]:
    """All hits, or only the nearest where they are too many."""
    kept: list[Hits] = []
    for found in hits:
        kept.append(found)
        if sum(len(each.rows) for each in kept) > MOST_HITS:
            kept = [_trimmed(kept, most)]
    return kept


def _trimmed(hits: Sequence[Hits], most: int) -> Hits:
    """The nearest others of each row, each other one once with its best cosine."""
    import numpy as np

    if not hits:
        none = np.empty(0, np.int64)
        return Hits(none, none, np.empty(0, np.float32))
    found = Hits(*(np.concatenate(column) for column in zip(*hits, strict=True)))
    found = _ordered(found, by=(-found.cosines, found.others, found.rows))
    fresh = np.ones(len(found.rows), np.bool_)
    fresh[1:] = (np.diff(found.rows) != 0) | (np.diff(found.others) != 0)
    found = found.where(fresh)
    found = _ordered(found, by=(found.others, -found.cosines, found.rows))
    rank = np.arange(len(found.rows)) - np.searchsorted(found.rows, found.rows)
    return found.where(rank < most)


def _ordered(hits: Hits, by: tuple[npt.NDArray[Any], ...]) -> Hits:
    import numpy as np

    order = np.lexsort(by)
    return Hits(hits.rows[order], hits.others[order], hits.cosines[order])

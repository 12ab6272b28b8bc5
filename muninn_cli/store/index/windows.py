"""Window vectors: a chunk's vector with some of its neighbours' mixed in.

unit(e + .30 (e-1 + e+1) + .15 (e-2 + e+2)), where a neighbour counts only from cosine .20 on.
Pure: vectors in, vectors out. Few are mixed in plain Python, since loading numpy takes longer.
"""

from __future__ import annotations

from array import array
from operator import mul
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WEIGHTS = {1: 0.30, 2: 0.15}
"""Share of a neighbour, by distance."""
GATE = 0.20
"""Cosine from which on neighbours are about the same thing."""
_FEW = 200

Neighbours = tuple[tuple[int, int], ...]
"""Distance and number of each neighbour, nearest places only."""


def windows(
    chunks: Mapping[int, Neighbours], vectors: Mapping[int, bytes]
) -> dict[int, bytes | None]:
    """The window of each chunk that has a vector; None where no neighbour counts.

    `vectors` are unit vectors, float32 little-endian, of the chunks and their neighbours.
    """
    present = {
        chunk: tuple((WEIGHTS[d], vectors[n]) for d, n in neighbours if n in vectors)
        for chunk, neighbours in chunks.items()
        if chunk in vectors
    }
    found: dict[int, bytes | None] = dict.fromkeys(present)
    mixed = {chunk: around for chunk, around in present.items() if around}
    if len(mixed) <= _FEW:
        found.update((chunk, mix(vectors[chunk], around)) for chunk, around in mixed.items())
    else:
        own = [vectors[chunk] for chunk in mixed]
        found.update(zip(mixed, mix_many(own, list(mixed.values())), strict=True))
    return found


def mix(own: bytes, neighbours: Sequence[tuple[float, bytes]]) -> bytes | None:
    """One window; None where no neighbour counts."""
    total = array("f", own)
    base = total
    for weight, vector in neighbours:
        other = array("f", vector)
        if sum(map(mul, base, other)) >= GATE:
            total = array("f", [a + weight * b for a, b in zip(total, other, strict=True)])
    if total is base:
        return None
    length = sum(map(mul, total, total)) ** 0.5
    return array("f", [value / length for value in total]).tobytes()


def mix_many(
    own: Sequence[bytes], neighbours: Sequence[Sequence[tuple[float, bytes]]]
) -> list[bytes | None]:
    """Many windows at once."""
    import numpy as np

    base = np.frombuffer(b"".join(own), "<f4").reshape(len(own), -1)
    total = base.copy()
    counts = np.zeros(len(own), bool)
    for place in range(max(map(len, neighbours))):
        rows = np.array([row for row, around in enumerate(neighbours) if len(around) > place])
        weights = np.array([neighbours[row][place][0] for row in rows], "<f4")
        joined = b"".join(neighbours[row][place][1] for row in rows)
        others = np.frombuffer(joined, "<f4").reshape(len(rows), -1)
        passes = np.einsum("ij,ij->i", base[rows], others) >= GATE
        total[rows[passes]] += weights[passes, None] * others[passes]
        counts[rows[passes]] = True
    total /= np.linalg.norm(total, axis=1, keepdims=True)
    return [row.tobytes() if count else None for row, count in zip(total, counts, strict=True)]

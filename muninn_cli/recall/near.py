"""What stands near the chunks that a search found: it may be shown too, and lends its words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.reranking import LENT
from muninn_cli.recall.pool import Candidate
from muninn_cli.store.index.passages import sources

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.index.passages import Place

_REACH = max(LENT)


class Near(NamedTuple):
    """A chunk beside another in its source; before it where the distance is negative."""

    distance: int
    chunk: int


def surrounded(found: Mapping[int, Candidate], connection: Connection) -> dict[int, Candidate]:
    """The chunks at most two places from those found in their sources, and these themselves."""
    memories = {candidate.memory for candidate in found.values()}
    return {
        source[position].chunk: Candidate(source[position].memory, _beside(source, position))
        for source in sources(connection, memories)
        for position in _reached(source, found)
    }


def _reached(source: Sequence[Place], found: Mapping[int, Candidate]) -> list[int]:
    hits = [position for position, place in enumerate(source) if place.chunk in found]
    reached = {near for hit in hits for near in range(hit - _REACH, hit + _REACH + 1)}
    return sorted(reached.intersection(range(len(source))))


def _beside(source: Sequence[Place], position: int) -> tuple[Near, ...]:
    return tuple(
        Near(distance, source[position + distance].chunk)
        for distance in range(-_REACH, _REACH + 1)
        if distance and 0 <= position + distance < len(source)
    )

"""The chunks that a search may show: what the legs found, and near it, as far as it may be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.ranking import LENT
from muninn_cli.core.times import epoch
from muninn_cli.store.index.rows import rows_of
from muninn_cli.store.index.search import cosines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from muninn_cli.recall.legs import Legs
    from muninn_cli.recall.query import Query, Tools
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.index.passages import Place
    from muninn_cli.store.index.rows import Row

_REACH = max(LENT)


class Near(NamedTuple):
    """A chunk beside another in its source; before it where the distance is negative."""

    distance: int
    chunk: int


class Candidate(NamedTuple):
    """A chunk that may be shown: its memory, and what may lend to it."""

    memory: int
    beside: tuple[Near, ...] = ()


class Pool(NamedTuple):
    """Candidates by chunk, rows by memory, and cosines of the chunks that have a vector."""

    candidates: Mapping[int, Candidate]
    rows: Mapping[int, Row]
    cosines: Mapping[int, float]


def pool(query: Query, legs: Legs, tools: Tools) -> Pool:
    """What the legs found, for a rerank also what is near it, as far as the filters let it pass."""
    found = {chunk.chunk: Candidate(chunk.memory) for chunk in (*legs.fulltext, *legs.semantic)}
    if query.reranks:
        found |= _near(found, tools.connection)
    memories = {candidate.memory for candidate in found.values()}
    rows = rows_of(tools.connection, memories, query.filters, now=epoch(tools.now))
    vector = legs.plain if query.reranks else legs.vector
    known = cosines(tools.connection, found, vector) if vector else {}
    least = query.min_cosine
    candidates = {
        chunk: candidate
        for chunk, candidate in found.items()
        if candidate.memory in rows and (least is None or known.get(chunk, -1.0) >= least)
    }
    return Pool(candidates, rows, known)


def _near(found: Mapping[int, Candidate], connection: Connection) -> dict[int, Candidate]:
    """The chunks at most two places from those found in their sources, and these themselves."""
    from muninn_cli.store.index.passages import sources

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

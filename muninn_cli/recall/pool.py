"""The chunks that a search may show: what the legs found, and near it, as far as it may be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.times import epoch
from muninn_cli.store.index.rows import rows_of
from muninn_cli.store.index.search import cosines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from muninn_cli.recall.legs import Legs
    from muninn_cli.recall.near import Near
    from muninn_cli.recall.query import Query, Tools
    from muninn_cli.store.index.rows import Row


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
        from muninn_cli.recall.near import surrounded

        found |= surrounded(found, tools.connection)
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

"""Searching: from a question to the memories that answer it, best first.

Only reads; that something was shown is noted by the caller.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.memory import Tier
from muninn_cli.core.ranking import FOUNDATIONAL_BONUS, bounded, final_score, fuse, relative
from muninn_cli.core.snippets import snippet
from muninn_cli.core.times import epoch
from muninn_cli.errors import UsageError
from muninn_cli.recall.hits import hit_of
from muninn_cli.recall.legs import gather
from muninn_cli.recall.query import Answer, Mode
from muninn_cli.recall.rerank import Candidate, reranked, with_neighbours
from muninn_cli.recall.strength import strength_of
from muninn_cli.store.index.filters import State
from muninn_cli.store.index.rows import expired_count, rows_of
from muninn_cli.store.index.search import chunk_texts, cosines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from muninn_cli.core.ranking import Parts
    from muninn_cli.recall.legs import Legs
    from muninn_cli.recall.query import Hit, Query, Tools
    from muninn_cli.recall.rerank import Candidates
    from muninn_cli.store.index.rows import Row

HIDDEN = "{count} expired memories are hidden: --expired shows them."


class Pool(NamedTuple):
    """The chunks that may be shown, the rows of their memories, and their cosines."""

    candidates: Candidates
    rows: Mapping[int, Row]
    cosines: Mapping[int, float]


class Ranked(NamedTuple):
    """A memory, the chunk of it that answers best, and its score of 0 to 1.1."""

    row: Row
    chunk: int
    score: float


def search(query: Query, tools: Tools) -> Answer:
    """Answer a question. Raises UsageError where it is empty or blank."""
    if not query.text.strip():
        raise UsageError("the question is empty", "say what to look for")
    legs = gather(query, tools)
    pool = _pool(query, legs, tools)
    fused = _fused(query, legs)
    parts = reranked(pool, query, legs, tools) if _reranks(query) else {}
    scores = {chunk: part.score for chunk, part in parts.items()} or _plain(query, legs, pool, fused)
    shown = _ranked(pool, scores, tools)[: query.limit]
    hits = _hits(...)
    return Answer(tuple(hits), (*legs.notices, *_hidden(query, tools)))


def _pool(query: Query, legs: Legs, tools: Tools) -> Pool:
    """What the legs found, and near it, as far as it passes the filters."""
    found = with_neighbours(legs, tools.connection) if _reranks(query) else _found(legs)
    memories = {candidate.memory for candidate in found.values()}
    rows = rows_of(tools.connection, memories, query.filters, now=epoch(tools.now))
    known = cosines(tools.connection, found, legs.vector) if legs.vector else {}
    least = query.min_cosine
    candidates = {
        chunk: candidate
        for chunk, candidate in found.items()
        if candidate.memory in rows and (least is None or known.get(chunk, -1.0) >= least)
    }
    return Pool(candidates, rows, known)

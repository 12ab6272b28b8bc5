"""Searching: from a question to the memories that answer it, best first.

Only reads; that something was shown is noted by the caller.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.ranking import bounded, final_score, fuse, relative
from muninn_cli.core.snippets import snippet
from muninn_cli.core.times import epoch
from muninn_cli.errors import UsageError
from muninn_cli.recall.contested import newest_first
from muninn_cli.recall.hits import hit_of
from muninn_cli.recall.legs import gather
from muninn_cli.recall.pool import pool
from muninn_cli.recall.query import Answer, Mode
from muninn_cli.recall.strength import strength_of
from muninn_cli.store.index.conflicts import conflicts
from muninn_cli.store.index.filters import State
from muninn_cli.store.index.rows import expired_count
from muninn_cli.store.index.search import chunk_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from muninn_cli.recall.legs import Legs
    from muninn_cli.recall.pool import Pool
    from muninn_cli.recall.query import Hit, Query, Tools
    from muninn_cli.recall.strength import Strength
    from muninn_cli.store.index.rows import Row

HIDDEN = "{count} expired memories are hidden: --expired shows them."


class Score(NamedTuple):
    """How well a chunk answers, 0 to 1, and what that is made of."""

    value: float
    parts: Mapping[str, float]


class Ranked(NamedTuple):
    """A memory, the chunk of it that answers best, and its final score."""

    row: Row
    chunk: int
    strength: Strength
    content: Score

    @property
    def score(self) -> float:
        """0 to 1.1: content, the bonus of T0, and strength."""
        return final_score(self.content.value, self.row.tier, self.strength.factor)


def search(query: Query, tools: Tools) -> Answer:
    """Answer a question. Raises UsageError where it is empty or blank."""
    if not query.text.strip():
        raise UsageError("the question is empty", "say what to look for")
    with tools.connection.reading():
        return _answer(query, tools)


def _answer(query: Query, tools: Tools) -> Answer:
    legs = gather(query, tools)
    found = pool(query, legs, tools)
    scores = _scores(query, legs, found, tools)
    ranked = {one.row.num: one for one in _ranked(found, scores, tools)}
    order, contested = newest_first(list(ranked), conflicts(tools.connection, ranked))
    shown = [ranked[num] for num in order[: query.limit]]
    newer = {num: ranked[newest].row.id for num, newest in contested.items()}
    hits = tuple(_hits(shown, newer, found.cosines, legs, tools))
    return Answer(hits, (*legs.notices, *_hidden(query, tools)))


def _scores(query: Query, legs: Legs, found: Pool, tools: Tools) -> dict[int, Score]:
    """The score of each chunk for its content alone."""
    by_words = {chunk.chunk: chunk.score for chunk in legs.fulltext}
    if query.mode is Mode.FULLTEXT:
        shares = relative(by_words)
        return {chunk: Score(shares[chunk], {"bm25": bm25}) for chunk, bm25 in by_words.items()}
    if query.mode is Mode.SEMANTIC:
        return {
            chunk.chunk: Score(bounded(chunk.score), {"cosine": chunk.score})
            for chunk in legs.semantic
        }
    fused = _fused(query, legs)
    if not query.rerank:
        return {
            chunk: Score(fused[candidate.memory], {"fusion": fused[candidate.memory]})
            for chunk, candidate in found.candidates.items()
        }
    from muninn_cli.recall.rerank import reranked

    return {
        chunk: Score(
            parts.score,
            {
                "fusion": fused.get(found.candidates[chunk].memory, 0.0),
                "cosine": parts.cosine,
                "words": parts.words,
                "lent": parts.lent,
                "date": parts.date,
                "weight": parts.weight,
            },
        )
        for chunk, parts in reranked(query, legs, found, tools).items()
    }


def _fused(query: Query, legs: Legs) -> dict[int, float]:
    """Rank fusion of the memories of both legs, each at the rank of its best chunk."""
    ranked = [
        list(dict.fromkeys(chunk.memory for chunk in leg)) for leg in (legs.semantic, legs.fulltext)
    ]
    return fuse(zip(query.weights, ranked, strict=True))


def _ranked(found: Pool, scores: Mapping[int, Score], tools: Tools) -> list[Ranked]:
    """The memories by their best chunks, best first; the newest first of equals."""
    best: dict[int, int] = {}
    for chunk, candidate in found.candidates.items():
        known = best.get(candidate.memory)
        if known is None or scores[chunk].value > scores[known].value:
            best[candidate.memory] = chunk
    ranked = [
        Ranked(row, best[num], strength_of(row, tools.now), scores[best[num]])
        for num, row in found.rows.items()
        if num in best
    ]
    return sorted(ranked, key=lambda one: (-one.score, -epoch(one.row.since), one.row.id))


def _hits(
    shown: Sequence[Ranked],
    newer: Mapping[int, str],
    cosines: Mapping[int, float],
    legs: Legs,
    tools: Tools,
) -> Iterator[Hit]:
    """The memories as they are shown; `newer` names what contradicts one of them."""
    texts = chunk_texts(tools.connection, [one.chunk for one in shown])
    wanted = {stem: legs.rarity.idf(word) for word in legs.question.content for stem in word.stems}
    for one in shown:
        yield hit_of(
            one.row,
            snippet(texts[one.chunk], wanted, tools.stems),
            one.score,
            cosines.get(one.chunk),
            {**one.content.parts, **one.strength._asdict()},
            contradicted_by=newer.get(one.row.num, ""),
        )


def _hidden(query: Query, tools: Tools) -> list[str]:
    """What to say about expired memories that are not shown."""
    if State.EXPIRED in query.filters.states:
        return []
    count = expired_count(tools.connection, query.filters, now=epoch(tools.now))
    return [HIDDEN.format(count=count)] if count else []

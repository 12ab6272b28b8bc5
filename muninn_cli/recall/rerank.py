"""The rerank of a hybrid search: collects what `core.ranking` asks about every candidate."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.dates import date_score, named_dates
from muninn_cli.core.question import MOST_MATCHED, rarest
from muninn_cli.core.ranking import GATE, LENT, Lender, Passage, best_matches, lent_share, rerank
from muninn_cli.embedding import word_vectors
from muninn_cli.store.index import passages as index

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from muninn_cli.core.question import Word
    from muninn_cli.core.ranking import Matches, Parts
    from muninn_cli.recall.legs import Legs
    from muninn_cli.recall.query import Query, Tools
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.index.passages import Pair, Place
    from muninn_cli.store.index.rows import Row

_REACH = max(LENT)


class Near(NamedTuple):
    """A chunk beside another in its source; before it where the distance is negative."""

    distance: int
    chunk: int


class Candidate(NamedTuple):
    """A chunk to be scored: its memory, and what may lend to it."""

    memory: int
    beside: tuple[Near, ...] = ()


Candidates = dict[int, Candidate]
"""By number of the chunk."""


def with_neighbours(legs: Legs, connection: Connection) -> Candidates:
    """The chunks that the legs found, and those up to two places from them in their sources."""
    found = {chunk.chunk: Candidate(chunk.memory) for chunk in (*legs.semantic, *legs.fulltext)}
    sources = index.sources(connection, {candidate.memory for candidate in found.values()})
    near = {
        source[position].chunk: Candidate(source[position].memory, _beside(source, position))
        for source in sources
        for position in _reached(source, found)
    }
    return found | near


def reranked(
    candidates: Candidates,
    rows: Mapping[int, Row],
    cosines: Mapping[int, float],
    query: Query,
    legs: Legs,
    tools: Tools,
) -> dict[int, Parts]:
    """The parts of each candidate's score, by number of the chunk."""
    words = rarest(legs.question.content, legs.rarity, MOST_MATCHED)
    matcher = _Matcher(candidates, words, tools.connection)
    dates = named_dates(query.text)
    passages = {
        chunk: Passage(
            cosine=cosines.get(chunk, 0.0),
            own=matcher.own(chunk),
            lenders=matcher.lenders(chunk, candidate.beside),
            date=date_score(dates, rows[candidate.memory].created),
        )
        for chunk, candidate in candidates.items()
    }
    idf = [legs.rarity.idf(word) for word in words]
    has_vector = legs.vector is not None
    return rerank(passages, idf, vector=has_vector, weight=query.fixed_weight)


class _Matcher:
    """How well candidates, and what stands beside them, match the words of a question."""

    def __init__(
        self, candidates: Candidates, words: Sequence[Word], connection: Connection
    ) -> None:
        beside = {near.chunk for candidate in candidates.values() for near in candidate.beside}
        self._texts = index.texts(connection, beside.union(candidates))
        self._alike = index.alike(connection, _pairs(candidates), GATE)
        numbers = {number for text in self._texts.values() for number in text.words}
        vectors = word_vectors([word.text for word in words])
        self._matches = index.word_matches(connection, numbers, words, vectors)
        self._count = len(words)
        self._bodies: dict[int, Matches] = {}

    def own(self, chunk: int) -> Matches:
        """The matches of all words of a chunk."""
        return self._best(self._texts[chunk].words)

    def lenders(self, chunk: int, beside: Iterable[Near]) -> tuple[Lender, ...]:
        """What the neighbours of a chunk lend to it; those that lend nothing are left out."""
        shares = ((self._share(chunk, near), near.chunk) for near in beside)
        return tuple(Lender(share, self._body(lender)) for share, lender in shares if share)

    def _share(self, chunk: int, near: Near) -> float:
        alike = _pair(chunk, near.chunk) in self._alike
        return lent_share(near.distance, alike=alike, asks=self._texts[near.chunk].asks)

    def _body(self, chunk: int) -> Matches:
        if chunk not in self._bodies:
            self._bodies[chunk] = self._best(self._texts[chunk].body)
        return self._bodies[chunk]

    def _best(self, numbers: Iterable[int]) -> Matches:
        return best_matches([self._matches[number] for number in numbers], self._count)


def _reached(source: Sequence[Place], found: Candidates) -> list[int]:
    """The positions in a source that are near one that was found."""
    hits = [position for position, place in enumerate(source) if place.chunk in found]
    reached = {near for hit in hits for near in range(hit - _REACH, hit + _REACH + 1)}
    return sorted(reached.intersection(range(len(source))))


def _beside(source: Sequence[Place], position: int) -> tuple[Near, ...]:
    return tuple(
        Near(distance, source[position + distance].chunk)
        for distance in range(-_REACH, _REACH + 1)
        if distance and 0 <= position + distance < len(source)
    )


def _pairs(candidates: Candidates) -> set[Pair]:
    return {
        _pair(chunk, near.chunk)
        for chunk, candidate in candidates.items()
        for near in candidate.beside
    }


def _pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)

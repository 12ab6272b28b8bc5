"""The rerank of a hybrid search: finds out what `core.reranking` asks about every candidate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.core.dates import date_score, named_dates
from muninn_cli.core.question import MOST_MATCHED, rarest
from muninn_cli.core.reranking import GATE, Lender, Passage, best_matches, lent_share, rerank
from muninn_cli.embedding import word_vectors
from muninn_cli.store.index import passages as index

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from muninn_cli.core.question import Word
    from muninn_cli.core.reranking import Matches, Parts
    from muninn_cli.recall.legs import Legs
    from muninn_cli.recall.near import Near
    from muninn_cli.recall.pool import Candidate, Pool
    from muninn_cli.recall.query import Query, Tools
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.index.passages import Pair


def reranked(query: Query, legs: Legs, pool: Pool, tools: Tools) -> dict[int, Parts]:
    """The parts of each candidate's score, by number of the chunk."""
    words = rarest(legs.question.content, legs.rarity, MOST_MATCHED)
    matcher = _Matcher(pool.candidates, words, tools.connection)
    dates = named_dates(query.text)
    passages = {
        chunk: Passage(
            cosine=pool.cosines.get(chunk, 0.0),
            own=matcher.own(chunk),
            lenders=matcher.lenders(chunk, candidate.beside),
            date=date_score(dates, pool.rows[candidate.memory].created),
        )
        for chunk, candidate in pool.candidates.items()
    }
    idf = [legs.rarity.idf(word) for word in words]
    has_vector = legs.plain is not None
    return rerank(passages, idf, vector=has_vector, weight=query.fixed_weight)


class _Matcher:
    """How well candidates, and what stands beside them, match the words of a question."""

    def __init__(
        self, candidates: Mapping[int, Candidate], words: Sequence[Word], connection: Connection
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


def _pairs(candidates: Mapping[int, Candidate]) -> set[Pair]:
    return {
        _pair(chunk, near.chunk)
        for chunk, candidate in candidates.items()
        for near in candidate.beside
    }


def _pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)

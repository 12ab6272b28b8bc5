"""The rerank of a hybrid search: soft word match, cosine, what neighbours lend, and dates.

Nothing here looks anything up: the caller brings cosines, word similarities and neighbours.
A score never is NaN and lies in 0..1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.ranking import bounded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SEMANTIC_WEIGHT = 0.7
"""Weight of the cosine in the rerank where nothing of the question is found literally."""
COVERAGE_SHIFT = 0.4
"""How much of that weight moves to the words where all of the question is found literally."""
LENT = {1: 0.6, 2: 0.4}
"""Share of a neighbour's words that a passage borrows, by distance."""
LENT_BY_QUESTION = 0.8
"""The same for the passage just before, where it ends with a question that this one answers."""
GATE = 0.2
"""Cosine from which on neighbours are about the same thing, so that one borrows from the other."""
DATE_WEIGHT = 0.15
RERANK_SCALE = 1 / (1 + DATE_WEIGHT)
"""Brings the best possible sum of the rerank, 1.15, to 1."""

Matches = tuple[float, ...]
"""For each content word of the question, how well a text matches it, 0 to 1."""


class Lender(NamedTuple):
    """A passage near another in the same source, and the share of its words that it lends."""

    share: float
    body: Matches


class Passage(NamedTuple):
    """A candidate chunk: its cosine (0 where it has no vector), word matches and date score."""

    cosine: float
    own: Matches
    lenders: tuple[Lender, ...] = ()
    date: float = 0.0


class Parts(NamedTuple):
    """What a rerank score is made of; `lent` is the part of `words` that neighbours brought."""

    cosine: float
    words: float
    lent: float
    date: float
    weight: float

    @property
    def score(self) -> float:
        """w·C + (1 - w)·L + 0.15·T on the scale of 0..1."""
        mixed = self.weight * self.cosine + (1 - self.weight) * self.words
        return bounded((mixed + DATE_WEIGHT * self.date) * RERANK_SCALE)


def lent_share(distance: int, *, alike: bool, asks: bool) -> float:
    """The share of its words that a neighbour lends, 0 to 1.

    `distance` is negative for what comes before; `alike` is whether both pass the GATE; `asks`
    whether the neighbour ends with a question mark.
    """
    if distance == -1 and asks:
        return LENT_BY_QUESTION
    return LENT.get(abs(distance), 0.0) if alike else 0.0


def best_matches(similarities: Sequence[Matches], words: int) -> Matches:
    """The best similarity to each of `words` question words among the words of a text."""
    if not similarities:
        return (0.0,) * words
    return tuple(map(max, zip(*similarities, strict=True)))


def rerank(
    passages: Mapping[int, Passage],
    idf: Sequence[float],
    *,
    vector: bool = True,
    weight: float | None = None,
) -> dict[int, Parts]:
    """Score candidates by soft word match, cosine, what neighbours lend, and date.

    `idf` holds one weight for each content word. Without a `vector` of the question words count
    alone, without content words the cosine. `weight` is the one that a person set for the
    cosine; by default it depends on how much of the question one passage holds literally.
    """
    total = sum(idf)
    if not vector or not total:
        weight = float(vector)
    elif weight is None:
        coverage = max((_literal(passage.own, idf) for passage in passages.values()), default=0.0)
        weight = SEMANTIC_WEIGHT - COVERAGE_SHIFT * coverage / total
    return {key: _parts(passage, idf, weight) for key, passage in passages.items()}


def _parts(passage: Passage, idf: Sequence[float], weight: float) -> Parts:
    own = _share(passage.own, idf)
    words = _share(_with_lenders(passage), idf)
    return Parts(bounded(passage.cosine), words, words - own, passage.date, weight)


def _with_lenders(passage: Passage) -> Matches:
    matches = passage.own
    for share, body in passage.lenders:
        lent = (share * match for match in body)
        matches = tuple(map(max, matches, lent))
    return matches


def _share(matches: Matches, idf: Sequence[float]) -> float:
    total = sum(idf)
    return bounded(sum(map(float.__mul__, matches, idf)) / total) if total else 0.0


def _literal(matches: Matches, idf: Sequence[float]) -> float:
    return sum(weight for match, weight in zip(matches, idf, strict=True) if match >= 1.0)

"""What is recalled together belongs together: weighted pairs of memories of one vault.

Weights are learned from recalls (Hebbian), fade with the time that passes and are inferred over
one step. Pure: nothing here knows the time or writes a weight anywhere.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.memory_usage import COUNT_EVERY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Pair = tuple[str, str]

HALF_LIFE = timedelta(days=60)
LEARNING_RATE = 0.1
SHOWN_TOGETHER = 5
"""Only the first hits of an answer count as recalled together."""
PREMISE = 0.7
"""From this weight on, a learned association may carry an inference."""
INFERENCE_LOSS = 0.8
MOST_INFERRED = 1000


class Association(NamedTuple):
    """`weight` (0..1) as it was at `at`; read it with `weight_at`."""

    weight: float
    at: datetime
    inferred: bool = False


def pair_of(one: str, other: str) -> Pair:
    """The key of an association, which has no direction."""
    return (one, other) if one < other else (other, one)


def weight_at(association: Association, now: datetime) -> float:
    """The weight left at `now`: half of it every 60 days."""
    return association.weight * _left(now - association.at)


def stronger(own: Association | None, other: Association) -> Association:
    """The one that weighs more, at the later of their instants."""
    if own is None:
        return other
    then = max(own.at, other.at)
    kept = own if weight_at(own, then) >= weight_at(other, then) else other
    return Association(weight_at(kept, then), then, kept.inferred)


def strengthen(known: Association | None, at: datetime, product: float) -> Association:
    """w ← w·2^(-Δt/60 d) + 0.1·aᵢ·aⱼ·(1-w): the pair was recalled together at `at`.

    `product` is aᵢ·aⱼ, each the score divided by the best score shown.
    """
    if known is None:
        return Association(LEARNING_RATE * product, at)
    gain = LEARNING_RATE * product * (1 - known.weight)
    return Association(weight_at(known, at) + gain, at)


def replay(
    known: Mapping[Pair, Association],
    answers: Iterable[tuple[datetime, Sequence[tuple[str, float]]]],
) -> dict[Pair, Association]:
    """The associations that these answers change, at their new weights.

    An answer is its instant and what it showed, best first, each with its score. A pair learns
    at most once an hour.
    """
    learned: dict[Pair, Association] = {}
    for at, hits in answers:
        for pair, product in _activations(hits[:SHOWN_TOGETHER]).items():
            before = learned.get(pair) or known.get(pair)
            if before is None or before.inferred or at - before.at >= COUNT_EVERY:
                learned[pair] = strengthen(before, max(at, before.at) if before else at, product)
    return learned


def infer(known: Mapping[Pair, Association], now: datetime) -> dict[Pair, Association]:
    """A-B and B-C, both learned and at least 0.7, give A-C with w·w·0.8, marked as inferred.

    An inferred association is never a premise and never replaces a learned or a stronger one;
    at most 1,000, strongest first.
    """
    found: dict[Pair, float] = {}
    for neighbours in _premises(known, now).values():
        for (one, left), (other, right) in combinations(sorted(neighbours.items()), 2):
            pair = pair_of(one, other)
            found[pair] = max(found.get(pair, 0.0), left * right * INFERENCE_LOSS)
    new = {pair: weight for pair, weight in found.items() if _is_news(known.get(pair), weight, now)}
    strongest = sorted(new, key=lambda pair: (-new[pair], pair))[:MOST_INFERRED]
    return {pair: Association(new[pair], now, inferred=True) for pair in strongest}


def _left(elapsed: timedelta) -> float:
    return float(2.0 ** -(max(elapsed, timedelta()) / HALF_LIFE))


def _activations(hits: Sequence[tuple[str, float]]) -> dict[Pair, float]:
    best = max((score for _, score in hits), default=0.0)
    if best <= 0:
        return {}
    shares = {memory_id: max(score, 0.0) / best for memory_id, score in hits}
    return {pair_of(a, b): shares[a] * shares[b] for a, b in combinations(shares, 2)}


def _premises(known: Mapping[Pair, Association], now: datetime) -> dict[str, dict[str, float]]:
    neighbours: dict[str, dict[str, float]] = defaultdict(dict)
    for (a, b), association in known.items():
        weight = weight_at(association, now)
        if not association.inferred and weight >= PREMISE:
            neighbours[a][b] = neighbours[b][a] = weight
    return neighbours


def _is_news(known: Association | None, weight: float, now: datetime) -> bool:
    return known is None or (known.inferred and weight_at(known, now) < weight)

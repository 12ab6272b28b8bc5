"""How candidates of a search are ordered: rank fusion, and what is added to a score.

A score never is NaN and, before the bonus of T0, lies in 0..1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.core.terms import Tier

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

RANK_CONSTANT = 60
"""k of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009)."""
FUSION_SCALE = RANK_CONSTANT + 1
"""Brings the best possible sum of fusion, 1/61, to 1."""

FOUNDATIONAL_BONUS = 0.1
"""What T0 gets on the scale of 0..1."""


def fuse(legs: Iterable[tuple[float, Sequence[int]]]) -> dict[int, float]:
    """Reciprocal rank fusion of (weight, keys from best to worst), scaled so that 1 is the best."""
    scores: dict[int, float] = {}
    for weight, ranked in legs:
        for rank, key in enumerate(ranked, start=1):
            gained = FUSION_SCALE * weight / (RANK_CONSTANT + rank)
            scores[key] = scores.get(key, 0.0) + gained
    return {key: bounded(score) for key, score in scores.items()}


def relative(scores: Mapping[int, float]) -> dict[int, float]:
    """Scores without a bound of their own (BM25) as shares of the best one."""
    best = max(scores.values(), default=0.0)
    return {key: bounded(score / best) if best > 0 else 0.0 for key, score in scores.items()}


def final_score(score: float, tier: Tier, memory_factor: float) -> float:
    """A content score of 0..1 with the bonus of T0, times the factor for strength."""
    return (bounded(score) + (FOUNDATIONAL_BONUS if tier is Tier.T0 else 0.0)) * memory_factor


def bounded(score: float) -> float:
    """A score cut to 0..1."""
    return min(1.0, max(0.0, score))

"""How present a memory is: retrievability, relevance, and what both do to a score.

Pure arithmetic over ages in days; who asks gives the instants.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

_FACTOR = 19 / 81
"""Makes retrievability 0.9 when as many days have passed as the stability has."""
_DAY = 86_400.0
_LEAST_AGE = 1 / 1440
"""One minute, in days: base-level activation has no bound at age 0."""


def age_days(since: datetime, now: datetime) -> float:
    """Days from `since` to `now`, 0 where `since` is later."""
    return max((now - since).total_seconds() / _DAY, 0.0)


def retrievability(age: float, stability: float) -> float:
    """The chance of recall after `age` days: R = (1 + 19/81 · t/S)^-0.5.

    The power forgetting curve of FSRS
    (https://github.com/open-spaced-repetition/fsrs4anki/wiki/The-Algorithm).
    """
    return 1 / math.sqrt(1 + _FACTOR * age / stability)


def relevance(created: datetime, newest: Sequence[datetime], recalls: int, now: datetime) -> float:
    """How needed a memory is likely to be, 0..1: 1 / (1 + e^-(B+1)).

    B is ACT-R's base level, ln Σ t^-0.5 over creation and recalls, ages in days. The recalls in
    `newest` (newest first) are summed exactly; the others, `recalls` in all, are taken as spread
    evenly back to the creation (Petrov 2006, "Computationally efficient approximation of the
    base-level learning equation in ACT-R", with decay 0.5).
    """
    life = _age(created, now)
    ages = [_age(recall, now) for recall in newest]
    total = math.fsum(1 / math.sqrt(age) for age in (life, *ages))
    others = recalls - len(ages)
    if ages and others > 0:
        total += others * 2 / (math.sqrt(life) + math.sqrt(ages[-1]))
    return 1 / (1 + math.exp(-1) / total)


def memory_factor(retrievability: float, relevance: float) -> float:
    """What a score is multiplied by: it decides between equals and never beats content."""
    return 0.94 + 0.03 * retrievability + 0.03 * relevance


def _age(instant: datetime, now: datetime) -> float:
    return max(age_days(instant, now), _LEAST_AGE)

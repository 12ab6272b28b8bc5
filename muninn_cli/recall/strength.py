"""How present a found memory is: it decides between equals."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.strength import age_days, memory_factor, relevance, retrievability
from muninn_cli.core.terms import Tier

if TYPE_CHECKING:
    from datetime import datetime

    from muninn_cli.store.index.rows import Row


class Strength(NamedTuple):
    """Retrievability and relevance of a memory, both 0 to 1."""

    retrievability: float
    relevance: float

    @property
    def factor(self) -> float:
        """What its score is multiplied by."""
        return memory_factor(self.retrievability, self.relevance)


def strength_of(row: Row, now: datetime) -> Strength:
    """The strength of a memory; what is pinned or foundational is never forgotten."""
    usage = row.usage
    age = age_days(usage.last_recall or row.since, now)
    lasting = row.pinned or row.tier is Tier.T0
    return Strength(
        1.0 if lasting else retrievability(age, usage.stability),
        relevance(row.since, usage.newest, usage.recalls, now),
    )

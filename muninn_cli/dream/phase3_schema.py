"""Phase 3: a hub among the associations is a schema, and lasts one tier longer."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from muninn_cli.core.associations import weight_at
from muninn_cli.core.changes import ChangeTier, Ref
from muninn_cli.core.tiers import up

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from muninn_cli.dream.draft import Draft
    from muninn_cli.dream.snapshot import Facts
    from muninn_cli.dream.tools import Tools

HUB = "hub"
"""The reason of such a promotion."""
LEAST_WEIGHT = 0.3
LEAST_ASSOCIATIONS = 10
LEAST_RELEVANCE = 0.7


def promote(draft: Draft, tools: Tools) -> Draft:  # noqa: ARG001
    """Propose every hub's promotion, never to T0."""
    associations = _degrees(draft)
    return draft.proposing(_promotions(draft, associations))


def _degrees(draft: Draft) -> Mapping[Ref, int]:
    """How many live memories each is firmly associated with."""
    found: Counter[Ref] = Counter()
    for vault, known in draft.associations.items():
        for pair, association in known.items():
            ends = [Ref(vault, memory_id) for memory_id in pair]
            here = all(end in draft.staying for end in ends)
            if here and weight_at(association, draft.snapshot.now) >= LEAST_WEIGHT:
                found.update(ends)
    return found


def _promotions(draft: Draft, degrees: Mapping[Ref, int]) -> Iterator[ChangeTier]:
    now = draft.snapshot.now
    for ref, degree in degrees.items():
        facts = draft.staying[ref]
        higher = up(facts.tier)
        if degree >= LEAST_ASSOCIATIONS and higher is not None and _is_needed(facts):
            yield ChangeTier(ref.vault, ref.id, facts.written_tier, higher, now, HUB)


def _is_needed(facts: Facts) -> bool:
    """Relevant, and recalled since it got the tier it has: one hub rises once by the same use."""
    last = facts.usage.last_recall
    fresh = facts.tier_since is None or (last is not None and last > facts.tier_since)
    return fresh and facts.relevance >= LEAST_RELEVANCE

"""Planning a sweep: which promotions to write down, and which memories leave a vault.

Pure: a plan is a proposal, and only `forget` or a dream carries one out. A plan never takes a
protected memory, and takes no more than its limit; what is beyond is held and named.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muninn_cli.core.changes import Archive, ChangeTier
from muninn_cli.core.terms import Tier

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from muninn_cli.core.tiers import Effective

LEAST_LIMIT = 5
EXPIRED = "expired"
OVER_BUDGET = "budget"


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one live memory stands: `tier` is its file's, `now` what it is by usage.

    `links` are ids of memories that it links to. `protected`: T0 or pinned, and in a dream also
    `consolidate: false`. `editable` is false where the file must not be rewritten.
    """

    id: str
    tier: Tier
    now: Effective
    relevance: float
    importance: int
    links: frozenset[str]
    protected: bool
    editable: bool


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """`held` would leave too, but for the limit of one command."""

    promotions: tuple[ChangeTier, ...] = ()
    departures: tuple[Archive, ...] = ()
    held: tuple[Archive, ...] = ()


def archive_limit(live: int, share: float) -> int:
    """How many of a vault's live memories one command may archive: at least five."""
    return max(LEAST_LIMIT, int(live * share))


def plan_sweep(
    vault: str,
    standings: Sequence[Standing],
    budgets: Mapping[Tier, int],
    now: datetime,
    *,
    limit: int | None,
    silent: bool,
) -> SweepPlan:
    """Plan the sweep of one vault that ages.

    `limit` None means that a person said yes to any number. A silent vault (see
    `silence.is_silent`) loses nothing. Among departures the expired come first, then the least
    relevant, then the least important.
    """
    promotions = tuple(_promotions(vault, standings))
    if silent:
        return SweepPlan(promotions)
    expired = _expired(standings, now)
    leaving = [Archive(vault, standing.id, EXPIRED) for standing in expired]
    gone = {standing.id for standing in expired}
    staying = [standing for standing in standings if standing.id not in gone]
    leaving += [Archive(vault, each.id, OVER_BUDGET) for each in _over_budget(staying, budgets)]
    cut = len(leaving) if limit is None else limit
    return SweepPlan(promotions, tuple(leaving[:cut]), tuple(leaving[cut:]))


def kept_by_links(standings: Iterable[Standing], now: datetime) -> frozenset[str]:
    """Ids that a memory links to which has not expired by its own clock."""
    alive = (standing for standing in standings if not standing.now.expired(now))
    return frozenset(link for each in alive for link in each.links)


def _promotions(vault: str, standings: Iterable[Standing]) -> Iterable[ChangeTier]:
    for each in standings:
        if each.editable and each.now.tier is not each.tier and each.now.tier_since:
            reason = "recalled often"
            since = each.now.tier_since
            yield ChangeTier(vault, each.id, each.tier, each.now.tier, since, reason)


def _expired(standings: Sequence[Standing], now: datetime) -> list[Standing]:
    kept = kept_by_links(standings, now)
    expired = [
        each
        for each in standings
        if each.now.expired(now) and not each.protected and each.id not in kept
    ]
    return sorted(expired, key=_value)


def _over_budget(staying: Iterable[Standing], budgets: Mapping[Tier, int]) -> list[Standing]:
    """The least valuable of each tier that holds more than its budget."""
    by_tier: dict[Tier, list[Standing]] = defaultdict(list)
    for each in staying:
        by_tier[each.now.tier].append(each)
    evicted: list[Standing] = []
    for tier, budget in budgets.items():
        excess = max(len(by_tier[tier]) - budget, 0)
        losable = sorted((each for each in by_tier[tier] if not each.protected), key=_value)
        evicted += losable[:excess]
    return sorted(evicted, key=_value)


def _value(standing: Standing) -> tuple[float, int, str]:
    return standing.relevance, standing.importance, standing.id

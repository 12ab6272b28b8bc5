"""Phase 0: a map of what is there, before anything is proposed. Only reads."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from datetime import timedelta
from statistics import fmean
from typing import TYPE_CHECKING

from muninn_cli.core.journal import Omission
from muninn_cli.core.terms import Tier
from muninn_cli.dream.plan import LeftOut, VaultMap
from muninn_cli.store.index import census

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from muninn_cli.config import Settings
    from muninn_cli.dream.draft import Draft
    from muninn_cli.dream.snapshot import DreamVault, Facts, Snapshot
    from muninn_cli.dream.tools import Tools


def orient(draft: Draft, tools: Tools) -> Draft:
    """Map every vault, and name the files that a dream keeps its hands off."""
    snapshot = draft.snapshot
    by_vault: defaultdict[str, list[Facts]] = defaultdict(list)
    for facts in snapshot.facts.values():
        by_vault[facts.ref.vault].append(facts)
    embedded = census.embedded(tools.connection)
    maps = tuple(
        _map(vault, by_vault[vault.id], embedded.get(vault.num, 0), snapshot, tools.settings)
        for vault in snapshot.vaults.values()
    )
    kept_out = tuple(sorted(ref for ref, facts in snapshot.facts.items() if facts.kept_out))
    left_out = (LeftOut(Omission.CONFLICTED, kept_out),) if kept_out else ()
    return replace(draft, maps=maps, left_out=(*draft.left_out, *left_out))


def budgets(settings: Settings) -> dict[Tier, int]:
    """How many memories of each tier a vault may hold."""
    limits = settings.budgets
    return {Tier.T1: limits.t1, Tier.T2: limits.t2, Tier.T3: limits.t3}


def _map(
    vault: DreamVault,
    memories: Sequence[Facts],
    embedded: int,
    snapshot: Snapshot,
    settings: Settings,
) -> VaultMap:
    live = [facts for facts in memories if facts.live]
    superseded = sum(bool(facts.superseded_by) for facts in memories)
    tiers = Counter(facts.tier for facts in live)
    soon = snapshot.now + timedelta(days=settings.tiers.warn_days)
    return VaultMap(
        id=vault.id,
        name=vault.name,
        kind=vault.kind,
        memories=len(memories),
        live=len(live),
        superseded=superseded,
        expired=len(memories) - len(live) - superseded,
        changed=sum(facts.changed for facts in memories),
        tiers={tier: tiers[tier] for tier in Tier},
        embedded=embedded,
        relevance=fmean(facts.relevance for facts in live) if live else 0.0,
        stability=fmean(facts.usage.stability for facts in live) if live else 0.0,
        expiring=sum(facts.expires is not None and facts.expires <= soon for facts in live),
        over_budget=_over_budget(tiers, budgets(settings)),
    )


def _over_budget(tiers: Mapping[Tier, int], limits: Mapping[Tier, int]) -> int:
    return sum(max(tiers[tier] - limit, 0) for tier, limit in limits.items())

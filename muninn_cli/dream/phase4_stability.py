"""Phase 4: what is used grows stronger, what is not grows weaker; then the sweep is planned.

A model's advice comes before the rules. Stability changes at most once in twelve hours, forced
dream or not.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from muninn_cli.core.changes import Associate, ChangeTier, Merge, Ref, SetStability, Supersede
from muninn_cli.core.journal import Omission
from muninn_cli.core.memory_usage import BASE_STABILITY, LONGEST_STABILITY, MemoryUsage
from muninn_cli.core.sweep import archive_limit, plan_sweep
from muninn_cli.dream.phase0_orient import budgets
from muninn_cli.dream.plan import LeftOut
from muninn_cli.dream.snapshot import Reach
from muninn_cli.store.index.standings import standings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from muninn_cli.dream.draft import Draft
    from muninn_cli.dream.snapshot import DreamVault, Facts
    from muninn_cli.dream.tools import Tools

STRONGER, WEAKER = 1.2, 0.8
PAUSE = timedelta(hours=12)
"""Between two changes of one memory's stability."""
WINDOW = timedelta(days=30)
OFTEN = 5
"""Recalls within the window that are a high signal."""
FIRM = 0.3
"""An association strengthened past this is a high signal too."""
DULL = 0.3
"""Relevance below this is part of a low signal."""


def weigh(draft: Draft, tools: Tools) -> Draft:
    """Propose new stabilities, then the sweep of every vault where time acts."""
    draft = draft.proposing(_changes(draft))
    for vault in draft.snapshot.vaults.values():
        if vault.ages:
            draft = _swept(draft, vault, tools)
    return draft


def _changes(draft: Draft) -> Iterator[SetStability]:
    advice = {item.ref: item.days for item in draft.advice}
    firmer = frozenset(_newly_firm(draft))
    inherited = _inherited(draft)
    for ref, facts in draft.staying.items():
        usage = inherited.get(ref, facts.usage)
        if not _may_change(facts, usage, draft.snapshot.now):
            continue
        days, reason = _stability(facts, usage, draft, advice.get(ref), firm=ref in firmer)
        if abs(days - usage.stability) >= 0.01:
            yield SetStability(ref.vault, ref.id, usage.stability, days, reason)


def _may_change(facts: Facts, usage: MemoryUsage, now: datetime) -> bool:
    changed = usage.stability_changed
    rested = changed is None or now - changed >= PAUSE
    return rested and facts.reach is not Reach.NONE and not facts.protected


def _stability(
    facts: Facts, usage: MemoryUsage, draft: Draft, advice: float | None, *, firm: bool
) -> tuple[float, str]:
    """The stability that a memory should have, and why; the one it has where nothing speaks."""
    days = usage.stability
    if advice is not None:
        return min(max(advice, BASE_STABILITY), LONGEST_STABILITY), "advice"
    if firm or _is_used(usage, draft.snapshot.now):
        return min(days * STRONGER, LONGEST_STABILITY), "recalled"
    if _is_neglected(facts, usage, draft):
        return max(days * WEAKER, BASE_STABILITY), "not recalled"
    return days, ""


def _is_used(usage: MemoryUsage, now: datetime) -> bool:
    """Recalled often of late, and counted at least once since its stability last changed."""
    recent = [at for at in usage.counted if now - at <= WINDOW]
    changed = usage.stability_changed
    return len(recent) >= OFTEN and (changed is None or recent[-1] > changed)


def _is_neglected(facts: Facts, usage: MemoryUsage, draft: Draft) -> bool:
    """Old, dull, and not recalled since the last dream; never while the clock is not believed."""
    snapshot = draft.snapshot
    last_dream, last = facts.vault.last_dream, usage.last_recall
    unused = last is None or (last_dream is not None and last <= last_dream)
    old = snapshot.now - facts.since > WINDOW
    return unused and old and facts.relevance < DULL and not snapshot.silent


def _newly_firm(draft: Draft) -> Iterator[Ref]:
    """The memories with an association that this dream's recalls have strengthened past 0.3."""
    for change in draft.changes:
        if isinstance(change, Associate) and change.old < FIRM <= change.new:
            yield Ref(change.vault, change.a)
            yield Ref(change.vault, change.b)


def _inherited(draft: Draft) -> Mapping[Ref, MemoryUsage]:
    """The usage of survivors with that of the memories merged into them."""
    facts, now = draft.snapshot.facts, draft.snapshot.now
    found: dict[Ref, MemoryUsage] = {}
    for change in draft.changes:
        if isinstance(change, Merge):
            survivor = Ref(change.vault, change.survivor)
            usage = found.get(survivor, facts[survivor].usage)
            for loser in change.losers:
                usage = usage.merge(loser, facts[Ref(change.vault, loser)].usage, now)
            found[survivor] = usage
    return found


def _swept(draft: Draft, vault: DreamVault, tools: Tools) -> Draft:
    """The draft with the sweep of a vault; what a dream keeps or has moved already stays out."""
    snapshot, settings = draft.snapshot, tools.settings
    found = standings(tools.connection, vault.id, snapshot.now, by_dream=True).by_id
    kept = {ref.id for ref in _kept(draft) if ref.vault == vault.id}
    plan = plan_sweep(
        vault.id,
        [replace(each, protected=each.protected or each.id in kept) for each in found.values()],
        budgets(settings),
        snapshot.now,
        limit=archive_limit(len(found), settings.dream.archive_share),
        silent=snapshot.silent,
    )
    moved = {Ref(c.vault, c.id) for c in draft.changes if isinstance(c, ChangeTier)} | draft.gone
    promotions = (
        each
        for each in plan.promotions
        if (ref := Ref(vault.id, each.id)) not in moved
        and (facts := snapshot.facts.get(ref))
        and facts.reach is Reach.FREE
    )
    draft = draft.proposing((*promotions, *plan.departures))
    if not plan.held:
        return draft
    refs = tuple(Ref(vault.id, each.id) for each in plan.held)
    return replace(draft, left_out=(*draft.left_out, LeftOut(Omission.HELD_BACK, refs)))


def _kept(draft: Draft) -> Iterator[Ref]:
    """What leaves by another change, or has just won one, and so is not swept away."""
    yield from draft.gone
    for change in draft.changes:
        match change:
            case Merge(vault=vault, survivor=survivor):
                yield Ref(vault, survivor)
            case Supersede(vault=vault, new=new):
                yield Ref(vault, new)
            case _:
                pass

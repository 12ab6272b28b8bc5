"""The sweep: promotions written down, the expired and what is over budget archived, logs tidied.

A plan is pure (`core.sweep`); here it becomes the batches of a run, alone or as part of a dream.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from muninn_cli.core.changes import Archive, ChangeTier
from muninn_cli.core.sweep import SweepPlan, archive_limit, plan_sweep
from muninn_cli.core.terms import Tier
from muninn_cli.errors import NotFoundError, UnreadableError
from muninn_cli.store.index.standings import Standings, standings
from muninn_cli.store.ledger import Entry, Piece
from muninn_cli.store.reading import edited, opened_at
from muninn_cli.store.seen import Seen
from muninn_cli.store.steps import ArchiveFile, Batch, EditFile
from muninn_cli.store.usage import UsageLog

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from muninn_cli.paths import Home
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.run_folder import Receipt
    from muninn_cli.store.runs import Runs
    from muninn_cli.store.vault import Vault


@dataclass(frozen=True, slots=True)
class VaultSweep:
    """The plan for one vault, and where its memories stood when it was made."""

    vault: Vault
    plan: SweepPlan
    standings: Standings


def plan_vault(
    vault: Vault,
    connection: Connection,
    budgets: Mapping[Tier, int],
    share: float,
    now: datetime,
    *,
    silent: bool,
    any_number: bool = False,
    by_dream: bool = False,
) -> VaultSweep:
    """Plan the sweep of a vault; in one where time does not act there is nothing to do.

    `share` is how much of the vault one command may archive, unless a person has said yes to
    `any_number`.
    """
    found = standings(connection, vault.id, now, by_dream=by_dream)
    if not vault.ages:
        return VaultSweep(vault, SweepPlan(), found)
    limit = None if any_number else archive_limit(len(found.by_id), share)
    plan = plan_sweep(
        vault.id, tuple(found.by_id.values()), budgets, now, limit=limit, silent=silent
    )
    return VaultSweep(vault, plan, found)


def sweep(sweeps: Sequence[VaultSweep], runs: Runs, home: Home, now: datetime) -> Receipt:
    """Carry the plans out as one run, then tidy the logs."""
    steps = [batch for each in sweeps for batch in batches(each, now)]
    receipt = runs.perform("sweep", steps, now)
    runs.prune(now)
    for each in sweeps:
        tidy(each, home, now)
    return receipt


def carried_out(swept: VaultSweep, receipt: Receipt) -> VaultSweep:
    """The sweep with only that in its plan which was done: a file may have been in the way."""
    done = frozenset(receipt.done)
    plan = replace(
        swept.plan,
        promotions=tuple(one for one in swept.plan.promotions if _name(one) in done),
        departures=tuple(one for one in swept.plan.departures if _name(one) in done),
    )
    return replace(swept, plan=plan)


def _name(change: ChangeTier | Archive) -> str:
    """What the batch of a change is called."""
    verb = "promote" if isinstance(change, ChangeTier) else "archive"
    return f"{verb} {change.id}"


def batches(swept: VaultSweep, now: datetime) -> Iterator[Batch]:
    """The steps of a plan: each promotion and each departure by itself."""
    for promotion in swept.plan.promotions:
        yield from _promotion(promotion, swept)
    for departure in swept.plan.departures:
        yield _departure(departure, swept, now)


def tidy(swept: VaultSweep, home: Home, now: datetime) -> None:
    """Shorten the logs of a vault, losing nothing that still matters."""
    settled = {
        each.id: now if each.tier in (Tier.T0, Tier.T1) else each.now.tier_since
        for each in swept.standings.by_id.values()
        if each.now.tier is each.tier and each.now.expires is not None
    }
    known = {memory_id: since for memory_id, since in settled.items() if since is not None}
    UsageLog(home.usage(swept.vault.id)).compact(now, known)
    Seen(home.seen(swept.vault.id)).compact()


def _promotion(promotion: ChangeTier, swept: VaultSweep) -> Iterator[Batch]:
    file = swept.standings.places[promotion.id]
    changes = {"tier": promotion.new.value, "tier_since": promotion.since}
    try:
        new = edited(opened_at(file.path, promotion.id, swept.vault), changes)
    except (NotFoundError, UnreadableError):
        return
    step = EditFile(swept.vault.id, promotion.id, file.path, file.content, new)
    yield Batch(_name(promotion), (step,))


def _departure(departure: Archive, swept: VaultSweep, now: datetime) -> Batch:
    file = swept.standings.places[departure.id]
    entry = Entry(
        at=now,
        id=departure.id,
        path=file.path,
        file="",
        piece=Piece.MEMORY,
        reason=departure.reason,
        usage=file.usage,
        tier=swept.standings.by_id[departure.id].now.tier,
    )
    return Batch(_name(departure), (ArchiveFile(swept.vault.id, entry, file.content),))

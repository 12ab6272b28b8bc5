"""`muninn status`: how the memory is doing."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.console import Styled
from muninn_cli.cli.group import Command
from muninn_cli.cli.handles import some_vaults
from muninn_cli.cli.options import only_vault_option
from muninn_cli.cli.permissions import readers, refusals
from muninn_cli.cli.shown import SILENT, counted, dim_lines, distance
from muninn_cli.core.terms import Tier
from muninn_cli.core.times import epoch, rfc3339
from muninn_cli.store.index.counts import index_counts, vault_counts
from muninn_cli.store.index.filters import State

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from muninn_cli.app import App
    from muninn_cli.cli.shown import Line
    from muninn_cli.dream.gates import Gates
    from muninn_cli.store.index.counts import VaultCounts
    from muninn_cli.store.vault import Vault


class Budget(NamedTuple):
    """How much of a tier's budget a vault has used."""

    tier: Tier
    used: int
    limit: int

    @property
    def percent(self) -> float:
        """Of the limit; 100 for anything in a tier that may hold nothing."""
        return 100 * self.used / self.limit if self.limit else 100.0 * bool(self.used)


@click.command("status", cls=Command)
@only_vault_option
@click.pass_obj
def command(call: Call, vault: str | None) -> None:
    """Show vaults, tiers, budgets, what expires soon, the last dream, and the index.

    \b
    muninn status
    muninn status --vault work --json
    """
    app = call.app
    vaults = [(each, _counts(app, each)) for each in some_vaults(app, vault)]
    warnings = [warning for pair in vaults for warning in _warnings(app, *pair)]
    warnings += [SILENT] if app.silent else []
    if call.console.json:
        call.console.data(_data(app, vaults, warnings))
        return
    for each, counts in vaults:
        for line in _lines(call, each, counts):
            call.console.print(*line)
    for text in (_dream_line(app), _index_line(app)):
        for line in dim_lines(text, call.sheet):
            call.console.print(*line)
    for warning in warnings:
        call.console.notice(warning)


def _counts(app: App, vault: Vault) -> VaultCounts:
    soon = app.now + timedelta(days=app.settings.tiers.warn_days)
    return vault_counts(app.index, vault.id, now=epoch(app.now), soon=epoch(soon))


def _budgets(app: App, counts: VaultCounts) -> list[Budget]:
    limits = app.settings.budgets
    limited = ((Tier.T1, limits.t1), (Tier.T2, limits.t2), (Tier.T3, limits.t3))
    return [Budget(tier, counts.tiers[tier], limit) for tier, limit in limited]


def _warnings(app: App, vault: Vault, counts: VaultCounts) -> Iterator[str]:
    """What a person should act on: full budgets, and what expires soon."""
    for budget in _budgets(app, counts) if vault.ages else ():
        if budget.percent >= app.settings.budgets.warn_percent:
            share = f"{budget.used} of {budget.limit} ({budget.percent:.0f} %)"
            yield f"{vault.name}: {budget.tier} holds {share}"
    if counts.expiring:
        days = app.settings.tiers.warn_days
        yield f"{vault.name}: {counts.expiring} expire within {days} days: `muninn expiring`"
    if vault.problem:
        yield f"{vault.name}: {vault.problem}"


def _data(
    app: App, vaults: list[tuple[Vault, VaultCounts]], warnings: list[str]
) -> dict[str, object]:
    counts, last, gates = index_counts(app.index), _last_dream(app), _gates(app)
    return {
        "home": str(app.home.root),
        "silent": app.silent,
        "last_dream": rfc3339(last) if last else None,
        "dream_due": gates.open,
        "dream_waits_for": list(gates.reasons),
        "vaults": [_vault_data(app, *pair) for pair in vaults],
        "index": {
            **counts._asdict(),
            "engine": _engine(app),
            "embedder": app.embedder.id,
            "bytes": app.home.index_db.stat().st_size,
        },
        "warnings": warnings,
    }


def _vault_data(app: App, vault: Vault, counts: VaultCounts) -> dict[str, object]:
    return {
        "name": vault.name,
        "kind": vault.kind.value,
        "managed": vault.managed,
        "path": str(vault.root),
        "tiers": {tier.value: count for tier, count in counts.tiers.items()},
        **{state.value: count for state, count in counts.states.items()},
        "expiring": counts.expiring,
        "budgets": {
            budget.tier.value: {
                "used": budget.used,
                "limit": budget.limit,
                "percent": round(budget.percent, 1),
            }
            for budget in _budgets(app, counts)
        },
        "providers": {name.value: why or None for name, why in refusals(app, vault).items()},
    }


def _lines(call: Call, vault: Vault, counts: VaultCounts) -> Iterator[Line]:
    managed = "managed" if vault.managed else "registered"
    yield (Styled(vault.name, "bold"), f"  {vault.kind}, {managed}")
    tiers = "  ".join(f"{tier} {count}" for tier, count in counts.tiers.items())
    rest = ", ".join(
        f"{counts.states[state]} {state}"
        for state in (State.EXPIRED, State.SUPERSEDED, State.ARCHIVED)
        if counts.states[state]
    )
    live = counted(counts.live, "memory", "memories")
    yield (f"    {live}: {tiers}" + (f"; {rest}" if rest else ""),)
    yield from dim_lines(readers(call.app, vault), call.sheet, "    ")


def _gates(app: App) -> Gates:
    """Whether a dream is due, and what it waits for."""
    from muninn_cli.dream.engine import gates_of
    from muninn_cli.dream.opening import opened

    around = app.surroundings
    with opened(around, app.home) as found:
        return gates_of(found.snapshot, app.home, around)


def _last_dream(app: App) -> datetime | None:
    from muninn_cli.dream.state import read_stamps

    return read_stamps(app.home.dream_stamp).last


def _dream_line(app: App) -> str:
    last, gates = _last_dream(app), _gates(app)
    told = f"last dream: {distance(last, app.time)}" if last else "no dream yet"
    return f"{told}; {'one is due' if gates.open else 'none is due: ' + '; '.join(gates.reasons)}"


def _engine(app: App) -> str:
    return "exact scan" if app.index.exact_scan else "vec0"


def _index_line(app: App) -> str:
    counts = index_counts(app.index)
    size = app.home.index_db.stat().st_size / 1e6
    waiting = f", {counts.waiting} without a vector" if counts.waiting else ""
    return (
        f"index: {counted(counts.memories, 'memory', 'memories')} in"
        f" {counted(counts.chunks, 'chunk')}{waiting}, {size:.1f} MB,"
        f" {_engine(app)}, {app.embedder.id}"
    )

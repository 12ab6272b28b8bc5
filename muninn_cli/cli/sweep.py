"""`muninn sweep`: write promotions down, and archive what has expired."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.group import Command
from muninn_cli.cli.handles import some_vaults
from muninn_cli.cli.options import only_vault_option
from muninn_cli.cli.shown import SILENT
from muninn_cli.core.terms import Tier
from muninn_cli.errors import MuninnError
from muninn_cli.forget.sweep import carried_out, plan_vault, sweep

if TYPE_CHECKING:
    from collections.abc import Iterator

    from muninn_cli.app import App
    from muninn_cli.forget.sweep import VaultSweep
    from muninn_cli.store.vault import Vault


@click.command("sweep", cls=Command)
@only_vault_option
@click.option("--dry-run", is_flag=True, help="Say what would happen and write nothing.")
@click.option("--yes", is_flag=True, help="Archive any number, even after a long silence.")
@click.pass_obj
def command(call: Call, vault: str | None, dry_run: bool, yes: bool) -> None:
    """Write promotions down and archive what has expired or is over budget.

    Every dream does this too. At most a fifth of a vault (and at least five memories) goes at
    once, and nothing after a silence of more than 60 days, unless you say --yes.

    \b
    muninn sweep --dry-run
    muninn sweep --vault personal
    """
    app = call.app
    if yes and not dry_run:
        app.end_silence()
    sweeps = [_plan(app, each, any_number=yes) for each in some_vaults(app, vault)]
    run = ""
    if not dry_run:
        receipt = sweep(sweeps, app.runs, app.home, app.now)
        run = receipt.run
        if receipt.dropped and not receipt.done:
            raise MuninnError(f"nothing could be swept: {receipt.dropped[0].why}")
        sweeps = [carried_out(swept, receipt) for swept in sweeps]
        for swept in sweeps:
            app.commit(swept.vault, receipt.paths.get(swept.vault.id, ()), _message(swept))
        for left in receipt.dropped:
            call.console.notice(f"{left.name}: {left.why}")
    _tell(call, sweeps, run, dry_run=dry_run)


def _plan(app: App, vault: Vault, *, any_number: bool) -> VaultSweep:
    limits = app.settings.budgets
    return plan_vault(
        vault,
        app.index,
        {Tier.T1: limits.t1, Tier.T2: limits.t2, Tier.T3: limits.t3},
        app.settings.dream.archive_share,
        app.now,
        silent=app.silent,
        any_number=any_number,
    )


def _tell(call: Call, sweeps: list[VaultSweep], run: str, *, dry_run: bool) -> None:
    data = {
        "operation": "swept",
        "dry_run": dry_run,
        "run": run or None,
        "promoted": [
            {"vault": swept.vault.name, "id": one.id, "from": one.old.value, "to": one.new.value}
            for swept in sweeps
            for one in swept.plan.promotions
        ],
        "archived": [
            {"vault": swept.vault.name, "id": one.id, "reason": one.reason}
            for swept in sweeps
            for one in swept.plan.departures
        ],
        "held": [
            {"vault": swept.vault.name, "id": one.id, "reason": one.reason}
            for swept in sweeps
            for one in swept.plan.held
        ],
    }
    call.console.result(data, "\n".join(_lines(sweeps)) or "Nothing to sweep")
    held = sum(len(swept.plan.held) for swept in sweeps)
    if held:
        call.console.notice(f"{held} more would go: `muninn sweep --yes` archives any number")
    if call.app.silent:
        call.console.notice(SILENT)
    if dry_run and any(swept.plan for swept in sweeps):
        call.console.notice("nothing was changed")
    if run:
        call.console.notice(f"Undo: `muninn undo {run}`")


def _lines(sweeps: list[VaultSweep]) -> Iterator[str]:
    for swept in sweeps:
        titles = swept.standings.places
        for one in swept.plan.promotions:
            yield f"{one.old} → {one.new}  {swept.vault.name}/{titles[one.id].path}"
        for gone in swept.plan.departures:
            yield f"archived ({gone.reason})  {swept.vault.name}/{titles[gone.id].path}"


def _message(swept: VaultSweep) -> str:
    promoted, gone = len(swept.plan.promotions), len(swept.plan.departures)
    return f"Sweep: {promoted} promoted, {gone} archived"

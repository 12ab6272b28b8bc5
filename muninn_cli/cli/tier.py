"""`muninn tier`: how long a memory lives unused."""

from __future__ import annotations

import shlex

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.group import Group
from muninn_cli.cli.handles import live_memory
from muninn_cli.cli.options import in_vault_option, memory_argument
from muninn_cli.core.terms import Tier
from muninn_cli.errors import UsageError
from muninn_cli.forget.marks import set_tier
from muninn_cli.store.reading import opened


class _Tier(Group):
    """`tier MEMORY T1`, without its `set`, is answered with the whole command."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        lacks_set = len(args) > 1 and args[1].upper() in list(Tier)
        if lacks_set and args[0] not in self.commands and not ctx.resilient_parsing:
            meant = shlex.join(["muninn", "tier", "set", args[0], args[1].upper()])
            raise UsageError(f"no such command: muninn tier {args[0]}", f"did you mean: {meant}")
        return super().resolve_command(ctx, args)


@click.group("tier", cls=_Tier, no_args_is_help=True)
def command() -> None:
    """How long a memory lives unused: T0 for ever, then T1, T2 and T3.

    \b
    muninn tier set "Release runbook" T1
    muninn list --tier T1
    """


@command.command("set")
@memory_argument
@click.argument("tier", type=click.Choice([tier.value for tier in Tier]))
@in_vault_option
@click.pass_obj
def set_(call: Call, memory: str, tier: str, vault: str | None) -> None:
    """Put MEMORY into TIER from now on; it keeps at least seven days.

    \b
    muninn tier set "Release runbook" T1
    muninn tier set M7N2XY01 T3 --vault personal
    """
    app = call.app
    row = live_memory(app, memory, vault)
    home = app.vault(row.vault_id)
    with app.writing(home):
        changed = set_tier(opened(row, home), row.tier, Tier(tier), app.time)
    if changed:
        app.commit(home, [row.path], f"Put {row.title} into {tier}")
    data = {
        "operation": "set" if changed else "unchanged",
        "id": row.id,
        "vault": home.name,
        "path": row.path,
        "tier": tier,
        "before": row.tier.value,
    }
    call.console.result(data, f"{row.title}: {row.tier} → {tier}" if changed else "Unchanged")

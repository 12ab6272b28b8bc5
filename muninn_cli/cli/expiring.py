"""`muninn expiring`: what will be hidden soon if nobody uses it."""

from __future__ import annotations

from datetime import timedelta

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.group import Command
from muninn_cli.cli.handles import some_vaults
from muninn_cli.cli.options import ndjson_option, only_vault_option
from muninn_cli.cli.shown import expiring_line
from muninn_cli.recall.hits import hit_json
from muninn_cli.recall.lookup import expiring


@click.command("expiring", cls=Command)
@click.option(
    "--days", type=click.IntRange(0, 3650), metavar="N", help="How far to look; 7 by default."
)
@only_vault_option
@ndjson_option
@click.pass_obj
def command(call: Call, days: int | None, vault: str | None, ndjson: bool) -> None:
    """List what expires soon if nobody uses it, the first to go first.

    A search that shows it, `muninn show` or `muninn pin` keeps it.

    \b
    muninn expiring
    muninn expiring --days 30 --vault work
    """
    app = call.app
    span = timedelta(days=app.settings.tiers.warn_days if days is None else days)
    hits = expiring(some_vaults(app, vault), span, app.tools)
    rows = [hit_json(hit) for hit in hits]
    if ndjson:
        call.console.lines(rows)
    elif call.console.json:
        call.console.data({"hits": rows, "notices": []})
    else:
        for hit in hits:
            call.console.print(*expiring_line(hit, call.sheet, app.now))
        if not hits:
            call.console.notice(f"nothing expires within {span.days} days")

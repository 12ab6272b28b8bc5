"""`muninn journal`: read what the dreams did."""

from __future__ import annotations

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.fitting import prose
from muninn_cli.cli.group import Command
from muninn_cli.cli.options import only_vault_option


@click.command("journal", cls=Command)
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Only the last N entries.")
@only_vault_option
@click.pass_obj
def command(call: Call, last: int | None, vault: str | None) -> None:
    """Print the dream journal, the newest entry at the end.

    \b
    muninn journal --last 1
    muninn journal --vault personal
    """
    from muninn_cli.dream.applying.journal import entries

    app = call.app
    name = app.vault(vault).name if vault is not None else None
    found = entries(app.home.journal, vault=name, last=last)
    text = "\n\n".join(found) or "No dream yet: `muninn dream --dry-run` shows what one would do."
    call.console.result({"entries": found}, prose(text, call.sheet))

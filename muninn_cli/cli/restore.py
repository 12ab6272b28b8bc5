"""`muninn restore`: bring an archived text back."""

from __future__ import annotations

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.group import Command
from muninn_cli.cli.handles import live_path, some_vaults
from muninn_cli.cli.options import archived_argument, in_vault_option
from muninn_cli.forget.archive import restore
from muninn_cli.forget.kept import find_archived
from muninn_cli.store.usage import UsageLog


@click.command("restore", cls=Command)
@archived_argument
@click.option("--to", metavar="PATH", help="Another place in its vault.")
@in_vault_option
@click.pass_obj
def command(call: Call, text: str, to: str | None, vault: str | None) -> None:
    """Bring an archived TEXT back: the same bytes at the same path, with its usage.

    TEXT is an id, or as `muninn archive list` names it. A live file is never overwritten.

    \b
    muninn restore "Old release runbook"
    muninn restore M7N2XY01 --to old/runbook.md
    """
    app = call.app
    found = find_archived(text, some_vaults(app, vault))
    home, entry = found.vault, found.kept.entry
    with app.writing(home):
        live = live_path(app, home, entry.id)
        usage = UsageLog(app.home.usage(home.id))
        moved = restore(entry.file, home, usage, app.now, live=live, to=to)
    app.commit(home, moved.paths, f"Restore {moved.path}")
    data = {"operation": "restored", "id": moved.id, "vault": home.name, "path": moved.path}
    call.console.result(data, f"Restored {home.name}/{moved.path}")

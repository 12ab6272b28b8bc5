"""`muninn pin`: keep a memory for ever."""

from __future__ import annotations

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.group import Command
from muninn_cli.cli.handles import live_memory
from muninn_cli.cli.options import in_vault_option, memory_argument
from muninn_cli.forget.marks import set_pinned
from muninn_cli.store.reading import opened
from muninn_cli.store.usage import UsageLog


@click.command("pin", cls=Command)
@memory_argument
@in_vault_option
@click.pass_obj
def command(call: Call, memory: str, vault: str | None) -> None:
    """Keep MEMORY: it never expires, and no dream merges or archives it.

    \b
    muninn pin "Why we chose SQLite"
    muninn pin why-we-chose-sqlite.md --vault personal
    """
    mark(call, memory, vault, pinned=True)


def mark(call: Call, handle: str, vault: str | None, *, pinned: bool) -> None:
    """Pin a memory, or let it age again."""
    app = call.app
    row = live_memory(app, handle, vault)
    home = app.vault(row.vault_id)
    usage = UsageLog(app.home.usage(home.id))
    with app.writing(home):
        changed = set_pinned(opened(row, home), pinned, usage, app.now)
    word = "pinned" if pinned else "unpinned"
    if changed:
        app.commit(home, [row.path], f"{'Pin' if pinned else 'Unpin'} {row.title}")
    data = {
        "operation": word if changed else "unchanged",
        "id": row.id,
        "vault": home.name,
        "path": row.path,
    }
    call.console.result(data, f"{word.capitalize() if changed else 'Unchanged'}: {row.title}")

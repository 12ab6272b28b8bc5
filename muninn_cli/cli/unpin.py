"""`muninn unpin`: let a memory age again."""

from __future__ import annotations

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.group import Command
from muninn_cli.cli.options import in_vault_option, memory_argument
from muninn_cli.cli.pin import mark


@click.command("unpin", cls=Command)
@memory_argument
@in_vault_option
@click.pass_obj
def command(call: Call, memory: str, vault: str | None) -> None:
    """Let MEMORY age again, from now on.

    \b
    muninn unpin "Why we chose SQLite"
    muninn unpin why-we-chose-sqlite.md --vault personal
    """
    mark(call, memory, vault, pinned=False)

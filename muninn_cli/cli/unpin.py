"""`muninn unpin`: let a memory age again."""

from __future__ import annotations

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.group import Command
from muninn_cli.cli.pin import mark


@click.command("unpin", cls=Command)
@click.argument("memory")
@click.option("--vault", metavar="NAME", help="Look in this vault only.")
@click.pass_obj
def command(call: Call, memory: str, vault: str | None) -> None:
    """Let MEMORY age again, from now on.

    \b
    muninn unpin "Why we chose SQLite"
    """
    mark(call, memory, vault, pinned=False)

"""`muninn reindex`: make the index anew from the files."""

from __future__ import annotations

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.group import Command
from muninn_cli.cli.sync import tell


@click.command("reindex", cls=Command)
@click.pass_obj
def command(call: Call) -> None:
    """Make the index anew from files and state; nothing else is touched.

    It is needed only after something went wrong: a damaged index is noticed and made anew by
    itself.

    \b
    muninn reindex
    muninn reindex --json
    """
    tell(call, call.app.sync(anew=True), "reindexed")

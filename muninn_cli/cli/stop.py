"""`muninn stop`: end a session."""

from __future__ import annotations

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.group import Command
from muninn_cli.dream.due import write_due


@click.command("stop", cls=Command)
@click.pass_obj
def command(call: Call) -> None:
    """End a session: the next `muninn start` dreams, if a dream is due by then.

    \b
    muninn stop
    muninn stop --quiet
    """
    app = call.app
    app.make_home()
    write_due(app.home.dream_due, app.time, app.world.randomness(8).hex())
    data = {"operation": "stopped", "due": str(app.home.dream_due)}
    call.console.result(data, "The next `muninn start` dreams, if a dream is due by then.")

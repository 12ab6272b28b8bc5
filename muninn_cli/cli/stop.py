"""`muninn stop`: end a session."""

from __future__ import annotations

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.group import Command


@click.command("stop", cls=Command)
@click.pass_obj
def command(call: Call) -> None:
    """End a session: a dream is due at the next `muninn start`.

    \b
    muninn stop
    muninn stop --quiet
    """
    from muninn_cli.dream.session import stop

    app = call.app
    stop(app.surroundings, app.world.randomness(8).hex())
    data = {"operation": "stopped", "due": str(app.home.dream_due)}
    call.console.result(data, "A dream is due at the next `muninn start`.")

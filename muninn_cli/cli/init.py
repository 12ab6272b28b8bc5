"""`muninn init`: make the home folder and a first vault."""

from __future__ import annotations

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.group import Command


@click.command("init", cls=Command)
@click.option("--no-git", is_flag=True, help="Keep the vault out of git.")
@click.pass_obj
def command(call: Call, no_git: bool) -> None:
    """Make the home folder and a first vault.

    The folder is MUNINN_HOME, else ~/.muninn; it gets a config.toml in which every setting is
    explained, and a vault called personal. Where it is there already, nothing changes. Every
    command that needs a vault does this by itself.

    \b
    muninn init
    MUNINN_HOME=/tmp/memory muninn init --no-git
    """
    app = call.app
    made = app.make_home(git=not no_git)
    vault = app.vaults[0]
    data = {
        "operation": "created" if made else "exists",
        "home": str(app.home.root),
        "config": str(app.home.config),
        "vault": vault.name,
        "path": str(vault.root),
    }
    verb = "Made" if made else "Already there:"
    text = f"{verb} {app.home.root}\nSettings: {app.home.config}\nVault {vault.name}: {vault.root}"
    call.console.result(data, text)

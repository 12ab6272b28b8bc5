"""`muninn completion`: what a shell needs to complete muninn's words."""

from __future__ import annotations

import click
from click.shell_completion import ShellComplete, get_completion_class

from muninn_cli.cli.call import Call
from muninn_cli.cli.group import PROGRAM, Command, muninn

VARIABLE = "_MUNINN_COMPLETE"
"""The environment variable by which a shell asks for words."""
SHELLS = ("bash", "zsh", "fish")


@click.command("completion", cls=Command)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_obj
def command(call: Call, shell: str) -> None:
    """Print the completion script for SHELL, to be read when the shell starts.

    Commands, options, vaults, tags, settings and memories are completed; memories as the index
    last knew them.

    \b
    muninn completion bash > ~/.local/share/bash-completion/completions/muninn
    muninn completion zsh > ~/.zfunc/_muninn
    muninn completion fish > ~/.config/fish/completions/muninn.fish
    """
    text = script(shell)
    call.console.result({"shell": shell, "script": text}, text.rstrip("\n"))


def script(shell: str) -> str:
    """The script for one of SHELLS."""
    kind = get_completion_class(shell)
    if kind is None:
        raise KeyError(shell)
    # click's own bash class would start a bash to look at its version
    return ShellComplete.source(kind(muninn, {}, PROGRAM, VARIABLE)).strip("\n") + "\n"

"""`muninn undo`: take back what a dream, or another command over many memories, has done."""

from __future__ import annotations

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.group import Command
from muninn_cli.cli.options import offered
from muninn_cli.cli.shown import counted


@click.command("undo", cls=Command)
@click.argument("run", required=False, shell_complete=offered("runs"))
@click.pass_obj
def command(call: Call, run: str | None) -> None:
    """Bring back, byte for byte, what RUN has changed; by default the last run.

    The journal names the run of each dream; a sweep, supersede or import names its own. A file
    that was changed since stays as it is and is named.

    \b
    muninn undo
    muninn undo 20260328-060000
    """
    from muninn_cli.dream.applying.undo import undo
    from muninn_cli.rendering import Templates

    app = call.app
    was_whole = not app.sync().failures
    undone = undo(
        run,
        home=app.home,
        runs=app.runs,
        templates=Templates(app.home.templates),
        language=app.settings.journal.language,
        now=app.now,
        time=app.time,
        notify=app.notify,
    )
    if was_whole:
        app.sync(accept_losses=True)  # what an undone import takes away is no loss
    for vault in app.vaults:
        app.commit(vault, undone.paths.get(vault.id, ()), f"Undo {undone.run}")
    left = [{"path": each.name, "why": each.why} for each in undone.left]
    data = {"operation": "undone", "run": undone.run, "files": undone.files, "left": left}
    files = counted(undone.files, "file is", "files are")
    call.console.result(data, f"Undone: {files} as before {undone.run}")
    for each in undone.left:
        call.console.notice(f"left as it is: {each.name}: {each.why}")

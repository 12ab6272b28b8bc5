"""`muninn purge`: destroy a memory's text for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from muninn_cli.app import LOCK_PATIENCE
from muninn_cli.cli.call import Call
from muninn_cli.cli.group import Command
from muninn_cli.cli.handles import any_memory, live_path, some_vaults
from muninn_cli.cli.options import in_vault_option, memory_argument
from muninn_cli.cli.shown import counted
from muninn_cli.errors import MuninnError, NotFoundError, UsageError
from muninn_cli.forget.kept import find_archived
from muninn_cli.forget.purge import commits_of, purge, scrub_index
from muninn_cli.store import git
from muninn_cli.store.vault import LEDGER

if TYPE_CHECKING:
    from muninn_cli.app import App
    from muninn_cli.store.vault import Vault


@click.command("purge", cls=Command)
@memory_argument
@in_vault_option
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def command(call: Call, memory: str, vault: str | None, yes: bool) -> None:
    """Destroy MEMORY: its file, what the archive holds of it, and every trace in muninn's state.

    This is the only command that destroys a text. Git history cannot be scrubbed: the commits
    that hold the text are named.

    \b
    muninn purge "Door code"
    muninn purge "Old release runbook" --yes
    """
    app = call.app
    home, memory_id = _target(app, memory, vault)
    live = live_path(app, home, memory_id)
    named = f"{home.name}/{live}" if live else f"{memory_id} in the archive of {home.name}"
    if not yes and not call.console.confirm(f"Destroy {named} for good?"):
        raise UsageError("nothing was destroyed", "say --yes, or answer y")
    commits = _commits(app, home, memory_id, live)
    with app.locked("dream", wait=0), app.writing(home):
        gone = purge(memory_id, live, home, home=app.home, runs=app.runs, now=app.time)
        app.commit(home, (*gone.files, LEDGER), f"Purge {memory_id}")
        synced = app.sync(accept_losses=True, wait=LOCK_PATIENCE)
        scrub_index(app.home, in_step=synced.complete)
    data = {
        "operation": "purged",
        "id": memory_id,
        "vault": home.name,
        "path": live,
        "files": list(gone.files),
        "commits": commits,
        "merged": list(gone.merged),
    }
    call.console.result(data, f"Destroyed {memory_id}: {counted(len(gone.files), 'file')}")
    if commits:
        shown = ", ".join(commit[: git.SHORT_COMMIT] for commit in commits)
        call.console.notice(f"git history still holds it: {shown}")
    for handle in gone.merged:
        call.console.notice(f"{handle} was merged into it and is still archived")


def _target(app: App, handle: str, vault: str | None) -> tuple[Vault, str]:
    """The vault and id of a memory, live or archived. An earlier text alone is none."""
    try:
        row = any_memory(app, handle, vault)
        home, memory_id = app.vault(row.vault_id), row.id
    except NotFoundError as missing:
        try:
            found = find_archived(handle, some_vaults(app, vault))
        except NotFoundError:
            raise missing from None
        home, memory_id = found.vault, found.kept.handle
    of_memory, earlier, _ = memory_id.partition("~")
    if earlier:
        hint = f"`muninn purge {of_memory}` destroys it with all its texts"
        raise UsageError(f"{memory_id} is only an earlier text of {of_memory}", hint)
    return home, memory_id


def _commits(app: App, vault: Vault, memory_id: str, live: str | None) -> list[str]:
    """The commits that hold the text; none, and a notice, where git fails."""
    try:
        return commits_of(memory_id, live, vault)
    except (git.GitError, MuninnError) as error:
        app.notify(f"git history was not looked at: {error}")
        return []

"""`muninn purge`: destroy a memory's text for good."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from muninn_cli.app import LOCK_PATIENCE
from muninn_cli.cli.call import Call
from muninn_cli.cli.group import Command
from muninn_cli.cli.handles import any_memory, live_path, some_vaults
from muninn_cli.cli.options import in_vault_option, memory_argument
from muninn_cli.cli.shown import counted
from muninn_cli.errors import BusyError, MuninnError, NotFoundError, UsageError
from muninn_cli.forget.kept import find_archived
from muninn_cli.forget.purge import purge
from muninn_cli.store import git, log
from muninn_cli.store.archive import VaultArchive
from muninn_cli.store.index.connection import discard, scrub
from muninn_cli.store.versions import versions

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    with app.writing(home):
        gone = purge(memory_id, live, home, home=app.home, runs=app.runs, now=app.time)
        _forget_pending(app, gone.files)
        app.commit(home, (*gone.files, ".muninn/archive.jsonl"), f"Purge {memory_id}")
        _scrub_index(app)
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
    """The commits of a vault's repository that hold a memory's text."""
    if git.enclosing_repository(vault.root) is None:
        return []
    archived = (kept.entry for kept in VaultArchive(vault).kept())
    paths = [live] if live else [entry.path for entry in archived if entry.id == memory_id]
    try:
        found = [each for path in paths for each in versions(vault, path, memory_id)]
        commits = [each.revision.commit for each in found if each.data is not None]
        return list(dict.fromkeys(commits + git.commits_with_text(vault.root, memory_id)))
    except (git.GitError, MuninnError) as error:
        app.notify(f"git history was not looked at: {error}")
        return []


def _forget_pending(app: App, paths: Sequence[str]) -> None:
    """Take destroyed files out of the commits that are still to be made."""
    marks = [json.dumps(path, ensure_ascii=False) for path in paths]
    log.rewrite(
        app.home.pending_commits,
        lambda lines: [line for line in lines if not any(mark in line for mark in marks)],
    )


def _scrub_index(app: App) -> None:
    """Leave no trace of what is gone in the index; one that cannot be brought in step goes.

    Nor in the copy that a killed dream has left behind.
    """
    if app.sync(accept_losses=True, wait=LOCK_PATIENCE).complete:
        scrub(app.home.index_db)
    else:
        discard(app.home.index_db)
    with suppress(BusyError), app.locked("dream", wait=0):
        discard(app.home.scratch / app.home.index_db.name)

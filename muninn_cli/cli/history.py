"""`muninn history`: the commits of a memory; and `muninn show --at`, one of its earlier texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.console import Styled
from muninn_cli.cli.group import Command
from muninn_cli.cli.handles import any_memory
from muninn_cli.cli.options import in_vault_option, memory_argument, ndjson_option
from muninn_cli.core.ids import short_id
from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import read
from muninn_cli.errors import UnreadableError
from muninn_cli.store.git import SHORT_COMMIT
from muninn_cli.store.versions import version_at, versions

if TYPE_CHECKING:
    from muninn_cli.store.index.rows import Row
    from muninn_cli.store.versions import Version


@click.command("history", cls=Command)
@memory_argument
@in_vault_option
@ndjson_option
@click.pass_obj
def command(call: Call, memory: str, vault: str | None, ndjson: bool) -> None:
    """List the commits of MEMORY, newest first, through every place it had.

    \b
    muninn history "Release runbook"
    muninn show "Release runbook" --at HEAD~3
    """
    row = any_memory(call.app, memory, vault)
    found = versions(call.app.vault(row.vault_id), row.path, row.id)
    commits = [_data(each) for each in found]
    if ndjson:
        call.console.lines(commits)
    elif call.console.json:
        place = {"id": row.id, "vault": row.vault_name, "path": row.path}
        call.console.data({**place, "commits": commits})
    else:
        _print(call, row, found)


def _data(version: Version) -> dict[str, object]:
    return {**version.revision._asdict(), "removed": version.data is None}


def _print(call: Call, row: Row, found: list[Version]) -> None:
    if not found:
        place = f"{row.vault_name}/{row.path}"
        call.console.notice(f"no commit holds {place} yet; what muninn next changes in it is one")
    for version in found:
        revision = version.revision
        place = "" if revision.path == row.path else f"  ({revision.path})"
        call.console.print(
            Styled(revision.commit[:SHORT_COMMIT], "yellow"),
            Styled(f"  {revision.time}  ", "dim"),
            revision.subject,
            Styled(place, "dim"),
        )


def show_at(call: Call, row: Row, when: str) -> None:
    """Print the text that a memory had at a commit or a time."""
    vault = call.app.vault(row.vault_id)
    version = version_at(versions(vault, row.path, row.id), vault, when, call.app.time)
    revision = version.revision
    memory = read(version.data or b"", revision.path, vault.id_name)
    if not isinstance(memory, Memory):
        raise UnreadableError(f"{revision.commit[:SHORT_COMMIT]}:{revision.path}: {memory.cause}")
    if call.console.json:
        found = {"id": row.id, "vault": vault.name, **revision._asdict(), "title": memory.title}
        call.console.data({"memory": {**found, "tier": memory.tier, "body": memory.body}})
        return
    facts = (short_id(row.id), f"{vault.name}/{revision.path}", revision.commit[:SHORT_COMMIT])
    call.console.print(Styled(memory.title, "bold"))
    call.console.print(Styled(" · ".join((*facts, revision.time, revision.subject)), "dim"))
    call.console.print("\n" + memory.body.strip("\n"))

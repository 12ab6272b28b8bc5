"""`muninn edit`: change a memory in an editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.editor import edited
from muninn_cli.cli.group import Command
from muninn_cli.cli.handles import live_memory
from muninn_cli.cli.options import in_vault_option, memory_argument
from muninn_cli.core.ids import short_id
from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import read
from muninn_cli.errors import UsageError
from muninn_cli.store import files
from muninn_cli.store.reading import opened

if TYPE_CHECKING:
    from muninn_cli.store.index.rows import Row
    from muninn_cli.store.reading import Opened
    from muninn_cli.store.vault import Vault


@click.command("edit", cls=Command)
@memory_argument
@in_vault_option
@click.pass_obj
def command(call: Call, memory: str, vault: str | None) -> None:
    """Open MEMORY in your editor and save what you make of it.

    If the file was changed by somebody else meanwhile, nothing is overwritten and your text is
    kept beside it.

    \b
    muninn edit "Release runbook"
    EDITOR=nano muninn edit release-runbook.md --vault personal
    """
    app = call.app
    row = live_memory(app, memory, vault)
    home = app.vault(row.vault_id)
    found = opened(row, home)
    with edited(call.world, found.place.name, found.data) as data:
        if data != found.data:
            _refuse_nothing(data, row)
            files.replace(found.place, data, files.content_hash(found.data))
    if data == found.data:
        call.console.result({"operation": "unchanged", "id": row.id, "path": row.path}, "Unchanged")
        return
    app.commit(home, [row.path], f"Edit {row.title}")
    _tell(call, data, found, home, row.path)


def _refuse_nothing(data: bytes, row: Row) -> None:
    """Emptying a file would destroy a text. Raises UsageError."""
    if not data.strip():
        hint = f"to be rid of it: muninn archive {short_id(row.id)}"
        raise UsageError("nothing is left of the text: the file stays as it was", hint)


def _tell(call: Call, data: bytes, found: Opened, vault: Vault, path: str) -> None:
    memory = read(data, path, vault.id_name)
    if isinstance(memory, Memory):
        problems = [(problem.line, problem.cause) for problem in memory.problems]
        memory_id = memory.id
    else:
        problems, memory_id = [(0, memory.cause)], found.memory.id
    answer = {"operation": "edited", "id": memory_id, "vault": vault.name, "path": path}
    call.console.result(answer, f"Edited {vault.name}/{path}")
    for line, cause in problems:
        call.console.notice(f"{found.place}:{line}: {cause}")

"""`muninn archive`: move a memory out of sight, and look at what lies there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.console import Styled
from muninn_cli.cli.group import Group
from muninn_cli.cli.handles import live_memory, some_vaults
from muninn_cli.cli.offers import offer
from muninn_cli.cli.options import (
    archived_argument,
    in_vault_option,
    memory_argument,
    ndjson_option,
    only_vault_option,
)
from muninn_cli.cli.shown import archived_data, archived_line
from muninn_cli.core.ids import short_id
from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import read
from muninn_cli.core.words import fold
from muninn_cli.errors import UnreadableError
from muninn_cli.forget.archive import archive
from muninn_cli.forget.kept import archived, find_archived
from muninn_cli.store.archive import VaultArchive
from muninn_cli.store.reading import opened

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from muninn_cli.forget.kept import Archived


class _MemoryOrCommand(Group):
    """`archive MEMORY` beside `archive list`, `search` and `show`: short for `archive move`."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0].startswith("-"):  # what stood after --
            args = ["--", *args]
        if args and args[0] not in self.commands:
            args = ["move", *args]
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        named = [] if incomplete.startswith("-") else offer("memories", ctx.obj, incomplete)
        return super().shell_complete(ctx, incomplete) + named


@click.group("archive", cls=_MemoryOrCommand, no_args_is_help=True)
def command() -> None:
    """Move a memory out of sight, unchanged: `muninn archive MEMORY`.

    \b
    muninn archive "Old release runbook"
    muninn archive list
    muninn restore "Old release runbook"
    """


@command.command("move", hidden=True)
@memory_argument
@in_vault_option
@click.pass_obj
def move(call: Call, memory: str, vault: str | None) -> None:
    """Move MEMORY to the archive of its vault."""
    app = call.app
    row = live_memory(app, memory, vault)
    home = app.vault(row.vault_id)
    with app.writing(home):
        moved = archive(opened(row, home), row.path, row.usage, home, app.time)
    app.commit(home, moved.paths, f"Archive {row.title}")
    data = {"operation": "archived", "id": row.id, "vault": home.name, "path": row.path}
    text = f"Archived {home.name}/{row.path}; back with `muninn restore {short_id(row.id)}`"
    call.console.result(data, text)


@command.command("list")
@only_vault_option
@ndjson_option
@click.pass_obj
def list_archived(call: Call, vault: str | None, ndjson: bool) -> None:
    """List what is archived: memories, earlier texts, and merged newcomers.

    \b
    muninn archive list
    muninn archive list --vault personal --ndjson
    """
    _print(call, archived(some_vaults(call.app, vault)), ndjson=ndjson)


@command.command("search")
@click.argument("text")
@only_vault_option
@ndjson_option
@click.pass_obj
def search_archived(call: Call, text: str, vault: str | None, ndjson: bool) -> None:
    """Find archived texts that hold TEXT, in any case and with or without accents.

    \b
    muninn archive search "Old release"
    muninn archive search contraseña --json
    """
    wanted = fold(text)
    found = [
        one
        for one in archived(some_vaults(call.app, vault))
        if wanted in fold(_data(one).decode("utf-8", "replace"))
    ]
    _print(call, found, ndjson=ndjson)


@command.command("show")
@archived_argument
@only_vault_option
@click.pass_obj
def show_archived(call: Call, text: str, vault: str | None) -> None:
    """Show one archived text, whole. This does not count as using it.

    \b
    muninn archive show "Old release runbook"
    muninn archive show old-release-runbook.md --json
    """
    one = find_archived(text, some_vaults(call.app, vault))
    memory = read(_data(one), one.kept.entry.path, one.vault.id_name)
    if not isinstance(memory, Memory):
        raise UnreadableError(f"{_place(one)}: {memory.cause}")
    data = archived_data(one) | {"title": memory.title, "body": memory.body}
    if call.console.json:
        call.console.data({"memory": data})
        return
    call.console.print(Styled(memory.title, "bold"))
    call.console.print(*archived_line(one, call.app.time))
    call.console.print("\n" + memory.body.strip("\n"))


def _place(one: Archived) -> str:
    return str(VaultArchive(one.vault).place(one.kept.entry.file))


def _data(one: Archived) -> bytes:
    return VaultArchive(one.vault).place(one.kept.entry.file).read_bytes()


def _print(call: Call, found: list[Archived], *, ndjson: bool) -> None:
    rows = [archived_data(one) for one in found]
    if ndjson:
        call.console.lines(rows)
    elif call.console.json:
        call.console.data({"archived": rows})
    else:
        for one in found:
            call.console.print(*archived_line(one, call.app.time))
        if not found:
            call.console.notice("nothing found")

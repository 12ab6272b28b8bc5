"""`muninn supersede`: let a newer memory take the place of an older one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.group import Command
from muninn_cli.cli.handles import live_memory, with_id
from muninn_cli.cli.options import in_vault_option, offered
from muninn_cli.errors import ConflictError, UsageError
from muninn_cli.forget.supersede import supersede, take_back
from muninn_cli.store.reading import opened

if TYPE_CHECKING:
    from muninn_cli.app import App
    from muninn_cli.store.reading import Opened
    from muninn_cli.store.run_folder import Receipt
    from muninn_cli.store.vault import Vault


@click.command("supersede", cls=Command)
@click.argument("old", shell_complete=offered("memories"))
@click.argument("new", required=False, shell_complete=offered("memories"))
@click.option("--undo", is_flag=True, help="Let OLD stand for itself again.")
@in_vault_option
@click.pass_obj
def command(call: Call, old: str, new: str | None, undo: bool, vault: str | None) -> None:
    """Hide OLD behind NEW: searches find NEW, and OLD only with --history.

    \b
    muninn supersede "API version 1" "API version 2"
    muninn supersede --undo "API version 1"
    """
    if undo is (new is not None):
        raise UsageError("give OLD and NEW, or --undo and OLD", "`muninn supersede --help`")
    app = call.app
    row = live_memory(app, old, vault)
    home = app.vault(row.vault_id)
    before = opened(row, home)
    with app.writing(home):
        act = _take_back(app, home, before) if undo else _hide(app, home, before, new, vault)
    app.commit(home, act.receipt.paths.get(home.id, ()), f"{act.title} {row.title}")
    data = {
        "operation": act.operation,
        "id": row.id,
        "vault": home.name,
        "path": row.path,
        "by": act.other,
        "run": act.receipt.run,
    }
    call.console.result(data, f"{home.name}/{row.path} {act.said}")
    call.console.notice(f"Undo: `muninn undo {act.receipt.run}`")


class _Act(NamedTuple):
    """What was done: its run, its name, the other memory's id, the title of its commit, and what
    is now true of the older memory."""

    receipt: Receipt
    operation: str
    other: str
    title: str
    said: str


def _hide(app: App, home: Vault, before: Opened, new: str | None, vault: str | None) -> _Act:
    head = live_memory(app, new or "", vault)
    if head.vault_id != home.id:
        raise ConflictError("both memories must be in one vault")
    receipt = supersede(
        before,
        opened(head, home),
        home,
        superseded_by=lambda memory_id: _successor(app, home, memory_id),
        runs=app.runs,
        now=app.time,
    )
    said = f"is now hidden behind {home.name}/{head.path}"
    return _Act(receipt, "superseded", head.id, "Supersede", said)


def _take_back(app: App, home: Vault, before: Opened) -> _Act:
    successor = before.memory.superseded_by
    head = with_id(app, home, successor)
    after = opened(head, home) if head else None
    receipt = take_back(before, after, home, app.runs, app.time)
    return _Act(receipt, "restored", successor, "Bring back", "stands for itself again")


def _successor(app: App, vault: Vault, memory_id: str) -> str:
    """The id that a live memory points to, or an empty text."""
    row = with_id(app, vault, memory_id)
    return row.superseded_by if row else ""

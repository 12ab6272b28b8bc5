"""`muninn sync`: bring the index in step with the files now, and say what is wrong in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from muninn_cli.app import LOCK_PATIENCE
from muninn_cli.cli.call import Call
from muninn_cli.cli.group import Command
from muninn_cli.cli.shown import counted
from muninn_cli.errors import MuninnError
from muninn_cli.store.index.connection import open_reader
from muninn_cli.store.index.troubles import troubles

if TYPE_CHECKING:
    from muninn_cli.store.sync import SyncReport


@click.command("sync", cls=Command)
@click.option("--yes", is_flag=True, help="More than half of a vault is gone, and that is right.")
@click.pass_obj
def command(call: Call, yes: bool) -> None:
    """Bring the index in step with the files.

    Every command that reads does this by itself; here it says what it did. With -v it names every
    file that could not be read as meant, with line and cause.

    \b
    muninn sync -v
    muninn sync --json
    """
    report = call.app.sync(accept_losses=yes, wait=LOCK_PATIENCE)
    tell(call, report, "synced")


def tell(call: Call, report: SyncReport, operation: str) -> None:
    """Show a report; raises MuninnError where a vault could not be read."""
    problems = list(troubles(open_reader(call.app.home.index_db)))
    data = {
        "operation": operation,
        "added": report.added,
        "changed": report.changed,
        "moved": report.moved,
        "removed": report.removed,
        "problems": [
            {"vault": one.vault, "path": one.path, "line": one.line, "cause": one.cause}
            for one in problems
        ],
        "failures": [{"vault": one.vault, "cause": one.cause} for one in report.failures],
        "notices": list(report.notices),
    }
    unnamed = problems and not call.console.verbose
    text = (
        f"{report.added} added, {report.changed} changed, {report.moved} moved,"
        f" {report.removed} removed; {counted(len(problems), 'problem')}"
        f"{', -v names them' if unnamed else ''}"
    )
    call.console.result(data, text)
    for notice in report.notices:
        call.console.notice(notice)
    for one in problems:
        place = f"{one.vault}/{one.path}" + (f":{one.line}" if one.line else "")
        call.console.detail(f"{place}: {one.cause}")
    if report.failures:
        first = report.failures[0]
        raise MuninnError(f"{first.vault}: {first.cause}", first.hint)

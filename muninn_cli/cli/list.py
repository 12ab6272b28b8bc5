"""`muninn list`: the memories there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.group import Command
from muninn_cli.cli.options import ndjson_option
from muninn_cli.cli.selection import filters, selecting
from muninn_cli.cli.shown import row_line
from muninn_cli.recall.hits import hit_json
from muninn_cli.recall.lookup import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from muninn_cli.recall.query import Hit


@click.command("list", cls=Command)
@selecting
@click.option(
    "--limit", type=click.IntRange(min=1), metavar="N", help="How many at most; all by default."
)
@ndjson_option
@click.pass_obj
def command(call: Call, /, limit: int | None, ndjson: bool, **chosen: Any) -> None:
    """List memories, the newest first, those without a date at the end.

    Listing does not count as using.

    \b
    muninn list --tag docker
    muninn list --vault work --tier T3 --expired
    muninn list --since 30d --json
    """
    hits = listed(filters(call.app, chosen), call.app.tools, limit)
    if ndjson:
        call.console.lines(hit_json(hit) for hit in hits)
    elif call.console.json:
        call.console.data({"hits": [hit_json(hit) for hit in hits], "notices": []})
    else:
        _print(call, hits)


def _print(call: Call, hits: Iterable[Hit]) -> None:
    sheet, last = call.sheet, None
    for last in hits:
        call.console.print(*row_line(last, sheet))
    if last is None:
        call.console.notice("nothing found")

"""`muninn search`: find memories by what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.group import Command
from muninn_cli.cli.options import ndjson_option
from muninn_cli.cli.selection import filters, selecting
from muninn_cli.cli.shown import explanation, hit_lines
from muninn_cli.recall.hits import hit_json
from muninn_cli.recall.query import Mode, Query
from muninn_cli.recall.search import search

if TYPE_CHECKING:
    from muninn_cli.recall.query import Answer


@click.command("search", cls=Command)
@click.argument("query")
@click.option(
    "--mode",
    type=click.Choice([mode.value for mode in Mode]),
    default=Mode.HYBRID.value,
    help="By meaning and words (default), by meaning alone, or by words alone.",
)
@selecting
@click.option(
    "--limit", type=click.IntRange(1, 1000), metavar="N", help="How many at most; 10 by default."
)
@click.option(
    "--min-score",
    type=click.FloatRange(-1, 1),
    metavar="COSINE",
    help="Leave out what is less alike than this.",
)
@click.option("--no-rerank", is_flag=True, help="Keep the order of plain rank fusion.")
@click.option("--explain", is_flag=True, help="Show what each score is made of.")
@click.option("--no-recall", is_flag=True, help="Do not count what is shown as used.")
@ndjson_option
@click.pass_obj
def command(  # noqa: PLR0917
    call: Call,
    /,
    query: str,
    mode: str,
    limit: int | None,
    min_score: float | None,
    no_rerank: bool,
    explain: bool,
    no_recall: bool,
    ndjson: bool,
    **chosen: Any,
) -> None:
    """Find memories that answer QUERY, in words of your own, in English or Spanish.

    Any text is a query; AND, OR, NOT and quotes are plain words. What is shown counts as used.

    \b
    muninn search "why did containers lose the database"
    muninn search contraseña --mode fulltext --tier T1 --since 30d
    muninn search "release steps" --explain --limit 3 --no-recall
    """
    app = call.app
    settings = app.settings.search
    asked = Query(
        text=query,
        filters=filters(app, chosen),
        mode=Mode(mode),
        limit=limit or settings.limit,
        weights=settings.weights,
        rerank=settings.rerank and not no_rerank,
        min_cosine=min_score,
    )
    answer = search(asked, app.tools)
    _show(call, answer, ndjson=ndjson, explain=explain)
    if not no_recall:
        app.note_recall(answer.hits, "search")


def _show(call: Call, answer: Answer, *, ndjson: bool, explain: bool) -> None:
    console = call.console
    rows = (hit_json(hit, explain=explain) for hit in answer.hits)
    if ndjson:
        console.lines(rows)
    elif console.json:
        console.data({"hits": list(rows), "notices": list(answer.notices)})
        return
    else:
        for hit in answer.hits:
            for line in hit_lines(hit, call.sheet, call.app.now):
                console.print(*line)
            if explain:
                for line in explanation(hit, call.sheet):
                    console.print(*line)
    for notice in answer.notices:
        console.notice(notice)
    if not answer.hits:
        console.notice("nothing found")

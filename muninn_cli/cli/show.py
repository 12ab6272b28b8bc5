"""`muninn show`: one memory, whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.console import Styled
from muninn_cli.cli.group import Command
from muninn_cli.cli.handles import any_memory
from muninn_cli.cli.history import show_at
from muninn_cli.cli.options import in_vault_option, memory_argument
from muninn_cli.cli.shown import dim_lines, distance, place_of
from muninn_cli.core.ids import short_id
from muninn_cli.core.times import rfc3339
from muninn_cli.recall.hits import hit_json, hit_of
from muninn_cli.recall.lookup import recalled_together
from muninn_cli.store.index.filters import State
from muninn_cli.store.reading import opened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from muninn_cli.cli.shown import Line
    from muninn_cli.recall.lookup import Together
    from muninn_cli.recall.query import Hit
    from muninn_cli.store.index.rows import Row
    from muninn_cli.store.reading import Opened


@click.command("show", cls=Command)
@memory_argument
@in_vault_option
@click.option(
    "--at", metavar="WHEN", help="As it was at a commit, at a time, or 30d ago; needs git."
)
@click.option("--no-recall", is_flag=True, help="Do not count this as a use.")
@click.pass_obj
def command(call: Call, memory: str, vault: str | None, at: str | None, no_recall: bool) -> None:
    """Show MEMORY: its id (a beginning or end of it will do), path, file name or title.

    \b
    muninn show "Release runbook"
    muninn show M7N2XY01 --json
    muninn show "Release runbook" --at HEAD~3
    """
    app = call.app
    row = any_memory(app, memory, vault)
    if at is not None:
        show_at(call, row, at)
    else:
        _show(call, row)
    if not no_recall:
        app.note_recall([hit_of(row)], "show")


def _show(call: Call, row: Row) -> None:
    app = call.app
    vault = app.vault(row.vault_id)
    found = opened(row, vault)
    near = recalled_together(row, app.tools)
    hit = hit_of(row)
    if call.console.json:
        call.console.data({"memory": _data(hit, row, found, near)})
    else:
        for line in _lines(call, hit, row, near):
            call.console.print(*line)
        call.console.print("\n" + found.memory.body.strip("\n"))
    for problem in found.memory.problems:
        if problem.is_foreign and not vault.managed:
            continue
        call.console.notice(f"{found.place}:{problem.line}: {problem.cause}")


def _data(hit: Hit, row: Row, found: Opened, near: list[Together]) -> dict[str, object]:
    memory, usage = found.memory, row.usage
    plain = {
        "category": memory.category,
        "summary": memory.summary,
        "session": memory.session,
        "superseded_by": memory.superseded_by,
        "supersedes": list(memory.supersedes),
        "related": list(memory.related),
        "aliases": list(memory.aliases),
        "merged_from": list(memory.merged_from),
    }
    return {
        **hit_json(hit),
        "file": str(found.place),
        "source": memory.source,
        "importance": memory.weight,
        "pinned": memory.pinned,
        "consolidate": memory.consolidate,
        "updated": memory.updated.shown if memory.updated else None,
        **{key: value for key, value in plain.items() if value},
        "body": memory.body,
        "usage": {
            "recalls": usage.recalls,
            "last_recall": rfc3339(usage.last_recall) if usage.last_recall else None,
            "stability": usage.stability,
        },
        "together": [{"id": one.hit.id, "weight": round(one.weight, 4)} for one in near],
    }


def _lines(call: Call, hit: Hit, row: Row, near: list[Together]) -> Iterator[Line]:
    yield (Styled(hit.title, "bold"),)
    facts = [hit.id, place_of(hit), f"{hit.tier} {hit.type}"]
    if hit.state.value != "live":
        facts.append(hit.state.value)
    if row.pinned:
        facts.append("pinned")
    if hit.tags:
        facts.append(" ".join(f"#{tag}" for tag in hit.tags))
    yield from dim_lines(" · ".join(facts), call.sheet)
    yield from dim_lines(" · ".join(_life(call, hit, row)), call.sheet)
    for one in near:
        yield (Styled(f"recalled together with {one.hit.title}  {short_id(one.hit.id)}", "dim"),)


def _life(call: Call, hit: Hit, row: Row) -> Iterator[str]:
    """When it began, was used, and will end."""
    if hit.created:
        yield f"created {hit.created}"
    if row.usage.last_recall:
        yield f"{_use(row.usage.recalls)}, {distance(row.usage.last_recall, call.app.time)}"
    if hit.state is State.ARCHIVED:
        yield f"`muninn restore {short_id(hit.id)}` brings it back"
    else:
        yield f"expires {distance(hit.expires, call.app.now)}" if hit.expires else "never expires"


def _use(recalls: int) -> str:
    match recalls:
        case 0:
            return "refreshed"
        case 1:
            return "recalled once"
    return f"recalled {recalls} times"

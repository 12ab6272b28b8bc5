"""`muninn review`: what dreams leave to a person."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.console import Styled, one_line
from muninn_cli.cli.fitting import fitted, fitted_path, prose
from muninn_cli.cli.group import Command, Group
from muninn_cli.core.ids import short_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from muninn_cli.cli.fitting import Sheet
    from muninn_cli.cli.shown import Line
    from muninn_cli.dream.review import Review
    from muninn_cli.dream.suggestions import Open


@click.group("review", cls=Group, invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Decide what dreams leave to you: suggestions, conflicts, near-duplicates.

    \b
    muninn review
    muninn review accept 3
    muninn review dismiss 4
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(listing)


@command.command("list", cls=Command)
@click.pass_obj
def listing(call: Call) -> None:
    """List what waits for you, each under a number of its own.

    \b
    muninn review list
    muninn review --json
    """
    with _review(call) as review:
        items = review.listed()
        if call.console.json:
            call.console.data({"suggestions": [_data(item, review) for item in items]})
            return
        for line in (line for item in items for line in _lines(item, review, call.sheet)):
            call.console.print(*line)
        if not items:
            call.console.print("Nothing waits for you.")


@command.command("accept", cls=Command)
@click.argument("number", type=int)
@click.option("--keep", metavar="ID", help="The memory that is to stay, or that holds.")
@click.pass_obj
def accept(call: Call, number: int, keep: str | None) -> None:
    """Carry out what is suggested under NUMBER; `muninn undo` takes it back.

    --keep names the memory that is to stay, or, of memories that contradict one another, the one
    that holds.

    \b
    muninn review accept 3
    muninn review accept 2 --keep M7N2XY01
    """
    app = call.app
    with _review(call) as review:
        accepted = review.accept(number, keep)
    for vault in app.vaults:
        app.commit(vault, accepted.paths.get(vault.id, ()), f"Review: accept {number}")
    data = {"operation": "accepted", "number": number, "run": accepted.run}
    call.console.result(data, f"Accepted {number}. Undo: `muninn undo {accepted.run}`")


@command.command("dismiss", cls=Command)
@click.argument("number", type=int)
@click.pass_obj
def dismiss(call: Call, number: int) -> None:
    """Say no to NUMBER: it is not suggested again until one of the texts changes.

    \b
    muninn review dismiss 3
    muninn review dismiss 4 --json
    """
    with _review(call) as review:
        review.dismiss(number)
    call.console.result({"operation": "dismissed", "number": number}, f"Dismissed {number}")


@contextmanager
def _review(call: Call) -> Iterator[Review]:
    from muninn_cli.dream.opening import opened
    from muninn_cli.dream.review import Review

    app = call.app
    runs, around = app.runs, app.surroundings
    with opened(around, app.home) as found:
        yield Review(found, app.home, runs, app.time)


def _data(item: Open, review: Review) -> dict[str, object]:
    return {
        "number": item.number,
        "kind": item.kind,
        "text": item.text,
        "needs_keep": review.needs_choice(item),
        "memories": [
            {
                "id": facts.ref.id,
                "vault": facts.vault.name,
                "path": facts.path,
                "title": facts.title,
                "stays": facts.ref.id == review.stays(item),
            }
            for facts in review.facts(item)
        ],
    }


def _lines(item: Open, review: Review, sheet: Sheet) -> Iterator[Line]:
    """A suggestion and its memories; on a terminal their places have lines of their own."""
    keep = "  (accept with --keep ID)" if review.needs_choice(item) else ""
    yield (prose(one_line(f"{item.number}. {item.kind}: {item.text}{keep}"), sheet),)
    for facts in review.facts(item):
        mark = "  (stays)" if facts.ref.id == review.stays(item) else ""
        head, title = f"     {short_id(facts.ref.id)}  ", one_line(facts.title)
        place = one_line(f"{facts.vault.name}/{facts.path}")
        if sheet.columns is None:
            yield (f"{head}{place}  {title}{mark}",)
            continue
        room = sheet.columns - len(head)
        yield (head, Styled(fitted(title, room - len(mark)), "bold"), mark)
        yield (" " * len(head), Styled(fitted_path(place, room), "dim"))

"""`muninn start`: begin a session."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.dreamt import entry_text, outcome_json, settle
from muninn_cli.cli.fitting import prose
from muninn_cli.cli.group import Command
from muninn_cli.cli.shown import counted
from muninn_cli.core.times import epoch, rfc3339
from muninn_cli.recall.hits import hit_json
from muninn_cli.recall.lookup import expiring
from muninn_cli.store.index.filters import Filters
from muninn_cli.store.index.rows import count, vault_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from muninn_cli.app import App
    from muninn_cli.dream.session import Started
    from muninn_cli.recall.query import Hit

_NAMED = 5
"""Expiring memories that are named; the rest are counted."""


@click.command("start", cls=Command)
@click.pass_obj
def command(call: Call) -> None:
    """Begin a session: dream first, if one is due, then say how the memory is doing.

    The dream takes at most `dream.start_timeout` seconds; what is not done by then waits.

    \b
    muninn start
    muninn start --json
    """
    from muninn_cli.dream.session import start

    app = call.app
    started = start(app.surroundings)
    if started.outcome:
        settle(app, started.outcome)
    soon = expiring(app.vaults, timedelta(days=app.settings.tiers.warn_days), app.tools)
    memories = _memories(app)
    data = {
        "operation": "started",
        "dream": outcome_json(started.outcome) if started.outcome else None,
        "not_dreamed": started.why_not or (started.busy.message if started.busy else None),
        "expiring": [hit_json(hit) for hit in soon],
        "memories": memories,
        "vaults": len(app.vaults),
    }
    text = "\n".join(_lines(app, started, soon, memories))
    call.console.result(data, prose(text, call.sheet))
    if started.busy:
        raise started.busy


def _memories(app: App) -> int:
    numbers = vault_numbers(app.index, [vault.id for vault in app.vaults])
    return count(app.index, Filters(numbers), now=epoch(app.now))


def _lines(app: App, started: Started, soon: list[Hit], memories: int) -> Iterator[str]:
    outcome = started.outcome
    if outcome and outcome.plan:
        yield entry_text(outcome)
        yield ""
    elif started.why_not:
        yield f"No dream: {started.why_not}."
    for hit in soon[:_NAMED]:
        when = rfc3339(hit.expires)[:10] if hit.expires else ""
        yield f"expires {when}  {hit.vault}/{hit.path}"
    if len(soon) > _NAMED:
        yield f"… and {len(soon) - _NAMED} more: `muninn expiring`"
    yield f"{counted(memories, 'memory', 'memories')} in {counted(len(app.vaults), 'vault')}."

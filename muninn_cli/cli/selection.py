"""Options that choose memories, and the filters they make; shared by search, list and export."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from muninn_cli.cli.options import offered
from muninn_cli.core.suggestion import did_you_mean
from muninn_cli.core.times import epoch, parse_moment
from muninn_cli.core.words import fold
from muninn_cli.errors import UsageError
from muninn_cli.store.index.filters import Filters, State
from muninn_cli.store.index.rows import tags, vault_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from muninn_cli.app import App

_FILTERS = (
    click.option(
        "--vault",
        "vaults",
        multiple=True,
        metavar="NAME",
        help="Only this vault.",
        shell_complete=offered("vaults"),
    ),
    click.option(
        "--tier",
        "tiers",
        multiple=True,
        type=click.Choice(["T0", "T1", "T2", "T3"]),
        help="Only this tier.",
    ),
    click.option(
        "--type",
        "types",
        multiple=True,
        type=click.Choice(["semantic", "episodic", "procedural"]),
        help="Only facts, events, or ways to do something.",
    ),
    click.option(
        "--tag",
        "tags",
        multiple=True,
        metavar="TAG",
        help="With all of these tags.",
        shell_complete=offered("tags"),
    ),
    click.option(
        "--source",
        "sources",
        multiple=True,
        metavar="WHO",
        help="Said by cli, agent, import or dream.",
    ),
    click.option("--since", metavar="TIME", help="Created then or later: 2026-03-01, or 30d."),
    click.option("--until", metavar="TIME", help="Created before."),
)
_ARCHIVED = click.option("--archived", is_flag=True, help="Archived memories too.")
_HIDDEN_ON_REQUEST = (
    click.option("--history", is_flag=True, help="Superseded memories too."),
    _ARCHIVED,
    click.option("--expired", is_flag=True, help="Expired memories too."),
)
_HIDDEN_TOO = (
    click.option("--history/--no-history", default=True, help="Superseded memories too (default)."),
    _ARCHIVED,
    click.option("--expired/--no-expired", default=True, help="Expired memories too (default)."),
)


def selecting(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that choose memories: live ones, unless others are asked for."""
    return _with(command, _FILTERS + _HIDDEN_ON_REQUEST)


def selecting_all(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the same options, but every file of a vault is chosen unless left out."""
    return _with(command, _FILTERS + _HIDDEN_TOO)


def _with(
    command: Callable[..., None], options: Sequence[Callable[..., Callable[..., None]]]
) -> Callable[..., None]:
    for option in reversed(options):
        command = option(command)
    return command


def filters(app: App, chosen: Mapping[str, Any]) -> Filters:
    """The filters that the options of `selecting` ask for; takes them out of nothing."""
    vaults = [app.vault(name) for name in chosen["vaults"]] or app.vaults
    states = {State.LIVE}
    for option, state in (
        ("history", State.SUPERSEDED),
        ("archived", State.ARCHIVED),
        ("expired", State.EXPIRED),
    ):
        if chosen[option]:
            states.add(state)
    numbers = vault_numbers(app.index, [vault.id for vault in vaults])
    return Filters(
        vaults=numbers,
        states=frozenset(states),
        tiers=chosen["tiers"],
        types=chosen["types"],
        sources=chosen["sources"],
        tags=_tags(app, chosen["tags"], numbers),
        since=_moment(chosen["since"], "--since", app.time),
        until=_moment(chosen["until"], "--until", app.time),
    )


def _tags(app: App, given: Sequence[str], vaults: Sequence[int]) -> tuple[str, ...]:
    """Tags as the index has them; one that no memory carries is told, with the nearest."""
    wanted = tuple(fold(tag.strip().lstrip("#")) for tag in given)
    known = tags(app.index, vaults) if wanted else {}
    for tag in wanted:
        if tag not in known:
            hint = did_you_mean(tag, known)
            app.notify(f"no memory has the tag {tag}" + (f": {hint}" if hint else ""))
    return wanted


def _moment(text: str | None, option: str, now: datetime) -> float | None:
    """A time that an option names, in seconds since 1970. Raises UsageError."""
    if text is None:
        return None
    moment = parse_moment(text, now)
    if moment is None:
        hint = "write 2026-03-01, 2026-03-01T06:00, or 30d for thirty days ago"
        raise UsageError(f"{option} is no time: {text}", hint)
    return epoch(moment)

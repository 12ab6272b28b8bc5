"""Options that several commands share, and those that every command takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from muninn_cli import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.shell_completion import CompletionItem

    from muninn_cli.cli.call import Call, Flags


def _flags(ctx: click.Context) -> Flags:
    call: Call = ctx.obj
    return call.flags


def _json(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    _flags(ctx).json |= value


def _quiet(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    _flags(ctx).quiet |= value


def _verbose(ctx: click.Context, _parameter: click.Parameter, value: int) -> None:
    _flags(ctx).verbose += value


def _color(ctx: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    _flags(ctx).color = value or _flags(ctx).color


def _version(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value:
        call: Call = ctx.obj
        call.console.result({"version": __version__}, f"muninn {__version__}")
        ctx.exit()


def show_help(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    """Print the help of a command and end, unless a shell only looks for words."""
    if value and not ctx.resilient_parsing:
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


def _option(*names: str, **attributes: Any) -> click.Option:
    return click.Option(names, expose_value=False, is_eager=True, **attributes)


EVERYWHERE = (
    _option("--json", is_flag=True, callback=_json, help="Print data as JSON."),
    _option("-q", "--quiet", is_flag=True, callback=_quiet, help="Keep notices to yourself."),
    _option("-v", "--verbose", count=True, callback=_verbose, help="Tell more."),
    _option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        metavar="WHEN",
        callback=_color,
        help="Use colour: auto, always or never.",
    ),
    _option("--version", is_flag=True, callback=_version, help="Print the version."),
)
"""Accepted before and after the name of every command."""


HELP = _option("-h", "--help", is_flag=True, callback=show_help, help="Show this message and exit.")
"""In place of click's own, which looks for translations at every start: a millisecond."""


def offered(what: str) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """What a shell may offer for a parameter: one of `offers.OFFERS`, imported when it asks."""

    def complete(
        ctx: click.Context, _parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from muninn_cli.cli.offers import offer

        return offer(what, ctx.obj, incomplete)

    return complete


def _vault(about: str) -> Callable[..., Any]:
    return click.option("--vault", metavar="NAME", help=about, shell_complete=offered("vaults"))


vault_option = _vault("The vault: its name, id or path.")
in_vault_option = _vault("Look in this vault only.")
only_vault_option = _vault("Only this vault.")
memory_argument = click.argument("memory", shell_complete=offered("memories"))
archived_argument = click.argument("text", shell_complete=offered("archived"))
ndjson_option = click.option("--ndjson", is_flag=True, help="Print one JSON object a line.")
tier_option = click.option(
    "--tier",
    type=click.Choice(["T0", "T1", "T2", "T3"]),
    help="How long it lives unused: T0 for ever, T3 the shortest.",
)
type_option = click.option(
    "--type",
    "type",
    type=click.Choice(["semantic", "episodic", "procedural"]),
    help="A fact, an event, or a way to do something.",
)

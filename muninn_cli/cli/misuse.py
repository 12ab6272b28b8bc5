"""What is wrong with a command line, in plain words, and what to type instead."""

from __future__ import annotations

from typing import Any

import click

from muninn_cli.cli.group import PROGRAM, examples
from muninn_cli.core.suggestion import did_you_mean
from muninn_cli.errors import UsageError


def misuse(error: click.UsageError) -> UsageError:
    """What click found, told as muninn tells its own failures."""
    return UsageError(_message(error), _hint(error))


def _message(error: click.UsageError) -> str:
    match error:
        case click.MissingParameter(param=click.Parameter() as param):
            choices = f": {_expected(param.type)}" if isinstance(param.type, click.Choice) else ""
            return f"{_name(param)} is missing{choices}"
        case click.BadParameter(param=click.Parameter() as param):
            expected = _expected(param.type)
            fault = (
                f" must be {expected}, not {_given(error)}" if expected else f": {error.message}"
            )
            return _name(param) + fault
        case click.NoSuchOption():
            return f"no such option: {error.option_name}"
        case click.BadOptionUsage() if error.message.endswith("requires an argument."):
            return f"{error.option_name} needs a value"
        case _ if _has_too_many(error):
            return f"too many words: {error.message.partition('(')[2].rstrip(')')}"
    return error.format_message()


def _hint(error: click.UsageError) -> str:
    if error.ctx is None:
        return f"`{PROGRAM} COMMAND --help` shows how"
    hint = f"`{error.ctx.command_path} --help` shows how"
    match error:
        case click.NoSuchOption():
            near = did_you_mean(error.option_name, _options(error.ctx))
            return f"{near} {hint}" if near else f"{hint}; a text that begins with - goes after --"
        case click.BadParameter(param=click.Parameter(type=click.Choice(choices=choices))) if (
            near := did_you_mean(_given(error), map(str, choices))
        ):
            return f"{near} {hint}"
        case click.BadParameter(param=click.Argument()):
            return _example(error.ctx) or hint
        case _ if _has_too_many(error):
            return f"{hint}; a text of several words stands in quotes"
    return hint


def _has_too_many(error: click.UsageError) -> bool:
    return error.message.startswith("Got unexpected extra argument")


def _options(ctx: click.Context) -> list[str]:
    return [name for each in ctx.command.get_params(ctx) for name in each.opts]


def _example(ctx: click.Context) -> str:
    """The first example in the help of a command."""
    shown = examples(ctx.command)
    return f"for example: {shown[0]}; `{ctx.command_path} --help` says more" if shown else ""


def _name(param: click.Parameter) -> str:
    """A parameter as it is typed, or as the help calls it."""
    return (
        max(param.opts, key=len) if isinstance(param, click.Option) else param.human_readable_name
    )


def _given(error: click.UsageError) -> str:
    """What was typed, as the words of click have it."""
    return error.message.partition(" is not ")[0]


def _expected(kind: click.ParamType[Any]) -> str:
    """What a value must be; empty where the words of click say it better."""
    match kind:
        case click.Choice(choices=choices):
            return f"one of {', '.join(map(str, choices))}"
        case click.IntRange():
            return f"a whole number {_range(kind)}"
        case click.FloatRange():
            return f"a number {_range(kind)}"
        case _ if kind is click.INT:
            return "a whole number"
    return ""


def _range(kind: click.IntRange | click.FloatRange) -> str:
    least, most = kind.min, kind.max
    return f"of at least {least:g}" if most is None else f"from {least:g} to {most:g}"

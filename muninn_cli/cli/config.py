"""`muninn config`: read and change settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.group import Group
from muninn_cli.cli.options import ndjson_option, offered
from muninn_cli.config.load import known, variable
from muninn_cli.config.origins import Found, Origin, found
from muninn_cli.errors import UsageError
from muninn_cli.paths import HOME_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from muninn_cli.config.section import Setting
    from muninn_cli.config.values import Plain

_key_argument = click.argument("key", shell_complete=offered("settings"))
_origin_option = click.option("--origin", is_flag=True, help="Say where it comes from.")


@click.group("config", cls=Group, no_args_is_help=True)
def command() -> None:
    """Read and change settings.

    A value comes from the environment (search.limit is MUNINN_SEARCH_LIMIT), else from
    config.toml, else it is the default. Lists are written a,b or as JSON.

    \b
    muninn config list --origin
    muninn config set search.limit 20
    MUNINN_SEARCH_LIMIT=5 muninn config get search.limit --origin
    """


@command.command("get")
@_key_argument
@_origin_option
@click.pass_obj
def get(call: Call, key: str, origin: bool) -> None:
    """Print the value of a setting.

    \b
    muninn config get search.limit
    muninn config get search.languages --origin
    """
    setting = known(key)
    value = found(call.app.config, call.app.world.env)[key]
    row = _row(key, setting, value)
    text = _shown(setting.holds.plain(value.value))
    call.console.result(row, f"{text}  ({_from(value)})" if origin else text)


@command.command("set")
@_key_argument
@click.argument("value")
@click.pass_obj
def set_value(call: Call, key: str, value: str) -> None:
    """Give a setting a value in config.toml; comments stay.

    \b
    muninn config set journal.language es
    muninn config set search.languages en,es,de
    muninn config set trust.work ollama
    """
    from muninn_cli.config.edit import set_setting

    setting = known(key)
    try:
        plain = setting.holds.plain(setting.holds.parse(value))
    except ValueError as error:
        raise UsageError(f"{key} {error}", f"the default is {_typed(setting)}") from error
    if key == "vault.default":
        call.app.vault(value)  # every command that names no vault would fail
    _change(call, lambda text: set_setting(text, key, plain))
    _warn_of_environment(call, key)
    call.console.result(
        {"operation": "set", "key": key, "value": plain}, f"{key} = {_shown(plain)}"
    )


@command.command("unset")
@_key_argument
@click.pass_obj
def unset(call: Call, key: str) -> None:
    """Leave a setting to its default again.

    \b
    muninn config unset search.limit
    muninn config unset journal.language
    """
    from muninn_cli.config.edit import unset_setting

    setting = known(key)
    _change(call, lambda text: unset_setting(text, key))
    _warn_of_environment(call, key)
    plain = setting.plain_default
    call.console.result(
        {"operation": "unset", "key": key, "value": plain}, f"{key} = {_shown(plain)}"
    )


@command.command("list")
@_origin_option
@ndjson_option
@click.pass_obj
def list_values(call: Call, origin: bool, ndjson: bool) -> None:
    """Print every setting with its value.

    \b
    muninn config list
    muninn config list --origin
    """
    values = found(call.app.config, call.app.world.env)
    rows = [_row(key, known(key), value) for key, value in values.items()]
    if ndjson:
        call.console.lines(rows)
    elif call.console.json:
        call.console.data({"settings": rows})
    else:
        for key, value in values.items():
            source = f"  # {_from(value)}" if origin else ""
            call.console.print(f"{key} = {_shown(known(key).holds.plain(value.value))}{source}")


@command.command("path")
@_origin_option
@click.pass_obj
def path(call: Call, origin: bool) -> None:
    """Print the place of config.toml.

    \b
    muninn config path
    muninn config path --origin
    """
    place = str(call.app.home.config)
    named = bool(call.world.env.get(HOME_VARIABLE))
    by = Found(place, *((Origin.ENVIRONMENT, HOME_VARIABLE) if named else (Origin.DEFAULT,)))
    data = {"path": place, "exists": call.app.home.config.exists(), "origin": by.origin.value}
    call.console.result(data, f"{place}  ({_from(by)})" if origin else place)


def _change(call: Call, edit: Callable[[str], str]) -> None:
    """Change config.toml, made first where it is missing."""
    from muninn_cli.store.config_file import editing

    app = call.app
    app.make_home()
    with editing(app.home, app.world) as config:
        config.save(edit(config.file.text))


def _warn_of_environment(call: Call, key: str) -> None:
    if call.world.env.get(variable(key)):
        call.console.notice(f"{variable(key)} is set in the environment and goes first")


def _row(key: str, setting: Setting[object], value: Found) -> dict[str, object]:
    plain = setting.holds.plain(value.value)
    return {"key": key, "value": plain, "origin": value.origin.value, "place": value.place}


def _from(value: Found) -> str:
    return f"{value.origin}: {value.place}" if value.place else value.origin.value


def _typed(setting: Setting[object]) -> str:
    """The default as a person would type it."""
    plain = setting.plain_default
    return ",".join(map(str, plain)) if isinstance(plain, list) else _shown(plain)


def _shown(plain: Plain) -> str:
    """A text as it is, anything else as `config set` takes it."""
    from muninn_cli.config.edit import toml

    return plain if isinstance(plain, str) else toml(plain)

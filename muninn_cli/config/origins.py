"""Every setting with its value and where that came from, and all that is wrong with them.

For `muninn config` and `muninn doctor`: what only runs a command reads `config.load`.
"""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.config.load import checked, from_environment, from_file, place_of, stated, variable
from muninn_cli.config.settings import SETTINGS
from muninn_cli.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from muninn_cli.config.load import ConfigFile
    from muninn_cli.config.section import Setting


class Origin(StrEnum):
    """Where a value comes from."""

    ENVIRONMENT = "environment"
    FILE = "file"
    DEFAULT = "default"


class Found(NamedTuple):
    """A setting's value, with its origin: the variable's name, or `path:line`."""

    value: object
    origin: Origin
    place: str = ""


def faults(file: ConfigFile, env: Mapping[str, str]) -> list[UnreadableError]:
    """Everything for which `settings_from` refuses these settings, each by itself."""
    refused: list[UnreadableError] = []
    reading: list[Callable[[], object]] = [partial(checked, file, *item) for item in stated(file)]
    reading += [partial(from_environment, {name: env[name]}) for name in env]
    for read in reading:
        try:
            read()
        except UnreadableError as error:
            refused.append(error)
    return refused


def found(file: ConfigFile, env: Mapping[str, str]) -> dict[str, Found]:
    """Every setting with its value and origin."""
    in_file, in_environment = from_file(file), from_environment(env)
    return {
        key: _found(key, setting, file, in_file, in_environment)
        for key, setting in SETTINGS.items()
    }


def _found(
    key: str,
    setting: Setting[object],
    file: ConfigFile,
    in_file: Mapping[str, object],
    in_environment: Mapping[str, object],
) -> Found:
    if key in in_environment:
        return Found(in_environment[key], Origin.ENVIRONMENT, variable(key))
    if key in in_file:
        return Found(in_file[key], Origin.FILE, place_of(file, key))
    return Found(setting.default, Origin.DEFAULT)

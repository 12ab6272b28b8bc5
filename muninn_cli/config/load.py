"""Reading settings: environment before config.toml before defaults.

A key that is not known, a value of another type or out of bounds, and TOML that does not parse
are errors that name the place; nothing is guessed and nothing is written.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.config.lines import line_of
from muninn_cli.config.settings import SETTINGS, Settings
from muninn_cli.core.suggestion import did_you_mean
from muninn_cli.errors import NotFoundError, UnreadableError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from muninn_cli.config.section import Setting
    from muninn_cli.paths import Home

VAULTS = "vaults"
"""The table of config.toml that holds the registered vaults; store.registry reads it."""


def variable(key: str) -> str:
    """The environment variable of a setting: `search.limit` is MUNINN_SEARCH_LIMIT."""
    return f"MUNINN_{key.upper().replace('.', '_')}"


_VARIABLES = {variable(key): key for key in SETTINGS}
_SECTIONS = tuple({variable(key.partition(".")[0]) + "_" for key in SETTINGS})


_NO_TABLES: Mapping[str, object] = MappingProxyType({})


class ConfigFile(NamedTuple):
    """config.toml as read, empty where there is no such file."""

    path: Path
    data: bytes = b""
    text: str = ""
    tables: Mapping[str, object] = _NO_TABLES
    exists: bool = True


def read_config(path: Path) -> ConfigFile:
    """config.toml, parsed. Raises UnreadableError with path and line."""
    import tomllib

    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
        return ConfigFile(path, data, text, tomllib.loads(text.replace("\r\n", "\n")))
    except FileNotFoundError:
        return ConfigFile(path, exists=False)
    except OSError as error:
        raise UnreadableError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UnreadableError(f"{path}:{line}: not UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise UnreadableError(*_broken(path, text, str(error))) from error


def load_settings(home: Home, env: Mapping[str, str]) -> Settings:
    """The settings in force. Raises UnreadableError, or NotFoundError for an unknown key."""
    return settings_from(read_config(home.config), env)


def settings_from(file: ConfigFile, env: Mapping[str, str]) -> Settings:
    """The settings in force, from a file that was read."""
    return Settings(from_file(file) | from_environment(env))


def known(key: str) -> Setting[object]:
    """The setting of that key. Raises NotFoundError with the nearest key."""
    if key not in SETTINGS:
        hint = did_you_mean(key, SETTINGS) or "`muninn config list` shows them"
        raise NotFoundError(f"no such setting: {key}", hint)
    return SETTINGS[key]


def from_file(file: ConfigFile) -> dict[str, object]:
    """The settings that a file states, by dotted key."""
    return {key: checked(file, key, raw) for key, raw in stated(file)}


def stated(file: ConfigFile) -> list[tuple[str, object]]:
    """What a file says of settings, as it says it, by dotted key."""
    leaves = _flat(file.tables)
    return [(key, raw) for key, raw in leaves if not key.startswith(f"{VAULTS}.")]


def _flat(tables: Mapping[str, object], prefix: str = "") -> list[tuple[str, object]]:
    """The leaves of nested tables by dotted key; an empty table has none."""
    leaves: list[tuple[str, object]] = []
    for name, value in tables.items():
        key = f"{prefix}{name}"
        if isinstance(value, dict) and key not in SETTINGS:
            leaves += _flat(value, f"{key}.")
        else:
            leaves.append((key, value))
    return leaves


def checked(file: ConfigFile, key: str, raw: object) -> object:
    """The typed value of what a file states. Raises UnreadableError with path and line."""
    if key not in SETTINGS:
        hint = did_you_mean(key, SETTINGS)
        raise UnreadableError(f"{place_of(file, key)}: no such setting: {key}", hint)
    try:
        return SETTINGS[key].holds.check(raw)
    except ValueError as error:
        raise UnreadableError(f"{place_of(file, key)}: {key} {error}") from error


def from_environment(env: Mapping[str, str]) -> dict[str, object]:
    """Settings named in the environment; an empty variable counts as not there."""
    values: dict[str, object] = {}
    for name in env:
        if name.startswith("MUNINN_") and env[name]:
            key = _VARIABLES.get(name)
            if key is not None:
                values[key] = _parsed(name, key, env[name])
            elif name.startswith(_SECTIONS):
                hint = did_you_mean(name, _VARIABLES)
                raise UnreadableError(f"environment variable {name}: no such setting", hint)
    return values


def _parsed(name: str, key: str, text: str) -> object:
    try:
        return SETTINGS[key].holds.parse(text)
    except ValueError as error:
        raise UnreadableError(f"environment variable {name}: {key} {error}") from error


def _broken(path: Path, text: str, cause: str) -> tuple[str, str]:
    """Message and hint for TOML that does not parse, from tomllib's words."""
    at = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", cause)
    if at is None:
        return f"{path}: {cause}", ""
    line = at.group(1) or str(text.rstrip("\n").count("\n") + 1)
    return f"{path}:{line}: {cause[: at.start()]}", f"mend that line in {path}"


def place_of(file: ConfigFile, key: str) -> str:
    """`path:line` of a key; the path alone where the line is not plain to see."""
    line = line_of(file.text, key)
    return f"{file.path}:{line}" if line else str(file.path)

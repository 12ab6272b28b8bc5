"""The text of config.toml, made and changed: values to text, never a file.

A change touches one key: comments, order and blank lines stay as the person has them.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

from muninn_cli.config.lines import comment_out, uncomment
from muninn_cli.config.section import Part, Section, Setting, declared
from muninn_cli.config.settings import SETTINGS, Settings
from muninn_cli.config.values import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tomlkit.container import Container

    from muninn_cli.config.values import Plain

_HEAD = """\
# Settings of muninn. Every line that begins with "# " and holds a "=" shows a default: take the
# "# " away to change it, or use `muninn config set KEY VALUE`, which keeps your comments.
# An environment variable goes first: MUNINN_SEARCH_LIMIT is search.limit.
"""


def commented() -> str:
    """A config.toml in which every setting stands as a comment, with its meaning and default."""
    return _HEAD + "".join(_section_text(part) for part in declared(Settings))


def _section_text(part: Setting[object] | Part[Section], prefix: str = "") -> str:
    assert isinstance(part, Part), "settings stand in sections"
    table = prefix + part.name
    members = declared(part.kind)
    lines = [_setting_text(member) for member in members if isinstance(member, Setting)]
    inner = [_section_text(m, f"{table}.") for m in members if isinstance(m, Part)]
    return f"\n# {part.about}\n[{table}]\n" + "".join(lines) + "".join(inner)


def _setting_text(setting: Setting[object]) -> str:
    """The lines of one setting; wrapped, since a list of languages is long."""
    from textwrap import fill

    about = setting.about
    if not isinstance(setting.holds, Text):
        about = f"{about.removesuffix('.')}: {setting.holds.expected}."
    comment = fill(about, 98, initial_indent="# ", subsequent_indent="# ")
    return f"{comment}\n# {setting.name} = {toml(setting.plain_default)}\n"


def toml(value: Plain) -> str:
    """A value as TOML writes it; of the kinds that settings hold, JSON writes all alike."""
    import json

    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def set_setting(text: str, key: str, value: Plain) -> str:
    """The text with a setting given a value, on its commented line where there is one."""
    return set_key(_made_live(text, key), tuple(key.split(".")), value)


def unset_setting(text: str, key: str) -> str:
    """The text with a setting left to its default again; its line stays as a comment."""
    path = tuple(key.split("."))
    if not _holds(text, path):
        return text
    shown = comment_out(set_key(text, path, SETTINGS[key].plain_default), key)
    return shown if not _holds(shown, path) else remove_key(text, path)


def set_key(text: str, path: tuple[str, ...], value: Plain) -> str:
    """The text with one key set; tables that are missing are added."""
    import tomlkit

    document = tomlkit.parse(text)
    table: Container = document
    for name in path[:-1]:
        if name not in table:
            table[name] = tomlkit.table(is_super_table=len(path) > 2 and name == path[0])
        table = table[name]
    table[path[-1]] = value
    return tomlkit.dumps(document)


def remove_key(text: str, path: tuple[str, ...]) -> str:
    """The text without one key or table; as it is where the key is not there."""
    import tomlkit

    document = tomlkit.parse(text)
    table: Container = document
    for name in path[:-1]:
        if name not in table:
            return text
        table = table[name]
    table.pop(path[-1], None)
    return tomlkit.dumps(document)


def rename_table(text: str, parent: str, old: str, new: str) -> str:
    """The text with `[parent.old]` called `[parent.new]`, its keys and comments kept."""
    import tomlkit

    document = tomlkit.parse(text)
    tables: Container = document[parent]
    tables[new] = tables.pop(old)
    return tomlkit.dumps(document)


def _made_live(text: str, key: str) -> str:
    """The text with the commented line of a key uncommented, if that is still TOML."""
    if _holds(text, tuple(key.split("."))):
        return text
    candidate = uncomment(text, key)
    try:
        tomllib.loads(candidate)
    except tomllib.TOMLDecodeError:
        return text
    return candidate


def _holds(text: str, path: tuple[str, ...]) -> bool:
    table: object = tomllib.loads(text)
    for name in path:
        if not isinstance(table, dict) or name not in table:
            return False
        table = table[name]
    return True


def vault_table(name: str, keys: Mapping[str, Plain]) -> str:
    """The text of a new `[vaults.NAME]`, to be put at the end of the file."""
    lines = [f"{key} = {toml(value)}\n" for key, value in keys.items()]
    return f"\n[vaults.{_bare(name)}]\n" + "".join(lines)


def _bare(name: str) -> str:
    """A key as TOML writes it: without quotes where it needs none."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else toml(name)

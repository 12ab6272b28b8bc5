"""Makes man/muninn.1 and man/muninn-memory.5 from their templates: python scripts/make_man.py

Commands, options, settings and exit codes come from the program itself, so the pages say what it
does. With --check nothing is written, and the exit code says whether the pages are up to date.
"""

from __future__ import annotations

import re
import sys
import tomllib
from dataclasses import dataclass
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING

import click
import jinja2

from muninn_cli import __version__
from muninn_cli.cli.group import SECTIONS, muninn
from muninn_cli.cli.options import EVERYWHERE
from muninn_cli.config.edit import toml
from muninn_cli.config.settings import SETTINGS
from muninn_cli.config.values import Text
from muninn_cli.core.memory import DEFAULT_IMPORTANCE
from muninn_cli.core.terms import MemoryType, Source, Tier

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("muninn.1", "muninn-memory.5")
EXITS = (
    (0, "Done; also where nothing was found, and where a dream is not due."),
    (1, "Failed in another way; `muninn doctor` found something."),
    (2, "The command was called in a wrong way."),
    (3, "No such memory, vault or setting."),
    (4, "A conflict: changed meanwhile, there already, or ambiguous."),
    (5, "Front matter or settings that cannot be read; path and line are named."),
    (6, "The provider asked for is not reachable, or trust forbids it."),
    (7, "Another muninn holds the lock."),
    (8, "The time limit of a dream ran out; nothing was changed."),
    (130, "Interrupted by Ctrl-C."),
    (143, "Terminated."),
)


@dataclass(frozen=True)
class Option:
    """One option or setting: its names with what they take, and a line about it."""

    names: str
    help: str


@dataclass(frozen=True)
class Block:
    """A paragraph, or lines that stay as they are."""

    text: str
    literal: bool


@dataclass(frozen=True)
class Command:
    """A command as the page shows it."""

    usage: str
    blocks: tuple[Block, ...]
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Section:
    """Commands that belong together."""

    title: str
    commands: tuple[Command, ...]


@dataclass(frozen=True)
class Described:
    """A setting: its key, its default as TOML, what it is about, and what it may hold or ""."""

    key: str
    default: str
    about: str
    holds: str


def roff(text: object) -> str:
    """Text for the formatter: nothing in it is a request, an escape or a typographic hyphen."""
    escaped = str(text).replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    escaped = escaped.replace("…", "...")
    escaped = re.sub(r"`([^`]+)`", r"\\fB\1\\fR", escaped)
    return re.sub(r"^([.'])", r"\\&\1", escaped, flags=re.MULTILINE)


def page(name: str) -> str:
    """A man page, made anew."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(ROOT / "man"),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # roff, not HTML
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["roff"] = roff
    return environment.get_template(f"{name}.j2").render(
        version=__version__,
        everywhere=[_option(option) for option in EVERYWHERE],
        sections=[Section(title, tuple(_commands(title))) for title in SECTIONS],
        settings=[_described(key) for key in SETTINGS],
        key_variables=[SETTINGS[key].default for key in SETTINGS if _names_a_key(key)],
        exits=EXITS,
        shapes=tomllib.loads((ROOT / "man" / "json.toml").read_text(encoding="utf-8")),
        types=[kind.value for kind in MemoryType],
        tiers=[tier.value for tier in Tier],
        sources=[source.value for source in Source],
        weights=[(tier.value, weight) for tier, weight in DEFAULT_IMPORTANCE.items()],
        days={tier: SETTINGS[f"tiers.{tier.lower()}_days"].default for tier in ("T1", "T2", "T3")},
    )


def _commands(section: str) -> Iterator[Command]:
    """The commands of a section, each followed by its sub-commands."""
    root = click.Context(muninn, info_name="muninn")
    for entry in SECTIONS[section]:
        command = muninn.get_command(root, entry.name)
        assert command is not None
        yield from _with_children(click.Context(command, root, info_name=entry.name))


def _with_children(ctx: click.Context) -> Iterator[Command]:
    command = ctx.command
    own = [each for each in command.params if isinstance(each, click.Option) and not each.hidden]
    yield Command(
        _usage(ctx), tuple(_blocks(cleandoc(command.help or ""))), tuple(map(_option, own))
    )
    if isinstance(command, click.Group):
        for name, child in command.commands.items():
            if not child.hidden:
                yield from _with_children(click.Context(child, ctx, info_name=name))


def _usage(ctx: click.Context) -> str:
    words = [ctx.command_path]
    if isinstance(ctx.command, click.Group):
        words.append("COMMAND")
    words += [
        each.make_metavar(ctx) for each in ctx.command.params if isinstance(each, click.Argument)
    ]
    return " ".join(words)


def _option(option: click.Parameter) -> Option:
    assert isinstance(option, click.Option)
    record = option.get_help_record(click.Context(muninn, obj=None))
    assert record is not None
    return Option(*record)


def _blocks(text: str) -> Iterator[Block]:
    r"""Paragraphs; one that follows `\b` keeps its lines."""
    for paragraph in text.replace("\r", "").split("\n\n"):
        lines = paragraph.strip("\n").split("\n")
        if lines[0].strip() == "\b":
            yield Block("\n".join(lines[1:]), literal=True)
        else:
            yield Block(" ".join(line.strip() for line in lines), literal=False)


def _described(key: str) -> Described:
    setting = SETTINGS[key]
    holds = "" if isinstance(setting.holds, Text) else setting.holds.expected
    return Described(key, toml(setting.plain_default), setting.about, holds[:1].upper() + holds[1:])


def _names_a_key(key: str) -> bool:
    return key.endswith(".key_env") and bool(SETTINGS[key].default)


def main(arguments: list[str]) -> int:
    """Write the pages, or compare them."""
    stale = [name for name in PAGES if not _is_fresh(name)]
    if arguments == ["--check"]:
        for name in stale:
            print(f"man/{name} is not up to date")
        return len(stale)
    for name in stale:
        (ROOT / "man" / name).write_text(page(name), encoding="utf-8")
        print(f"made man/{name}")
    return 0


def _is_fresh(name: str) -> bool:
    place = ROOT / "man" / name
    return place.is_file() and place.read_text(encoding="utf-8") == page(name)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

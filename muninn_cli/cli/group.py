"""The commands by name: each in a module of its own, imported when it is called.

`muninn --help` knows names and summaries from here and imports no command.
"""

from __future__ import annotations

from inspect import cleandoc
from typing import TYPE_CHECKING, NamedTuple

import click

from muninn_cli.cli.options import EVERYWHERE, HELP, show_help
from muninn_cli.core.suggestion import did_you_mean
from muninn_cli.errors import UsageError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

PROGRAM = "muninn"
_EXAMPLES = "\n\b\n"
"""What stands before the examples in the help of a command: click keeps the lines after it."""


class Entry(NamedTuple):
    """A command: its name, its summary for the overview, its module in this package."""

    name: str
    summary: str
    module: str


def _entry(name: str, summary: str, module: str = "") -> Entry:
    return Entry(name, summary, module or name)


SECTIONS: dict[str, tuple[Entry, ...]] = {
    "Remember": (
        _entry("add", "Remember a text."),
        _entry("edit", "Change a memory in your editor."),
        _entry("import", "Take memories in.", "import_"),
    ),
    "Recall": (
        _entry("search", "Find memories by what they say."),
        _entry("show", "Show one memory, whole."),
        _entry("history", "List the commits of a memory."),
        _entry("list", "List memories."),
        _entry("export", "Carry memories out, byte for byte."),
    ),
    "Sleep": (
        _entry("start", "Begin a session: dream first, if a dream is due."),
        _entry("stop", "End a session: the next start dreams, if a dream is due."),
        _entry("dream", "Replay, merge, settle, let fade; and keep a journal of it."),
        _entry("journal", "Read the journal of the dreams."),
        _entry("review", "Decide what dreams leave to you."),
        _entry("undo", "Take back what a dream or another command has done."),
        _entry("expiring", "List what expires soon."),
        _entry("sweep", "Write promotions down and archive what has expired."),
        _entry("pin", "Keep a memory for ever."),
        _entry("unpin", "Let a memory age again."),
        _entry("tier", "Say how long a memory lives unused."),
        _entry("supersede", "Hide an older memory behind a newer one."),
        _entry("archive", "Move a memory out of sight, and look at what lies there."),
        _entry("restore", "Bring an archived memory back."),
        _entry("purge", "Destroy a memory for good."),
    ),
    "Care": (
        _entry("demo", "Try muninn on a sample vault."),
        _entry("init", "Make the home folder and a first vault."),
        _entry("vault", "Make, register and look after vaults."),
        _entry("status", "Show vaults, tiers, budgets and the index."),
        _entry("sync", "Bring the index in step with the files, and name what is wrong."),
        _entry("reindex", "Make the index anew."),
        _entry("doctor", "Name what is wrong, and mend what is safe."),
        _entry("config", "Read and change settings."),
        _entry("completion", "Print a completion script for your shell."),
    ),
}
COMMANDS = {entry.name: entry for entries in SECTIONS.values() for entry in entries}


class Command(click.Command):
    """A command that takes the options of EVERYWHERE too."""

    def get_help_option(self, ctx: click.Context) -> click.Option:  # noqa: ARG002
        return HELP

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().get_params(ctx), *EVERYWHERE]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        format_help_text(self, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        format_options(self, ctx, formatter)


class Group(click.Group):
    """A command with sub-commands; an unknown one is answered with the nearest."""

    command_class = Command

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.commands)

    def get_help_option(self, ctx: click.Context) -> click.Option:  # noqa: ARG002
        return HELP

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().get_params(ctx), *EVERYWHERE]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        format_help_text(self, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_commands(ctx, formatter)
        format_options(self, ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            shown = [each for each in self.commands.items() if not each[1].hidden]
            rows = [(name, command.get_short_help_str(200)) for name, command in shown]
            formatter.write_dl(rows, col_max=_first_column(formatter))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        names = self.list_commands(ctx)
        if args[0] not in names and not args[0].startswith("-") and not ctx.resilient_parsing:
            hint = did_you_mean(args[0], names) or f"`{ctx.command_path} --help` lists them"
            raise UsageError(f"no such command: {ctx.command_path} {args[0]}", hint)
        return super().resolve_command(ctx, args)


class Overview(Group):
    """The whole program: commands in sections, loaded when called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        from importlib import import_module

        command: click.Command = import_module(f"muninn_cli.cli.{entry.module}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """`muninn help COMMAND` is `muninn COMMAND --help`, as in git."""
        if args[0] == "help":
            asked = [] if ctx.resilient_parsing else ["--help"]
            args = [*args[1:], *asked]
        if args in ([], ["--help"]):
            show_help(ctx, HELP, True)
            return None, None, args
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        widest = max(map(len, COMMANDS))
        for title, entries in SECTIONS.items():
            if entries:
                with formatter.section(title):
                    rows = [(entry.name.ljust(widest), entry.summary) for entry in entries]
                    formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        names = [entry for entry in COMMANDS.values() if entry.name.startswith(incomplete)]
        items = [CompletionItem(entry.name, help=entry.summary) for entry in names]
        return items + click.Command.shell_complete(self, ctx, incomplete)


def examples(command: click.Command) -> list[str]:
    """The command lines that end a command's help."""
    return _pieces(command)[1].splitlines()


def format_help_text(command: click.Command, formatter: click.HelpFormatter) -> None:
    """Write what a command does, and its examples as a section of their own."""
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(_pieces(command)[0])
    lines = examples(command)
    if lines:
        with formatter.section("Examples"):
            formatter.write("".join(f"  {line}\n" for line in lines))


def _pieces(command: click.Command) -> tuple[str, str]:
    """The text of a command's help, and its examples."""
    text, _, block = cleandoc(command.help or "").partition(_EXAMPLES)
    return text.strip(), block.strip()


def format_options(
    command: click.Command, ctx: click.Context, formatter: click.HelpFormatter
) -> None:
    """Write a command's own options, then those it shares with all others."""
    given = [option for option in command.get_params(ctx) if isinstance(option, click.Option)]
    own = [option for option in given if option not in EVERYWHERE]
    for title, options in (("Options", own), ("Everywhere", EVERYWHERE)):
        rows = [row for option in options if (row := option.get_help_record(ctx))]
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows, col_max=_first_column(formatter))


def _first_column(formatter: click.HelpFormatter) -> int:
    """Columns for names: a third of the width, so that a narrow terminal still shows the rest."""
    return min(30, formatter.width // 3)


@click.group(
    PROGRAM,
    cls=Overview,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="`muninn COMMAND --help` says more; `man muninn` has exit codes and JSON.",
    no_args_is_help=True,
)
def muninn() -> None:
    """A memory for AI agents and the people who work with them.

    Memories are Markdown files in vaults; between sessions muninn sleeps and tidies them.

    \b
    muninn add "The staging database is reset every Monday" --tag staging
    muninn search "when is staging wiped"
    muninn dream --dry-run
    """

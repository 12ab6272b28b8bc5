"""`muninn import`: take memories in, from an export, another tool or a folder."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.group import Command
from muninn_cli.cli.options import offered
from muninn_cli.cli.shown import counted
from muninn_cli.errors import MuninnError, UsageError
from muninn_cli.paths import expanded
from muninn_cli.remember.importing import Importer
from muninn_cli.remember.sources import of_lines, open_source
from muninn_cli.store.registry import overlap, real_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from muninn_cli.app import App
    from muninn_cli.remember.import_plan import ImportPlan
    from muninn_cli.remember.sources import Item, Source
    from muninn_cli.store.run_folder import Receipt
    from muninn_cli.store.vault import Vault

_MOST_NAMED = 20


@click.command("import", cls=Command)
@click.argument("source", type=click.Path())
@click.option(
    "--vault",
    metavar="NAME",
    help="Take everything into this vault.",
    shell_complete=offered("vaults"),
)
@click.option("--dry-run", is_flag=True, help="Say what would happen and write nothing.")
@click.pass_obj
def command(call: Call, source: str, vault: str | None, dry_run: bool) -> None:
    """Take memories in from SOURCE: a file of JSON lines, a Markdown file or folder, or `-`.

    Memories of `muninn export` go back to their vaults as the very same files; those of other
    tools need a text under text, content, memory or body. A folder with a MEMORY.md is taken for
    an agent's notes. Nothing is written over, and what is there already is left alone.

    \b
    muninn import memories.jsonl
    muninn import ~/notes --vault personal --dry-run
    muninn import - --vault work < other-tool.jsonl
    """
    app = call.app
    home = _home(app, vault)
    found = _open(app, source, vault)
    importer = Importer(home, app.index, _find_secret(app), app.time)
    with app.progress("Reading") as progress:
        plan = importer.plan(_watched(found, progress))
    run = ""
    if not dry_run and plan.batches:
        receipt = _performed(app, plan)
        run, plan = receipt.run, plan.carried_out(receipt)
        for each in _vaults(plan):
            paths = receipt.paths.get(each.id, ())
            app.commit(each, paths, f"Import {counted(len(paths), 'file')}")
    _tell(call, plan, source, run, dry_run=dry_run)


def _performed(app: App, plan: ImportPlan) -> Receipt:
    """Carry the plan out, alone in every vault that it is about."""
    with ExitStack() as held:
        for each in sorted(_vaults(plan), key=lambda vault: vault.id):  # one order for all
            held.enter_context(app.writing(each))
        progress = held.enter_context(app.progress("Importing"))
        return app.runs.perform("import", plan.batches, app.time, progress)


def _home(app: App, vault: str | None) -> Callable[[str], Vault | None]:
    """Where a memory goes, by the name of the vault that it comes from."""
    if vault is not None:
        chosen = app.vault(vault)
        return lambda _name: chosen
    by_name = {each.name: each for each in app.vaults}
    return lambda name: by_name.get(name) if name else app.vault()


def _open(app: App, source: str, vault: str | None) -> Source:
    if source == "-":
        return of_lines(app.world.stdin.buffer.read(), "stdin")
    place = real_path(expanded(source, app.world.user_home, app.world.cwd))
    if place.is_dir():
        target = app.vault(vault)
        if overlap(place, target.root):
            raise UsageError(f"{place} overlaps the vault {target.name}, which has it already")
    return open_source(place)


def _find_secret(app: App) -> Callable[[str], str | None] | None:
    if app.settings.remember.secrets != "refuse":
        return None
    from muninn_cli.remember.secrets import find_secret

    return find_secret


def _watched(found: Source, progress: Callable[[int, int], None]) -> Iterator[Item]:
    for done, item in enumerate(found.items, 1):
        yield item
        progress(done, found.total)


def _vaults(plan: ImportPlan) -> list[Vault]:
    return list({arrival.vault.id: arrival.vault for arrival in plan.arrivals}.values())


def _tell(call: Call, plan: ImportPlan, source: str, run: str, *, dry_run: bool) -> None:
    console = call.console
    if plan.arrivals or plan.known or not (plan.left or plan.homeless):
        console.result(_data(plan, run, dry_run=dry_run), _text(plan, source, dry_run=dry_run))
    for line in _notices(plan):
        console.notice(line)
    if run:
        console.notice(f"Undo: `muninn undo {run}`")
    if not (plan.arrivals or plan.known) and (plan.left or plan.homeless):
        hint = "`muninn import --help` says what can be taken in"
        raise MuninnError(f"nothing in {source} could be imported", hint)


def _data(plan: ImportPlan, run: str, *, dry_run: bool) -> dict[str, object]:
    return {
        "operation": "imported",
        "dry_run": dry_run,
        "run": run or None,
        "imported": [
            {"from": each.name, "id": each.id, "vault": each.vault.name, "path": each.path}
            for each in plan.arrivals
        ],
        "known": plan.known,
        "left": [{"from": each.name, "cause": each.why} for each in plan.left],
        "without_vault": dict(plan.homeless),
        "unused_keys": list(plan.unused),
    }


def _text(plan: ImportPlan, source: str, *, dry_run: bool) -> str:
    if not (plan.arrivals or plan.known):
        return f"There is no memory in {source}"
    verb = "Would import" if dry_run else "Imported"
    names = ", ".join(each.name for each in _vaults(plan))
    text = f"{verb} {counted(len(plan.arrivals), 'memory', 'memories')}"
    text += f" into {names}" if names else ""
    text += f"; {plan.known} there already" if plan.known else ""
    left = len(plan.left) + plan.homeless.total()
    return text + (f"; {left} left out" if left else "")


def _notices(plan: ImportPlan) -> Iterator[str]:
    for left in plan.left[:_MOST_NAMED]:
        yield f"left out: {left.name}: {left.why}"
    if len(plan.left) > _MOST_NAMED:
        yield f"and {len(plan.left) - _MOST_NAMED} more: --json names them all"
    for name, number in plan.homeless.items():
        memories = counted(number, "memory", "memories")
        yield (
            f"left out: {memories} of the vault {name}, which is not there:"
            f" `muninn vault create {name}`, or --vault"
        )
    if plan.unused:
        yield f"keys that were not taken over: {', '.join(plan.unused)}"

"""`muninn dream`: tidy the memory, or show what that would do."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.dreamt import entry_text, outcome_json, settle
from muninn_cli.cli.fitting import prose
from muninn_cli.cli.group import Command
from muninn_cli.cli.options import only_vault_option
from muninn_cli.config.values import Phases
from muninn_cli.core.trust import ProviderName
from muninn_cli.errors import NotFoundError, UnreadableError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from muninn_cli.dream.engine import Outcome
    from muninn_cli.dream.plan import Plan


@click.command("dream", cls=Command)
@click.option("--dry-run", is_flag=True, help="Show the journal of it and change nothing.")
@click.option("--force", is_flag=True, help="Dream even if it is not due.")
@only_vault_option
@click.option("--phases", metavar="LIST", help="Only these, of 0 to 6: 0,2 for example.")
@click.option("--no-llm", is_flag=True, help="Ask no language model.")
@click.option(
    "--provider", type=click.Choice([name.value for name in ProviderName]), help="Ask only this."
)
@click.option("--timeout", type=click.FloatRange(min=0), metavar="SECONDS", help="A time limit.")
@click.option("--save-plan", metavar="FILE", help="Write the plan to a file.")
@click.option("--plan", metavar="FILE", help="Carry out a saved plan as it is.")
@click.pass_obj
def command(  # noqa: PLR0917
    call: Call,
    dry_run: bool,
    force: bool,
    vault: str | None,
    phases: str | None,
    no_llm: bool,
    provider: str | None,
    timeout: float | None,
    save_plan: str | None,
    plan: str | None,
) -> None:
    """Replay, merge, settle, let fade, and write the journal of it.

    A dream is due 12 hours after the last one, when at least 3 memories are new or changed.
    Nothing is lost by it: what leaves goes to the archive, and `muninn undo` takes a dream back.

    Phases: 0 looks around, 1 learns from use, 2 merges and settles, 3 promotes, 4 strengthens and
    sweeps, 5 infers associations, 6 writes the journal.

    \b
    muninn dream --dry-run
    muninn dream --force --no-llm
    muninn dream --phases 0,2 --no-llm --vault personal
    """
    from muninn_cli.dream.engine import NO_LIMIT, Options, dream

    app = call.app
    if plan:
        _require_nothing_else(vault, phases, provider, no_llm=no_llm)
    if dry_run and not app.config.exists:
        call.console.result({"operation": "nothing", "dry_run": True}, "There is no memory yet.")
        return
    options = Options(
        dry_run=dry_run,
        force=force,
        vault=None if vault is None else app.vault(vault).id,
        phases=_phases(phases, app.settings.dream.phases),
        models=not no_llm,
        provider=ProviderName(provider) if provider else None,
        seconds=NO_LIMIT if timeout is None else timeout,
        plan=_read(app.world.cwd / plan) if plan else None,
        save=partial(_write, app.world.cwd / save_plan) if save_plan else None,
    )
    _tell(call, dream(options, app.surroundings))


def _require_nothing_else(
    vault: str | None, phases: str | None, provider: str | None, *, no_llm: bool
) -> None:
    """Refuse what a saved plan has settled already."""
    if vault is not None or phases is not None or provider is not None or no_llm:
        raise UsageError(
            "a saved plan is carried out as it is: no --vault, --phases, --no-llm or --provider",
            "give them where the plan is saved",
        )


def _tell(call: Call, outcome: Outcome) -> None:
    settle(call.app, outcome)
    call.console.result(outcome_json(outcome), prose(_text(outcome), call.sheet))


def _text(outcome: Outcome) -> str:
    if outcome.plan is None:
        reasons = "; ".join(outcome.gates.reasons)
        return f"Not due: {reasons}. `muninn dream --force` dreams anyway."
    return entry_text(outcome)


def _phases(text: str | None, ordinary: frozenset[int]) -> frozenset[int]:
    """The phases that are named, else those of an ordinary dream."""
    if text is None:
        return ordinary
    try:
        phases = Phases().parse(text)
    except ValueError as error:
        raise UsageError(f"--phases: {error}", "for example: --phases 0,2") from None
    if not phases:
        raise UsageError("--phases: none is named", "for example: --phases 0,2")
    return phases


def _read(path: Path) -> Plan:
    from muninn_cli.dream.plan import read_plan

    try:
        return read_plan(path.read_text(encoding="utf-8"), str(path))
    except FileNotFoundError:
        raise NotFoundError(
            f"there is no plan: {path}", "muninn dream --dry-run --save-plan FILE"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableError(f"{path}: {error}") from error


def _write(path: Path, plan: Plan) -> None:
    from muninn_cli.store import files

    files.write(path, plan.to_json().encode() + b"\n")

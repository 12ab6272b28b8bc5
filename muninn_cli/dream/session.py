"""The beginning of a session: a dream that is due is dreamed first of all.

A start never fails for its dream: what cannot be dreamed now waits for the next one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from muninn_cli.dream.due import read_due, remove_due
from muninn_cli.errors import BusyError, MuninnError

if TYPE_CHECKING:
    from muninn_cli.dream.engine import Outcome
    from muninn_cli.dream.surroundings import Surroundings


@dataclass(frozen=True, slots=True)
class Started:
    """What a start did: its dream, or why there was none; `busy` where another one dreams."""

    outcome: Outcome | None = None
    why_not: str = ""
    busy: BusyError | None = None


def start(around: Surroundings) -> Started:
    """Begin a session: roll back what a crash left, then dream if a dream is due and allowed."""
    around.runs()
    due = read_due(around.home.dream_due)
    if due is None:
        return Started()
    from muninn_cli.dream.engine import Options, dream  # heavy, and most sessions dream nothing

    settings = around.settings.dream
    options = Options(phases=settings.phases, seconds=settings.start_timeout)
    try:
        outcome = dream(options, around)
    except BusyError as error:
        return Started(busy=error)
    except MuninnError as error:
        return Started(why_not=error.message)
    if outcome.plan is None:
        return Started(outcome, "; ".join(outcome.gates.reasons))
    if not remove_due(around.home.dream_due, due):
        around.notify(f"{around.home.dream_due} stays: a dream is due at the next start as well")
    return Started(outcome)

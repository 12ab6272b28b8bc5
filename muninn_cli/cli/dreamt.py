"""What `dream` and `start` do after a dream: commit it, tidy the logs, tell of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from muninn_cli.core.changes import Archive, ChangeTier, Merge, Supersede
from muninn_cli.core.sweep import SweepPlan
from muninn_cli.dream.plan import change_as_dict
from muninn_cli.forget.sweep import VaultSweep, tidy
from muninn_cli.store.index.standings import standings
from muninn_cli.store.log import size

if TYPE_CHECKING:
    from collections.abc import Mapping

    from muninn_cli.app import App
    from muninn_cli.dream.engine import Outcome
    from muninn_cli.dream.plan import LeftOut, Plan

_COUNTED = {Merge: "merged", Supersede: "superseded", ChangeTier: "promoted", Archive: "archived"}


_WORTH_TIDYING = 1_000_000
"""Bytes from which a log may be worth shortening."""


def settle(app: App, outcome: Outcome) -> None:
    """One commit in each vault that the dream has touched; then old runs and lines are dropped."""
    plan, entry = outcome.plan, outcome.entry
    if plan is None or entry is None or entry.dry_run:
        return
    for vault in app.vaults:
        paths = outcome.paths.get(vault.id, ())
        if paths:
            app.commit(vault, paths, _message(plan, vault.id))
    app.runs.prune(app.time)
    for vault in app.vaults:
        logs = (app.home.usage(vault.id), app.home.seen(vault.id))
        if vault.ages and max(map(size, logs)) > _WORTH_TIDYING:
            found = standings(app.index, vault.id, app.now, by_dream=True)
            tidy(VaultSweep(vault, SweepPlan(), found), app.home, app.time)


def _message(plan: Plan, vault: str) -> str:
    """What was done to one vault, in numbers: no vault's history may tell of another."""
    counts = Counter(
        _COUNTED[type(change)]
        for change in plan.changes
        if isinstance(change, Merge | Supersede | ChangeTier | Archive) and change.vault == vault
    )
    done = ", ".join(f"{counts[word]} {word}" for word in _COUNTED.values() if counts[word])
    return f"Dream: {done}\n\nUndo: muninn undo {plan.run}"


def entry_text(outcome: Outcome) -> str:
    """The journal's entry without the rule that parts it from the one before."""
    return outcome.text.removeprefix("---\n").strip("\n")


def outcome_json(outcome: Outcome) -> dict[str, object]:
    """A dream as JSON."""
    gates, plan, entry = outcome.gates, outcome.plan, outcome.entry
    shut: dict[str, object] = {
        "hours": gates.hours,
        "min_hours": gates.min_hours,
        "new": gates.new,
        "min_new": gates.min_new,
        "open": gates.open,
        "reasons": list(gates.reasons),
    }
    if plan is None or entry is None:
        return {"operation": "not_due", "gates": shut}
    measure = plan.measure
    return {
        "operation": "previewed" if entry.dry_run else "dreamed",
        "run": plan.run or None,
        "dry_run": entry.dry_run,
        "gates": shut,
        "vaults": [vault.name for vault in plan.vaults],
        "scanned": entry.scanned,
        "legal": entry.legal,
        "seconds": round(entry.seconds, 3),
        "changes": [change_as_dict(change) for change in plan.changes],
        "left_out": [_left_json(left) for left in plan.left_out],
        "waiting": len(plan.waiting),
        "answers": measure
        and {"asked": measure.asked, "before": measure.before, "after": measure.after},
        "tokens": {"estimate": plan.estimate, "used": sum(use.tokens for use in plan.models)},
        "journal": entry_text(outcome),
    }


def _left_json(left: LeftOut) -> Mapping[str, object]:
    return {
        "why": left.why.value,
        "refs": [list(ref) for ref in left.refs],
        "detail": left.detail,
        "change": left.change and change_as_dict(left.change),
    }

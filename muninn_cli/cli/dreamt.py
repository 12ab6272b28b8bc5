"""What `dream` and `start` tell of a dream, and how it is committed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from muninn_cli.core.changes import Archive, ChangeTier, Merge, Supersede
from muninn_cli.dream.plan import change_as_dict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from muninn_cli.app import App
    from muninn_cli.dream.engine import Outcome
    from muninn_cli.dream.plan import LeftOut, Plan

_COUNTED = {Merge: "merged", Supersede: "superseded", ChangeTier: "promoted", Archive: "archived"}


def commit_dream(app: App, outcome: Outcome) -> None:
    """One commit in each vault that the dream has touched."""
    for vault in app.vaults:
        paths = outcome.paths.get(vault.id, ())
        if outcome.plan and paths:
            app.commit(vault, paths, _message(outcome.plan, vault.id))


def _message(plan: Plan, vault: str) -> str:
    """What was done to one vault, in numbers: no vault's history may tell of another."""
    counts = Counter(
        _COUNTED[type(change)]
        for change in plan.changes
        if isinstance(change, Merge | Supersede | ChangeTier | Archive) and change.vault == vault
    )
    done = ", ".join(f"{counts[word]} {word}" for word in _COUNTED.values() if counts[word])
    return f"Dream: {done}\n\nUndo: muninn undo {plan.run}"


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
        "journal": outcome.text,
    }


def _left_json(left: LeftOut) -> Mapping[str, object]:
    return {
        "why": left.why.value,
        "refs": [list(ref) for ref in left.refs],
        "detail": left.detail,
        "change": left.change and change_as_dict(left.change),
    }

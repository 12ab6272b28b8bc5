"""A plan that was saved, as far as it may still be carried out. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from muninn_cli.core.changes import Archive, ChangeTier, Merge, Supersede, involved
from muninn_cli.core.journal import Omission
from muninn_cli.dream.plan import LeftOut

if TYPE_CHECKING:
    from collections.abc import Collection

    from muninn_cli.core.changes import Change, Ref
    from muninn_cli.dream.plan import Plan
    from muninn_cli.dream.snapshot import Snapshot


def permitted(plan: Plan, snapshot: Snapshot) -> Plan:
    """A saved plan without what its vaults do not allow: one may have become legal since.

    Of a vault that dreams no longer it tells nothing, nor what may be about it.
    """
    out = [change for change in plan.changes if not _may_change(change, snapshot)]
    plan = _still_dreaming(plan, snapshot.vaults.keys())
    return replace(
        plan,
        changes=tuple(change for change in plan.changes if change not in out),
        left_out=(*plan.left_out, *[LeftOut(Omission.PROTECTED)] * len(out)),
    )


def _still_dreaming(plan: Plan, vaults: Collection[str]) -> Plan:
    """A plan without what it tells of other vaults than these."""
    if all(vault.id in vaults for vault in plan.vaults):
        return plan

    def may_tell(*refs: Ref) -> bool:
        return all(ref.vault in vaults for ref in refs)

    return replace(
        plan,
        vaults=tuple(vault for vault in plan.vaults if vault.id in vaults),
        subjects=tuple(each for each in plan.subjects if may_tell(each.ref)),
        changed=tuple(each for each in plan.changed if may_tell(each.ref)),
        left_out=tuple(left for left in plan.left_out if left.refs and may_tell(*left.refs)),
        waiting=tuple(each for each in plan.waiting if may_tell(*each.refs)),
        judged=tuple(each for each in plan.judged if may_tell(*each.refs)),
        narrative=(),
    )


def _may_change(change: Change, snapshot: Snapshot) -> bool:
    vaults = [snapshot.vaults.get(ref.vault) for ref in involved(change)]
    writes = isinstance(change, Merge | Supersede | ChangeTier | Archive)
    return all(vault is not None and (vault.ages or not writes) for vault in vaults)

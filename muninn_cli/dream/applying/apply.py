"""Applying a plan: the only part of a dream that changes a vault.

Files and usage records change as one run, which can be undone and which a crash rolls back. A
file that was edited meanwhile keeps the edit: its change is dropped and named.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from muninn_cli.core.changes import involved
from muninn_cli.core.journal import Omission
from muninn_cli.dream.applying.writing import write
from muninn_cli.dream.plan import LeftOut

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from muninn_cli.core.changes import Change, Ref
    from muninn_cli.dream.applying.writing import Writing
    from muninn_cli.dream.known import Known
    from muninn_cli.dream.plan import Plan
    from muninn_cli.store.run_folder import Receipt
    from muninn_cli.store.runs import Runs
    from muninn_cli.store.vault import Vault


@dataclass(frozen=True, slots=True)
class Applied:
    """What came of a plan: without the changes whose files were edited meanwhile, and its run.

    `paths` are the files that were touched, by vault id; `written` those that have another text.
    """

    plan: Plan
    paths: Mapping[str, tuple[str, ...]]
    written: Mapping[Ref, bytes | None]


def apply(
    plan: Plan,
    *,
    vaults: Mapping[str, Vault],
    known: Known,
    runs: Runs,
    command: str,
    now: datetime,
    time: datetime,
) -> Applied:
    """Carry a plan out as a run that began at `time`; its usage records bear `now`.

    Raises MuninnError where nothing could be done, and then nothing was.
    """
    subjects = {subject.ref: subject for subject in plan.subjects}
    writing = write(plan.changes, subjects, vaults, known, now)
    receipt = runs.perform(command, [batch for _, batch in writing.batches], time)
    dropped = _dropped(writing, receipt)
    left = [LeftOut(Omission.EDITED, involved(change), why, change) for change, why in dropped]
    gone = {change for change, _ in dropped}
    done = replace(
        plan,
        run=receipt.run,
        changes=tuple(change for change in plan.changes if change not in gone),
        left_out=(*plan.left_out, *left),
    )
    return Applied(done, receipt.paths, _kept(writing, done.changes))


def _dropped(writing: Writing, receipt: Receipt) -> list[tuple[Change, str]]:
    """The changes that could not be carried out, and why."""
    causes = {left.name: left.why for left in receipt.dropped}
    late = [
        (change, causes[batch.name])
        for change, batch in writing.batches
        if change and batch.name in causes
    ]
    return [*late, *((each.change, each.why) for each in writing.unwritten)]


def _kept(writing: Writing, changes: Sequence[Change]) -> dict[Ref, bytes | None]:
    """What the changes that were carried out have written."""
    touched = {ref for change in changes for ref in involved(change)}
    return {ref: data for ref, data in writing.files.items() if ref in touched}

"""Letting one memory take the place of another, and taking that back.

Both files are edited, none is moved; which memory is the head of a chain is found on reading.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.errors import ConflictError
from muninn_cli.store.files import content_hash
from muninn_cli.store.reading import edited
from muninn_cli.store.steps import Batch, EditFile

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from muninn_cli.core.fields import Value
    from muninn_cli.store.reading import Opened
    from muninn_cli.store.run_folder import Receipt
    from muninn_cli.store.runs import Runs
    from muninn_cli.store.vault import Vault


def supersede(
    old: Opened,
    new: Opened,
    vault: Vault,
    *,
    superseded_by: Callable[[str], str],
    runs: Runs,
    now: datetime,
) -> Receipt:
    """Let `new` take the place of `old`, which is hidden from now on.

    `superseded_by` gives the id that a live memory of the vault points to, or an empty text.
    Raises ConflictError where the memories are one, where that would make a circle, where `old`
    has another successor, or where a file has just changed.
    """
    _require_no_circle(old.memory.id, new.memory.id, superseded_by)
    successor = old.memory.superseded_by
    if successor not in ("", new.memory.id):
        message = f"{old.memory.id} is superseded by {successor} already"
        raise ConflictError(message, f"muninn supersede --undo {old.memory.id}")
    forerunners = tuple(dict.fromkeys((*new.memory.supersedes, old.memory.id)))
    batch = Batch(
        f"supersede {old.memory.id} by {new.memory.id}",
        (
            _edit(old, vault, {"superseded_by": new.memory.id}),
            _edit(new, vault, {"supersedes": forerunners}),
        ),
    )
    return _perform("supersede", batch, runs, now)


def take_back(old: Opened, new: Opened | None, vault: Vault, runs: Runs, now: datetime) -> Receipt:
    """Let a superseded memory stand for itself again; `new` is its successor, if it is there.

    Raises ConflictError where the memory is not superseded or a file has just changed.
    """
    if not old.memory.superseded_by:
        raise ConflictError(f"{old.memory.id} is not superseded")
    steps = [_edit(old, vault, {"superseded_by": None})]
    if new and old.memory.id in new.memory.supersedes:
        others = tuple(each for each in new.memory.supersedes if each != old.memory.id)
        steps.append(_edit(new, vault, {"supersedes": others or None}))
    return _perform("supersede --undo", Batch(f"restore {old.memory.id}", tuple(steps)), runs, now)


def _require_no_circle(old: str, new: str, superseded_by: Callable[[str], str]) -> None:
    chain, current = [new], superseded_by(new)
    while current and current not in chain:
        chain.append(current)
        current = superseded_by(current)
    if old in chain:
        if old == new:
            raise ConflictError("a memory cannot supersede itself", "muninn supersede OLD NEW")
        way = " → ".join(chain)
        raise ConflictError(f"that is a circle: {way}", f"muninn supersede --undo {new}")


def _edit(opened: Opened, vault: Vault, changes: dict[str, Value | None]) -> EditFile:
    path = opened.place.relative_to(vault.root).as_posix()
    data = edited(opened, changes)
    return EditFile(vault.id, opened.memory.id, path, content_hash(opened.data), data)


def _perform(command: str, batch: Batch, runs: Runs, now: datetime) -> Receipt:
    receipt = runs.perform(command, [batch], now)
    if receipt.dropped:
        raise ConflictError(receipt.dropped[0].why, "try again")
    return receipt

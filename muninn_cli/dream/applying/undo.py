"""Undoing a run: a dream, or any other command that touched more than one memory.

Its files come back byte for byte and its usage records no longer count; what a person changed
since stays, and is named. What was undone is not proposed again until a text changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from muninn_cli.core.journal import UndoEntry
from muninn_cli.dream.applying import journal
from muninn_cli.dream.state import (
    dismissals,
    note_dismissed,
    read_stamps,
    write_stamps,
)
from muninn_cli.store import files
from muninn_cli.store.run_folder import RunFolder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from muninn_cli.paths import Home
    from muninn_cli.rendering import Templates
    from muninn_cli.store.run_folder import Left, Receipt
    from muninn_cli.store.runs import Runs

_INNER = ".muninn/"


@dataclass(frozen=True, slots=True)
class Undone:
    """What came of an undo: `files` came back, `left` were changed since. Paths by vault id."""

    run: str
    files: int
    left: tuple[Left, ...]
    paths: Mapping[str, tuple[str, ...]]


def undo(
    run: str | None,
    *,
    home: Home,
    runs: Runs,
    templates: Templates,
    language: str,
    now: datetime,
    time: datetime,
    notify: Callable[[str], None],
) -> Undone:
    """Undo a run, by default the last. Raises NotFoundError or ConflictError as `Runs.undo`.

    The journal tells of it at `time`, the clock's; what the state notes bears `now`.
    """
    files.require_appendable(home.journal)
    receipt = runs.undo(run, now)
    undone = _undone(receipt)
    note_dismissed(home.dismissed, dismissals(RunFolder(home.run(receipt.run)).changes), now)
    stamps = read_stamps(home.dream_stamp)
    if stamps.before(receipt.run) != stamps:
        write_stamps(home.dream_stamp, stamps.before(receipt.run))
    kept = tuple(left.name for left in receipt.left)
    entry = UndoEntry(time, receipt.run, undone.files, kept)
    journal.append(home.journal, templates.journal(entry, language, notify))
    return undone


def _undone(receipt: Receipt) -> Undone:
    touched = {
        (vault, path)
        for vault, paths in receipt.paths.items()
        for path in paths
        if not path.startswith(_INNER)
    }
    files = max(len(touched) - len(receipt.left), 0)
    return Undone(receipt.run, files, receipt.left, receipt.paths)

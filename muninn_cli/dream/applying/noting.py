"""What a dream notes in the state once its run is done; the stamp comes last of all.

A dream that was killed in between has not been: the stamp stands where it stood, and the next
dream finds the files as they are and nothing left to do to them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from muninn_cli.core.changes import Suggest, involved, key_of
from muninn_cli.core.journal import Omission
from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import read
from muninn_cli.dream import suggestions
from muninn_cli.dream.state import (
    Dreamed,
    note_dismissed,
    note_judged,
    read_stamps,
    write_stamps,
)
from muninn_cli.store.files import content_hash
from muninn_cli.store.index.census import text_name
from muninn_cli.store.index.entries import texts
from muninn_cli.store.run_folder import RunFolder
from muninn_cli.store.seen import Seen, SeenRecord

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from muninn_cli.core.changes import ChangeKey, Ref
    from muninn_cli.dream.applying.apply import Applied
    from muninn_cli.dream.plan import Judged, Plan, Subject
    from muninn_cli.paths import Home
    from muninn_cli.store.vault import Vault


def note_proposals(plan: Plan, home: Home, now: datetime) -> None:
    """Note what waits for a person, what was judged, and what an undo would be a no to."""
    note_undoable(plan, home, now)
    proposed = [
        suggestions.of_suggestion(change) for change in plan.changes if isinstance(change, Suggest)
    ]
    waiting = map(suggestions.of_waiting, plan.waiting)
    suggestions.note(home.suggestions, [*proposed, *waiting], plan.run, now)
    note_judged(home.judged, _settled(plan), now)


def _settled(plan: Plan) -> list[Judged]:
    """What was judged for good: where a change only waits, the next dream has to ask again."""
    waiting = {
        ref
        for left in plan.left_out
        if left.change and left.why in (Omission.NO_TIME, Omission.EDITED)
        for ref in left.refs
    }
    return [each for each in plan.judged if waiting.isdisjoint(each.refs)]


def note_undoable(plan: Plan, home: Home, now: datetime) -> None:
    """Note in the run's folder what an undo of it would be a no to."""
    if plan.run:
        note_dismissed(RunFolder(home.run(plan.run)).changes, _undoable(plan), now)


def _undoable(plan: Plan) -> Iterator[tuple[ChangeKey, tuple[Ref, ...]]]:
    names = {subject.ref: subject.text for subject in plan.subjects}
    for change in plan.changes:
        key = None if isinstance(change, Suggest) else key_of(change, lambda ref: names[ref])
        if key is not None:
            yield key, involved(change)


def note_dreamed(
    applied: Applied, vaults: Mapping[str, Vault], home: Home, now: datetime, *, whole: bool
) -> None:
    """Mark what was dreamed of; a dream of which no phase was left out moves the stamps.

    `whole`: it was a dream of all vaults.
    """
    plan = applied.plan
    for vault in vaults.values():
        marks = _Marks(Seen(home.seen(vault.id)).load(), now)
        if plan.whole:
            marks.dreamed(subject for subject in plan.changed if subject.ref.vault == vault.id)
        marks.written(_texts(applied, vault))
        Seen(home.seen(vault.id)).append(list(marks.news.values()))
    if plan.whole:
        dreamed = Dreamed(plan.run, now, tuple(each.id for each in plan.vaults), whole)
        write_stamps(home.dream_stamp, read_stamps(home.dream_stamp).after(dreamed))


def _texts(applied: Applied, vault: Vault) -> Iterator[tuple[str, bytes, str]]:
    """Id, content hash and name of the text of each file of a vault that the dream has written."""
    paths = {subject.ref: subject.path for subject in applied.plan.subjects}
    for ref, data in applied.written.items():
        if ref.vault != vault.id or data is None:
            continue
        memory = read(data, paths.get(ref, ""), vault.id_name)
        if isinstance(memory, Memory):
            chunks = [piece.hash for piece in texts(memory).pieces]
            yield ref.id, content_hash(data), text_name(chunks)


class _Marks:
    """The records of one vault's memories, and those that are news."""

    def __init__(self, records: Mapping[str, SeenRecord], now: datetime) -> None:
        self._records = records
        self._now = now
        self.news: dict[str, SeenRecord] = {}

    def dreamed(self, subjects: Iterable[Subject]) -> None:
        for subject in subjects:
            content = bytes.fromhex(subject.hash)
            known = self._known(subject.ref.id) or SeenRecord(subject.ref.id, content, self._now)
            self.news[known.id] = replace(
                known, hash=content, text=subject.text, last_dreamed=self._now
            )

    def written(self, texts: Iterable[tuple[str, bytes, str]]) -> None:
        """A text that a dream wrote is no news to the next one."""
        for memory_id, content, name in texts:
            known = self._known(memory_id)
            if known and known.last_dreamed and known.text != name:
                self.news[memory_id] = replace(known, hash=content, text=name)

    def _known(self, memory_id: str) -> SeenRecord | None:
        return self.news.get(memory_id) or self._records.get(memory_id)

"""The changes of a plan as steps of a run: which bytes each would write, and what it would archive.

Each change sees the files as those before it leave them. Vaults are read and never written here;
a file that is not the one the plan saw takes its change out, with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from muninn_cli.core.changes import (
    Archive,
    Associate,
    ChangeTier,
    Merge,
    Ref,
    SetStability,
    Suggest,
    Supersede,
)
from muninn_cli.core.events import Alias, AssociationChange, StabilityChange
from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import read, replace_body
from muninn_cli.core.words import fold
from muninn_cli.errors import ConflictError, MuninnError, NotFoundError, UnreadableError
from muninn_cli.store.files import content_hash
from muninn_cli.store.ledger import Entry, Piece, Reason
from muninn_cli.store.reading import Opened, edited
from muninn_cli.store.steps import ArchiveFile, ArchiveText, Batch, EditFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from muninn_cli.core.changes import Change
    from muninn_cli.core.fields import Value
    from muninn_cli.core.usage import Event
    from muninn_cli.dream.known import Known
    from muninn_cli.dream.plan import Subject
    from muninn_cli.store.steps import Step
    from muninn_cli.store.vault import Vault

    Edits = dict[str, Value | None]

_NO_RUN = ""
"""A run fills in its own id."""


@dataclass(frozen=True, slots=True)
class Unwritten:
    """A change that cannot be carried out any more, and why."""

    change: Change
    why: str


@dataclass(slots=True)
class Writing:
    """What a plan would write.

    `batches` stand beside the change each carries out; the last one, of usage alone, has none.
    `files` are the files that change, as all batches leave them; None for one that is archived.
    """

    batches: list[tuple[Change | None, Batch]] = field(default_factory=list)
    unwritten: list[Unwritten] = field(default_factory=list)
    files: dict[Ref, bytes | None] = field(default_factory=dict)


def write(
    changes: Iterable[Change],
    subjects: Mapping[Ref, Subject],
    vaults: Mapping[str, Vault],
    known: Known,
    now: datetime,
) -> Writing:
    """The steps of these changes, in their order. `subjects` are the files as the plan saw them."""
    return _Writer(subjects, vaults, known, now).write(changes)


class _Writer:
    def __init__(
        self,
        subjects: Mapping[Ref, Subject],
        vaults: Mapping[str, Vault],
        known: Known,
        now: datetime,
    ) -> None:
        self._subjects = subjects
        self._vaults = vaults
        self._known = known
        self._now = now
        self._done = Writing()

    def write(self, changes: Iterable[Change]) -> Writing:
        usage: list[tuple[str, Event]] = []
        for change in changes:
            match change:
                case SetStability(vault=vault, id=memory_id, new=days):
                    usage.append((vault, StabilityChange(self._now, memory_id, days, _NO_RUN)))
                case Associate(vault=vault, a=a, b=b, new=weight, at=at, inferred=inferred):
                    event = AssociationChange(at, a, b, weight, inferred, _NO_RUN)
                    usage.append((vault, event))
                case Suggest():
                    pass
                case Merge() | Supersede() | ChangeTier() | Archive():
                    self._take(change)
        if usage:
            self._done.batches.append((None, Batch("usage", (), tuple(usage))))
        return self._done

    def _take(self, change: Merge | Supersede | ChangeTier | Archive) -> None:
        before = dict(self._done.files)
        try:
            batch = self._batch(change, f"{len(self._done.batches) + 1}. ")
        except MuninnError as error:
            self._done.files = before
            self._done.unwritten.append(Unwritten(change, error.message))
            return
        self._done.batches.append((change, batch))

    def _batch(self, change: Merge | Supersede | ChangeTier | Archive, number: str) -> Batch:
        match change:
            case Merge(survivor=survivor, losers=losers):
                return self._merge(change, f"{number}merge {', '.join(losers)} into {survivor}")
            case Supersede(vault=vault, old=old, new=new):
                steps = self._supersede(Ref(vault, old), Ref(vault, new))
                return Batch(f"{number}supersede {old} by {new}", tuple(steps))
            case ChangeTier(vault=vault, id=memory_id, new=tier, since=since):
                edits: Edits = {"tier": tier.value, "tier_since": since}
                steps = self._edit(Ref(vault, memory_id), edits)
                return Batch(f"{number}promote {memory_id}", tuple(steps))
            case Archive(vault=vault, id=memory_id, reason=reason):
                step = self._archive(Ref(vault, memory_id), reason)
                return Batch(f"{number}archive {memory_id}", (step,))

    def _merge(self, change: Merge, name: str) -> Batch:
        kept = Ref(change.vault, change.survivor)
        gone = [Ref(change.vault, loser) for loser in change.losers]
        survivor, losers = self._file(kept), [self._file(ref) for ref in gone]
        edits = _inheritance(change, survivor.memory, [loser.memory for loser in losers])
        if "tier" in edits:
            edits["tier_since"] = self._now
        steps: list[Step] = []
        if change.content is not None:
            edits["updated"] = self._now
            entry = self._entry(kept, Piece.VERSION, Reason.REPLACED, into=change.survivor)
            steps.append(ArchiveText(change.vault, entry, survivor.data))
        steps += self._edit(kept, edits, change.content)
        for ref in gone:
            steps += self._pass_on(ref, kept)
        steps += [self._archive(ref, Reason.MERGED, into=change.survivor) for ref in gone]
        events = [Alias(self._now, loser, change.survivor, _NO_RUN) for loser in change.losers]
        return Batch(name, tuple(steps), tuple((change.vault, event) for event in events))

    def _pass_on(self, loser: Ref, survivor: Ref) -> Iterable[Step]:
        """What the loser had superseded is superseded by the survivor from now on."""
        for pointing in self._known.superseded_by(loser):
            self._subjects = {pointing.ref: pointing, **self._subjects}
            if self._done.files.get(pointing.ref, b"") is not None and pointing.ref != survivor:
                yield from self._edit(pointing.ref, {"superseded_by": survivor.id})

    def _supersede(self, old: Ref, new: Ref) -> list[Step]:
        forerunners = (*self._file(new).memory.supersedes, old.id)
        return [
            *self._edit(old, {"superseded_by": new.id}),
            *self._edit(new, {"supersedes": tuple(dict.fromkeys(forerunners))}),
        ]

    def _edit(self, ref: Ref, edits: Edits, body: str | None = None) -> list[Step]:
        """The edit of a file; none where it says all of it already."""
        file = self._file(ref)
        data = file.data
        if body is not None:
            data = replace_body(data, f"{body.strip()}\n")
            if self._read(ref, data).title != file.memory.title:
                edits = {"title": file.memory.title, **edits}
        data = edited(file._replace(data=data), edits)
        if data == file.data:
            return []
        self._done.files[ref] = data
        return [EditFile(ref.vault, ref.id, self._path(ref), content_hash(file.data), data)]

    def _archive(self, ref: Ref, reason: str, into: str = "") -> ArchiveFile:
        file = self._file(ref)
        self._done.files[ref] = None
        entry = self._entry(ref, Piece.MEMORY, reason, into)
        return ArchiveFile(ref.vault, entry, content_hash(file.data))

    def _entry(self, ref: Ref, piece: Piece, reason: str, into: str) -> Entry:
        life = self._known.life(ref)
        path = self._path(ref)
        return Entry(
            self._now, ref.id, path, "", piece, reason, into, _NO_RUN, life.usage, life.tier
        )

    def _path(self, ref: Ref) -> str:
        return self._subjects[ref].path

    def _file(self, ref: Ref) -> Opened:
        """A live file as the changes so far leave it.

        Raises ConflictError where it is not the one that the plan saw.
        """
        if ref in self._done.files:
            data = self._done.files[ref]
            if data is None:
                raise ConflictError(f"{self._path(ref)} is archived by an earlier change")
        else:
            data = self._unchanged(ref)
        place = self._vaults[ref.vault].root / self._path(ref)
        return Opened(self._read(ref, data), data, place)

    def _unchanged(self, ref: Ref) -> bytes:
        subject, vault = self._subjects.get(ref), self._vaults.get(ref.vault)
        if vault is None:
            raise NotFoundError("its vault is not on the list")
        if subject is None:
            raise NotFoundError(f"the plan does not say where {ref.id} is")
        try:
            data = (vault.root / subject.path).read_bytes()
        except OSError:
            raise ConflictError(f"{vault.name}/{subject.path} is gone") from None
        if content_hash(data).hex() != subject.hash:
            raise ConflictError(f"{vault.name}/{subject.path} was edited meanwhile")
        return data

    def _read(self, ref: Ref, data: bytes) -> Memory:
        vault = self._vaults[ref.vault]
        memory = read(data, self._path(ref), vault.id_name)
        if not isinstance(memory, Memory):
            raise UnreadableError(f"{vault.name}/{self._path(ref)}: {memory.cause}")
        return memory._replace(id=ref.id)


def _inheritance(change: Merge, survivor: Memory, losers: Sequence[Memory]) -> Edits:
    """What the survivor gains: only the keys that say more than before."""
    everyone = (survivor, *losers)
    gone = (survivor.id, change.survivor, *change.losers)
    aliases = (*_flat(memory.aliases for memory in everyone), *change.aliases)
    merged = (*survivor.merged_from, *change.losers, *_flat(m.merged_from for m in losers))
    edits: Edits = {
        "tags": _names(_flat(memory.tags for memory in everyone)),
        "aliases": _names(name for name in aliases if fold(name) != fold(survivor.title)),
        "merged_from": tuple(dict.fromkeys(merged)),
        "supersedes": _others((memory.supersedes for memory in everyone), gone),
        "related": _others((memory.related for memory in everyone), gone),
        "tier": min(memory.tier for memory in everyone).value,
        "pinned": any(memory.pinned for memory in everyone),
        **_instants(everyone),
    }
    return {key: value for key, value in edits.items() if value != getattr(survivor, key)}


def _instants(everyone: Sequence[Memory]) -> Edits:
    """The earliest creation and the latest floor, where they are not the survivor's own."""
    survivor = everyone[0]
    created = [memory.created for memory in everyone if memory.created]
    expires = [memory.expires for memory in everyone if memory.expires]
    edits: Edits = {}
    if created and min(created) != survivor.created:
        edits["created"] = min(created).instant
    if expires and max(expires) != survivor.expires:
        edits["expires"] = max(expires).instant
    return edits


def _flat(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(item for each in lists for item in each)


def _names(items: Iterable[str]) -> tuple[str, ...]:
    """The names without those that differ from an earlier one in case and accents alone."""
    first: dict[str, str] = {}
    for item in items:
        first.setdefault(fold(item), item)
    return tuple(first.values())


def _others(ids: Iterable[tuple[str, ...]], left_out: Sequence[str]) -> tuple[str, ...]:
    """Ids, each once, without some."""
    return tuple(dict.fromkeys(item for item in _flat(ids) if item not in left_out))

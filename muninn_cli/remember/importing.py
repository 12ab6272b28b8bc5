"""Importing: memories of an export, of other tools and of folders, as one run.

Nothing is ever written over. A memory of an export, and a Markdown file, arrive byte for byte;
what is there already is left as it is, and what differs gets a place of its own. What cannot be
taken in is named with its cause, and the rest goes on.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from muninn_cli.core.events import AssociationChange, Summary
from muninn_cli.core.ids import derived_id
from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import read
from muninn_cli.core.memory_usage import UNUSED
from muninn_cli.core.naming import slug
from muninn_cli.core.records import Carried
from muninn_cli.errors import MuninnError, UnreadableError
from muninn_cli.remember import foreign
from muninn_cli.remember.import_plan import Arrival, ImportPlan
from muninn_cli.remember.places import Filling
from muninn_cli.remember.sources import Bad, File, Foreign, Own
from muninn_cli.store.ledger import OUT, Entry, Piece
from muninn_cli.store.run_folder import Left
from muninn_cli.store.steps import ArchiveText, Batch, CreateFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from muninn_cli.core.foreign_records import ForeignRecord
    from muninn_cli.core.records import Record, Shelved
    from muninn_cli.core.usage import Event
    from muninn_cli.remember.sources import Item
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.vault import Vault

_NOTHING_CARRIED = Carried()


class Importer:
    """Plans an import; nothing is written.

    `home` gives the vault for the name of one (empty for what comes without), or None where there
    is none. `find_secret` names the secret in a text, or is None where secrets may be remembered.
    """

    def __init__(
        self,
        home: Callable[[str], Vault | None],
        connection: Connection,
        find_secret: Callable[[str], str | None] | None,
        now: datetime,
    ) -> None:
        self._home = home
        self._connection = connection
        self._find_secret = find_secret
        self._now = now
        self._fillings: dict[str, Filling] = {}
        self._arrivals: list[Arrival] = []
        self._associated: list[tuple[Filling, str, Carried]] = []
        self._known = 0
        self._left: list[Left] = []
        self._homeless: Counter[str] = Counter()
        self._unused: dict[str, None] = {}

    def plan(self, items: Iterable[Item]) -> ImportPlan:
        """What becomes of each item."""
        for item in items:
            try:
                self._take(item)
            except MuninnError as error:
                self._left.append(Left(item.name, error.message))
        return ImportPlan(
            tuple(self._arrivals),
            self._known,
            tuple(self._left),
            self._homeless,
            tuple(self._unused),
            tuple(self._usage()),
        )

    def _take(self, item: Item) -> None:
        if isinstance(item, Bad):
            self._left.append(Left(item.name, item.why))
            return
        filling = self._filling(_vault_of(item))
        if filling is None:
            self._homeless[_vault_of(item)] += 1
            return
        arrival = self._arrival(item, filling)
        if arrival is None:
            self._known += 1
        else:
            self._arrivals.append(arrival)

    def _filling(self, name: str) -> Filling | None:
        if name not in self._fillings:
            vault = self._home(name)
            if vault is None:
                return None
            same = [each for each in self._fillings.values() if each.vault.id == vault.id]
            self._fillings[name] = same[0] if same else Filling(vault, self._connection)
        return self._fillings[name]

    def _arrival(self, item: File | Own | Foreign, filling: Filling) -> Arrival | None:
        """The memory that an item becomes; None where the vault has it."""
        match item:
            case File():
                return self._file(item, filling)
            case Own(name=name, record=record) if record.shelved is not None:
                return self._shelved(name, record, record.shelved, filling)
            case Own(name=name, record=record):
                file = File(name, record.path, record.data)
                return self._file(file, filling, record.id, record.carried)
            case Foreign(name=name, record=found):
                return self._foreign(name, found, filling)

    def _file(
        self,
        file: File,
        filling: Filling,
        known_as: str = "",
        carried: Carried = _NOTHING_CARRIED,
    ) -> Arrival | None:
        """A file as it is; `known_as` is the id that it had where it comes from."""
        data = file.data
        memory = self._memory(data, file.path, filling)
        stated = memory.id if memory.written_id else ""
        if any(filling.has(memory_id, data) for memory_id in {known_as, stated} - {""}):
            return None
        free = filling.free_path(file.path, data)
        if free is None:
            return None
        own = derived_id(filling.vault.id_name, free)
        wanted = stated if stated and known_as in ("", stated) else own
        memory_id = own if filling.is_taken(wanted) else wanted
        events: tuple[Event, ...] = ()
        if memory_id == wanted:
            self._associated.append((filling, memory_id, carried))
            if carried.usage != UNUSED:
                events = (Summary(self._now, memory_id, carried.usage),)
        step = CreateFile(filling.vault.id, memory_id, free, data)
        filling.plan(free, memory_id, data, known_as)
        return self._arriving(file.name, filling, step, events)

    def _shelved(
        self, name: str, record: Record, shelved: Shelved, filling: Filling
    ) -> Arrival | None:
        memory = self._memory(record.data, record.path, filling)
        if filling.has(record.id, record.data) or filling.has_archived(record.id, record.data):
            return None
        if shelved.kind not in set(Piece) or shelved.reason in OUT:
            raise UnreadableError("what it says of the archive cannot be read")
        entry = Entry(
            at=self._now,
            id=record.id,
            path=record.path,
            file="",
            piece=Piece(shelved.kind),
            reason=shelved.reason,
            into=shelved.into,
            usage=record.carried.usage,
            tier=memory.tier,
        )
        step = ArchiveText(filling.vault.id, entry, record.data)
        return self._arriving(name, filling, step)

    def _foreign(self, name: str, record: ForeignRecord, filling: Filling) -> Arrival | None:
        memory_id = filling.free_id(record)
        self._unused |= dict.fromkeys(record.unused)
        if memory_id is None:
            return None
        data = foreign.new_file(record, memory_id, self._now)
        self._refuse_secret(data)
        path = filling.free_path(f"{slug(foreign.title(record))}.md", data)
        if path is None:
            return None
        filling.plan(path, memory_id, data)
        step = CreateFile(filling.vault.id, memory_id, path, data)
        return self._arriving(name, filling, step)

    def _arriving(
        self,
        name: str,
        filling: Filling,
        step: CreateFile | ArchiveText,
        events: tuple[Event, ...] = (),
    ) -> Arrival:
        made = step.entry if isinstance(step, ArchiveText) else step
        title = f"import {len(self._arrivals)} {made.id}"
        batch = Batch(title, (step,), tuple((filling.vault.id, event) for event in events))
        return Arrival(name, filling.vault, made.id, made.path, batch)

    def _memory(self, data: bytes, path: str, filling: Filling) -> Memory:
        """Raises UnreadableError for what is no text, MuninnError where it holds a secret."""
        memory = read(data, path, filling.vault.id_name)
        if not isinstance(memory, Memory):
            raise UnreadableError(memory.cause)
        self._refuse_secret(data)
        return memory

    def _refuse_secret(self, data: bytes) -> None:
        found = self._find_secret and self._find_secret(data.decode(errors="replace"))
        if found:
            raise MuninnError(f"it holds a secret ({found})")

    def _usage(self) -> Iterator[Batch]:
        """The associations among what arrives and what is there, a batch a vault."""
        by_vault: dict[str, dict[frozenset[str], Event]] = {}
        for filling, memory_id, carried in self._associated:
            events = by_vault.setdefault(filling.vault.id, {})
            for known_as, pair in carried.associations:
                other = filling.id_here(known_as)
                if other and other != memory_id:
                    weight, at, inferred = pair
                    event = AssociationChange(at, memory_id, other, weight, inferred, "")
                    events.setdefault(frozenset((memory_id, other)), event)
        for vault, events in by_vault.items():
            if events:
                pairs = tuple((vault, event) for event in events.values())
                yield Batch(f"associations of {vault}", (), pairs)


def _vault_of(item: File | Own | Foreign) -> str:
    match item:
        case File(vault=vault):
            return vault
        case Own(record=record):
            return record.vault
        case Foreign():
            return ""

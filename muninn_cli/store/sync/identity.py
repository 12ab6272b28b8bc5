"""Which id a file's memory has: the one it states, one of its own, or one it keeps.

An id is unique among the live memories of a vault. A file that states none gets one made from its
path, and keeps it when it moves: `state/aliases` remembers. Of files that state the same id one
holds it; the others get ids of their own until it is free. Nothing here writes to the index.
"""

from __future__ import annotations

import json
import unicodedata
from collections import defaultdict
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.ids import derived_id, valid_id
from muninn_cli.core.naming import is_conflict_copy
from muninn_cli.store import log

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from muninn_cli.store.index.connection import Connection


class Claim(NamedTuple):
    """A live file that wants an id. `held`: its path had this id at the last sync.

    `states` is false where the file does not state the id itself; `created` is in seconds since
    1970.
    """

    num: int
    path: str
    id: str
    states: bool
    held: bool
    created: float | None

    def rank(self) -> tuple[bool, bool, float, str]:
        """The least of the claims to one id holds it."""
        copy = is_conflict_copy(self.path.rpartition("/")[2])
        created = float("inf") if self.created is None else self.created
        return (not self.held, copy, created, self.path)


class Aliases:
    """Own ids that a path alone would not give; one line a file, the last one holds."""

    def __init__(self, path: Path, vault_name: str) -> None:
        self._path = path
        self._vault_name = vault_name
        self._ids = dict(filter(None, map(_parsed, log.read_lines(path)[0])))
        self._new: dict[str, str] = {}

    def id_of(self, path: str, origin: str = "") -> str:
        """The id that a file at `path`, which may be archived from `origin`, has of its own."""
        return self._ids.get(_nfc(path)) or derived_id(self._vault_name, origin or path)

    def ids_of(self, path: str) -> Iterator[str]:
        """The same, then others for when that is taken."""
        yield self.id_of(path)
        for number in count(2):
            yield derived_id(self._vault_name, f"{path}~{number}")

    def keep(self, path: str, memory_id: str, origin: str = "") -> None:
        """Let the file at `path` have this id of its own from now on."""
        if self.id_of(path, origin) != memory_id:
            self._ids[_nfc(path)] = self._new[_nfc(path)] = memory_id

    def save(self) -> None:
        """Append what is new to the file."""
        lines = [
            log.line_of({"v": 1, "path": path, "id": memory_id})
            for path, memory_id in self._new.items()
        ]
        if lines:
            log.append(self._path, lines)
        self._new.clear()


def _parsed(line: str) -> tuple[str, str] | None:
    try:
        stored = json.loads(line)
        path, memory_id = str(stored["path"]), str(stored["id"])
    except (ValueError, TypeError, LookupError, RecursionError):
        return None
    return (path, memory_id) if valid_id(memory_id) else None


def _nfc(path: str) -> str:
    return unicodedata.normalize("NFC", path)


class Settled(NamedTuple):
    """Ids by number of the file, and files of the index that lost theirs: to be read again."""

    ids: dict[int, str]
    displaced: list[int]


class Identities:
    """The ids of one vault.

    `held` are the ids that paths had before, in those `folders` that differ; in the others every
    path still has the id that it had.
    """

    def __init__(
        self,
        connection: Connection,
        vault: int,
        aliases: Aliases,
        held: Mapping[str, str | None],
        folders: Collection[str],
    ) -> None:
        self._connection = connection
        self._vault = vault
        self._aliases = aliases
        self._held_ids = held
        self._folders = folders

    def claim(self, num: int, path: str, stated: str, kept: str, created: float | None) -> Claim:
        """What a file wants: the id it states, else the one its row has, else one of its own."""
        memory_id = stated or kept or self._aliases.id_of(path)
        return Claim(num, path, memory_id, bool(stated), self._held(path, memory_id), created)

    def archived_id(self, path: str, origin: str, known: str) -> str:
        """The id of an archived file: the one that is known, else one made from where it was."""
        if known and "~" in known:
            return known  # the handle of an earlier text
        memory_id = known or self._aliases.id_of(path, origin)
        if not known and self._rivals({memory_id}, ()):
            memory_id = self._aliases.id_of(path)  # a copy: the file it is of is still in its place
        self._aliases.keep(path, memory_id, origin)
        return memory_id

    def settle(self, claims: Sequence[Claim], leaving: Mapping[int, str]) -> Settled:
        """Give each of these files an id that no other live memory holds.

        Files that are `leaving` for the archive, by number, take their ids with them.
        """
        aside = {*leaving, *(claim.num for claim in claims)}
        rivals = self._rivals({claim.id for claim in claims}, aside)
        wanted: defaultdict[str, list[Claim]] = defaultdict(list)
        for claim in (*claims, *rivals):
            wanted[claim.id].append(claim)
        winners = {min(rivalling, key=Claim.rank).num for rivalling in wanted.values()}
        winners -= self._of_archived(claims, set(leaving.values()))
        ids = {claim.num: claim.id for claim in claims if claim.num in winners}
        taken = set(wanted)
        for claim in claims:
            if claim.num not in winners:
                ids[claim.num] = self._own(claim, taken, leaving)
                taken.add(ids[claim.num])
            if not claim.states or claim.num not in winners:
                self._aliases.keep(claim.path, ids[claim.num])
        return Settled(ids, [rival.num for rival in rivals if rival.num not in winners])

    def _own(self, claim: Claim, taken: Collection[str], leaving: Collection[int]) -> str:
        """An id for a file that does not get the one it wants."""
        own = self._aliases.ids_of(claim.path)
        return next(
            memory_id
            for memory_id in own
            if memory_id not in taken
            and not self._rivals({memory_id}, {claim.num, *leaving})
            and not self._archived({memory_id}, {claim.num})
        )

    def _rivals(self, ids: Iterable[str], numbers: Collection[int]) -> list[Claim]:
        """Other live memories of the index that hold one of these ids."""
        rows = self._connection.execute(_HOLDERS, (self._vault, json.dumps(list(ids))))
        return [
            Claim(num, path, memory_id, bool(states), self._held(path, memory_id), created)
            for num, path, memory_id, states, created in rows
            if num not in numbers
        ]

    def _of_archived(self, claims: Sequence[Claim], archived: Collection[str]) -> set[int]:
        """Files whose place alone gives them the id of an archived one, which may come back."""
        own = {claim.id: claim.num for claim in claims if self._by_place_alone(claim)}
        taken = self._archived(own, {claim.num for claim in claims}) | own.keys() & archived
        return {own[memory_id] for memory_id in taken}

    def _by_place_alone(self, claim: Claim) -> bool:
        """A file that states no id and is new, or is in the place of one that stated its id."""
        if claim.states:
            return False
        return not claim.held or claim.id != self._aliases.id_of(claim.path)

    def _archived(self, ids: Iterable[str], numbers: Collection[int]) -> set[str]:
        """Those of some ids that other memories in the archive have."""
        rows = self._connection.execute(_ARCHIVED, (self._vault, json.dumps(list(ids))))
        return {memory_id for num, memory_id in rows if num not in numbers}

    def _held(self, path: str, memory_id: str) -> bool:
        if path in self._held_ids:
            return self._held_ids[path] == memory_id
        return path.rpartition("/")[0] not in self._folders


_ARCHIVED = """
    SELECT num, id FROM memory
    WHERE vault = ? AND archived AND id IN (SELECT value FROM json_each(?))"""
_HOLDERS = """
    SELECT num, path, id, id = stated_id, created FROM memory
    WHERE vault = ? AND NOT archived AND id IN (SELECT value FROM json_each(?))"""

"""The snapshot that a dream plans over: every memory of its vaults as the index states it.

Immutable, read in one transaction from a committed index. Texts are not in it. Legal vaults are
counted and nothing more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from muninn_cli.core.changes import ChangeKey, Ref
from muninn_cli.core.memory_usage import UNUSED, MemoryUsage
from muninn_cli.core.naming import is_conflict_copy
from muninn_cli.core.strength import age_days, relevance, retrievability
from muninn_cli.core.terms import Kind, Tier
from muninn_cli.core.times import epoch, from_epoch
from muninn_cli.store.index import census

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from muninn_cli.core.associations import Association, Pair
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.seen import SeenRecord
    from muninn_cli.store.vault import Vault


@dataclass(frozen=True, slots=True)
class DreamVault:
    """A vault that may dream: its number in the index, and when it last did.

    `ages`: managed, so that a dream may change its files; elsewhere it only suggests.
    """

    id: str
    num: int
    name: str
    kind: Kind
    ages: bool
    last_dream: datetime | None


class Reach(StrEnum):
    """What a dream may do with a memory."""

    FREE = "free"
    SUGGEST = "suggest"  # pinned, T0, `consolidate: false`, or a vault that is not managed
    NONE = "none"  # a doubled id, a conflict copy or its markers, a file not to be rewritten


@dataclass(frozen=True, slots=True)
class Facts:
    """What the index and the state say of one memory that is not archived.

    `tier` is its tier by usage, `written_tier` the file's. `hash` is the content hash of the
    file, in hex; `text` names title and text (see `core.changes.Member.hash`). `changed`: its
    text is new since it was last dreamed of, at `dreamed`. `live`: neither superseded nor expired.
    """

    ref: Ref
    num: int
    vault: DreamVault
    path: str
    title: str
    type: str
    tier: Tier
    written_tier: Tier
    tier_since: datetime | None
    pinned: bool
    consolidate: bool
    kept_out: bool
    live: bool
    created: datetime | None
    first_seen: datetime
    valid_from: datetime | None
    expires: datetime | None
    superseded_by: str
    hash: str
    text: str
    usage: MemoryUsage
    relevance: float
    retrievability: float
    dreamed: datetime | None
    changed: bool

    @property
    def protected(self) -> bool:
        """Whether only a person may merge, supersede or archive it."""
        return self.pinned or self.tier is Tier.T0 or not self.consolidate

    @property
    def reach(self) -> Reach:
        if self.kept_out:
            return Reach.NONE
        return Reach.FREE if self.vault.ages and not self.protected else Reach.SUGGEST

    @property
    def since(self) -> datetime:
        """When it began to age here, recalls apart."""
        return self.first_seen if self.created is None else max(self.created, self.first_seen)

    @property
    def said_at(self) -> datetime | None:
        """Since when what it says holds, as far as its file tells."""
        return self.valid_from or self.created


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that a dream knows before it thinks.

    `associations` are by vault; `dismissed` what a person said no to, `suggested` what waits for
    a person's answer, `judged` the keys of clusters that a model has judged. `undone` are the
    memories and pairs whose stability and association an undo took back, and when. `legal` counts
    the memories of legal vaults. `silent`: the clock is not believed, nothing may weaken or leave.
    """

    now: datetime
    vaults: Mapping[str, DreamVault]
    facts: Mapping[Ref, Facts]
    associations: Mapping[str, Mapping[Pair, Association]]
    legal: int = 0
    silent: bool = False
    dismissed: frozenset[ChangeKey] = frozenset()
    suggested: frozenset[ChangeKey] = frozenset()
    judged: frozenset[str] = frozenset()
    undone: Mapping[frozenset[Ref], datetime] = field(default_factory=dict)

    @property
    def changed(self) -> list[Facts]:
        """The memories that are new or have a new text since they were last dreamed of."""
        return [facts for facts in self.facts.values() if facts.changed]


@dataclass(frozen=True, slots=True)
class Remembered:
    """What the state says to a dream: stamps and sights by vault id, and what was settled."""

    last_dream: Mapping[str, datetime] = field(default_factory=dict)
    seen: Mapping[str, Mapping[str, SeenRecord]] = field(default_factory=dict)
    dismissed: frozenset[ChangeKey] = frozenset()
    suggested: frozenset[ChangeKey] = frozenset()
    judged: frozenset[str] = frozenset()
    undone: Mapping[frozenset[Ref], datetime] = field(default_factory=dict)


def take_snapshot(
    connection: Connection,
    vaults: Sequence[Vault],
    remembered: Remembered,
    now: datetime,
    *,
    silent: bool = False,
) -> Snapshot:
    """The snapshot of these vaults; legal ones among them are only counted."""
    with connection.reading():
        numbers = census.vaults(connection)
        dreaming = _dreaming(vaults, numbers, remembered)
        legal = [numbers[v.id] for v in vaults if v.kind is Kind.LEGAL and v.id in numbers]
        return Snapshot(
            now=now,
            vaults=dreaming,
            facts={each.ref: each for each in _all_facts(connection, dreaming, remembered, now)},
            associations={
                vault.id: census.associations(connection, vault.num) for vault in dreaming.values()
            },
            legal=census.count(connection, legal),
            silent=silent,
            dismissed=remembered.dismissed,
            suggested=remembered.suggested,
            judged=remembered.judged,
            undone=remembered.undone,
        )


def _dreaming(
    vaults: Iterable[Vault], numbers: Mapping[str, int], remembered: Remembered
) -> dict[str, DreamVault]:
    """The vaults that may dream, as far as the index knows them."""
    return {
        vault.id: DreamVault(
            vault.id,
            numbers[vault.id],
            vault.name,
            vault.kind,
            vault.ages,
            remembered.last_dream.get(vault.id),
        )
        for vault in vaults
        if vault.kind is not Kind.LEGAL and vault.id in numbers
    }


def _all_facts(
    connection: Connection,
    vaults: Mapping[str, DreamVault],
    remembered: Remembered,
    now: datetime,
) -> Iterator[Facts]:
    texts = census.texts(connection)
    for vault in vaults.values():
        seen = remembered.seen.get(vault.id, {})
        for row in census.memories(connection, vault.num):
            yield _facts(row, vault, texts[row.num], seen.get(row.id), now)


def _facts(
    row: census.Row,
    vault: DreamVault,
    text: census.TextName,
    record: SeenRecord | None,
    now: datetime,
) -> Facts:
    usage = MemoryUsage.from_json(row.fold) if row.fold else UNUSED
    tier = Tier(row.tier_now)
    born = from_epoch(row.first_seen if row.created is None else row.created)
    doubled = row.stated_id not in ("", row.id)
    return Facts(
        ref=Ref(vault.id, row.id),
        num=row.num,
        vault=vault,
        path=row.path,
        title=row.title,
        type=row.type,
        tier=tier,
        written_tier=Tier(row.tier),
        tier_since=_instant(row.tier_now_since),
        pinned=bool(row.pinned),
        consolidate=bool(row.consolidate),
        kept_out=doubled or text.conflicted or not row.editable or is_conflict_copy(row.path),
        live=not row.superseded_by and row.until > epoch(now),
        created=_instant(row.created),
        first_seen=from_epoch(row.first_seen),
        valid_from=_instant(row.valid_from),
        expires=_instant(row.expires),
        superseded_by=row.superseded_by,
        hash=row.hash.hex(),
        text=text.name,
        usage=usage,
        relevance=relevance(born, usage.newest, usage.recalls, now),
        retrievability=_retrievability(tier, bool(row.pinned), usage, born, now),
        dreamed=record.last_dreamed if record else None,
        changed=record is None or _has_changed(record, row.hash, text.name),
    )


def _has_changed(record: SeenRecord, content: bytes, text: str) -> bool:
    """Whether a memory says something else than when it was last dreamed of, or never was."""
    if record.last_dreamed is None:
        return True
    return record.text != text if record.text else record.hash != content


def _retrievability(
    tier: Tier, pinned: bool, usage: MemoryUsage, born: datetime, now: datetime
) -> float:
    if pinned or tier is Tier.T0:
        return 1.0
    return retrievability(age_days(usage.last_recall or born, now), usage.stability)


def _instant(seconds: float | None) -> datetime | None:
    return None if seconds is None else from_epoch(seconds)

"""Adding a memory: a new file, or the news that it is known already.

Never overwrites a file and never loses a text: what repeats a memory in other words goes to the
archive. Where time does not act (legal and unmanaged vaults) nothing is merged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from muninn_cli.core.events import Recall
from muninn_cli.core.ids import new_id
from muninn_cli.core.memory_file import render
from muninn_cli.core.memory_usage import UNUSED
from muninn_cli.core.naming import slug
from muninn_cli.core.terms import Tier
from muninn_cli.core.tiers import Life, choose_tier, effective
from muninn_cli.core.times import epoch
from muninn_cli.errors import MuninnError, UsageError
from muninn_cli.remember.addition import Added, Operation
from muninn_cli.remember.duplicates import Findings, Newcomer, find_double
from muninn_cli.remember.titles import title_of
from muninn_cli.store import files
from muninn_cli.store.archive import VaultArchive
from muninn_cli.store.index.filters import Filters, State
from muninn_cli.store.index.rows import rows_of
from muninn_cli.store.ledger import Entry, Piece, Reason
from muninn_cli.store.reading import edited
from muninn_cli.store.seen import Seen, SeenRecord
from muninn_cli.store.usage import UsageLog

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from muninn_cli.core.fields import Value
    from muninn_cli.core.tiers import Limits
    from muninn_cli.remember.addition import Addition
    from muninn_cli.remember.duplicates import Double, Shelf
    from muninn_cli.store.vault import Vault


@dataclass(frozen=True, slots=True)
class Desk:
    """What adding works with. `shelf` is None where the vault holds nothing, or with --force.

    `usage` and `seen` are the vault's logs; `time` is what new texts bear, `now` that by which
    memories age; `randomness` are ten bytes for an id.
    """

    vault: Vault
    usage: Path
    seen: Path
    limits: Limits
    time: datetime
    now: datetime
    randomness: bytes
    shelf: Shelf | None


@dataclass(frozen=True, slots=True)
class _Decided:
    """What is to be added, with its title, and its tier by which rule."""

    addition: Addition
    title: str
    tier: Tier
    rule: str

    @classmethod
    def of(cls, addition: Addition) -> _Decided:
        tier, rule = choose_tier(addition.tier, addition.category, addition.source, addition.type)
        return cls(addition, addition.title or title_of(addition.text), tier, rule)


def refuse_secret(text: str) -> None:
    """Raises MuninnError where a text holds a key, a token or a password."""
    from muninn_cli.remember.secrets import find_secret

    found = find_secret(text)
    if found:
        hint = "take it out, or `muninn config set remember.secrets allow`"
        raise MuninnError(f"not remembered: the text holds a secret ({found})", hint)


def add(addition: Addition, desk: Desk, *, dry_run: bool = False) -> Added:
    """Store a text, or merge it into the memory that it repeats.

    The caller holds the vault's lock. With `dry_run` the answer is the same and nothing is
    written. Raises UsageError where there is no text.
    """
    if not addition.text.strip():
        raise UsageError("there is no text to remember", "muninn add TEXT, or muninn add - < FILE")
    if "\0" in addition.text:
        raise UsageError("the text holds NUL characters: it is no text")
    decided = _Decided.of(addition)
    newcomer = Newcomer(decided.title, addition.text, decided.tier)
    findings = find_double(newcomer, desk.shelf) if desk.shelf else Findings(None)
    double = findings.double
    if double and desk.vault.ages:
        return _merge(decided, double, desk, dry_run=dry_run)
    if double and double.identical:
        return _exists(decided, double)
    if double:
        findings = Findings(None, (double.as_similar, *findings.similar))
    return _create(decided, findings, desk, dry_run=dry_run)


def _create(decided: _Decided, findings: Findings, desk: Desk, *, dry_run: bool) -> Added:
    memory_id, data = _rendered(decided, desk)
    stem, root = slug(decided.title), desk.vault.root
    path = files.free_name(root, stem) if dry_run else files.create(root, stem, data).name
    if not dry_run:
        sighting = SeenRecord(memory_id, files.content_hash(data), desk.now, tier=decided.tier)
        Seen(desk.seen).append([sighting])  # it ages from now on, not from the next sync
    immortal = decided.addition.pinned or not desk.vault.ages
    life = Life(decided.tier, None, desk.time, desk.now, None, immortal)
    return Added(
        Operation.ADDED,
        memory_id,
        path,
        decided.title,
        decided.tier,
        decided.rule,
        effective(life, UNUSED, desk.now, desk.limits).expires,
        similar=findings.similar,
        written=() if dry_run else (path,),
        notice=findings.notice,
    )


def _exists(decided: _Decided, double: Double) -> Added:
    """The answer where a memory says the same already, and nothing is done."""
    known = double.neighbour
    return Added(
        Operation.EXISTS,
        known.id,
        known.path,
        known.title,
        Tier(known.tier),
        decided.rule,
        None,
        double.match,
    )


def _merge(decided: _Decided, double: Double, desk: Desk, *, dry_run: bool) -> Added:
    """Refresh the memory's clock, unite the tags, keep the more durable tier and the first text.

    A file that must not be rewritten keeps its own tags and tier.
    """
    known, opened = double.neighbour, double.opened
    changes = dict(_changes(decided, double, desk.time)) if opened.memory.editable else {}
    tier = decided.tier if "tier" in changes else Tier(known.tier)
    written: list[str] = []
    if not dry_run:
        if not double.identical:
            written += _keep_incoming(decided, double, desk)
        if changes:
            data = edited(opened, changes | {"updated": desk.time})
            files.replace(opened.place, data, files.content_hash(opened.data))
            written.append(known.path)
        UsageLog(desk.usage).append(Recall(desk.now, ((known.id, double.match.cosine),), "add"))
    expires = None if "pinned" in changes else _new_expiry(double, tier, desk)
    return replace(
        _exists(decided, double),
        operation=Operation.MERGED,
        tier=tier,
        expires=expires,
        written=tuple(written),
    )


def _changes(
    decided: _Decided, double: Double, time: datetime
) -> Iterator[tuple[str, Value | None]]:
    """The keys of the kept memory that become others."""
    memory, addition = double.opened.memory, decided.addition
    new = tuple(tag for tag in dict.fromkeys(addition.tags) if tag not in memory.tags)
    if new:
        yield "tags", (*memory.tags, *new)
    if decided.tier < Tier(double.neighbour.tier):
        yield "tier", decided.tier.value
        yield "tier_since", time
    if addition.pinned and not memory.pinned:
        yield "pinned", True


def _keep_incoming(decided: _Decided, double: Double, desk: Desk) -> list[str]:
    """Put the incoming text into the archive, pointing to the memory that it was merged into."""
    memory_id, data = _rendered(decided, desk)
    archive = VaultArchive(desk.vault)
    path = f"{slug(decided.title)}.md"
    file = archive.free_name(path, memory_id)
    entry = Entry(
        at=desk.time,
        id=memory_id,
        path=path,
        file=file,
        piece=Piece.INCOMING,
        reason=Reason.MERGED,
        into=double.neighbour.id,
        tier=decided.tier,
    )
    archive.keep(entry, data)
    root = desk.vault.root
    kept = (archive.place(file), desk.vault.ledger)
    return [place.relative_to(root).as_posix() for place in kept]


def _new_expiry(double: Double, tier: Tier, desk: Desk) -> datetime | None:
    """The expiry after the refresh: no earlier than before, and counted from now."""
    if desk.shelf is None or tier is Tier.T0:
        return None
    present = Filters((desk.shelf.number,), frozenset({State.LIVE, State.EXPIRED}))
    number, connection = double.neighbour.num, desk.shelf.connection
    before = rows_of(connection, [number], present, now=epoch(desk.now)).get(number)
    if before is None or before.expires is None:
        return None
    lifetime = max(desk.limits.lifetime(tier), timedelta(days=before.usage.stability))
    return max(before.expires, desk.now + lifetime)


def _rendered(decided: _Decided, desk: Desk) -> tuple[str, bytes]:
    """A new id, and the bytes of a file that bears it."""
    memory_id = new_id(int(epoch(desk.time) * 1000), desk.randomness)
    text = decided.addition.text
    body = text if text.endswith("\n") else f"{text}\n"
    return memory_id, render(_fields(decided, memory_id, desk.time), body)


def _fields(decided: _Decided, memory_id: str, time: datetime) -> dict[str, Value]:
    """Front matter of a new file, in the order of the format."""
    addition = decided.addition
    optional: dict[str, Value | None] = {
        "category": addition.category or None,
        "importance": addition.importance,
        "pinned": True if addition.pinned else None,
        "session": addition.session or None,
    }
    return {
        "id": memory_id,
        "title": decided.title,
        "type": addition.type.value,
        "tier": decided.tier.value,
        "tags": addition.tags,
        "source": addition.source.value,
        "created": time,
        "updated": time,
    } | {key: value for key, value in optional.items() if value is not None}

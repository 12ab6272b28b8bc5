"""Adding a memory: a new file, or the news that it is known already.

Never overwrites a file and never loses a text: what repeats a memory in other words goes to the
archive. Where time does not act (legal and unmanaged vaults) nothing is merged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from muninn_cli.core.events import Recall
from muninn_cli.core.memory import Tier, new_id
from muninn_cli.core.memory_file import edit, render
from muninn_cli.core.memory_usage import MemoryUsage
from muninn_cli.core.naming import slug
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
from muninn_cli.store.usage import UsageLog

if TYPE_CHECKING:
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

    `usage` is the vault's usage log; `randomness` are ten bytes for an id.
    """

    vault: Vault
    usage: Path
    limits: Limits
    now: datetime
    randomness: bytes
    shelf: Shelf | None


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
    rule = choose_tier(addition.tier, addition.category, addition.source, addition.type)
    addition = replace(addition, tier=rule[0], title=addition.title or title_of(addition.text))
    newcomer = Newcomer(addition.title, addition.text, rule[0])
    findings = find_double(newcomer, desk.shelf) if desk.shelf else Findings(None)
    double = findings.double
    if double and not desk.vault.ages:
        if double.identical:
            return _exists(double, rule[1])
        findings, double = Findings(None, (double.as_similar, *findings.similar)), None
    if double:
        return _merge(addition, double, rule[1], desk, dry_run=dry_run)
    return _create(addition, findings, rule[1], desk, dry_run=dry_run)


def _exists(double: Double, rule: str) -> Added:
    known = double.neighbour
    return Added(
        Operation.EXISTS,
        known.id,
        known.path,
        known.title,
        Tier(known.tier),
        rule,
        None,
        double.match,
    )


def _create(
    addition: Addition, findings: Findings, rule: str, desk: Desk, *, dry_run: bool
) -> Added:
    tier = addition.tier or Tier.T2
    memory_id = new_id(int(epoch(desk.now) * 1000), desk.randomness)
    data = render(_fields(addition, memory_id, desk.now), _body(addition.text))
    stem = slug(addition.title)
    path = f"{stem}.md" if dry_run else files.create(desk.vault.root, stem, data).name
    immortal = addition.pinned or not desk.vault.ages
    life = Life(tier, None, desk.now, desk.now, None, immortal)
    return Added(
        Operation.ADDED,
        memory_id,
        path,
        addition.title,
        tier,
        rule,
        effective(life, MemoryUsage(), desk.now, desk.limits).expires,
        similar=findings.similar,
        written=() if dry_run else (path,),
    )


def _merge(addition: Addition, double: Double, rule: str, desk: Desk, *, dry_run: bool) -> Added:
    """Refresh the memory's clock, unite the tags, keep the more durable tier and the first text."""
    known = double.neighbour
    tier = min(Tier(known.tier), addition.tier or Tier.T2)
    changes = _changes(addition, double, tier, desk.now) if double.memory.editable else {}
    written: list[str] = []
    if not dry_run:
        if not double.identical:
            written += _keep_incoming(addition, double, desk)
        if changes:
            place = desk.vault.root / known.path
            files.replace(place, edit(double.data, changes), files.content_hash(double.data))
            written.append(known.path)
        UsageLog(desk.usage).append(Recall(desk.now, ((known.id, double.match.cosine),), "add"))
    return Added(
        Operation.MERGED,
        known.id,
        known.path,
        known.title,
        tier,
        rule,
        _new_expiry(double, tier, desk),
        double.match,
        written=tuple(written),
    )


def _changes(
    addition: Addition, double: Double, tier: Tier, now: datetime
) -> dict[str, Value | None]:
    """The keys of the kept memory that become others."""
    changes: dict[str, Value | None] = {}
    has = double.memory.tags
    new = tuple(tag for tag in dict.fromkeys(addition.tags) if tag not in has)
    if new:
        changes["tags"] = (*has, *new)
    if tier < Tier(double.neighbour.tier):
        changes["tier"] = tier.value
        changes["tier_since"] = now
    if addition.pinned and not double.memory.pinned:
        changes["pinned"] = True
    return changes | {"updated": now} if changes else {}


def _keep_incoming(addition: Addition, double: Double, desk: Desk) -> list[str]:
    """Put the incoming text into the archive, pointing to the memory that it was merged into."""
    memory_id = new_id(int(epoch(desk.now) * 1000), desk.randomness)
    archive = VaultArchive(desk.vault)
    path = f"{slug(addition.title)}.md"
    file = archive.free_name(path, memory_id)
    entry = Entry(
        at=desk.now,
        id=memory_id,
        path=path,
        file=file,
        piece=Piece.INCOMING,
        reason=Reason.MERGED,
        into=double.neighbour.id,
        tier=addition.tier or Tier.T2,
    )
    data = render(_fields(addition, memory_id, desk.now), _body(addition.text))
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


def _fields(addition: Addition, memory_id: str, now: datetime) -> dict[str, Value]:
    """Front matter of a new file, in the order of the format."""
    optional: dict[str, Value | None] = {
        "category": addition.category or None,
        "importance": addition.importance,
        "pinned": True if addition.pinned else None,
        "session": addition.session or None,
    }
    return {
        "id": memory_id,
        "title": addition.title,
        "type": addition.type.value,
        "tier": (addition.tier or Tier.T2).value,
        "tags": addition.tags,
        "source": addition.source.value,
        "created": now,
        "updated": now,
    } | {key: value for key, value in optional.items() if value is not None}


def _body(text: str) -> str:
    """The text as it was given, with a line end at its end."""
    return text if text.endswith("\n") else f"{text}\n"

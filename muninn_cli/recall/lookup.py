"""Memories by name and by filter: what a handle means, what a vault lists, what belongs together.

Only reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.associations import weight_at
from muninn_cli.core.ids import short_id
from muninn_cli.core.suggestion import did_you_mean
from muninn_cli.core.times import epoch
from muninn_cli.errors import ConflictError, NotFoundError, UsageError
from muninn_cli.recall.hits import hit_of
from muninn_cli.store.index import rows as index

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import timedelta
    from pathlib import Path

    from muninn_cli.recall.query import Hit, Tools
    from muninn_cli.store.index.filters import Filters
    from muninn_cli.store.index.rows import Row
    from muninn_cli.store.vault import Vault

MOST_NAMED = 10
"""Memories that a message about an ambiguous handle names."""


class Together(NamedTuple):
    """A memory that is recalled together with another; `weight` is 0 to 1, as it is now."""

    hit: Hit
    weight: float
    inferred: bool


def resolve(handle: str, vaults: Sequence[Vault], tools: Tools, folder: Path) -> Row:
    """The one memory that a handle means.

    A handle is an id, a beginning or end of one that no other id shares, the path of a file
    (from `folder`, in its vault, or after the vault's name as lists show it), or a title, alias or
    file name. Live memories come before archived ones. Raises NotFoundError, UsageError, or
    ConflictError naming the candidates.
    """
    if not handle.strip():
        raise UsageError("no memory is named", "give an id, a path or a title")
    found = _at_path(handle, vaults, tools, folder) or _named(handle, vaults, tools)
    found = found or _in_vault(handle, vaults, tools)
    if not found:
        raise NotFoundError(f"no memory is called {handle!r}", _nearest(handle, vaults, tools))
    if len(found) > 1:
        raise ConflictError(f"{handle!r} may mean {len(found)} memories", _candidates(found))
    return found[0]


def listed(filters: Filters, tools: Tools, limit: int | None = None) -> Iterator[Hit]:
    """The memories that pass the filters, newest first; those without a date come last."""
    return map(
        hit_of, index.newest_rows(tools.connection, filters, now=epoch(tools.now), limit=limit)
    )


def expiring(vaults: Sequence[Vault], span: timedelta, tools: Tools) -> list[Hit]:
    """What will be hidden within a span if nobody uses it, the first to go first."""
    rows = index.expiring_rows(
        tools.connection,
        _numbers(vaults, tools),
        now=epoch(tools.now),
        until=epoch(tools.now + span),
    )
    return [hit_of(row) for row in rows]


def recalled_together(memory: Row, tools: Tools) -> list[Together]:
    """What is recalled together with a memory in its vault, strongest first."""
    found = index.associated(tools.connection, memory, now=epoch(tools.now))
    pairs = [
        Together(hit_of(row), weight_at(association, tools.now), association.inferred)
        for row, association in found
    ]
    return sorted(pairs, key=lambda pair: (-pair.weight, pair.hit.id))


def _at_path(handle: str, vaults: Sequence[Vault], tools: Tools, folder: Path) -> list[Row]:
    """The memory in the file that a path leads to."""
    try:
        file = (folder / handle).resolve(strict=True)
    except (OSError, ValueError):
        return []
    return [
        row
        for vault in vaults
        if file.is_relative_to(vault.root)
        for number in index.vault_numbers(tools.connection, [vault.id])
        for row in index.at_path(
            tools.connection,
            number,
            file.relative_to(vault.root).as_posix(),
            now=epoch(tools.now),
        )
    ]


def _in_vault(handle: str, vaults: Sequence[Vault], tools: Tools) -> list[Row]:
    """The memory at a path after the name of its vault."""
    name, _, path = handle.partition("/")
    return [
        row
        for vault in vaults
        if vault.name == name
        for number in index.vault_numbers(tools.connection, [vault.id])
        for row in index.at_path(tools.connection, number, path, now=epoch(tools.now))
    ]


def _named(handle: str, vaults: Sequence[Vault], tools: Tools) -> list[Row]:
    return index.named(tools.connection, handle, _numbers(vaults, tools), now=epoch(tools.now))


def _numbers(vaults: Sequence[Vault], tools: Tools) -> tuple[int, ...]:
    return index.vault_numbers(tools.connection, [vault.id for vault in vaults])


def _nearest(handle: str, vaults: Sequence[Vault], tools: Tools) -> str:
    names = index.names(tools.connection, _numbers(vaults, tools))
    return did_you_mean(handle, names) or "`muninn list` shows what there is"


def _candidates(found: Sequence[Row]) -> str:
    """The memories to choose from, one a line."""
    shown = [f"  {short_id(row.id)}  {row.vault_name}/{row.path}" for row in found[:MOST_NAMED]]
    more = [f"  and {len(found) - len(shown)} more"] if len(found) > len(shown) else []
    return "\n".join(("use one of", *shown, *more))

"""Finding an archived text by what a person calls it. Only reads."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.naming import slug
from muninn_cli.errors import ConflictError, NotFoundError
from muninn_cli.store.archive import VaultArchive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from muninn_cli.store.archive import Kept
    from muninn_cli.store.vault import Vault

MOST_NAMED = 10


class Archived(NamedTuple):
    """An archived text and its vault."""

    vault: Vault
    kept: Kept


def archived(vaults: Iterable[Vault]) -> list[Archived]:
    """Everything in the archives of some vaults."""
    return [Archived(vault, kept) for vault in vaults for kept in VaultArchive(vault).kept()]


def find_archived(handle: str, vaults: Sequence[Vault]) -> Archived:
    """The archived text that a handle means: `id`, `id~n`, a part of an id, a path or a title.

    Raises NotFoundError, or ConflictError naming the candidates.
    """
    everything = archived(vaults)
    for fits in _ways(handle):
        found = [one for one in everything if fits(one.kept)]
        if len(found) > 1:
            names = ", ".join(f"{one.kept.handle} ({one.kept.entry.path})" for one in found)
            message = f"{handle!r} may mean {len(found)} archived texts"
            raise ConflictError(message, f"use one of {names[:1000]}")
        if found:
            return found[0]
    raise NotFoundError(f"nothing archived is called {handle!r}", "see `muninn archive list`")


def _ways(handle: str) -> Iterable[Callable[[Kept], bool]]:
    """The ways to read a handle, the strictest first."""
    part, stem = handle.lower(), slug(handle.removesuffix(".md"))
    return (
        lambda kept: kept.handle == handle,
        lambda kept: handle in (kept.entry.path, kept.entry.file),
        lambda kept: kept.handle.lower().startswith(part) or kept.handle.lower().endswith(part),
        lambda kept: slug(PurePosixPath(kept.entry.path).stem) == stem,
    )

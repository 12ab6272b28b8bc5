"""Finding an archived text by what a person calls it. Only reads."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.ids import short_id
from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import read
from muninn_cli.core.naming import slug
from muninn_cli.core.words import fold
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
        found = [one for one in everything if fits(one)]
        if len(found) > 1:
            message = f"{handle!r} may mean {len(found)} archived texts"
            raise ConflictError(message, _candidates(found))
        if found:
            return found[0]
    raise NotFoundError(f"nothing archived is called {handle!r}", "see `muninn archive list`")


def _candidates(found: Sequence[Archived]) -> str:
    """The texts to choose from, one a line."""
    kept = [one.kept for one in found[:MOST_NAMED]]
    shown = [f"  {one.handle}  {one.entry.path}" for one in kept]
    more = [f"  and {len(found) - len(shown)} more"] if len(found) > len(shown) else []
    return "\n".join(("use one of", *shown, *more))


def _ways(handle: str) -> Iterable[Callable[[Archived], bool]]:
    """The ways to read a handle, the strictest first."""
    part, stem, title = handle.lower(), slug(handle.removesuffix(".md")), fold(handle).strip()
    return (
        lambda one: one.kept.handle == handle,
        lambda one: handle in (one.kept.entry.path, one.kept.entry.file),
        lambda one: _is_part(part, one.kept),
        lambda one: slug(PurePosixPath(one.kept.entry.path).stem) == stem,
        lambda one: title in _titles(one),
    )


def _is_part(part: str, kept: Kept) -> bool:
    """Whether a part, in lower case, begins or ends a handle, or begins its short form."""
    handle = kept.handle.lower()
    short = handle[len(kept.entry.id) - len(short_id(kept.entry.id)) :]
    return handle.endswith(part) or handle.startswith(part) or short.startswith(part)


def _titles(one: Archived) -> set[str]:
    """What an archived text calls itself, folded."""
    entry = one.kept.entry
    memory = read(VaultArchive(one.vault).place(entry.file).read_bytes(), entry.path, "")
    return set(map(fold, (memory.title, *memory.aliases))) if isinstance(memory, Memory) else set()

"""What a person means by a memory or a vault that they name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.app import LOCK_PATIENCE
from muninn_cli.core.ids import short_id
from muninn_cli.core.times import epoch
from muninn_cli.errors import ConflictError, NotFoundError
from muninn_cli.recall.lookup import resolve
from muninn_cli.store.index.filters import State
from muninn_cli.store.index.rows import by_id, vault_numbers

if TYPE_CHECKING:
    from muninn_cli.app import App
    from muninn_cli.store.index.rows import Row
    from muninn_cli.store.vault import Vault


def some_vaults(app: App, named: str | None) -> tuple[Vault, ...]:
    """One vault, or all."""
    return app.vaults if named is None else (app.vault(named),)


def any_memory(app: App, handle: str, vault: str | None) -> Row:
    """The one memory that a handle means, archived ones too, in one vault or in all.

    What is not found is looked for again, once the index holds what others have just written.
    """
    vaults = some_vaults(app, vault)
    try:
        return resolve(handle, vaults, app.tools, app.world.cwd)
    except NotFoundError:
        app.sync(wait=LOCK_PATIENCE)
        return resolve(handle, vaults, app.tools, app.world.cwd)


def live_memory(app: App, handle: str, vault: str | None) -> Row:
    """The one memory that a handle means. Raises ConflictError where it is archived."""
    row = any_memory(app, handle, vault)
    if row.state is State.ARCHIVED:
        hint = f"muninn restore {short_id(row.id)}"
        raise ConflictError(f"{row.title!r} is archived", hint)
    return row


def with_id(app: App, vault: Vault, memory_id: str) -> Row | None:
    """The memory of a vault with exactly this id that is not archived, if there is one."""
    numbers = vault_numbers(app.index, [vault.id])
    return by_id(app.index, numbers[0], memory_id, now=epoch(app.now)) if numbers else None


def live_path(app: App, vault: Vault, memory_id: str) -> str | None:
    """Where the memory with this id lives, relative to its vault."""
    row = with_id(app, vault, memory_id)
    return row.path if row else None

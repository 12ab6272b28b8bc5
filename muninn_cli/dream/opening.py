"""Opens what a dream works with: the index in step with the files, a snapshot, and the tools.

Nothing here changes a vault. Providers are opened where a vault that dreams may be shown to one,
and nothing is sent to any.
"""

from __future__ import annotations

from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import read
from muninn_cli.core.terms import Kind
from muninn_cli.core.trust import VaultTrust, vault_trust
from muninn_cli.core.usage import Recall, recalls_since
from muninn_cli.dream.snapshot import take_snapshot
from muninn_cli.dream.state import remembered
from muninn_cli.dream.tools import Tools
from muninn_cli.rendering import Templates
from muninn_cli.store.files import content_hash
from muninn_cli.store.index.connection import WRITER_PATIENCE, open_reader
from muninn_cli.store.usage import UsageLog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from muninn_cli.config import Settings
    from muninn_cli.core.changes import Ref
    from muninn_cli.dream.snapshot import Snapshot
    from muninn_cli.dream.surroundings import Surroundings
    from muninn_cli.paths import Home
    from muninn_cli.providers.base import Deadline, Provider
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.vault import Vault

REVIEW_SHIPPED, REVIEW_OTHER = 0.75, 0.85
"""Likeness from which memories are judged: for the shipped model, and for any other."""
_SHIPPED = "builtin"


@dataclass(frozen=True, slots=True)
class Opened:
    """The index as it is now, and what it and the state say; `vaults` can be read, by id."""

    connection: Connection
    snapshot: Snapshot
    vaults: Mapping[str, Vault]


@contextmanager
def opened(around: Surroundings, home: Home, chosen: str | None = None) -> Iterator[Opened]:
    """The index of `home` in step with the files, and a snapshot of all vaults or of one (an id).

    A vault that cannot be read is named and left out.
    """
    failed = _synced(around, home)
    vaults = [vault for vault in around.vaults if vault.name not in failed]
    dreaming = [vault for vault in vaults if chosen in (None, vault.id)]
    with closing(open_reader(home.index_db)) as connection:
        snapshot = take_snapshot(
            connection,
            dreaming,
            remembered(home, dreaming),
            around.now,
            silent=around.silent,
        )
        yield Opened(connection, snapshot, {vault.id: vault for vault in vaults})


def _synced(around: Surroundings, home: Home) -> set[str]:
    """Bring the index in step; returns the names of the vaults that could not be read whole."""
    from muninn_cli.embedding import word_vectors
    from muninn_cli.store.sync import sync

    with around.progress("Indexing") as progress:
        report = sync(
            home,
            around.vaults,
            settings=around.settings,
            embedder=around.embedder,
            word_vectors=word_vectors,
            now=around.now,
            progress=progress,
            wait=WRITER_PATIENCE,
        )
    for failure in report.failures:
        around.notify(f"{failure.vault}: {failure.cause}")
    for notice in report.notices:
        around.notify(notice)
    return {failure.vault for failure in report.failures}


def tools_for(
    opened: Opened,
    around: Surroundings,
    home: Home,
    *,
    providers: Sequence[Provider],
    deadline: Deadline,
    model_deadline: Deadline,
    progress: Callable[[str, int, int], None],
) -> Tools:
    """The tools of a dream over what is opened."""
    return Tools(
        index=home.index_db,
        connection=opened.connection,
        read=_Reader(opened).read,
        recalls=lambda vault: _recalls(home, opened.snapshot, vault),
        search=around.search,
        settings=around.settings,
        review_at=review_bound(around.settings),
        deadline=deadline,
        model_deadline=model_deadline,
        providers=providers,
        trust=trusts(around),
        templates=Templates(around.home.templates),
        progress=progress,
        notify=around.notify,
    )


def review_bound(settings: Settings) -> float:
    """`dream.review_at`; where that is auto, the bound that fits the embedder."""
    stated = settings.dream.review_at
    if stated is not None:
        return stated
    return REVIEW_SHIPPED if settings.embedding.model == _SHIPPED else REVIEW_OTHER


def trusts(around: Surroundings) -> dict[str, VaultTrust]:
    """Who may see each vault, by the vault's id."""
    return {
        vault.id: vault_trust(
            vault.name, vault.kind, around.settings.trust.of(vault.kind), vault.denied
        )
        for vault in around.vaults
    }


def open_models(around: Surroundings, snapshot: Snapshot) -> tuple[Provider, ...]:
    """The providers in their order; none where no vault dreams. Nothing is sent to any."""
    if not snapshot.vaults:
        return ()
    from muninn_cli.providers import open_providers

    return open_providers(around.settings.providers, around.env)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads memories as the index saw them."""

    opened: Opened

    def read(self, ref: Ref) -> Memory | None:
        facts, vault = self.opened.snapshot.facts.get(ref), self.opened.vaults.get(ref.vault)
        if facts is None or vault is None or vault.kind is Kind.LEGAL:
            return None
        try:
            data = (vault.root / facts.path).read_bytes()
        except OSError:
            return None
        memory = read(data, facts.path, vault.id_name)
        unchanged = content_hash(data).hex() == facts.hash
        return memory if unchanged and isinstance(memory, Memory) else None


def _recalls(home: Home, snapshot: Snapshot, vault: str) -> list[Recall]:
    events, _ = UsageLog(home.usage(vault)).read()
    return recalls_since(events, snapshot.vaults[vault].last_dream)

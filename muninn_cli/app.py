"""The composition root: opens what one command needs, when it needs it, and owns the clock."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from muninn_cli.config import ConfigFile, Settings, read_config, settings_from
from muninn_cli.core.usage import is_silent
from muninn_cli.errors import MuninnError
from muninn_cli.paths import Home, find_home
from muninn_cli.store.registry import default_vault, registered
from muninn_cli.store.seen import Seen
from muninn_cli.store.usage import UsageLog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from muninn_cli.core.tiers import Limits
    from muninn_cli.embedding import Embedder
    from muninn_cli.recall.query import Hit, Tools
    from muninn_cli.remember.add import Desk
    from muninn_cli.store.config_file import MadeHome
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.index.rows import Row
    from muninn_cli.store.index.troubles import Trouble
    from muninn_cli.store.registration import Registrar
    from muninn_cli.store.sync import SyncReport
    from muninn_cli.store.vault import Vault
    from muninn_cli.world import World

    Progress = Callable[[int, int], None]


LOCK_PATIENCE = 30.0
"""Seconds to wait for another muninn that writes into the same vault."""


class App:
    """What the use cases work on.

    `notify` tells a person something beside the data; `progress` gives, under a label, what to
    tell how much of long work is done.
    """

    def __init__(
        self,
        world: World,
        notify: Callable[[str], None],
        progress: Callable[[str], AbstractContextManager[Progress]],
    ) -> None:
        self.world = world
        self.notify = notify
        self.progress = progress

    @cached_property
    def home(self) -> Home:
        return find_home(self.world.env, self.world.user_home, self.world.cwd)

    @cached_property
    def config(self) -> ConfigFile:
        """config.toml as it is; empty where there is none."""
        return read_config(self.home.config)

    @cached_property
    def settings(self) -> Settings:
        return settings_from(self.config, self.world.env)

    @cached_property
    def vaults(self) -> tuple[Vault, ...]:
        """Every vault on the list; a first one is made where there is no home yet."""
        _ = self.settings  # a setting that is wrong is told before anything is done
        self.make_home()
        return registered(self.config, self.home, self.world.user_home)

    def vault(self, named: str | None = None) -> Vault:
        """The vault that a command means."""
        world = self.world
        return default_vault(self.vaults, named, world.env, world.cwd, self.settings)

    @property
    def registrar(self) -> Registrar:
        """Changes the list of vaults."""
        from muninn_cli.store.registration import Registrar

        _ = self.vaults  # a list that is changed must be there
        return Registrar(self.home, self.world)

    def make_home(self, *, git: bool = True) -> MadeHome | None:
        """Make the home folder where there is none; None where it was there."""
        if self.config.exists:
            return None
        from muninn_cli.store.config_file import ensure_home

        made = ensure_home(self.home, self.world, git=git and self.settings.git.auto)
        vars(self).pop("config")
        if made and made.notice:
            self.notify(made.notice)
        return made

    @cached_property
    def now(self) -> datetime:
        """The time of this command, as far as it can be believed.

        After a silence of more than 60 days it is that of the newest event: neither a wrong clock
        nor a long leave may hide or expire anything.
        """
        now, newest = self.world.now(), self.newest_event
        return newest if newest is not None and is_silent(newest, now) else now

    @cached_property
    def newest_event(self) -> datetime | None:
        """The newest thing that muninn saw happen; None on a first day."""
        logs = [UsageLog(self.home.usage(vault.id)) for vault in self.vaults]
        seen = [Seen(self.home.seen(vault.id)) for vault in self.vaults]
        now = self.world.now()
        return max(filter(None, (log.newest(now) for log in (*logs, *seen))), default=None)

    @property
    def silent(self) -> bool:
        """Whether nothing may expire and no recall be noted."""
        return self.now < self.world.now()

    @cached_property
    def limits(self) -> Limits:
        from muninn_cli.core.tiers import Limits

        tiers = self.settings.tiers
        return Limits(tiers.t1_days, tiers.t2_days, tiers.t3_days, tiers.promote_after)

    @cached_property
    def embedder(self) -> Embedder:
        from muninn_cli.embedding import open_embedder

        return open_embedder(self.settings.embedding.model, self.home.root)

    def sync(self, *, accept_losses: bool = False, anew: bool = False) -> SyncReport:
        """Bring the index in step with files and state; `anew` throws it away first."""
        from muninn_cli.embedding import word_vectors
        from muninn_cli.store.sync import sync

        with self.progress("Indexing") as progress:
            return sync(
                self.home,
                self.vaults,
                settings=self.settings,
                embedder=lambda: self.embedder,
                word_vectors=word_vectors,
                now=self.now,
                progress=progress,
                accept_losses=accept_losses,
                anew=anew,
            )

    def troubles(self) -> list[Trouble]:
        """What is wrong in files, as the index has it."""
        from muninn_cli.store.index.connection import open_reader
        from muninn_cli.store.index.troubles import troubles

        return list(troubles(open_reader(self.home.index_db)))

    @cached_property
    def index(self) -> Connection:
        """The index, in step with the files, for reading."""
        from muninn_cli.store.index.connection import open_reader

        report = self.sync()
        for failure in report.failures:
            self.notify(f"{failure.vault}: {failure.cause}")
        for notice in report.notices:
            self.notify(notice)
        return open_reader(self.home.index_db)

    @property
    def tools(self) -> Tools:
        """What recall works with."""
        from muninn_cli.core.words import Stems, stop_words
        from muninn_cli.recall.query import Tools

        languages = self.settings.search.languages
        return Tools(
            connection=self.index,
            embedder=lambda: self.embedder,
            stems=Stems(languages),
            stop_words=stop_words(languages),
            now=self.now,
        )

    def resolve(self, handle: str, vault: str | None = None) -> Row:
        """The one memory that a handle means, in one vault or in all."""
        from muninn_cli.recall.lookup import resolve

        vaults = self.vaults if vault is None else (self.vault(vault),)
        return resolve(handle, vaults, self.tools, self.world.cwd)

    def desk(self, vault: Vault, *, force: bool) -> Desk:
        """What adding to a vault works with; with `force` no duplicate is looked for."""
        from muninn_cli.core.likeness import Bounds
        from muninn_cli.remember.add import Desk
        from muninn_cli.remember.duplicates import Shelf
        from muninn_cli.store.index.neighbours import vault_number

        number = None if force else vault_number(self.index, vault.id)
        add = self.settings.add
        bounds = Bounds(add.duplicate_durable, add.duplicate_base, add.duplicate_ephemeral)
        shelf = number and Shelf(
            vault, number, self.index, self.embedder, bounds, add.similar_at, self.world.now()
        )
        usage = self.home.usage(vault.id)
        return Desk(
            vault, usage, self.limits, self.world.now(), self.world.randomness(10), shelf or None
        )

    def note_recall(self, hits: Sequence[Hit], via: str) -> None:
        """Log that memories were shown; not in silence, and never at the price of the answer."""
        from muninn_cli.core.events import Recall

        if self.silent:
            return
        shown: dict[str, list[tuple[str, float]]] = {}
        for hit in hits:
            shown.setdefault(hit.vault_id, []).append((hit.id, hit.score or 1.0))
        try:
            for vault_id, scores in shown.items():
                recall = Recall(self.world.now(), tuple(scores), via)
                UsageLog(self.home.usage(vault_id)).append(recall)
        except MuninnError as error:
            self.notify(f"the recall was not noted: {error.message}")

    @contextmanager
    def locked(self, name: str) -> Iterator[None]:
        """Hold one of muninn's locks. Raises BusyError, which names the holder."""
        from muninn_cli.store.lock import hold

        world = self.world
        lock = self.home.lock(name)
        with hold(
            lock, now=world.now(), host=world.host, pid=world.pid, wait=LOCK_PATIENCE
        ) as taken:
            if taken.notice:
                self.notify(taken.notice)
            yield

    def commit(self, vault: Vault, paths: Iterable[str], message: str) -> None:
        """Commit what a command wrote into a vault that is kept in git."""
        from muninn_cli.store import history

        entry = history.Entry(vault.id, tuple(paths), message)
        if not vault.git or not entry.paths:
            return
        with self.locked("commits"):
            history.note(self.home.pending_commits, entry)
            warning = history.commit(self.home.pending_commits, vault.id, vault.root)
        if warning:
            self.notify(warning)

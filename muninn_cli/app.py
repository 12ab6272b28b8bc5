"""The composition root: opens what one command needs, when it needs it, and owns the clock."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from muninn_cli.config import ConfigFile, Settings, read_config, settings_from
from muninn_cli.core.silence import is_silent
from muninn_cli.errors import BusyError, MuninnError, NotFoundError
from muninn_cli.paths import Home, find_home
from muninn_cli.store.presence import newest_event, seen_lately
from muninn_cli.store.registry import default_vault, registered
from muninn_cli.store.unfinished import has_unfinished_run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from muninn_cli.core.tiers import Limits
    from muninn_cli.dream.surroundings import Surroundings
    from muninn_cli.embedding import Embedder
    from muninn_cli.recall.query import Hit, Tools
    from muninn_cli.store.config_file import MadeHome
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.registration import Registrar
    from muninn_cli.store.runs import Runs
    from muninn_cli.store.scout import Scout
    from muninn_cli.store.sync import SyncReport
    from muninn_cli.store.vault import Vault
    from muninn_cli.world import World

    Progress = Callable[[int, int], None]

LOCK_PATIENCE = 60.0
"""Seconds to wait for another muninn that writes into the same vault."""
INDEX_PATIENCE = 20.0
"""Seconds that who holds a vault waits for another muninn that writes the index."""


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
        scout: Scout | None = None,
    ) -> None:
        self.world = world
        self.scout = scout
        self.notify = notify
        self.progress = progress
        self.patience = 0.0  # seconds to wait for the index; 0: as long as a reader does

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
        return default_vault(self.vaults, named, self.world.env, self.world.cwd, self.settings)

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
    def time(self) -> datetime:
        """When this command began; all it writes bears this time."""
        return self.world.now()

    @cached_property
    def now(self) -> datetime:
        """The time by which memories age, as far as the clock can be believed.

        After a silence of more than 60 days it is that of the newest event: neither a wrong clock
        nor a long leave may hide or expire anything.
        """
        return self.newest_event if self.silent and self.newest_event else self.time

    @cached_property
    def newest_event(self) -> datetime | None:
        """The newest thing that muninn saw happen; None on a first day."""
        return newest_event(self.home, self.vaults, self.time)

    @cached_property
    def silent(self) -> bool:
        """Whether nothing may expire and no recall be noted."""
        lately = seen_lately(self.home, self.vaults, self.time)
        return not lately and is_silent(self.newest_event, self.time)

    @cached_property
    def limits(self) -> Limits:
        from muninn_cli.core.tiers import Limits

        tiers = self.settings.tiers
        return Limits(tiers.t1_days, tiers.t2_days, tiers.t3_days, tiers.promote_after)

    @cached_property
    def embedder(self) -> Embedder:
        from muninn_cli.embedding import open_embedder

        return open_embedder(self.settings.embedding.model, self.home.root)

    def sync(self, **options: Any) -> SyncReport:
        """Bring the index in step with files and state: wait, accept_losses, anew as in `sync`."""
        from muninn_cli.embedding import word_vectors
        from muninn_cli.store.sync import sync

        options = ({"wait": self.patience} if self.patience else {}) | options
        with self.progress("Indexing") as progress:
            return sync(
                self.home,
                self.vaults,
                settings=self.settings,
                embedder=lambda: self.embedder,
                word_vectors=word_vectors,
                now=self.now,
                progress=progress,
                **options,
            )

    @cached_property
    def index(self) -> Connection:
        """The index, in step with the files, for reading."""
        from muninn_cli.store.index.connection import open_reader

        if has_unfinished_run(self.home.runs):
            _ = self.runs  # rolls it back
            self.scout = None  # what it saw is no longer so
        report = self.sync(scout=self.scout)
        if report.added and self._end_torn_moves():
            report = self.sync()
        for told in (*(f"{each.vault}: {each.cause}" for each in report.failures), *report.notices):
            self.notify(told)
        return open_reader(self.home.index_db)

    def _end_torn_moves(self) -> bool:
        """End moves that a crash left in the middle; whether there were any."""
        from muninn_cli.forget.torn_moves import end_torn_moves

        return end_torn_moves(self.home, self.vaults, self.world, self.time, self.commit)

    @property
    def tools(self) -> Tools:
        """What recall works with."""
        return self._tools_over(self.index)

    def _tools_over(self, connection: Connection) -> Tools:
        from muninn_cli.core.words import Stems, stop_words
        from muninn_cli.recall.query import Tools

        languages = self.settings.search.languages
        return Tools(
            connection=connection,
            embedder=lambda: self.embedder,
            stems=Stems(languages),
            stop_words=stop_words(languages),
            now=self.now,
        )

    @property
    def surroundings(self) -> Surroundings:
        """What a dream is given; nothing is synced or rolled back by this alone."""
        from muninn_cli.dream.surroundings import Surroundings
        from muninn_cli.recall.found import found_in

        return Surroundings(
            home=self.home,
            vaults=self.vaults,
            settings=self.settings,
            env=self.world.env,
            host=self.world.host,
            pid=self.world.pid,
            time=self.time,
            now=self.now,
            silent=self.silent,
            limits=self.limits,
            runs=lambda: self.runs,
            embedder=lambda: self.embedder,
            search=lambda connection, text, vault, limit: found_in(
                vault, text, limit, self.settings.search, self._tools_over(connection)
            ),
            notify=self.notify,
            progress=self.progress,
        )

    @cached_property
    def runs(self) -> Runs:
        """What touches several memories at once, after rolling back what a crash left."""
        from muninn_cli.store.runs import Runs

        runs = Runs(self.home, self.vaults, self.world.host, self.world.pid)
        for receipt in runs.recover(self.time):
            self.notify(receipt.recovery)
            for left in receipt.left:
                self.notify(f"{left.name}: {left.why}")
        return runs

    def end_silence(self) -> None:
        """A person says that the clock is right: what has expired may go from now on."""
        from muninn_cli.core.events import Present
        from muninn_cli.store.usage import UsageLog

        if not self.silent:
            return
        for vault in self.vaults:
            UsageLog(self.home.usage(vault.id)).append(Present(self.time))
        for name in ("now", "newest_event", "silent", "index"):
            vars(self).pop(name, None)

    def note_recall(self, hits: Sequence[Hit], via: str) -> None:
        """Log that memories were shown; not in silence, and never at the price of the answer."""
        from muninn_cli.recall.shown import recall_events
        from muninn_cli.store.usage import UsageLog

        if self.silent:
            return
        try:
            for vault_id, recall in recall_events(hits, self.time, via).items():
                UsageLog(self.home.usage(vault_id)).append(recall)
        except MuninnError as error:
            self.notify(f"the recall was not noted: {error.message}")

    @contextmanager
    def locked(self, name: str, wait: float = LOCK_PATIENCE) -> Iterator[None]:
        """Hold one of muninn's locks. Raises BusyError, which names the holder."""
        from muninn_cli.store.lock import hold

        lock, world = self.home.lock(name), self.world
        with hold(lock, now=self.time, host=world.host, pid=world.pid, wait=wait) as taken:
            if taken.notice:
                self.notify(taken.notice)
            yield

    @contextmanager
    def writing(self, vault: Vault) -> Iterator[None]:
        """Write into a vault, alone. Raises NotFoundError where its folder is gone, BusyError."""
        if not vault.root.is_dir():
            message = f"the vault {vault.name} is not there: {vault.root}"
            raise NotFoundError(message, f"muninn vault remove {vault.name}")
        self.patience = INDEX_PATIENCE  # who writes must know what others have just written
        with self.locked(f"vault-{vault.id}"):
            yield

    def commit(self, vault: Vault, paths: Iterable[str], message: str) -> None:
        """Commit what a command wrote into a vault that is kept in git."""
        from muninn_cli.store import history

        entry = history.Entry(vault.id, tuple(paths), message)
        if not vault.git or not entry.paths:
            return
        history.note(self.home.pending_commits, entry)
        try:
            with self.locked("commits"):
                warning = history.commit(self.home.pending_commits, vault.id, vault.root)
        except BusyError as busy:
            warning = f"not committed in {vault.root} yet: {busy.message}"
        if warning:
            self.notify(warning)

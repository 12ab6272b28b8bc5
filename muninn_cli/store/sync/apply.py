"""Applying a difference to the index: settings, usage, files, and last what chunks still want.

The caller holds the lock, so this is the only process that writes what comes from files. What
only files need is loaded only for files: most often nothing but usage has changed.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from muninn_cli.core.tiers import Limits
from muninn_cli.errors import MuninnError
from muninn_cli.store.index import lives
from muninn_cli.store.index.connection import has_vec0
from muninn_cli.store.sync.report import FileProblem, SyncReport, VaultFailure
from muninn_cli.store.sync.survey import failures, wants_engine
from muninn_cli.store.usage import UsageLog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime

    from muninn_cli.config import Settings
    from muninn_cli.paths import Home
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.index.filling import Embedder
    from muninn_cli.store.index.word_table import WordVectors
    from muninn_cli.store.sync.survey import Difference, Survey
    from muninn_cli.store.sync.vault import Tools

_BATCH = 400
_YES = "if they are meant to be gone: muninn sync --yes"


class Application:
    """One difference, applied once; what happens is gathered for the report."""

    def __init__(
        self,
        connection: Connection,
        difference: Difference,
        *,
        home: Home,
        settings: Settings,
        embedder: Callable[[], Embedder],
        word_vectors: WordVectors,
        now: datetime,
        progress: Callable[[int, int], None],
    ) -> None:
        self._connection = connection
        self._difference = difference
        self._home = home
        self._settings = settings
        self._embedder = embedder
        self._word_vectors = word_vectors
        self._now = now
        self._progress = progress
        tiers = settings.tiers
        self._limits = Limits(tiers.t1_days, tiers.t2_days, tiers.t3_days, tiers.promote_after)
        self._failures = list(failures(difference))
        self._notices: list[str] = []
        self._problems: list[FileProblem] = []
        self._added = self._changed = self._moved = self._removed = 0

    @cached_property
    def _tools(self) -> Tools:
        """What files are put into the index with."""
        from muninn_cli.core.words import Stems
        from muninn_cli.store.index.memories import Memories
        from muninn_cli.store.index.word_table import WordTable
        from muninn_cli.store.sync.vault import Tools

        stems = Stems(self._settings.search.languages)
        words = WordTable(self._connection, stems, self._word_vectors)
        memories = Memories(self._connection, words)
        return Tools(
            self._connection, memories, self._home, self._now, self._limits, self._progress
        )

    def run(self, *, accept_losses: bool) -> SyncReport:
        """Apply everything. Raises apsw errors; what was committed before stays."""
        self._settle()
        self._connection.settle_on_close(not self._difference.is_usage_only)
        for survey in self._difference.surveys:
            num = self._enter(survey)
            self._take_in_usage(survey, num)
            if survey.differing or survey.vanished:
                self._sync_files(survey, num, accept_losses=accept_losses)
        for row in self._difference.removed:
            self._remove_vault(row.num)
        self._set_meta({"limits": self._difference.wanted["limits"]})
        self._fill()
        return SyncReport(
            self._added,
            self._changed,
            self._moved,
            self._removed,
            tuple(self._problems),
            tuple(self._failures),
            tuple(self._notices),
        )

    def _settle(self) -> None:
        """Note what must be true before the first row is written."""
        changes = {"languages": self._difference.wanted["languages"]}
        if self._connection.exact_scan and not has_vec0(self._connection):
            changes["engine"] = "scan"  # the table of vec0 gets out of date from here on
        self._set_meta(changes)

    def _set_meta(self, values: dict[str, str]) -> None:
        if not values.items() <= self._difference.meta.items():
            save = "INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)"
            with self._connection.writing():
                self._connection.executemany(save, list(values.items()))

    def _enter(self, survey: Survey) -> int:
        """Write the row of a vault where it says something else; returns its number."""
        vault = survey.vault
        if survey.row is None or not survey.row.describes(vault):
            row = (vault.id, vault.name, vault.kind, vault.managed, vault.ages)
            with self._connection.writing():
                self._connection.execute(_ENTER_VAULT, row)
        return int(self._connection.value("SELECT num FROM vault WHERE id = ?", (vault.id,)))

    def _take_in_usage(self, survey: Survey, num: int) -> None:
        """Fold what is new in the log; all memories age anew where the rules of age changed."""
        if survey.used:
            log = UsageLog(self._home.usage(survey.vault.id))
            with self._connection.writing():
                self._refresh(lives.fold_log(self._connection, num, log, self._now))
        row = survey.row
        if row and (row.ages != survey.vault.ages or self._difference.has_changed("limits")):
            for batch in self._numbers("memory", num):
                with self._connection.writing():
                    self._refresh(batch)

    def _refresh(self, numbers: Iterable[int]) -> None:
        lives.refresh(self._connection, numbers, self._now, self._limits)

    def _numbers(self, table: str, vault: int) -> Iterator[Sequence[int]]:
        """The numbers of all rows of a vault, in batches."""
        query = f"SELECT num FROM {table} WHERE vault = ?"
        numbers = [row[0] for row in self._connection.execute(query, (vault,))]
        for start in range(0, len(numbers), _BATCH):
            yield numbers[start : start + _BATCH]

    def _sync_files(self, survey: Survey, num: int, *, accept_losses: bool) -> None:
        from muninn_cli.store.sync.plan import TooManyGoneError, make_plan
        from muninn_cli.store.sync.vault import VaultSync

        vault = survey.vault
        try:
            plan = make_plan(self._connection, survey, num, accept_losses=accept_losses)
        except TooManyGoneError as error:
            self._failures.append(VaultFailure(vault.name, f"{vault.root}: {error}", _YES))
            return
        self._problems += VaultSync(self._tools, survey, num, plan).run()
        self._added += plan.added
        self._changed += plan.changed
        self._moved += plan.moved
        self._removed += len(plan.remove)

    def _remove_vault(self, num: int) -> None:
        for batch in self._numbers("file", num):
            with self._connection.writing():
                self._tools.memories.remove(batch)
        with self._connection.writing():
            self._tools.memories.drop_unused_words()
            for table, column in _OF_VAULT:
                self._connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (num,))

    def _fill(self) -> None:
        """Give chunks their vectors; without an embedder they wait, and full text answers."""
        connection, progress = self._connection, self._progress
        new = self._difference.has_changed("model") or wants_engine(connection)
        if not new and connection.value("SELECT 1 FROM chunk WHERE stage < 2 LIMIT 1") is None:
            return
        from muninn_cli.store.index import filling

        if new or filling.wants_vectors(connection):
            try:
                embedder = self._embedder()
            except MuninnError as error:
                self._notices.append(f"{error.message}: only full text can be searched")
                return
            filling.adopt(connection, embedder, self._settings.embedding.model)
            filling.embed(connection, embedder, progress)
        filling.mix(connection, progress)


_ENTER_VAULT = """
    INSERT INTO vault(id, name, kind, managed, ages) VALUES(?, ?, ?, ?, ?)
    ON CONFLICT(id) DO UPDATE SET name = excluded.name, kind = excluded.kind,
        managed = excluded.managed, ages = excluded.ages"""
_OF_VAULT = (
    ("folder", "vault"),
    ("usage", "vault"),
    ("association", "vault"),
    ("vault", "num"),
)

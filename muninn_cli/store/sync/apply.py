"""Applying a difference to the index: settings, vaults, files, and last what chunks still want.

The caller holds the lock, so this is the only process that writes what comes from files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.core.tiers import Limits
from muninn_cli.core.words import Stems
from muninn_cli.errors import MuninnError
from muninn_cli.store.index import filling, lives
from muninn_cli.store.index.connection import has_vec0
from muninn_cli.store.index.memories import Memories
from muninn_cli.store.index.word_table import WordTable
from muninn_cli.store.sync.plan import TooManyGoneError, make_plan
from muninn_cli.store.sync.report import FileProblem, SyncReport, VaultFailure
from muninn_cli.store.sync.survey import failures
from muninn_cli.store.sync.vault import Tools, VaultSync
from muninn_cli.store.usage import UsageLog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from muninn_cli.config import Settings
    from muninn_cli.paths import Home
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.index.filling import Embedder
    from muninn_cli.store.index.word_table import WordVectors
    from muninn_cli.store.sync.survey import Difference, Survey
    from muninn_cli.store.vault import Vault

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
        self._settings = settings
        self._embedder = embedder
        self._words = WordTable(connection, Stems(settings.search.languages), word_vectors)
        tiers = settings.tiers
        self._tools = Tools(
            connection,
            Memories(connection, self._words),
            home,
            now,
            Limits(tiers.t1_days, tiers.t2_days, tiers.t3_days, tiers.promote_after),
            progress,
        )
        self._failures = list(failures(difference))
        self._notices: list[str] = []
        self._problems: list[FileProblem] = []
        self._added = self._changed = self._moved = self._removed = 0

    def run(self, *, accept_losses: bool) -> SyncReport:
        """Apply everything. Raises apsw errors; what was committed before stays."""
        self._settle()
        for survey in self._difference.surveys:
            if not survey.is_clean or self._difference.has_changed("limits"):
                self._sync_vault(survey, accept_losses=accept_losses)
        for row in self._difference.removed:
            self._remove_vault(row.num)
        with self._connection.writing():
            self._words.drop_unused()
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
        with self._connection.writing():
            self._set_meta(changes)

    def _set_meta(self, values: dict[str, str]) -> None:
        save = "INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)"
        self._connection.executemany(save, list(values.items()))

    def _sync_vault(self, survey: Survey, *, accept_losses: bool) -> None:
        vault = survey.vault
        num = self._enter(vault)
        self._take_in_usage(survey, num)
        try:
            plan = make_plan(self._connection, survey, num, accept_losses=accept_losses)
        except TooManyGoneError as error:
            self._failures.append(VaultFailure(vault.name, f"{vault.root}: {error}", _YES))
            return
        work = VaultSync(self._tools, survey, num, plan)
        work.run()
        self._problems += work.problems
        self._added += plan.added
        self._changed += plan.changed
        self._moved += plan.moved
        self._removed += len(plan.remove)

    def _enter(self, vault: Vault) -> int:
        """Write the row of a vault; returns its number."""
        row = (vault.id, vault.name, vault.kind, vault.managed, vault.ages)
        with self._connection.writing():
            self._connection.execute(_ENTER_VAULT, row)
        return int(self._connection.value("SELECT num FROM vault WHERE id = ?", (vault.id,)))

    def _take_in_usage(self, survey: Survey, num: int) -> None:
        """Fold what is new in the log; all memories age anew where the rules of age changed."""
        log = UsageLog(self._tools.home.usage(survey.vault.id))
        row = survey.row
        with self._connection.writing():
            touched = lives.fold_log(self._connection, num, log, self._tools.now)
            self._refresh(touched)
        if row and (row.ages != survey.vault.ages or self._difference.has_changed("limits")):
            query = "SELECT num FROM memory WHERE vault = ?"
            numbers = [row[0] for row in self._connection.execute(query, (num,))]
            for batch in _batches(numbers):
                with self._connection.writing():
                    self._refresh(batch)

    def _refresh(self, numbers: Sequence[int] | set[int]) -> None:
        lives.refresh(self._connection, numbers, self._tools.now, self._tools.limits)

    def _remove_vault(self, num: int) -> None:
        query = "SELECT num FROM file WHERE vault = ?"
        numbers = [row[0] for row in self._connection.execute(query, (num,))]
        for batch in _batches(numbers):
            with self._connection.writing():
                self._tools.memories.remove(batch)
        with self._connection.writing():
            for table, column in _OF_VAULT:
                self._connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (num,))

    def _fill(self) -> None:
        """Give chunks their vectors; without an embedder they wait, and full text answers."""
        connection, progress = self._connection, self._tools.progress
        other_model = self._difference.has_changed("model")
        has_new_engine = connection.exact_scan and has_vec0(connection)
        if other_model or has_new_engine or filling.wants_vectors(connection):
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


def _batches(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(numbers), _BATCH):
        yield numbers[start : start + _BATCH]

"""A sync: the index is brought in step with the files and the state; files are never written.

When nothing has changed, no file is opened, no lock taken and nothing written. Otherwise one
process at a time writes; who would have to wait long answers from the committed state.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import apsw

from muninn_cli.errors import BusyError, MuninnError
from muninn_cli.store.index.connection import (
    READER_PATIENCE,
    WRITER_PATIENCE,
    UnusableError,
    make_empty,
    open_reader,
    open_writer,
)
from muninn_cli.store.sync.report import SyncReport
from muninn_cli.store.sync.survey import data_version, failures, look

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from muninn_cli.config import Settings
    from muninn_cli.paths import Home
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.index.filling import Embedder
    from muninn_cli.store.index.word_table import WordVectors
    from muninn_cli.store.scout import Scout
    from muninn_cli.store.sync.report import VaultFailure
    from muninn_cli.store.sync.survey import Difference
    from muninn_cli.store.vault import Vault

    Progress = Callable[[int, int], None]
    """Called with how much is done and how much there is to do."""

LOCK = "index"
_NOT_WRITTEN = (apsw.FullError, apsw.IOError, apsw.ReadOnlyError)


def sync(
    home: Home,
    vaults: Sequence[Vault],
    *,
    settings: Settings,
    embedder: Callable[[], Embedder],
    word_vectors: WordVectors,
    now: datetime,
    progress: Progress | None = None,
    wait: float = READER_PATIENCE,
    accept_losses: bool = False,
    anew: bool = False,
    scout: Scout | None = None,
) -> SyncReport:
    """Bring `home.index_db` in step with all vaults on the list; any other leaves the index.

    Writes below `home` only: a preview hands in a scratch home. Waits at most `wait` seconds for
    another writer. A vault of which more than half is gone at once stays as it was, unless
    `accept_losses`. `anew` throws the index away first. A `scout` may spare the walk. Raises
    MuninnError where there is no usable index and none can be made.
    """
    work = _Sync(
        home,
        vaults,
        settings,
        embedder,
        word_vectors,
        now,
        progress or _silently,
        wait,
        accept_losses,
        scout,
    )
    return work.start_anew("") if anew else work.run()


def _silently(done: int, total: int) -> None:
    """Progress that nobody watches."""


class _Sync(NamedTuple):
    """What one sync works with."""

    home: Home
    vaults: Sequence[Vault]
    settings: Settings
    embedder: Callable[[], Embedder]
    word_vectors: WordVectors
    now: datetime
    progress: Progress
    wait: float
    accept_losses: bool
    scout: Scout | None

    def run(self) -> SyncReport:
        failed: tuple[VaultFailure, ...] = ()
        try:
            with open_reader(self.home.index_db) as reader:
                difference = self._look(reader)
                failed = failures(difference)
                if difference.is_clean:
                    return SyncReport(failures=failed)
                return self._update(reader, difference)
        except (UnusableError, apsw.CorruptError, apsw.NotADBError) as error:
            return self.start_anew(str(error))
        except (BusyError, apsw.BusyError):
            cause = "another muninn is writing"
        except (MuninnError, *_NOT_WRITTEN) as error:
            cause = f"the index cannot be written ({error})"
        notice = f"{cause}: answers come from the index as it was"
        return SyncReport(failures=failed, notices=(notice,), complete=False)

    def start_anew(self, cause: str) -> SyncReport:
        """Fill an empty index, or go on with the one that another process made meanwhile."""
        index = self.home.index_db
        before = self._inode()
        with self._locked(max(self.wait, WRITER_PATIENCE)):
            if self._inode() == before:
                make_empty(index)
            try:
                with open_reader(index) as reader:
                    difference = self._look(reader)
                report = self._apply(difference)
            except (apsw.BusyError, *_NOT_WRITTEN) as error:
                raise MuninnError(f"{index}: the index cannot be written ({error})") from error
        if not cause or before is None:
            return report
        notice = f"{cause}: the index was made anew from the files"
        return report._replace(notices=(notice, *report.notices))

    def _look(self, reader: Connection) -> Difference:
        try:
            return look(reader, self.vaults, self.home, self.settings, self.scout)
        except (apsw.SQLError, UnicodeDecodeError, LookupError) as error:
            raise UnusableError(f"{self.home.index_db}: the index is damaged ({error})") from error

    def _update(self, reader: Connection, difference: Difference) -> SyncReport:
        """Apply a difference. Raises BusyError while another process does so."""
        with self._locked(self.wait):
            if data_version(reader) != difference.version:
                difference = self._look(reader)
            reader.close()  # so that the writer is the last to close, and empties its log
            if difference.other_languages:
                raise UnusableError("search.languages has changed")
            return self._apply(difference)

    def _apply(self, difference: Difference) -> SyncReport:
        from muninn_cli.store.sync.apply import Application

        with open_writer(self.home.index_db, self.wait) as writer:
            return Application(
                writer,
                difference,
                home=self.home,
                settings=self.settings,
                embedder=self.embedder,
                word_vectors=self.word_vectors,
                now=self.now,
                progress=self.progress,
            ).run(accept_losses=self.accept_losses)

    def _inode(self) -> int | None:
        try:
            return self.home.index_db.stat().st_ino
        except FileNotFoundError:
            return None

    @contextmanager
    def _locked(self, wait: float) -> Iterator[None]:
        from muninn_cli.store.lock import hold

        host, pid = os.uname().nodename, os.getpid()
        with hold(self.home.lock(LOCK), now=self.now, host=host, pid=pid, wait=wait):
            yield

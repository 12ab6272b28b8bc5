"""Opening the index: the one place that knows apsw, the vec0 extension and the pragmas.

The index is disposable: what cannot be used is replaced by an empty one and filled again from the
files and the state. Nothing here touches a vault or the state.
"""

from __future__ import annotations

import os
from contextlib import closing, contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

import apsw

from muninn_cli.errors import MuninnError
from muninn_cli.store.index import exact_scan
from muninn_cli.store.index.schema import APPLICATION_ID, SCHEMA_VERSION, TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WRITER_PATIENCE = 10.0
"""Seconds that a writer waits for another."""
READER_PATIENCE = 0.2
"""Seconds that a read waits for a writer before it answers from the committed state."""
_MAPPED_BYTES = 1 << 32
_CACHED_KIBIBYTES = 64 * 1024
_LEFT_LOGGED, _MOST_LOGGED = 1000, 10_000
"""Pages of a log that is left to the next process, which has to read it, and of one that is not."""
_BESIDE = ("-wal", "-shm")


class UnusableError(MuninnError):
    """The index is missing, damaged, or of another version: it has to be made anew."""

    code = "index"


class Connection(apsw.Connection):
    """A connection to the index; as a context, it is closed at the end.

    `exact_scan` is true where the table `vector` cannot be used, because the vec0 extension is
    missing or was while the index was last written.
    """

    exact_scan = True

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *failure: object) -> Literal[False]:
        self.close()
        return False

    def value(self, query: str, bindings: tuple[str | int, ...] = ()) -> Any:
        """The one value that a query gives; None where it gives no row."""
        row = self.execute(query, bindings).fetchone()
        return None if row is None else row[0]

    def settle_on_close(self, settle: bool) -> None:
        """Whether the last one to close brings the log into the file, which waits for the disk.

        Until then that happens seldom: a page that changes many times is written once.
        """
        self.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(not settle))
        self.wal_autocheckpoint(_MOST_LOGGED if settle else _LEFT_LOGGED)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """All reads inside see one state of the index, whatever others write meanwhile.

        Inside another transaction it is part of that.
        """
        if not self.get_autocommit():
            yield
            return
        self.execute("BEGIN")
        try:
            yield
        finally:
            self.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction that writes: all of it, or nothing. Raises apsw.BusyError."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            if not self.get_autocommit():
                self.execute("ROLLBACK")
            raise


def open_reader(path: Path) -> Connection:
    """Open the index for reading only; takes no lock. Raises UnusableError."""
    connection = _open(path, apsw.SQLITE_OPEN_READONLY, READER_PATIENCE)
    connection.execute(f"PRAGMA mmap_size = {_MAPPED_BYTES}").fetchall()
    return connection


def open_writer(path: Path, patience: float = WRITER_PATIENCE) -> Connection:
    """Open the index for writing, waiting `patience` seconds for others. Raises UnusableError."""
    connection = _open(path, apsw.SQLITE_OPEN_READWRITE, patience)
    connection.execute(f"PRAGMA synchronous = NORMAL; PRAGMA cache_size = -{_CACHED_KIBIBYTES}")
    connection.execute("PRAGMA journal_size_limit = 0").fetchall()
    connection.settle_on_close(False)
    return connection


def make_empty(path: Path) -> None:
    """Put a new, empty index in place of whatever is there, in one step.

    A process that still has the old one open goes on reading that.
    """
    fresh = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.unlink(missing_ok=True)
        _make(fresh)
        for suffix in _BESIDE:
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        fresh.replace(path)
    except (OSError, apsw.Error) as error:
        cause = error.strerror if isinstance(error, OSError) else error
        raise MuninnError(f"{path}: the index cannot be made: {cause}") from error


def copy_index(source: Path, target: Path) -> None:
    """Copy the committed state of an index to a new file.

    Raises UnusableError, and MuninnError where the disk has no room for it.
    """
    with closing(open_reader(source)) as reader:
        try:
            with (
                closing(apsw.Connection(str(target))) as copy,
                copy.backup("main", reader, "main") as backup,
            ):
                backup.step()
        except apsw.Error as error:  # of a full disk SQLite may only say "not an error"
            from shutil import disk_usage

            is_full = disk_usage(target.parent).free < source.stat().st_size
            cause = "the disk is full" if is_full else error
            raise MuninnError(f"{target}: the index cannot be copied: {cause}") from error


def scrub(path: Path) -> None:
    """Leave no trace of removed text in the file: neither in free pages nor in the log.

    Where that cannot be done, for want of space or since others are in the way, the index goes.
    """
    try:
        with open_writer(path) as connection:
            connection.execute("INSERT INTO fulltext(fulltext) VALUES('optimize')")
            connection.execute("VACUUM")
            is_clean = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0][0] == 0
    except (apsw.FullError, apsw.IOError, apsw.BusyError):
        is_clean = False
    if not is_clean:
        discard(path)


def discard(path: Path) -> None:
    """Remove the index; the next command makes it anew from the files and the state."""
    for suffix in ("", *_BESIDE):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _make(path: Path) -> None:
    connection = apsw.Connection(str(path))
    for statements in (
        "PRAGMA journal_mode = WAL",
        f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION}",
        TABLES,
        "PRAGMA wal_checkpoint(TRUNCATE)",  # to close would not tell of a disk that is full
    ):
        connection.execute(statements).fetchall()
    connection.close()


def _open(path: Path, flags: int, patience: float) -> Connection:
    if not path.is_file():
        cause = "what is there is no file" if path.exists() else "there is no index yet"
        raise UnusableError(f"{path}: {cause}")
    try:
        connection = Connection(str(path), flags=flags)
        connection.set_busy_timeout(int(patience * 1000))
        _check_version(connection, path)
        loaded = _load_vec0(connection)
        if not loaded:
            exact_scan.install(connection)
        connection.exact_scan = not (loaded and _engine(connection) == "vec0")
    except (apsw.NotADBError, apsw.CorruptError, apsw.SQLError, apsw.CantOpenError) as error:
        raise UnusableError(f"{path}: the index is damaged ({error})") from error
    return connection


def _check_version(connection: Connection, path: Path) -> None:
    application = connection.pragma("application_id")
    version = connection.pragma("user_version")
    if application != APPLICATION_ID:
        raise UnusableError(f"{path}: this is no index of muninn")
    if version != SCHEMA_VERSION:
        raise UnusableError(f"{path}: the index is of another version of muninn")


def _load_vec0(connection: Connection) -> bool:
    """Load the extension by its path: importing sqlite_vec imports numpy, 130 ms."""
    package = find_spec("sqlite_vec")
    for folder in (package and package.submodule_search_locations) or ():
        try:
            connection.enable_load_extension(True)
            connection.load_extension(os.path.join(folder, "vec0"))  # noqa: PTH118
        except (apsw.ExtensionLoadingError, apsw.SQLError):
            continue
        finally:
            connection.enable_load_extension(False)
        return True
    return False


def _engine(connection: Connection) -> str:
    return str(connection.value("SELECT value FROM meta WHERE key = 'engine'"))


def has_vec0(connection: Connection) -> bool:
    """Whether the functions of the extension can be used."""
    query = "SELECT count(*) FROM pragma_function_list WHERE name = 'vec_version'"
    return bool(connection.value(query))

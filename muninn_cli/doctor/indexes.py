"""Checks of the index: whether there is one, agrees with itself and with the files, and searches
with vec0. Files that changed since the last sync are no fault."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import apsw

from muninn_cli.doctor.finding import Facts, Finding
from muninn_cli.store.index import health
from muninn_cli.store.index.connection import UnusableError, has_vec0, open_reader
from muninn_cli.store.sync.survey import look

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from muninn_cli.app import App
    from muninn_cli.doctor.checkup import Checkup
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.sync.survey import Difference

_BROKEN = (UnusableError, apsw.Error, UnicodeDecodeError, LookupError)
"""What a damaged index makes of a query."""


def check_index(checkup: Checkup) -> Iterator[Finding]:
    """Everything that is wrong with the index; to make it anew mends it all but a missing vec0."""
    app = checkup.app
    path = str(app.home.index_db)
    if not app.home.index_db.exists() and not _was_indexed(checkup):
        return

    def mend() -> None:
        app.sync(anew=True)

    can_mend = mend if checkup.settings else None
    try:
        with _index(app) as connection:
            for cause in (*health.damage(connection), *_drift(checkup, connection)):
                yield Finding("index", "", path, cause, mend=can_mend)
            if not has_vec0(connection):
                cause = "the vec0 extension cannot be loaded: an exact scan answers, more slowly"
                yield Finding("exact_scan", "", path, cause, hint="pip install sqlite-vec")
    except _BROKEN as error:
        cause = getattr(error, "message", str(error)).removeprefix(f"{path}: ")
        yield Finding("index", "", path, cause, mend=can_mend)


def _was_indexed(checkup: Checkup) -> bool:
    """Whether any vault has been: what a sync sees for the first time, it notes in the state."""
    return any(checkup.app.home.seen(held.vault.id).exists() for held in checkup.vaults)


def facts_of_index(checkup: Checkup) -> Facts:
    """The three counts, the engine, and whether a sync has something to do."""
    files = sum(held.count for held in checkup.vaults)
    try:
        with _index(checkup.app) as connection:
            held = health.counts(connection)
            engine = "exact scan" if connection.exact_scan else "vec0"
            difference = _difference(checkup, connection)
            changed = difference is None or not difference.is_clean
            return Facts(files, held.files, held.fulltext, held.vectors, engine, changed)
    except (*_BROKEN, OSError):
        return Facts(files)


@contextmanager
def _index(app: App) -> Iterator[Connection]:
    with closing(open_reader(app.home.index_db)) as connection:
        yield connection


def _difference(checkup: Checkup, connection: Connection) -> Difference | None:
    if checkup.settings is None:
        return None
    vaults = [held.vault for held in checkup.vaults]
    return look(connection, vaults, checkup.app.home, checkup.settings)


def _drift(checkup: Checkup, connection: Connection) -> Iterator[str]:
    """Files of which the index is sure, and wrong: no sync would ever look at them again."""
    difference = _difference(checkup, connection)
    for held, survey in zip(checkup.vaults, difference.surveys if difference else (), strict=False):
        if held.unlisted or survey.row is None:
            continue
        unsure = survey.differing.keys() | survey.vanished
        found, known = held.hashes(), health.files_of(connection, held.vault.id)
        wrong = [
            path
            for path in (found.keys() | known.keys()) - held.unreadable.keys()
            if path.rpartition("/")[0] not in unsure and found.get(path) != known.get(path)
        ]
        if wrong:
            yield f"{held.vault.name}/{min(wrong)} is not as the index has it ({len(wrong)} files)"


CHECKS: tuple[Callable[[Checkup], Iterator[Finding]], ...] = (check_index,)

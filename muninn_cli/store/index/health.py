"""Whether the index agrees with itself: counts, and what is missing from one of its tables.

Only reads.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.store.index.schema import DONE, NO_VAULT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from muninn_cli.store.index.connection import Connection


class Counts(NamedTuple):
    """Files; chunks in full text; chunks with a vector (one without a known word has none)."""

    files: int
    fulltext: int
    vectors: int


def counts(connection: Connection) -> Counts:
    """How much the index holds."""
    tables = ("file", "fulltext_docsize", "embedding")
    return Counts(*(connection.value(f"SELECT count(*) FROM {table}") for table in tables))


def damage(connection: Connection) -> Iterator[str]:
    """What contradicts itself, each kind in one line. Raises apsw.CorruptError."""
    verdict = connection.value("PRAGMA quick_check(1)")
    if verdict != "ok":
        yield f"the file is damaged: {' '.join(str(verdict).split())}"
    for query, cause in _CONTRADICTIONS:
        yield from _counted(connection.value(query), cause)
    if not connection.exact_scan:
        for query, cause in _OF_VEC0:
            yield from _counted(connection.value(query), cause)
    yield from _counted(_without_vector(connection), "vectors are missing")


def files_of(connection: Connection, vault: str) -> dict[str, bytes]:
    """Paths of a vault's files with their content hashes; empty where one could not be read."""
    query = """
        SELECT iif(f.folder = '', f.name, f.folder || '/' || f.name), f.hash
        FROM file f JOIN vault v ON v.num = f.vault WHERE v.id = ?"""
    return dict(connection.execute(query, (vault,)))


def _counted(count: int, cause: str) -> Iterator[str]:
    if count:
        yield f"{cause} ({count})"


_CONTRADICTIONS = (
    (
        "SELECT count(*) FROM file WHERE readable AND num NOT IN (SELECT num FROM memory)",
        "files have no memory",
    ),
    (
        "SELECT count(*) FROM memory WHERE num NOT IN (SELECT num FROM file WHERE readable)",
        "memories have no file",
    ),
    (
        "SELECT count(*) FROM memory WHERE num NOT IN (SELECT memory FROM chunk)",
        "memories have no text",
    ),
    (
        "SELECT count(*) FROM chunk WHERE memory NOT IN (SELECT num FROM memory)",
        "texts have no memory",
    ),
    (
        "SELECT count(*) FROM chunk WHERE num NOT IN (SELECT id FROM fulltext_docsize)",
        "texts are missing from full text",
    ),
    (
        "SELECT count(*) FROM fulltext_docsize WHERE id NOT IN (SELECT num FROM chunk)",
        "full text holds texts that are gone",
    ),
    (
        "SELECT count(*) FROM embedding WHERE chunk NOT IN (SELECT num FROM chunk)",
        "vectors belong to texts that are gone",
    ),
)
_OF_VEC0 = (
    (
        """SELECT count(*) FROM embedding e JOIN chunk c ON c.num = e.chunk
        WHERE c.stage = 2 AND e.chunk NOT IN (SELECT rowid FROM vector_rowids)""",
        "vectors are missing from what is searched",
    ),
    (
        f"""SELECT count(*) FROM vector WHERE vault != {NO_VAULT}
        AND rowid NOT IN (SELECT chunk FROM embedding)""",
        "what is searched holds vectors that are gone",
    ),
)


def _without_vector(connection: Connection) -> int:
    """Chunks with a word that the built-in model knows, and no vector of it."""
    if connection.value("SELECT value FROM meta WHERE key = 'model'") != "builtin":
        return 0
    query = f"""
        SELECT body_words FROM chunk
        WHERE stage = {DONE} AND num NOT IN (SELECT chunk FROM embedding)"""
    suspects = [array("I", row[0]) for row in connection.execute(query)]
    if not suspects:
        return 0
    with_vector = "SELECT num FROM word WHERE vector IS NOT NULL"
    known = {row[0] for row in connection.execute(with_vector)}
    return sum(not known.isdisjoint(words) for words in suspects)

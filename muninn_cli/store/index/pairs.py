"""The pairs of alike memories that the index keeps: the SQL beside the arithmetic of a dream.

Pairs are kept with the memories that have been compared, so that a run that was stopped goes on
where it was. What has changed since is compared anew (see the trigger in `schema`).
"""

from __future__ import annotations

from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import apsw

from muninn_cli.core.text_key import text_key
from muninn_cli.errors import BusyError, MuninnError
from muninn_cli.store.index.filters import int_list
from muninn_cli.store.index.schema import WANTS_VECTOR

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from muninn_cli.store.index.connection import Connection

META, RULES = "pairs", "rules"
ABROAD = "abroad"
"""The relation of memories of two vaults."""


class Row(NamedTuple):
    """Two memories by number, a < b, and what is known of them."""

    a: int
    b: int
    cosine: float
    relation: str


def is_stale(connection: Connection, embedder: str, bound: float) -> bool:
    """Whether the kept pairs are of another embedder or of a higher bound."""
    stored = connection.value("SELECT value FROM meta WHERE key = ?", (META,))
    kept_embedder, _, kept_bound = (stored or "").rpartition(" ")
    return kept_embedder != embedder or float(kept_bound) > bound


def begin(connection: Connection, embedder: str, bound: float) -> None:
    """Throw the kept pairs away where they are stale."""
    if not is_stale(connection, embedder, bound):
        return
    with _writing(connection):
        connection.execute("DELETE FROM pair")
        connection.execute("DELETE FROM paired")
        save = "INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)"
        connection.execute(save, (META, f"{embedder} {bound!r}"))


@contextmanager
def _writing(connection: Connection) -> Iterator[None]:
    """A transaction that writes. Raises MuninnError where the index cannot be written now."""
    try:
        with connection.writing():
            yield
    except apsw.BusyError:
        raise BusyError("another muninn is writing the index", "try again later") from None
    except (apsw.FullError, apsw.IOError, apsw.ReadOnlyError) as error:
        raise MuninnError(f"the index cannot be written ({error})") from error


@contextmanager
def reading(connection: Connection) -> Iterator[int]:
    """All reads inside see one state of the index; gives its version (see `keep`)."""
    with connection.reading():
        connection.value("SELECT 1 FROM meta")  # a transaction begins with its first read
        yield _version(connection)


def _version(connection: Connection) -> int:
    """Changes when another connection has written."""
    return int(connection.value("PRAGMA data_version"))


def dimension(connection: Connection) -> int:
    """Numbers in a vector, 0 before there are any."""
    return int(connection.value("SELECT value FROM meta WHERE key = 'dimension'") or 0)


class Waiting(NamedTuple):
    """Live memories by number that have not been compared: `fresh` are to be.

    `aside` are not: of memories with one title and one text only the first is compared; what still
    waits for a vector cannot be, and a text without a letter or digit is like nothing.
    """

    fresh: frozenset[int]
    aside: frozenset[int]


def waiting(connection: Connection, vaults: Iterable[int], now: float) -> Waiting:
    """The memories of these vaults that have not been compared yet."""
    values = {"now": now, "vaults": int_list(vaults), "wordless": text_key("")}
    found = frozenset(row[0] for row in connection.execute(_UNCOMPARED, values))
    if not found:
        return Waiting(found, found)
    queries = (_COPIES, _UNEMBEDDED, _WORDLESS)
    aside = frozenset(row[0] for query in queries for row in connection.execute(query, values))
    return Waiting(found - aside, found & aside)


def live(connection: Connection, vaults: Iterable[int], now: float) -> Iterator[tuple[int, int]]:
    """Number and vault of every live memory of these vaults."""
    values = {"now": now, "vaults": int_list(vaults)}
    return connection.execute(f"SELECT m.num, m.vault {_LIVE}", values)


_LISTED = "vault IN (SELECT value FROM json_each(:vaults))"
_LIVE = f"FROM memory m INDEXED BY memory_until WHERE m.until > :now AND m.{_LISTED}"
_UNCOMPARED = f"SELECT m.num {_LIVE} AND m.num NOT IN (SELECT memory FROM paired)"
_COPIES = f"""
    SELECT num FROM (
        SELECT m.num, row_number() OVER (
            PARTITION BY m.vault, m.title, (
                SELECT group_concat(hex(hash)) FROM (
                    SELECT hash FROM chunk WHERE memory = m.num ORDER BY position))
            ORDER BY m.num) AS place
        FROM (
            SELECT vault, text_key FROM memory WHERE {_LISTED}
            GROUP BY vault, text_key HAVING count(*) > 1) r
        JOIN memory m ON m.vault = r.vault AND m.text_key = r.text_key
        WHERE m.until > :now)
    WHERE place > 1"""
_UNEMBEDDED = f"SELECT memory FROM chunk WHERE stage < 2 AND stage = {WANTS_VECTOR}"
_WORDLESS = f"SELECT num FROM memory WHERE {_LISTED} AND text_key = :wordless"


def chunks(connection: Connection) -> Iterator[tuple[int, int]]:
    """Memory and chunk of every chunk, in the order of the memories and of their texts."""
    return connection.execute("SELECT memory, num FROM chunk ORDER BY memory, position")


def vectors(connection: Connection) -> Iterator[tuple[int, bytes]]:
    """Every chunk that has a vector, and its own vector."""
    return connection.execute("SELECT chunk, own FROM embedding")


def vectors_of(connection: Connection, chunks: Iterable[int]) -> Iterator[tuple[int, bytes]]:
    """Those of some chunks."""
    query = "SELECT chunk, own FROM embedding WHERE chunk IN (SELECT value FROM json_each(?))"
    return connection.execute(query, (int_list(chunks),))


class Found(NamedTuple):
    """New pairs as (number, other number, cosine): of one vault each, and of two."""

    at_home: Sequence[tuple[int, int, float]]
    abroad: Sequence[tuple[int, int, float]]


def keep(connection: Connection, found: Found, compared: Sequence[int], version: int) -> bool:
    """Keep pairs, and that these memories have been compared; `version` is that of what was read.

    False, and nothing kept, where another process has changed the index since.
    """
    listed = [(num,) for num in compared]
    rows = sorted(
        (min(a, b), max(a, b), cosine, relation)
        for pairs, relation in ((found.at_home, ""), (found.abroad, ABROAD))
        for a, b, cosine in pairs
    )
    with _writing(connection):
        if _version(connection) != version:
            return False
        save = "INSERT OR REPLACE INTO pair(a, b, cosine, relation) VALUES(?, ?, ?, ?)"
        connection.executemany(save, rows)
        connection.executemany("INSERT OR IGNORE INTO paired(memory) VALUES(?)", listed)
    return True


def at_home(connection: Connection, vault: int, bound: float, most: int) -> Iterator[Row]:
    """The pairs of one vault at or above the bound, the most alike first, `most` at most."""
    query = f"""
        SELECT p.a, p.b, p.cosine, p.relation FROM pair p JOIN memory a ON a.num = p.a
        WHERE p.relation != '{ABROAD}' AND a.vault = ?1 AND p.cosine >= ?2
        ORDER BY p.cosine DESC, p.a, p.b LIMIT ?3"""
    return (Row(*row) for row in connection.execute(query, (vault, bound, most)))


def abroad(connection: Connection, most: int) -> Iterator[Row]:
    """The pairs of memories of two vaults, the most alike first, `most` at most."""
    query = f"""
        SELECT a, b, cosine, relation FROM pair WHERE relation = '{ABROAD}'
        ORDER BY cosine DESC, a, b LIMIT ?"""
    return (Row(*row) for row in connection.execute(query, (most,)))


def same_text(connection: Connection, vault: int) -> list[list[int]]:
    """The memories of a vault whose texts have one key (see `core.text_key`), at least two each."""
    query = """
        SELECT m.text_key, m.num FROM memory m
        JOIN (
            SELECT text_key FROM memory WHERE vault = ?1
            GROUP BY text_key HAVING count(*) > 1) r ON r.text_key = m.text_key
        WHERE m.vault = ?1 AND NOT m.archived ORDER BY m.text_key, m.num"""
    groups = groupby(connection.execute(query, (vault,)), key=lambda row: row[0])
    return [[num for _, num in group] for _, group in groups]


def long_memories(connection: Connection, chunks: int) -> set[int]:
    """The memories of more than so many chunks."""
    query = "SELECT DISTINCT memory FROM chunk WHERE position = ?"
    return {row[0] for row in connection.execute(query, (chunks,))}


def rules(connection: Connection) -> str:
    """The name of the rules by which the kept relations were read; empty before there are any."""
    return str(connection.value("SELECT value FROM meta WHERE key = ?", (RULES,)) or "")


def read_anew(connection: Connection, rules: str) -> None:
    """Forget all relations that were read from texts; those to come are read by these rules."""
    with _writing(connection):
        forget = "UPDATE pair SET relation = '' WHERE relation NOT IN ('', ?)"
        connection.execute(forget, (ABROAD,))
        save = "INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)"
        connection.execute(save, (RULES, rules))


def note_relations(connection: Connection, found: Sequence[tuple[str, int, int]]) -> None:
    """Keep what a reading of both texts found: relation, a and b of each pair."""
    with _writing(connection):
        connection.executemany("UPDATE pair SET relation = ? WHERE a = ? AND b = ?", found)

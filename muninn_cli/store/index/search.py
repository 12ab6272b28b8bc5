"""The two legs of a search: full text by BM25, and nearest vectors.

Only reads. Where the table `vector` cannot be used, a scan of the blobs in `embedding` gives the
same answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.store.index.filters import condition, int_list
from muninn_cli.store.index.schema import WANTS_VECTOR

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.index.filters import Filters

MOST_NEAREST = 4096
"""The most neighbours that vec0 gives at once."""

_COLUMN_WEIGHTS = "bm25(3.0, 2.0, 1.0)"
"""Title, tags, body."""


class Found(NamedTuple):
    """A chunk that a leg found: BM25 (higher is better) or cosine in `score`."""

    chunk: int
    memory: int
    score: float


def chunk_count(connection: Connection) -> int:
    """How many chunks the index holds: the texts that rarity is counted over."""
    return int(connection.execute("SELECT count(*) FROM chunk").get)


def waiting_count(connection: Connection) -> int:
    """How many chunks have not been embedded yet."""
    query = f"SELECT count(*) FROM chunk WHERE stage < 2 AND stage = {WANTS_VECTOR}"
    return int(connection.execute(query).get)


def embedder_id(connection: Connection) -> str:
    """The embedder that the vectors are of, empty where there is none."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'embedder'").fetchone()
    return str(row[0]) if row else ""


def holding(connection: Connection, stems: Iterable[str]) -> dict[str, int]:
    """How many chunks hold each stem; the unknown ones are left out."""
    counts = {stem: _holding(connection, stem) for stem in stems}
    return {stem: count for stem, count in counts.items() if count}


def _holding(connection: Connection, stem: str) -> int:
    """FTS5 cuts words at signs that stand for vowels: such a word is several terms to it."""
    if stem.isalnum():
        row = connection.execute(
            "SELECT doc FROM fulltext_terms WHERE term = ?", (stem,)
        ).fetchone()
        return row[0] if row else 0
    query = "SELECT count(*) FROM fulltext WHERE fulltext MATCH ?"
    return int(connection.execute(query, (f'"{stem}"',)).get)


def fulltext(
    connection: Connection,
    stems: Sequence[str],
    filters: Filters,
    *,
    now: float,
    limit: int,
) -> list[Found]:
    """The chunks that hold any of the stems, best first. FTS5 ranks; the filters then pick."""
    where = condition(filters, now)
    query = f"""
        SELECT f.rowid, c.memory, -f.rank
        FROM fulltext f
        CROSS JOIN chunk c ON c.num = f.rowid
        CROSS JOIN memory m ON m.num = c.memory
        WHERE f.fulltext MATCH :terms AND f.rank MATCH '{_COLUMN_WEIGHTS}' AND {where.sql}
        ORDER BY f.rank LIMIT :limit"""
    terms = " OR ".join(f'"{stem}"' for stem in stems)
    rows = connection.execute(query, {**where.values, "terms": terms, "limit": limit})
    return [Found(*row) for row in rows]


def nearest(
    connection: Connection,
    vector: bytes,
    filters: Filters,
    *,
    now: float,
    limit: int,
) -> list[Found]:
    """The chunks nearest to a vector of length 1, best first, with their cosines."""
    where = condition(filters, now)
    values = {**where.values, "vector": vector, "limit": min(limit, MOST_NEAREST)}
    query = _SCAN if connection.exact_scan else _KNN_LIVE if filters.only_live else _KNN
    rows = connection.execute(query.format(where=where.sql), values)
    return [Found(chunk, memory, _cosine(distance)) for chunk, memory, distance in rows]


_KNN = """
    SELECT v.rowid, c.memory, v.distance
    FROM vector v JOIN chunk c ON c.num = v.rowid
    WHERE v.window MATCH :vector AND v.k = :limit AND v.rowid IN (
        SELECT c.num FROM memory m JOIN chunk c ON c.memory = m.num WHERE {where})
    ORDER BY v.distance"""
_KNN_LIVE = """
    SELECT v.rowid, c.memory, v.distance
    FROM vector v JOIN chunk c ON c.num = v.rowid
    WHERE v.window MATCH :vector AND v.k = :limit
        AND v.vault IN (SELECT value FROM json_each(:vaults)) AND v.until > :now
    ORDER BY v.distance"""
_SCAN = """
    SELECT e.chunk, c.memory, vec_distance_l2(coalesce(e.window, e.own), :vector) AS distance
    FROM memory m JOIN chunk c ON c.memory = m.num JOIN embedding e ON e.chunk = c.num
    WHERE {where} ORDER BY distance LIMIT :limit"""


def cosines(connection: Connection, chunks: Iterable[int], vector: bytes) -> dict[int, float]:
    """The cosine of a vector with each chunk; chunks without a vector are left out."""
    query = """
        SELECT chunk, vec_distance_l2(coalesce(window, own), ?) FROM embedding
        WHERE chunk IN (SELECT value FROM json_each(?))"""
    rows = connection.execute(query, (vector, int_list(chunks)))
    return {chunk: _cosine(distance) for chunk, distance in rows}


def chunk_texts(connection: Connection, chunks: Iterable[int]) -> dict[int, str]:
    """The texts of some chunks."""
    query = "SELECT num, text FROM chunk WHERE num IN (SELECT value FROM json_each(?))"
    return dict(connection.execute(query, (int_list(chunks),)))


def _cosine(distance: float) -> float:
    """Cosine of two vectors of length 1 from their distance."""
    return 1 - distance * distance / 2

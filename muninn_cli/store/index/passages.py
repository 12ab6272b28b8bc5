"""What the rerank asks about candidates: their sources, their words, and who is like whom.

Only reads. A *source* is what a passage was part of: its memory or, where that memory belongs to
a session, all memories of the session in order of creation.
"""

from __future__ import annotations

from array import array
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.store.index.filters import condition, int_list
from muninn_cli.store.index.schema import ALWAYS_HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from muninn_cli.core.question import Word
    from muninn_cli.core.reranking import Matches
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.index.filters import Filters

Pair = tuple[int, int]


class Place(NamedTuple):
    """A chunk of a source and the memory it belongs to."""

    chunk: int
    memory: int


class Text(NamedTuple):
    """The words of a chunk by number: of the whole with its title, and of the body alone."""

    words: Sequence[int]
    body: Sequence[int]
    asks: bool


def sources(connection: Connection, memories: Iterable[int]) -> list[list[Place]]:
    """The sources of some memories, each with all its chunks in their order."""
    wanted = {"memories": int_list(memories)}
    rows = [*connection.execute(_ALONE, wanted), *connection.execute(_IN_SESSIONS, wanted)]
    groups = groupby(rows, key=lambda row: row[:2])
    return [[Place(chunk, memory) for _, _, chunk, memory in group] for _, group in groups]


_ALONE = """
    SELECT m.num, '', c.num, m.num
    FROM memory m JOIN chunk c ON c.memory = m.num
    WHERE m.num IN (SELECT value FROM json_each(:memories)) AND m.session = ''
    ORDER BY m.num, c.position"""
_IN_SESSIONS = f"""
    SELECT m.vault, m.session, c.num, m.num
    FROM (
        SELECT DISTINCT vault, session FROM memory
        WHERE num IN (SELECT value FROM json_each(:memories)) AND session != '') s
    CROSS JOIN memory m ON m.vault = s.vault AND m.session = s.session AND m.session != ''
    CROSS JOIN chunk c ON c.memory = m.num
    WHERE m.until > {ALWAYS_HIDDEN}
    ORDER BY m.vault, m.session, m.created, m.num, c.position"""


def permitted(
    connection: Connection, memories: Iterable[int], filters: Filters, *, now: float
) -> set[int]:
    """Which of some memories pass the filters."""
    where = condition(filters, now)
    query = f"""
        SELECT m.num FROM memory m
        WHERE m.num IN (SELECT value FROM json_each(:memories)) AND {where.sql}"""
    values = {**where.values, "memories": int_list(memories)}
    return {row[0] for row in connection.execute(query, values)}


def texts(connection: Connection, chunks: Iterable[int]) -> dict[int, Text]:
    """The words of some chunks."""
    query = """
        SELECT num, words, body_words, question FROM chunk
        WHERE num IN (SELECT value FROM json_each(?))"""
    rows = connection.execute(query, (int_list(chunks),))
    return {
        num: Text(array("I", words), array("I", body), bool(asks))
        for num, words, body, asks in rows
    }


def alike(connection: Connection, pairs: Iterable[Pair], cosine: float) -> set[Pair]:
    """Which pairs of chunks have own vectors with at least this cosine."""
    query = """
        SELECT p.value ->> 0, p.value ->> 1
        FROM json_each(:pairs) p
        CROSS JOIN embedding a ON a.chunk = p.value ->> 0
        CROSS JOIN embedding b ON b.chunk = p.value ->> 1
        WHERE vec_distance_l2(a.own, b.own) <= :distance"""
    listed = f"[{','.join(f'[{a},{b}]' for a, b in pairs)}]"
    distance = (2 - 2 * cosine) ** 0.5
    return set(connection.execute(query, {"pairs": listed, "distance": distance}))


def word_matches(
    connection: Connection,
    numbers: Iterable[int],
    question: Sequence[Word],
    vectors: Sequence[bytes | None],
) -> dict[int, Matches]:
    """How well words of the index match each word of a question.

    1 where a stem is the same, else the cosine of the word vectors, never below 0.
    """
    columns = "".join(f", {_COSINE if vector else '0.0'}" for vector in vectors)
    query = f"""
        SELECT w.num, w.stems{columns} FROM word w
        WHERE w.num IN (SELECT value FROM json_each(?))"""
    values = (*filter(None, vectors), int_list(numbers))
    places = _by_stem(question)
    return {
        num: _literal(cosines, stems, places)
        for num, stems, *cosines in connection.execute(query, values)
    }


_COSINE = """CASE WHEN w.vector IS NULL THEN 0.0 ELSE
    max(0.0, 1.0 - vec_distance_cosine(vec_int8(w.vector), vec_int8(?))) END"""


def _by_stem(question: Sequence[Word]) -> Mapping[str, list[int]]:
    """Places of the question's words under each of their stems."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(question):
        for stem in word.stems:
            places.setdefault(stem, []).append(place)
    return places


def _literal(cosines: list[float], stems: str, places: Mapping[str, list[int]]) -> Matches:
    """The cosines, with 1 where a stem is the question's own."""
    for stem in stems.split(" "):
        for place in places.get(stem, ()):
            cosines[place] = 1.0
    return tuple(cosines)

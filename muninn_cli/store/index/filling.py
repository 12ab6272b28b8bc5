"""Filling in what chunks still want: first their own vectors, then their windows.

Embedding happens outside transactions. What is not done is marked in `chunk.stage`, so a run that
was stopped goes on where it was, and full text answers meanwhile. Vectors of two embedders never
stand side by side: another embedder begins with an empty table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from muninn_cli.store.index import vectors
from muninn_cli.store.index.filters import int_list
from muninn_cli.store.index.passages import sources
from muninn_cli.store.index.schema import DONE, WANTS_VECTOR, WANTS_WINDOW
from muninn_cli.store.index.windows import WEIGHTS, windows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.index.windows import Neighbours

    Progress = Callable[[int, int], None]
    """Called with how much is done and how much there is."""

_BATCH = 2000
_IN_LIST = "IN (SELECT value FROM json_each(?))"


class Embedder(Protocol):
    """What turns texts into vectors."""

    @property
    def id(self) -> str:
        """Names the model and changes with its content."""

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""

    def encode(self, texts: Sequence[str]) -> list[bytes | None]:
        """Unit vectors as float32, little-endian; None for a text without a known word."""


def embedded_text(title: str, text: str) -> str:
    """What is embedded of a chunk: its title and its text, the title once."""
    return text if text.startswith(title) else f"{title}\n{text}"


def wants_vectors(connection: Connection) -> bool:
    """Whether any chunk has yet to be embedded."""
    return _count(connection, WANTS_VECTOR) > 0


def _count(connection: Connection, stage: int) -> int:
    query = "SELECT count(*) FROM chunk WHERE stage < 2 AND stage = ?"
    return int(connection.value(query, (stage,)))


def adopt(connection: Connection, embedder: Embedder, model: str) -> None:
    """Let the index hold vectors of this embedder; those of another are thrown away.

    `model` is the setting that named it.
    """
    meta = dict(connection.execute("SELECT key, value FROM meta"))
    known = (meta.get("embedder"), meta.get("dimension"))
    wanted = {"embedder": embedder.id, "dimension": str(embedder.dimension), "model": model}
    with connection.writing():
        save = "INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)"
        connection.executemany(save, list(wanted.items()))
        if known != (wanted["embedder"], wanted["dimension"]):
            connection.execute("DELETE FROM embedding")
            connection.execute(f"UPDATE chunk SET stage = {WANTS_VECTOR} WHERE stage > 0")
            vectors.make_table(connection, embedder.dimension)
        elif connection.exact_scan:
            vectors.make_table(connection, embedder.dimension)


def embed(connection: Connection, embedder: Embedder, progress: Progress) -> None:
    """Give every chunk that has none its vector."""
    total, done = _count(connection, WANTS_VECTOR), 0
    while texts := connection.execute(_WANT_VECTOR).fetchall():
        _embed(connection, embedder, texts)
        done += len(texts)
        progress(done, total)


def mix(connection: Connection, progress: Progress) -> None:
    """Make the windows that are missing, and let them be searched."""
    total, done = _count(connection, WANTS_WINDOW), 0
    while places := connection.execute(_WANT_WINDOW).fetchall():
        _mix(connection, places)
        done += len(places)
        progress(done, total)


_WANT_VECTOR = f"""
    SELECT c.num, m.title, c.text, m.session = '' AND NOT EXISTS (
        SELECT 1 FROM chunk o WHERE o.memory = c.memory AND o.position > 0)
    FROM chunk c JOIN memory m ON m.num = c.memory
    WHERE c.stage < 2 AND c.stage = {WANTS_VECTOR} LIMIT {_BATCH}"""
_WANT_WINDOW = f"""
    SELECT num, memory FROM chunk WHERE stage < 2 AND stage = {WANTS_WINDOW} LIMIT {_BATCH}"""


def _embed(connection: Connection, embedder: Embedder, texts: Iterable[tuple[Any, ...]]) -> None:
    """Embed chunks, given with title, text, and whether they are alone in their source."""
    found = embedder.encode([embedded_text(title, text) for _, title, text, _ in texts])
    rows = [(text[0], vector) for text, vector in zip(texts, found, strict=True) if vector]
    embedded = {chunk for chunk, _ in rows}
    alone = [chunk for chunk, _, _, is_alone in texts if is_alone and chunk in embedded]
    with connection.writing():
        connection.executemany("INSERT OR REPLACE INTO embedding(chunk, own) VALUES(?, ?)", rows)
        vectors.place(connection, alone)
        _advance(connection, embedded.difference(alone), WANTS_WINDOW)
        _advance(connection, {text[0] for text in texts}.difference(embedded).union(alone), DONE)


def _mix(connection: Connection, places: Iterable[tuple[Any, ...]]) -> None:
    """Make the windows of chunks, given with their memories, and let them be searched."""
    chunks: dict[int, int] = dict(places)
    near = _neighbours(connection, chunks)
    wanted = {*chunks, *(chunk for around in near.values() for _, chunk in around)}
    query = f"SELECT chunk, own FROM embedding WHERE chunk {_IN_LIST}"
    own = dict(connection.execute(query, (int_list(wanted),)))
    found = windows(near, own)
    with connection.writing():
        connection.executemany(
            "UPDATE embedding SET window = ?1 WHERE chunk = ?2 AND window IS NOT ?1",
            [(window, chunk) for chunk, window in found.items()],
        )
        vectors.place(connection, list(found))
        _advance(connection, chunks, DONE)


def _neighbours(connection: Connection, chunks: Mapping[int, int]) -> dict[int, Neighbours]:
    """For each chunk the ones within reach in its source, with their distance."""
    found: dict[int, Neighbours] = dict.fromkeys(chunks, ())
    for source in sources(connection, set(chunks.values())):
        for place, (chunk, _) in enumerate(source):
            if chunk in chunks:
                found[chunk] = tuple(
                    (distance, source[place + step][0])
                    for distance in WEIGHTS
                    for step in (-distance, distance)
                    if 0 <= place + step < len(source)
                )
    return found


def _advance(connection: Connection, chunks: Iterable[int], stage: int) -> None:
    update = f"UPDATE chunk SET stage = {stage} WHERE num {_IN_LIST}"
    connection.execute(update, (int_list(chunks),))

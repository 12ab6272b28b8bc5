"""Writing what the index holds of files: rows of files, memories and chunks, and full text.

All or nothing of a file is there: when a file shrinks or goes, no chunk, word, tag, name or link of
its old text is left. Every method that writes expects the caller's transaction.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.words import fold
from muninn_cli.store.index import vectors
from muninn_cli.store.index.entries import (
    FIRST_ONLY,
    Texts,
    file_row,
    keys,
    memory_row,
    texts,
)
from muninn_cli.store.index.filters import int_list
from muninn_cli.store.index.schema import WANTS_VECTOR

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from muninn_cli.core.memory import Memory
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.index.entries import Entry, Piece, Row
    from muninn_cli.store.index.word_table import WordTable


class _Chunk(NamedTuple):
    """A chunk as the index holds it."""

    num: int
    memory: int
    hash: bytes
    words: bytes
    stage: int


class Prepared(NamedTuple):
    """An entry with its words found: all that can be done before a transaction."""

    entry: Entry
    memory: Memory | None
    texts: Texts | None


class Memories:
    """The tables of files, memories and chunks."""

    def __init__(self, connection: Connection, words: WordTable) -> None:
        self._connection = connection
        self._words = words
        highest = "SELECT max(num) FROM (SELECT num FROM chunk UNION ALL SELECT num FROM spare)"
        self._next: int = connection.value(highest) or 0
        self._spare: list[int] = [row[0] for row in connection.execute("SELECT num FROM spare")]

    def prepare(self, entries: Iterable[Entry]) -> list[Prepared]:
        """Cut entries into chunks and learn their words. Writes nothing."""
        prepared = [
            Prepared(entry, entry.memory, texts(entry.memory) if entry.memory else None)
            for entry in entries
        ]
        found = (item.texts for item in prepared if item.texts)
        self._words.learn(words for text in found for words in text.all_words())
        return prepared

    def put(self, batch: Sequence[Prepared]) -> None:
        """Make the index hold these entries, each in place of what it held under its number."""
        old = self._clear(item.entry.num for item in batch)
        self._write_rows(batch)
        self._write_chunks(batch, old)
        self._words.save()

    def remove(self, numbers: Sequence[int]) -> None:
        """Take files and all that came of them out of the index."""
        with vectors.windows_renewed(self._connection, numbers):
            old = self._clear(numbers)
            self._free([chunk.num for chunks in old.values() for chunk in chunks])
            listed = (int_list(numbers),)
            for table in ("memory", "file"):
                self._connection.execute(f"DELETE FROM {table} WHERE num {_IN_LIST}", listed)
            self._words.save()

    def drop_unused_words(self) -> None:
        """Take the words of removed texts out of the word table."""
        self._words.drop_unused()

    def _clear(self, numbers: Iterable[int]) -> dict[int, list[_Chunk]]:
        """Remove what hangs on memories; returns their chunks, whose vectors still stand."""
        listed = (int_list(numbers),)
        query = f"""
            SELECT num, memory, hash, words, stage FROM chunk
            WHERE memory {_IN_LIST} ORDER BY memory, position"""
        old: defaultdict[int, list[_Chunk]] = defaultdict(list)
        for row in self._connection.execute(query, listed):
            old[row[1]].append(_Chunk(*row))
            self._words.lose(row[3])
        for table in ("tag", "name", "link", "chunk"):
            self._connection.execute(f"DELETE FROM {table} WHERE memory {_IN_LIST}", listed)
        chunks = int_list(chunk.num for chunks in old.values() for chunk in chunks)
        self._connection.execute(f"DELETE FROM fulltext WHERE rowid {_IN_LIST}", (chunks,))
        return old

    def _write_rows(self, batch: Sequence[Prepared]) -> None:
        write = self._connection.executemany
        self._upsert("file", [file_row(item.entry) for item in batch])
        gone = int_list(item.entry.num for item in batch if item.memory is None)
        self._connection.execute(f"DELETE FROM memory WHERE num {_IN_LIST}", (gone,))
        read = [(item.entry, item.memory) for item in batch if item.memory is not None]
        self._upsert("memory", [memory_row(*pair) for pair in read])
        tags, found, linked = [], [], []
        for entry, memory in read:
            answers_to, links_to = keys(entry, memory)
            tags += [(tag, entry.num) for tag in set(map(fold, memory.tags))]
            found += [(key, entry.num) for key in answers_to]
            linked += [(key, entry.num) for key in links_to]
        write("INSERT INTO tag(tag, memory) VALUES(?, ?)", tags)
        write("INSERT INTO name(key, memory) VALUES(?, ?)", found)
        write("INSERT INTO link(key, memory) VALUES(?, ?)", linked)

    def _upsert(self, table: str, rows: Sequence[Row]) -> None:
        """Insert rows, or give those with their numbers these values, but for FIRST_ONLY."""
        if not rows:
            return
        columns = list(rows[0])
        changed = [name for name in columns if name not in ("num", *FIRST_ONLY)]
        self._connection.executemany(
            f"""
            INSERT INTO {table}({", ".join(columns)}) VALUES(:{", :".join(columns)})
            ON CONFLICT(num) DO UPDATE SET
                {", ".join(f"{name} = excluded.{name}" for name in changed)}""",
            rows,
        )

    def _write_chunks(self, batch: Sequence[Prepared], old: Mapping[int, list[_Chunk]]) -> None:
        chunks: list[tuple[str | int | bytes, ...]] = []
        indexed: list[tuple[int, str, str, str]] = []
        stale: list[int] = []
        unused: list[int] = []
        for entry, _, found in batch:
            if found is None:
                unused += (chunk.num for chunk in old.get(entry.num, ()))
                continue
            title, tags = self._words.stemmed(found.title), self._words.stemmed(found.tags)
            head = self._words.numbers(found.title + found.tags)
            placed, left = _reuse(found.pieces, old.get(entry.num, ()))
            for position, (piece, kept) in enumerate(zip(found.pieces, placed, strict=True)):
                number = kept.num if kept else self._number(left, stale)
                body = self._words.numbers(piece.words)
                self._words.gain(head | body)
                text = (number, entry.num, position, piece.text, piece.hash)
                stage = kept.stage if kept else WANTS_VECTOR
                chunks.append((*text, _packed(head | body), _packed(body), piece.asks, stage))
                indexed.append((number, title, tags, self._words.stemmed(piece.words)))
            unused += left
        self._connection.executemany(_INSERT_CHUNK, chunks)
        self._connection.executemany(_INSERT_TEXT, indexed)
        vectors.drop(self._connection, stale)
        self._free(unused)

    def _number(self, left: list[int], stale: list[int]) -> int:
        """A number for a new chunk: one of the same memory, a spare one, else the next."""
        if left:
            stale.append(left.pop())
            return stale[-1]
        if self._spare:
            number = self._spare.pop()
            self._connection.execute("DELETE FROM spare WHERE num = ?", (number,))
            return number
        self._next += 1
        return self._next

    def _free(self, numbers: Sequence[int]) -> None:
        """Keep the numbers of removed chunks: vec0 never gives the space of a row back."""
        vectors.drop(self._connection, numbers)
        rows = [(number,) for number in numbers]
        self._connection.executemany("INSERT INTO spare(num) VALUES(?)", rows)
        self._spare += numbers


_IN_LIST = "IN (SELECT value FROM json_each(?))"
_INSERT_CHUNK = """
    INSERT INTO chunk(num, memory, position, text, hash, words, body_words, question, stage)
    VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_INSERT_TEXT = "INSERT INTO fulltext(rowid, title, tags, body) VALUES(?, ?, ?, ?)"


def _packed(numbers: Iterable[int]) -> bytes:
    return array("I", numbers).tobytes()


def _reuse(pieces: Sequence[Piece], old: Iterable[_Chunk]) -> tuple[list[_Chunk | None], list[int]]:
    """For each piece the old chunk with the same text, and the numbers of those left over."""
    same: defaultdict[bytes, list[_Chunk]] = defaultdict(list)
    for chunk in old:
        same[chunk.hash].append(chunk)
    placed = [same[piece.hash].pop(0) if same.get(piece.hash) else None for piece in pieces]
    return placed, [chunk.num for chunks in same.values() for chunk in chunks]

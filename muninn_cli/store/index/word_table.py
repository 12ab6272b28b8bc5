"""The word table: every different word of the index once, with its stems and its vector.

A word that no chunk holds any more leaves the table, so nothing of a removed text stays here.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from muninn_cli.core.words import fold

if TYPE_CHECKING:
    from muninn_cli.core.words import Stems
    from muninn_cli.store.index.connection import Connection

WordVectors = Callable[[Sequence[str]], list[bytes | None]]
"""Folded words -> int8 vectors of the built-in model, None for a word it does not know."""


class WordTable:
    """The table, and what this process has learned of it: only one process at a time writes.

    Texts are lists of words as `core.words.raw_words` gives them. `learn` reads and computes;
    `save` writes, inside the caller's transaction.
    """

    def __init__(self, connection: Connection, stems: Stems, vectors: WordVectors) -> None:
        self._connection = connection
        self._stems = stems
        self._vectors = vectors
        self._numbers: dict[str, int] = {}
        self._stemmed: dict[str, str] = {}
        self._rows: dict[str, tuple[int, str]] = {}
        self._new: dict[str, bytes | None] = {}
        self._restemmed: set[str] = set()
        self._gained: Counter[int] = Counter()
        self._lost: Counter[int] = Counter()
        self._has_lost = False
        self._next: int = connection.value("SELECT max(num) FROM word") or 0

    def learn(self, texts: Iterable[Sequence[str]]) -> None:
        """Make every word of these texts known."""
        unknown = set[str]().union(*texts).difference(self._numbers)
        folded = {raw: fold(raw) for raw in sorted(unknown)}
        self._fetch(set(folded.values()).difference(self._rows))
        fresh: dict[str, None] = {}
        for raw, word in folded.items():
            stems = self._stems.stems(raw)
            self._stemmed[raw] = " ".join(stems)
            if word not in self._rows:
                fresh[word] = None
            self._numbers[raw] = self._stem(word, stems)
        self._new.update(zip(fresh, self._vectors(list(fresh)) if fresh else (), strict=True))

    def stemmed(self, text: Iterable[str]) -> str:
        """The stems of a text in the order of its words: what full text stores."""
        return " ".join(map(self._stemmed.__getitem__, text))

    def numbers(self, text: Iterable[str]) -> set[int]:
        """The numbers of the different words of a text."""
        return set(map(self._numbers.__getitem__, text))

    def gain(self, words: Iterable[int]) -> None:
        """Note one more chunk with these words."""
        self._gained.update(words)

    def lose(self, words: bytes) -> None:
        """Note one chunk less with these words, given as they were stored."""
        self._lost.update(array("I", words))
        self._has_lost = True

    def save(self) -> None:
        """Write the new words, and how many chunks hold each word now."""
        new = [(*self._rows[word], word, vector) for word, vector in self._new.items()]
        restemmed = [(self._rows[word][1], word) for word in self._restemmed]
        touched = self._gained.keys() | self._lost.keys()
        changed = [(number, self._gained[number] - self._lost[number]) for number in touched]
        insert = "INSERT INTO word(num, stems, word, vector) VALUES(?, ?, ?, ?)"
        self._connection.executemany(insert, new)
        self._connection.executemany("UPDATE word SET stems = ? WHERE word = ?", restemmed)
        self._connection.executemany(_COUNT, changed)
        for pending in (self._new, self._restemmed, self._gained, self._lost):
            pending.clear()

    def drop_unused(self) -> None:
        """Remove the words that no chunk holds."""
        if self._has_lost:
            self._has_lost = False
            for known in (self._numbers, self._stemmed, self._rows):
                known.clear()
            unused = "SELECT word FROM word_use WHERE chunks = 0"
            self._connection.execute(f"DELETE FROM word WHERE num IN ({unused})")
            self._connection.execute("DELETE FROM word_use WHERE chunks = 0")

    def _fetch(self, words: Iterable[str]) -> None:
        query = "SELECT word, num, stems FROM word WHERE word IN (SELECT value FROM json_each(?))"
        rows = self._connection.execute(query, (json.dumps(list(words)),))
        self._rows.update((word, (number, stems)) for word, number, stems in rows)

    def _stem(self, word: str, stems: Sequence[str]) -> int:
        """Add stems to a word's row, making one where there is none; returns its number."""
        if word not in self._rows:
            self._next += 1
            self._rows[word] = (self._next, " ".join(stems))
            return self._next
        number, known = self._rows[word]
        missing = set(stems).difference(known.split(" "))
        if missing:
            self._rows[word] = (number, " ".join((known, *sorted(missing))))
            self._restemmed.add(word)
        return number


_COUNT = """
    INSERT INTO word_use(word, chunks) VALUES(?, ?)
    ON CONFLICT(word) DO UPDATE SET chunks = chunks + excluded.chunks"""

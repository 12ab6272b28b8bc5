"""How two alike memories stand to each other, found by reading both texts, once.

What was found is kept beside the pair in the index, so that the next dream need not read again.
Texts are read from files as the index saw them; a file that has changed since has no relation.
"""

from __future__ import annotations

import re
from contextlib import closing, suppress
from enum import StrEnum
from typing import TYPE_CHECKING

from muninn_cli.core.likeness import (
    Text,
    contradicts,
    keeps_facts,
    says_it_replaces,
    stated,
    veto,
)
from muninn_cli.errors import BusyError
from muninn_cli.store.index import pairs
from muninn_cli.store.index.connection import open_writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from muninn_cli.core.changes import Ref
    from muninn_cli.core.memory import Memory
    from muninn_cli.dream.snapshot import Facts
    from muninn_cli.providers.base import Deadline

MOST_READINGS = 20_000
"""Pairs that one dream reads; about three milliseconds each. The rest waits for the next."""
_KEPT_AT_ONCE = 500
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")


class Relation(StrEnum):
    """What a reading of both texts tells of two memories."""

    SAME = "same"  # nothing stands between them: they say the same
    WORDING = "wording"  # a judge may find that they say the same
    VALUE = "value"  # the same thing with another value: a contradiction
    OTHER = "other"  # two values that must not become one


class Texts:
    """The texts of memories, each read once."""

    def __init__(self, read: Callable[[Ref], Memory | None]) -> None:
        self._read = read
        self._known: dict[Ref, Text | None] = {}
        self._replacing: dict[Ref, tuple[str, ...]] = {}

    def of(self, ref: Ref) -> Text | None:
        """Title and body; None where the file has gone or changed since it was indexed."""
        if ref not in self._known:
            memory = self._read(ref)
            self._known[ref] = None if memory is None else stated(memory.stated_title, memory.body)
        return self._known[ref]

    def replacing(self, ref: Ref) -> tuple[str, ...]:
        """The sentences of a memory that say in plain words that something is replaced."""
        if ref not in self._replacing:
            text = self.of(ref)
            self._replacing[ref] = tuple(filter(says_it_replaces, _sentences(text)))
        return self._replacing[ref]

    def says_it_replaces(self, new: Ref, old: Ref) -> bool:
        """Whether those sentences contradict another memory, and nothing else would be hidden
        with it: all that it says besides must stand in the new one too."""
        told, before = self.of(new), self.of(old)
        replacing = self.replacing(new)
        if told is None or before is None or not replacing:
            return False
        refuted = [
            any(contradicts(Text(before.title, said), Text(told.title, now)) for now in replacing)
            for said in _sentences(before)
        ]
        return any(refuted) and all(
            gone or keeps_facts(told.body, said)
            for gone, said in zip(refuted, _sentences(before), strict=True)
        )


def _sentences(text: Text | None) -> list[str]:
    """What a memory says, sentence by sentence; its title where it has no body."""
    said = (text.body if text.body.strip() else text.title) if text else ""
    return [sentence for part in _SENTENCE_END.split(said) if (sentence := part.strip())]


class Relations:
    """Relations of pairs; `kept` are those that the index holds, `deadline` ends the reading."""

    def __init__(
        self, texts: Texts, index: Path, deadline: Deadline, kept: Iterable[pairs.Row]
    ) -> None:
        self._texts = texts
        self._index = index
        self._deadline = deadline
        self._known = {(row.a, row.b): Relation(row.relation) for row in kept if row.relation}
        self._news: list[tuple[str, int, int]] = []
        self._read = 0

    @property
    def may_read(self) -> bool:
        """Whether there is time to read another pair."""
        return self._read < MOST_READINGS and self._deadline.left > 0

    def known(self, one: Facts, other: Facts) -> Relation | None:
        """The relation, if both have been read."""
        return self._known.get((min(one.num, other.num), max(one.num, other.num)))

    def between(self, one: Facts, other: Facts) -> Relation | None:
        """The relation; None where a text cannot be read or there is no time to."""
        found = self.known(one, other)
        return found or (self._found(one, other) if self.may_read else None)

    def save(self) -> None:
        """Keep what was read, unless the index is busy: then it is read again some time."""
        if self._news:
            with suppress(BusyError), closing(open_writer(self._index)) as writer:
                pairs.note_relations(writer, self._news)
            self._news = []

    def _found(self, one: Facts, other: Facts) -> Relation | None:
        left, right = self._texts.of(one.ref), self._texts.of(other.ref)
        if left is None or right is None:
            return None
        self._read += 1
        a, b = sorted((one.num, other.num))
        found = self._known[a, b] = relation(left, right)
        self._news.append((found, a, b))
        if len(self._news) >= _KEPT_AT_ONCE:
            self.save()
        return found


def relation(one: Text, other: Text) -> Relation:
    """What the two texts are to each other."""
    found = veto(one, other)
    if found is None:
        return Relation.SAME
    if contradicts(one, other):
        return Relation.VALUE
    return Relation.WORDING if found.crossable else Relation.OTHER

"""How two alike memories stand to each other, found by reading both texts, once.

What was found is kept beside the pair in the index, so that the next dream need not read again;
only where the rules of reading have changed since, it does.
Texts are read from files as the index saw them; a file that has changed since has no relation.
"""

from __future__ import annotations

from contextlib import closing, suppress
from enum import StrEnum
from functools import cache
from importlib.resources import files
from operator import attrgetter
from typing import TYPE_CHECKING

from muninn_cli.core import likeness
from muninn_cli.core.hashing import blake2b
from muninn_cli.core.likeness import (
    Text,
    conflict,
    contradicts,
    keeps_facts,
    says_it_replaces,
    says_something,
    stated,
    veto,
)
from muninn_cli.core.markdown import sentences
from muninn_cli.errors import BusyError
from muninn_cli.store.index import pairs
from muninn_cli.store.index.connection import open_reader, open_writer

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
        """Title and body; None where nothing can be compared.

        The file has gone or changed since it was indexed, or says nothing of its own.
        """
        if ref not in self._known:
            memory = self._read(ref)
            if memory is not None and says_something(memory.stated_title, memory.body):
                self._known[ref] = stated(memory.stated_title, memory.body)
            else:
                self._known[ref] = None
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
    return sentences(text.body if text.body.strip() else text.title) if text else []


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


def renew(index: Path, rules: str | None = None) -> None:
    """Forget the kept relations where they were read by other rules than these, the present ones.

    Raises MuninnError where the index cannot be written now.
    """
    rules = rules or _rules()
    with closing(open_reader(index)) as reader:
        if pairs.rules(reader) == rules:
            return
    with closing(open_writer(index)) as writer:
        pairs.read_anew(writer, rules)


@cache
def _rules() -> str:
    """Names the rules by their code: nobody has to remember to count them up."""
    folder = files(likeness)
    sources = sorted((each for each in folder.iterdir() if each.is_file()), key=attrgetter("name"))
    digest = blake2b(digest_size=8)
    for source in (*sources, files("muninn_cli.dream.pairing") / "relations.py"):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def relation(one: Text, other: Text) -> Relation:
    """What the two texts are to each other."""
    found = veto(one, other)
    if found is None:
        return Relation.SAME
    if conflict(one, other):
        return Relation.VALUE
    return Relation.WORDING if found.crossable else Relation.OTHER

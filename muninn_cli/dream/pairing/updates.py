"""Updates: of two memories that contradict each other, the newer wins where it says so itself.

Newer is what its file states later as valid, else as created; without both dates there is no
verdict. A chain of updates ends in one head, whatever its length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.changes import Judge, Supersede
from muninn_cli.core.times import epoch
from muninn_cli.dream.pairing.relations import Relation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from muninn_cli.dream.draft import Draft
    from muninn_cli.dream.pairing.relations import Relations, Texts
    from muninn_cli.dream.snapshot import Facts

SAYS_SO = "the newer says that it replaces"
"""The reason of a supersession by rule."""


def is_newer(one: Facts, other: Facts) -> bool:
    """Whether what `one` says holds since later, as far as both files tell."""
    return bool(one.said_at and other.said_at and one.said_at > other.said_at)


def successors(
    partners: Mapping[int, Sequence[Facts]],
    memories: Iterable[Facts],
    texts: Texts,
    relations: Relations,
) -> dict[int, Facts]:
    """By number, the memory that takes a memory's place, always the end of its chain.

    `partners` are those that each memory is paired with. Goes from the newest to the oldest and
    takes the newest that replaces, so that a long chain costs few readings a memory.
    """
    chains = _Chains(partners, {})
    left = sorted(memories, key=_said_at, reverse=True)
    before = -1
    while before < len(chains.next_of):  # what replaced the partners is known in a next round
        before = len(chains.next_of)
        for old in left:
            new = next(_replacing(_Reading(old, texts, relations), chains), None)
            if new is not None:
                chains.next_of[old.num] = new
        left = [old for old in left if old.num not in chains.next_of]
    return {num: chains.end(new) for num, new in chains.next_of.items()}


def supersessions(draft: Draft, pairs: Iterable[tuple[Facts, Facts]]) -> Iterator[Supersede]:
    """The changes for pairs of an old memory and its successor, after the merges of the draft."""
    for old, new in pairs:
        gone, head = old.ref, draft.head(new.ref)
        if gone not in draft.gone and head != gone:
            yield Supersede(gone.vault, gone.id, head.id, SAYS_SO, Judge.RULE)


class _Chains(NamedTuple):
    """Who is paired with whom, and what takes whose place so far, by number."""

    partners: Mapping[int, Sequence[Facts]]
    next_of: dict[int, Facts]

    def end(self, new: Facts) -> Facts:
        """The end of a chain; there are no circles, since each step is to a newer memory."""
        while new.num in self.next_of:
            new = self.next_of[new.num]
        return new


class _Reading(NamedTuple):
    """A memory read beside others."""

    old: Facts
    texts: Texts
    relations: Relations

    def is_replaced_by(self, new: Facts) -> bool:
        """Whether `new` is newer, contradicts, and says so where it does. Reads only if it must."""
        known = self.relations.known(self.old, new)
        return (
            known in (None, Relation.VALUE)
            and is_newer(new, self.old)
            and bool(self.texts.replacing(new.ref))
            and self.contradicts(new)
            and self.texts.says_it_replaces(new.ref, self.old.ref)
        )

    def contradicts(self, other: Facts) -> bool:
        return self.relations.between(self.old, other) is Relation.VALUE


def _replacing(reading: _Reading, chains: _Chains) -> Iterator[Facts]:
    """What replaces a memory: newer partners, then what has replaced those it contradicts."""
    partners = chains.partners.get(reading.old.num, ())
    yield from filter(reading.is_replaced_by, sorted(partners, key=_said_at, reverse=True))
    known = {each.num for each in partners}
    for gone in partners:
        if gone.num in chains.next_of and reading.contradicts(gone):
            end = chains.end(gone)
            if end.num not in known and reading.is_replaced_by(end):
                yield end
            known.add(end.num)


def _said_at(facts: Facts) -> tuple[float, str]:
    return (epoch(facts.said_at) if facts.said_at else 0.0, facts.ref.id)

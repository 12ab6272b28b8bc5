"""Updates: of two memories that contradict each other, the newer wins where it says so itself.

Newer is what its file states later as valid, else as created; without both dates there is no
verdict. A chain of updates ends in one head, whatever its length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.changes import Judge, Supersede
from muninn_cli.core.times import epoch
from muninn_cli.dream.relations import Relation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from muninn_cli.dream.draft import Draft
    from muninn_cli.dream.relations import Relations, Texts
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
    takes the newest that replaces, so that a long chain costs one reading a memory.
    """
    found: dict[int, Facts] = {}
    left = sorted(memories, key=_said_at, reverse=True)
    before = -1
    while before < len(found):  # what replaced a memory's older partners is known in a next round
        before = len(found)
        for old in left:
            near = partners.get(old.num, ())
            new = next(_replacing(old, near, found, texts, relations), None)
            if new is not None:
                found[old.num] = new
        left = [old for old in left if old.num not in found]
    return {num: _end(new, found) for num, new in found.items()}


def _end(new: Facts, found: Mapping[int, Facts]) -> Facts:
    """The end of a chain; there are no circles, since each step is to a newer memory."""
    while new.num in found:
        new = found[new.num]
    return new


def supersessions(draft: Draft, pairs: Iterable[tuple[Facts, Facts]]) -> Iterator[Supersede]:
    """The changes for pairs of an old memory and its successor, after the merges of the draft."""
    for old, new in pairs:
        gone, head = old.ref, draft.head(new.ref)
        if gone not in draft.gone and head != gone:
            yield Supersede(gone.vault, gone.id, head.id, SAYS_SO, Judge.RULE)


def _replacing(
    old: Facts,
    partners: Sequence[Facts],
    found: Mapping[int, Facts],
    texts: Texts,
    relations: Relations,
) -> Iterator[Facts]:
    """What replaces a memory: newer partners, then what has replaced those it contradicts."""
    reading = _Reading(old, texts, relations)
    for new in sorted(partners, key=_said_at, reverse=True):
        if reading.is_replaced_by(new):
            yield new
    paired = {each.num for each in partners}
    for gone in partners:
        if gone.num in found and reading.contradicts(gone):
            new = _end(found[gone.num], found)
            if new.num not in paired and reading.is_replaced_by(new):
                yield new


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


def _said_at(facts: Facts) -> tuple[float, str]:
    return (epoch(facts.said_at) if facts.said_at else 0.0, facts.ref.id)

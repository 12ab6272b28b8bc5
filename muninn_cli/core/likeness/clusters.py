"""Clusters: which memories merge by themselves, which are for a judge, which contradict.

Pure set building over pairs that somebody else measured; ids are those of one vault.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.terms import Tier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

MOST_CHUNKS = 3
"""Memories of more chunks never merge by themselves."""
MOST_MEMBERS = 8
"""Memories that a judge is shown in one cluster."""


class Pair(NamedTuple):
    """Two memories and how alike they are, as a cosine."""

    a: str
    b: str
    cosine: float


@dataclass(frozen=True, slots=True)
class Bounds:
    """The cosines from which on `add` takes two memories of these tiers for one."""

    durable: float = 0.95
    base: float = 0.92
    ephemeral: float = 0.90


@dataclass(frozen=True, slots=True)
class Clusters:
    """`merges` say the same and merge by themselves; `near` are for a judge.

    A contradiction is a pair. A memory is in one merge at most and in one near cluster at most;
    of a merge only its survivor is in a near cluster or a contradiction.
    """

    merges: tuple[tuple[str, ...], ...]
    near: tuple[tuple[str, ...], ...]
    contradictions: tuple[tuple[str, str], ...]


def merge_bound(a: Tier, b: Tier, bounds: Bounds) -> float:
    """The cosine from which on two memories of these tiers are one: stricter for the durable."""
    tiers = {a, b}
    if not tiers.isdisjoint({Tier.T0, Tier.T1}):
        return bounds.durable
    return bounds.ephemeral if tiers == {Tier.T3} else bounds.base


def alike(cosines: Sequence[Sequence[float]]) -> float:
    """How alike two memories of several chunks are: the worst best partner of any chunk.

    `cosines` has a row for each chunk of one and a column for each chunk of the other.
    """
    rows = [max(row) for row in cosines]
    columns = [max(column) for column in zip(*cosines, strict=True)]
    worst: float = min(rows + columns)
    return worst


def clusters(
    pairs: Iterable[Pair],
    *,
    merge_at: float,
    same: Callable[[str, str], bool],
    contradicts: Callable[[str, str], bool],
    survivor: Callable[[tuple[str, ...]], str],
) -> Clusters:
    """Sort pairs at or above the review bound into merges, near duplicates and contradictions.

    `same` says that no veto stands between two memories. In a merge *every* two members are at
    or above `merge_at` and the same: a chain of small steps joins nothing.
    """
    ordered = sorted(pairs, key=lambda pair: (-pair.cosine, pair.a, pair.b))
    merges = _merges([pair for pair in ordered if pair.cosine >= merge_at], same)
    heads = {member: survivor(group) for group in merges for member in group}
    near = _Groups(lambda left, right: len(left) + len(right) <= MOST_MEMBERS)
    contradictions: dict[tuple[str, str], None] = {}
    for pair in ordered:
        a, b = heads.get(pair.a, pair.a), heads.get(pair.b, pair.b)
        if a == b:
            continue
        if contradicts(a, b):
            contradictions[min(a, b), max(a, b)] = None
        else:
            near.join(a, b)
    return Clusters(merges, near.sets(), tuple(contradictions))


def _merges(pairs: list[Pair], same: Callable[[str, str], bool]) -> tuple[tuple[str, ...], ...]:
    joinable = {frozenset((a, b)) for a, b, _ in pairs if same(a, b)}
    groups = _Groups(
        lambda left, right: all(frozenset((x, y)) in joinable for x in left for y in right)
    )
    for a, b, _ in pairs:
        if frozenset((a, b)) in joinable:
            groups.join(a, b)
    return groups.sets()


class _Groups:
    """Disjoint sets that grow where `may_join` allows."""

    def __init__(self, may_join: Callable[[list[str], list[str]], bool]) -> None:
        self._may_join = may_join
        self._group: dict[str, list[str]] = {}

    def join(self, a: str, b: str) -> None:
        left = self._group.setdefault(a, [a])
        right = self._group.setdefault(b, [b])
        if left is right or not self._may_join(left, right):
            return
        left += right
        for member in right:
            self._group[member] = left

    def sets(self) -> tuple[tuple[str, ...], ...]:
        """The sets of two and more, each sorted, in the order of their first members."""
        groups = {id(group): group for group in self._group.values() if len(group) > 1}
        return tuple(sorted(tuple(sorted(group)) for group in groups.values()))

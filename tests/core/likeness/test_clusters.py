"""Which memories merge by themselves, which are for a judge, which contradict."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.likeness import Bounds, Clusters, Pair, alike, clusters, merge_bound
from muninn_cli.core.likeness.clusters import MOST_MEMBERS
from muninn_cli.core.terms import Tier


def sort(
    *pairs: tuple[str, str, float],
    vetoed: tuple[str, ...] = (),
    opposed: tuple[str, ...] = (),
) -> Clusters:
    """Pairs are named by their two letters in `vetoed` and `opposed`."""
    return clusters(
        [Pair(*pair) for pair in pairs],
        merge_at=0.95,
        same=lambda a, b: "".join(sorted(a + b)) not in {*vetoed, *opposed},
        contradicts=lambda a, b: "".join(sorted(a + b)) in opposed,
        survivor=min,
    )


def test_a_pair_at_the_bound_merges() -> None:
    assert sort(("a", "b", 0.95)).merges == (("a", "b"),)
    assert sort(("a", "b", 0.949)) == Clusters((), (("a", "b"),), ())


def test_a_veto_keeps_a_pair_for_a_judge() -> None:
    assert sort(("a", "b", 0.99), vetoed=("ab",)) == Clusters((), (("a", "b"),), ())


def test_in_a_merge_every_two_members_are_alike() -> None:
    found = sort(("a", "b", 0.98), ("b", "c", 0.97), ("a", "c", 0.9))
    assert found.merges == (("a", "b"),)
    assert found.near == (("a", "c"),)


def test_a_veto_between_two_members_parts_a_merge() -> None:
    pairs = [(*pair, 0.99) for pair in combinations("abc", 2)]
    assert sort(*pairs, vetoed=("ac",)).merges == (("a", "b"),)


def test_many_copies_are_one_merge() -> None:
    names = [f"m{number:02}" for number in range(40)]
    found = sort(*((a, b, 1.0) for a, b in combinations(names, 2)))
    assert found == Clusters((tuple(names),), (), ())


def test_a_contradiction_is_no_near_duplicate() -> None:
    found = sort(("b", "a", 0.97), ("b", "c", 0.8), opposed=("ab",))
    assert found == Clusters((), (("b", "c"),), (("a", "b"),))


def test_only_the_survivor_of_a_merge_meets_a_judge() -> None:
    found = sort(("a", "b", 0.99), ("b", "c", 0.8), ("b", "d", 0.8), opposed=("ad",))
    assert found == Clusters((("a", "b"),), (("a", "c"),), (("a", "d"),))


def test_a_near_cluster_stays_small() -> None:
    names = [f"m{number:02}" for number in range(30)]
    found = sort(*((a, b, 0.8) for a, b in combinations(names, 2)))
    assert max(map(len, found.near)) <= MOST_MEMBERS
    assert sorted(name for group in found.near for name in group) == names


def test_the_order_of_the_pairs_does_not_matter() -> None:
    pairs = [("a", "b", 0.98), ("b", "c", 0.97), ("a", "c", 0.96), ("c", "d", 0.8)]
    assert len({sort(*order) for order in permutations(pairs)}) == 1


@given(st.lists(st.lists(st.floats(-1, 1), min_size=3, max_size=3), min_size=1, max_size=4))
def test_long_memories_are_as_alike_as_the_worst_best_partner(rows: list[list[float]]) -> None:
    best = [max(row) for row in rows] + [max(column) for column in zip(*rows, strict=True)]
    assert alike(rows) == min(best)


def test_a_chunk_without_a_partner_makes_two_memories_unlike() -> None:
    assert alike([[1.0], [0.2]]) == 0.2
    assert alike([[1.0, 0.2]]) == 0.2


@pytest.mark.parametrize(
    ("a", "b", "bound"),
    [
        (Tier.T0, Tier.T3, 0.95),
        (Tier.T2, Tier.T1, 0.95),
        (Tier.T2, Tier.T2, 0.92),
        (Tier.T2, Tier.T3, 0.92),
        (Tier.T3, Tier.T3, 0.90),
    ],
)
def test_the_durable_merge_only_when_very_alike(a: Tier, b: Tier, bound: float) -> None:
    assert merge_bound(a, b, Bounds()) == bound
    assert merge_bound(b, a, Bounds()) == bound

"""The order of candidates: rank fusion, and what is added to a score."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.ranking import bounded, final_score, fuse, relative
from muninn_cli.core.terms import Tier


def test_a_good_rank_in_both_legs_beats_the_first_rank_in_one():
    semantic = [10, 11, 12, 13]
    fulltext = [20, 21, 22, 23, 24, 25, 26, 12]
    scores = fuse([(0.7, semantic), (0.3, fulltext)])
    assert scores[12] == pytest.approx(61 * (0.7 / 63 + 0.3 / 68))
    assert scores[10] == pytest.approx(61 * 0.7 / 61)
    assert scores[12] > scores[10]


def test_first_in_both_legs_is_the_best_fusion_and_scores_1():
    assert fuse([(0.7, [1]), (0.3, [1])]) == {1: pytest.approx(1.0)}


def test_bm25_is_shown_as_a_share_of_the_best():
    assert relative({1: 8.0, 2: 2.0}) == {1: 1.0, 2: 0.25}
    assert relative({1: 0.0}) == {1: 0.0}
    assert relative({}) == {}


def test_foundational_memories_get_a_tenth_before_strength_counts():
    assert final_score(0.5, Tier.T0, 0.95) == pytest.approx(0.6 * 0.95)
    assert final_score(0.5, Tier.T1, 0.95) == pytest.approx(0.5 * 0.95)


def test_no_number_becomes_not_a_number():
    assert bounded(math.nan) == 0.0
    assert final_score(math.nan, Tier.T2, 1.0) == 0.0


shares = st.floats(0, 1)


@given(st.lists(st.integers(), unique=True), st.lists(st.integers(), unique=True), shares)
def test_fusion_lies_between_0_and_1_and_knows_every_key(semantic, fulltext, weight):
    scores = fuse([(weight, semantic), (1 - weight, fulltext)])
    assert scores.keys() == {*semantic, *fulltext}
    assert all(0 <= score <= 1 for score in scores.values())


@given(st.permutations(range(6)), st.permutations(range(6)))
def test_a_better_rank_in_both_legs_never_scores_less(semantic, fulltext):
    scores = fuse([(0.7, semantic), (0.3, fulltext)])
    for one in range(6):
        for other in range(6):
            ahead = semantic.index(one) < semantic.index(other)
            if ahead and fulltext.index(one) < fulltext.index(other):
                assert scores[one] > scores[other]

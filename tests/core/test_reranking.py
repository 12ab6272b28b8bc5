"""The rerank: each part of a score moved by one fact."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.reranking import Lender, Passage, best_matches, lent_share, rerank

IDF = (3.0, 1.0)
PLAIN = Passage(cosine=0.5, own=(0.5, 0.2))


def scored(passage, **options):
    return rerank({1: passage}, IDF, **options)[1]


def test_words_count_by_their_weight():
    assert scored(PLAIN).words == pytest.approx((3 * 0.5 + 1 * 0.2) / 4)


def test_score_mixes_cosine_and_words_and_adds_the_date():
    parts = scored(PLAIN._replace(date=0.5))
    words = (3 * 0.5 + 0.2) / 4
    assert parts.weight == 0.7
    assert parts.score == pytest.approx((0.7 * 0.5 + 0.3 * words + 0.15 * 0.5) / 1.15)


def test_the_more_of_the_question_one_passage_holds_literally_the_less_the_cosine_weighs():
    assert scored(PLAIN._replace(own=(1.0, 0.9))).weight == pytest.approx(0.7 - 0.4 * 3 / 4)
    assert scored(PLAIN._replace(own=(1.0, 1.0))).weight == pytest.approx(0.3)
    together = rerank({1: PLAIN, 2: PLAIN._replace(own=(0.1, 1.0))}, IDF)
    assert together[1].weight == together[2].weight == pytest.approx(0.7 - 0.4 / 4)


def test_lent_words_do_not_count_as_literal():
    lent = PLAIN._replace(lenders=(Lender(1.0, (1.0, 1.0)),))
    assert scored(lent).weight == 0.7


def test_a_weight_set_by_a_person_stays_as_it_is():
    assert scored(PLAIN._replace(own=(1.0, 1.0)), weight=0.6).weight == 0.6


def test_a_neighbour_lends_only_the_words_that_are_missing():
    lenders = (Lender(0.6, (1.0, 0.0)), Lender(0.4, (1.0, 1.0)))
    parts = scored(PLAIN._replace(own=(0.7, 0.1), lenders=lenders))
    assert parts.words == pytest.approx((3 * 0.7 + 1 * 0.4) / 4)
    assert parts.lent == pytest.approx(0.3 / 4)


@pytest.mark.parametrize(
    ("distance", "alike", "asks", "share"),
    [
        (-1, True, False, 0.6),
        (1, True, False, 0.6),
        (-2, True, False, 0.4),
        (2, True, False, 0.4),
        (-1, False, False, 0.0),
        (2, False, False, 0.0),
        (3, True, False, 0.0),
        (-1, True, True, 0.8),
        (-1, False, True, 0.8),
        (1, True, True, 0.6),
        (-2, True, True, 0.4),
        (1, False, True, 0.0),
    ],
)
def test_who_lends_how_much(distance, alike, asks, share):
    assert lent_share(distance, alike=alike, asks=asks) == share


def test_without_a_vector_of_the_question_words_count_alone():
    parts = scored(PLAIN._replace(date=1.0), vector=False)
    assert parts.score == pytest.approx(((3 * 0.5 + 0.2) / 4 + 0.15) / 1.15)


def test_without_content_words_the_cosine_counts_alone():
    parts = rerank({1: Passage(cosine=0.5, own=())}, ())[1]
    assert parts.score == pytest.approx(0.5 / 1.15)


def test_the_best_word_of_a_text_counts_for_each_word_of_the_question():
    assert best_matches([(0.1, 0.9), (0.4, 0.2)], 2) == (0.4, 0.9)
    assert best_matches([], 2) == (0.0, 0.0)


shares = st.floats(0, 1)
pairs = st.tuples(shares, shares)
passages = st.builds(
    Passage,
    cosine=st.floats(-1, 1),
    own=pairs,
    lenders=st.lists(st.builds(Lender, shares, pairs), max_size=4).map(tuple),
    date=st.sampled_from([0.0, 0.25, 0.5, 1.0]),
)
weights = st.floats(1e-6, 20)


@given(
    st.dictionaries(st.integers(), passages, max_size=6),
    st.tuples(weights, weights),
    st.booleans(),
    st.none() | shares,
)
def test_every_part_of_a_rerank_lies_between_0_and_1(candidates, idf, vector, weight):
    for parts in rerank(candidates, idf, vector=vector, weight=weight).values():
        for part in (parts.score, parts.cosine, parts.words, parts.weight):
            assert 0 <= part <= 1
        assert -1e-9 <= parts.lent <= 1

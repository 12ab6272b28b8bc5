"""Associations: learning from recalls, fading, inference."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.associations import (
    Association,
    infer,
    pair_of,
    replay,
    stronger,
    weight_at,
)

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


def test_a_weight_halves_in_sixty_days_on_reading() -> None:
    association = Association(0.8, NOW)
    assert weight_at(association, NOW) == pytest.approx(0.8)
    assert weight_at(association, NOW + 60 * DAY) == pytest.approx(0.4)
    assert weight_at(association, NOW + 180 * DAY) == pytest.approx(0.1)


def test_a_weight_does_not_grow_when_the_clock_goes_back() -> None:
    assert weight_at(Association(0.5, NOW), NOW - 100 * DAY) == pytest.approx(0.5)


def test_an_answer_teaches_by_the_shares_of_the_best_score() -> None:
    learned = replay({}, [(NOW, [("a", 0.8), ("b", 0.4), ("c", 0.2)])])
    assert learned[("a", "b")].weight == pytest.approx(0.1 * 1 * 0.5)
    assert learned[("b", "c")].weight == pytest.approx(0.1 * 0.5 * 0.25)


def test_a_second_answer_adds_to_what_time_has_left() -> None:
    hits = [("a", 1.0), ("b", 1.0)]
    learned = replay({("a", "b"): Association(0.5, NOW)}, [(NOW + 60 * DAY, hits)])
    assert learned[("a", "b")].weight == pytest.approx(0.25 + 0.1 * 0.5)


def test_only_the_first_five_hits_belong_together() -> None:
    learned = replay({}, [(NOW, [(name, 1.0) for name in "abcdefg"])])
    assert {name for pair in learned for name in pair} == set("abcde")


def test_a_pair_learns_once_an_hour_also_over_two_replays() -> None:
    hits = [("a", 1.0), ("b", 1.0)]
    once = replay({}, [(NOW, hits), (NOW + HOUR / 2, hits)])
    assert once == replay({}, [(NOW, hits)])
    assert replay(once, [(NOW + HOUR / 2, hits), (NOW - DAY, hits)]) == {}
    assert replay(once, [(NOW + HOUR, hits)])[("a", "b")].weight > once[("a", "b")].weight


@pytest.mark.parametrize(
    "hits", [[], [("a", 1.0)], [("a", 0.0), ("b", 0.0)], [("a", 1.0), ("a", 1.0)]]
)
def test_nothing_is_learned_from_less_than_two_scored_memories(
    hits: list[tuple[str, float]],
) -> None:
    assert replay({}, [(NOW, hits)]) == {}


@given(st.lists(st.tuples(st.integers(0, 500), st.floats(0.01, 1)), max_size=60))
def test_weights_stay_between_zero_and_one(steps: list[tuple[int, float]]) -> None:
    answers = [(NOW + n * HOUR, [("a", 1.0), ("b", score)]) for n, score in sorted(steps)]
    assert all(0 <= association.weight <= 1 for association in replay({}, answers).values())


def test_two_strong_learned_associations_imply_a_third() -> None:
    known = {("a", "b"): Association(0.9, NOW), ("b", "c"): Association(0.8, NOW)}
    assert infer(known, NOW) == {("a", "c"): Association(pytest.approx(0.9 * 0.8 * 0.8), NOW, True)}


def test_a_premise_must_still_be_strong_now() -> None:
    known = {("a", "b"): Association(0.9, NOW), ("b", "c"): Association(0.8, NOW)}
    assert infer(known, NOW + 30 * DAY) == {}


def test_an_inferred_association_is_never_a_premise() -> None:
    known = {("a", "b"): Association(0.9, NOW), ("b", "c"): Association(0.9, NOW, inferred=True)}
    assert infer(known, NOW) == {}


def test_inference_replaces_neither_a_learned_nor_a_stronger_one() -> None:
    known = {("a", "b"): Association(0.9, NOW), ("b", "c"): Association(0.9, NOW)}
    assert infer({**known, ("a", "c"): Association(0.01, NOW)}, NOW) == {}
    assert infer({**known, ("a", "c"): Association(0.7, NOW, True)}, NOW) == {}
    assert infer({**known, ("a", "c"): Association(0.1, NOW, True)}, NOW) != {}


def test_at_most_a_thousand_are_inferred_and_the_strongest() -> None:
    known = {pair_of("hub", f"m{n:02}"): Association(0.7 + n / 1000, NOW) for n in range(60)}
    inferred = infer(known, NOW)
    assert len(inferred) == 1000
    assert ("m58", "m59") in inferred and ("m00", "m01") not in inferred


def test_the_stronger_of_two_is_judged_at_one_instant() -> None:
    old, new = Association(0.9, NOW - 120 * DAY), Association(0.3, NOW)
    assert stronger(old, new) == new
    assert stronger(None, new) == new
    assert stronger(Association(0.9, NOW - 60 * DAY), new).weight == pytest.approx(0.45)

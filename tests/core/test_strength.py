"""Retrievability, relevance and the memory factor against their formulas."""

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.strength import age_days, memory_factor, relevance, retrievability

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def test_retrievability_is_one_at_once_and_nine_tenths_after_the_stability() -> None:
    assert retrievability(0, 14) == 1
    assert retrievability(14, 14) == pytest.approx(0.9)
    assert retrievability(365, 365) == pytest.approx(0.9)


@given(st.floats(0, 5000), st.floats(0, 5000), st.floats(14, 365))
def test_retrievability_only_falls(one: float, other: float, stability: float) -> None:
    early, late = sorted((one, other))
    assert 0 < retrievability(late, stability) <= retrievability(early, stability) <= 1


def test_relevance_is_the_sum_over_creation_and_recalls() -> None:
    recalls = [NOW - 4 * DAY, NOW - 9 * DAY]
    base = math.log(25**-0.5 + 4**-0.5 + 9**-0.5)
    expected = 1 / (1 + math.exp(-(base + 1)))
    assert relevance(NOW - 25 * DAY, recalls, 2, NOW) == pytest.approx(expected)


def test_ages_are_at_least_one_minute() -> None:
    base = math.log(1440**0.5)
    expected = 1 / (1 + math.exp(-(base + 1)))
    assert relevance(NOW, [], 0, NOW) == pytest.approx(expected)
    assert relevance(NOW + DAY, [], 0, NOW) == pytest.approx(expected)


def test_the_recalls_beyond_five_are_approximated_closely() -> None:
    recalls = [NOW - n * DAY for n in range(1, 61)]
    exact = math.log(math.fsum(age_days(at, NOW) ** -0.5 for at in [*recalls, NOW - 61 * DAY]))
    estimate = relevance(NOW - 61 * DAY, recalls[:5], len(recalls), NOW)
    assert estimate == pytest.approx(1 / (1 + math.exp(-(exact + 1))), abs=0.01)


def test_more_recalls_are_more_relevance_and_time_less() -> None:
    created, newest = NOW - 100 * DAY, [NOW - n * DAY for n in range(1, 6)]
    assert relevance(created, newest, 9, NOW) > relevance(created, newest, 5, NOW)
    assert relevance(created, newest, 9, NOW + 30 * DAY) < relevance(created, newest, 9, NOW)


def test_the_factor_only_decides_between_equals() -> None:
    assert memory_factor(0, 0) == pytest.approx(0.94)
    assert memory_factor(1, 1) == pytest.approx(1)
    assert memory_factor(1, 0) == pytest.approx(0.97)


def test_an_age_is_never_negative() -> None:
    assert age_days(NOW, NOW - DAY) == 0
    assert age_days(NOW - DAY / 2, NOW) == 0.5

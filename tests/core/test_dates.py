"""Dates named in a question, and how well a memory's date fits them."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.dates import NamedDates, date_score, named_dates

MAY_7 = datetime(2023, 5, 7, 14, 30, tzinfo=UTC)


def dates(*, years=(), months=(), days=()):
    return NamedDates(frozenset(years), frozenset(months), frozenset(days))


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("what happened in May 2023?", dates(years=[2023], months=[5])),
        ("¿qué pasó en mayo de 2023?", dates(years=[2023], months=[5])),
        ("on 7 May", dates(months=[5], days=[(5, 7)])),
        ("May 7th, 2023", dates(years=[2023], months=[5], days=[(5, 7)])),
        ("el 3 de marzo de 2024", dates(years=[2024], months=[3], days=[(3, 3)])),
        ("the 21st of july", dates(months=[7], days=[(7, 21)])),
        ("el 1º de setiembre", dates(months=[9], days=[(9, 1)])),
        ("log of 2023-05-07", dates(years=[2023], months=[5], days=[(5, 7)])),
        ("report 2023-11", dates(years=[2023], months=[11])),
        ("between January and March 2024", dates(years=[2024], months=[1, 3])),
        ("in 2022", dates(years=[2022])),
    ],
)
def test_months_years_and_days_are_read_in_both_languages(question, named):
    assert named_dates(question) == named


@pytest.mark.parametrize(
    "question",
    ["may I restart it?", "we march on", "port 8080", "item 120234", "the dismay", "last week", ""],
)
def test_what_is_no_date_names_none(question):
    assert not named_dates(question)


def test_may_and_march_count_with_a_capital_other_months_without():
    assert named_dates("in may").months == frozenset()
    assert named_dates("in March").months == {3}
    assert named_dates("in june").months == {6}


def test_letters_that_only_look_like_a_month_are_read_without_failing():
    assert named_dates("in august, aprıl and auguſt").months == {8}


def test_a_time_of_day_is_no_day_of_the_month():
    assert named_dates("el 4 de mayo 15:30").days == {(5, 4)}
    assert named_dates("en mayo 15:30").days == frozenset()


@pytest.mark.parametrize(
    ("question", "score"),
    [
        ("7 May 2023", 1.0),
        ("7 May", 1.0),
        ("8 May 2023", 0.5),
        ("May 2023", 0.5),
        ("May", 0.5),
        ("2023", 0.25),
        ("7 May 2022", 0.0),
        ("7 June 2023", 0.0),
        ("2022 or 2023", 0.25),
        ("yesterday", 0.0),
    ],
)
def test_a_memory_of_7_may_2023_fits_as_well_as_the_question_is_exact(question, score):
    assert date_score(named_dates(question), MAY_7) == score


def test_a_memory_without_a_date_fits_no_date():
    assert date_score(named_dates("May 2023"), None) == 0.0


@given(st.text(st.characters()))
def test_any_string_can_be_read(question):
    assert 0 <= date_score(named_dates(question), MAY_7) <= 1

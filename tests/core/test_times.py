"""Times as people write them on a command line."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from muninn_cli.core.times import parse_moment

NOW = datetime(2026, 3, 28, 6, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "days"), [("30d", 30), ("2w", 14), ("6M", 180), ("1y", 365), ("0d", 0)]
)
def test_a_span_is_counted_back_from_now(text: str, days: int) -> None:
    assert parse_moment(text, NOW) == NOW - timedelta(days=days)


def test_a_time_is_read_as_it_stands() -> None:
    assert parse_moment("2026-03-01", NOW) == datetime(2026, 3, 1, tzinfo=UTC)
    assert parse_moment("2026-03-01T06:00+02:00", NOW) == datetime(2026, 3, 1, 4, tzinfo=UTC)


def test_a_span_longer_than_history_is_no_failure() -> None:
    assert parse_moment("9" * 5000 + "y", NOW) == NOW - timedelta(days=365_000)


@pytest.mark.parametrize("text", ["", "d", "yesterday", "3x", "-3d", "2026-02-30", "1.5d"])
def test_what_is_no_time_is_none(text: str) -> None:
    assert parse_moment(text, NOW) is None

"""When a dream is due."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from muninn_cli.dream.gates import Gates, gates

LAST = datetime(2026, 3, 20, 6, tzinfo=UTC)


def at(hours: float, *, new: int = 3, last: datetime | None = LAST) -> Gates:
    return gates(last, LAST + timedelta(hours=hours), new=new, min_hours=12, min_new=3)


def test_a_first_dream_needs_only_news() -> None:
    assert at(0, last=None).open
    assert not at(0, last=None, new=2).open


@pytest.mark.parametrize(
    ("hours", "new", "opens"), [(12, 3, True), (11.9, 3, False), (12, 2, False)]
)
def test_both_gates_must_be_open(hours: float, new: int, opens: bool) -> None:
    gate = at(hours, new=new)
    assert gate.open is opens
    assert bool(gate.reasons) is not opens


def test_a_clock_that_went_back_shuts_the_gate_and_gives_no_negative_hours() -> None:
    gate = at(-24)
    assert not gate.open
    assert gate.hours == 0
    assert gate.reasons == ("the clock stands before the last dream",)

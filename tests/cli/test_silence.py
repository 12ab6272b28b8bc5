"""Clocks that are not believed: no jump of a clock hides, archives or forgets anything."""

from __future__ import annotations

import pytest
from conftest import START


@pytest.fixture
def shelf(personal):
    return personal.put_one_of_each_tier()


COMMANDS = (
    ("list",),
    ("search", "whales"),
    ("show", "IN-T3"),
    ("status",),
    ("expiring",),
    ("sync",),
    ("reindex",),
    ("sweep",),
    ("sweep", "--dry-run"),
    ("sweep", "--dry-run", "--yes"),
    ("add", "A new memory on bees."),
    ("add", "Whales of tier T2."),
    ("add", "whales, of tier t2", "--tag", "sea"),
    ("tier", "set", "IN-T2", "T1"),
    ("unpin", "PINNED"),
    ("pin", "IN-T3"),
    ("archive", "IN-T1"),
    ("restore", "IN-T1"),
    ("supersede", "IN-T0", "IN-T1"),
    ("supersede", "--undo", "IN-T0"),
)


PREPARED = {
    ("restore", "IN-T1"): [("archive", "IN-T1")],
    ("supersede", "--undo", "IN-T0"): [("supersede", "IN-T0", "IN-T1")],
}
HIDES = {"archive": {"T1"}, "supersede": {"T0"}}
"""What a command takes out of sight because it is told to."""


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_ten_years_ahead_no_command_hides_or_archives_anything(shelf, clock, command):
    """The clock jumps, a command is run, the clock is put right: all is as if it had not jumped."""
    for first in PREPARED.get(command, ()):
        shelf.json(*first)
    clock.advance(days=1)
    present = clock.now
    before = set(shelf.names())
    clock.advance(days=3650)
    result = shelf.muninn(*command)
    assert result.code == 0, result.err
    before -= HIDES.get(command[0], set())
    assert before <= set(shelf.names())
    clock.now = present
    clock.advance(days=2)
    assert before <= set(shelf.names())
    assert shelf.json("sweep")["archived"] == []


def test_after_a_jump_and_back_an_unused_memory_still_goes_in_its_time(shelf, clock):
    clock.advance(days=3650)
    for command in (("search", "whales"), ("show", "IN-T3"), ("sweep",), ("status",)):
        shelf.json(*command)
    clock.now = START
    clock.advance(days=29)
    assert "T3" in shelf.names()
    clock.advance(days=2)
    assert [one["id"] for one in shelf.json("sweep")["archived"]] == ["IN-T3"]


def test_after_a_long_silence_nothing_goes_until_a_person_says_yes(shelf, clock):
    clock.advance(days=61)
    result = shelf.muninn("sweep", "--json")
    assert result.json["archived"] == []
    assert "60 days" in result.err and "--yes" in result.err
    assert shelf.names() == ["T0", "T1", "T2", "T3", "pinned"]
    assert [one["id"] for one in shelf.json("sweep", "--yes")["archived"]] == ["IN-T3"]
    assert shelf.names() == ["T0", "T1", "T2", "pinned"]
    shelf.json("show", "IN-T2")
    assert shelf.memory("IN-T2")["usage"]["recalls"] == 1


def test_in_a_silence_a_use_is_not_noted_and_status_says_so(shelf, clock):
    clock.advance(days=61)
    shelf.json("show", "IN-T3")
    assert shelf.memory("IN-T3")["usage"]["recalls"] == 0
    assert shelf.json("status")["silent"] is True
    assert "--yes" in shelf.muninn("status").err


def test_a_dry_run_does_not_end_a_silence(shelf, clock):
    clock.advance(days=61)
    shelf.json("sweep", "--dry-run", "--yes")
    assert shelf.json("status")["silent"] is True


def test_old_runs_are_not_forgotten_by_a_clock_that_jumped(shelf, clock, home):
    clock.advance(days=31)
    run = shelf.json("sweep")["run"]
    clock.advance(days=3650)
    shelf.json("sweep")
    assert (home / "state" / "runs" / run).is_dir()


def test_a_clock_that_goes_back_takes_nothing_back(shelf, clock):
    clock.advance(days=10)
    shelf.json("show", "IN-T3")
    later = shelf.memory("IN-T3")
    clock.advance(days=-9.5)
    earlier = shelf.memory("IN-T3")
    clock.advance(days=9.5)
    assert shelf.memory("IN-T3") == later
    assert earlier["expires"] <= later["expires"]

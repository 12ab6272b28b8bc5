"""`muninn tier set`: another life from now on, and never less than seven days of it."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("tier", "expires"),
    [("T0", None), ("T1", "2027-03-28T06:00:00Z"), ("T3", "2026-04-27T06:00:00Z")],
)
def test_the_file_says_its_tier_and_since_when(personal, clock, tier, expires):
    answer = personal.add("Whales sing.")
    clock.advance(days=1)
    told = personal.json("tier", "set", answer["id"], tier)
    assert (told["operation"], told["before"], told["tier"]) == ("set", "T2", tier)
    text = personal.files()[answer["path"]].decode()
    assert f"tier: {tier}\n" in text and "tier_since: 2026-03-29T06:00:00Z\n" in text
    assert personal.memory(answer["id"])["expires"] == expires


def test_seven_days_are_left_whatever_the_age(personal, clock):
    memory_id = personal.add("Whales sing.")["id"]
    clock.advance(days=50)
    personal.json("tier", "set", memory_id, "T3")
    memory = personal.memory(memory_id)
    assert (memory["state"], memory["expires"]) == ("live", "2026-05-24T06:00:00Z")
    clock.advance(days=7)
    assert personal.memory(memory_id)["state"] == "expired"


def test_the_tier_that_it_has_is_no_news(personal):
    answer = personal.add("Whales sing.")
    before = personal.files()
    assert personal.json("tier", "set", answer["id"], "T2")["operation"] == "unchanged"
    assert personal.files() == before


def test_a_promotion_can_be_taken_back_and_counting_begins_again(personal, clock):
    memory_id = personal.add("Whales sing.", "--tier", "T3")["id"]
    for _ in range(5):
        clock.advance(days=1)
        personal.json("show", memory_id)
    assert personal.memory(memory_id)["tier"] == "T2"
    told = personal.json("tier", "set", memory_id, "T3")
    assert (told["before"], personal.memory(memory_id)["tier"]) == ("T2", "T3")
    for _ in range(4):
        clock.advance(days=1)
        personal.json("show", memory_id)
    assert personal.memory(memory_id)["tier"] == "T3"
    clock.advance(days=1)
    personal.json("show", memory_id)
    assert personal.memory(memory_id)["tier"] == "T2"


def test_an_expired_memory_can_be_saved_by_a_higher_tier(personal, clock):
    memory_id = personal.add("Whales sing.", "--tier", "T3")["id"]
    clock.advance(days=40)
    assert personal.memory(memory_id)["state"] == "expired"
    personal.json("tier", "set", memory_id, "T1")
    assert personal.memory(memory_id)["state"] == "live"


def test_a_tier_that_there_is_not_is_wrong_usage(personal):
    answer = personal.add("Whales sing.")
    assert personal.muninn("tier", "set", answer["id"], "T4").code == 2


def test_people_read_from_what_to_what(personal):
    personal.add("Whales sing.", "--title", "Whales")
    assert personal.muninn("tier", "set", "Whales", "T1").out == "Whales: T2 → T1\n"

"""`muninn status`: counts that are true, and warnings in time."""

from __future__ import annotations

import pytest


@pytest.fixture
def shelf(personal):
    for tier, count in {"T0": 1, "T1": 2, "T2": 3, "T3": 4}.items():
        for number in range(count):
            personal.put(f"{tier}-{number}.md", f"Note {tier} {number}.\n", tier=tier)
    return personal


def vault(personal, name: str = "personal", **options):
    found = personal.json("status", **options)["vaults"]
    return next(each for each in found if each["name"] == name)


def test_memories_are_counted_by_tier_and_state(shelf, clock):
    shelf.json("archive", "T1-0.md")
    shelf.json("supersede", "T2-0.md", "T2-1.md")
    clock.advance(days=31)
    counted = vault(shelf)
    assert counted["tiers"] == {"T0": 1, "T1": 1, "T2": 2, "T3": 0}
    states = {state: counted[state] for state in ("live", "expired", "superseded", "archived")}
    assert states == {"live": 4, "expired": 4, "superseded": 1, "archived": 1}


def test_the_index_and_its_embedder_are_named(shelf):
    index = shelf.json("status")["index"]
    assert (index["memories"], index["vectors"], index["waiting"]) == (10, 10, 0)
    assert index["engine"] == "vec0"
    assert index["embedder"].startswith("muninn-en-es-256")
    out = shelf.muninn("status").out
    assert "10 memories: T0 1  T1 2  T2 3  T3 4" in out
    assert "vec0" in out


def test_the_last_dream_is_told(shelf, clock):
    assert shelf.json("status")["last_dream"] is None
    assert "no dream yet" in shelf.muninn("status").out
    shelf.muninn("dream", "--force", "--no-llm")
    clock.advance(hours=3)
    assert shelf.json("status")["last_dream"] == "2026-03-28T06:00:00Z"
    assert "last dream: 3 hours ago" in shelf.muninn("status").out


def test_it_warns_a_week_before_something_expires(shelf, clock):
    assert shelf.json("status")["warnings"] == []
    clock.advance(days=24)
    assert vault(shelf)["expiring"] == 4
    assert "4 expire within 7 days" in shelf.muninn("status").err


@pytest.mark.parametrize(
    ("limit", "warns"), [(6, False), (5, True), (4, True), (3, True), (0, True)]
)
def test_it_warns_at_four_fifths_of_a_budget(shelf, limit, warns):
    result = shelf.muninn("status", env={"MUNINN_BUDGETS_T3": str(limit)})
    assert ("T3 holds 4" in result.err) is warns


def test_a_vault_says_who_may_read_it(personal):
    personal.muninn("vault", "create", "legal")
    known = {"ANTHROPIC_API_KEY": "a-key"}
    assert vault(personal, env=known)["providers"] == {
        "ollama": None,
        "anthropic": None,
        "openai": "not for personal vaults",
    }
    assert all(vault(personal, "legal", env=known)["providers"].values())
    out = personal.muninn("status").out
    assert "no language model may read legal vaults" in out
    assert "anthropic: no key: ANTHROPIC_API_KEY is not set" in out
    fewer = {**known, "MUNINN_TRUST_PERSONAL": "ollama"}
    assert "trust.personal" in vault(personal, env=fewer)["providers"]["anthropic"]


def test_where_time_does_not_act_nothing_expires_and_no_budget_is_full(personal, clock, tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/a.md").write_text("---\ntier: T3\n---\nWhales.\n")
    personal.muninn("vault", "add", tmp_path / "notes")
    personal.listed()
    clock.advance(days=29)
    env = {"MUNINN_BUDGETS_T3": "0"}
    assert personal.json("status", env=env)["warnings"] == []
    counted = vault(personal, "notes", env=env)
    assert (counted["managed"], counted["live"], counted["expiring"]) == (False, 1, 0)


def test_one_vault_can_be_named(shelf):
    shelf.muninn("vault", "create", "work")
    names = [each["name"] for each in shelf.json("status", "--vault", "work")["vaults"]]
    assert names == ["work"]


def test_a_file_that_is_no_memory_is_not_counted(shelf):
    (shelf.root / "utf16.md").write_bytes("whales".encode("utf-16"))
    assert vault(shelf)["live"] == 10


def test_it_is_no_use_of_anything(shelf, home):
    shelf.muninn("status")
    assert not (home / "state" / "usage").exists()


def test_it_says_whether_a_dream_is_due_and_what_it_waits_for(personal, clock):
    personal.add("Whales sing at night.")
    assert personal.json("status")["dream_due"] is False
    assert "it takes 3" in personal.json("status")["dream_waits_for"][0]
    for text in ("Concrete hardens in water.", "Trains to Oslo leave at noon."):
        personal.add(text)
    assert personal.json("status")["dream_due"] is True
    personal.json("dream", "--no-llm")
    clock.advance(hours=1)
    out = personal.muninn("status").out
    assert "last dream: 1 hour ago; none is due" in out

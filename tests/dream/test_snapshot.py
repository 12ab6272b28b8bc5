"""The snapshot: what the index and the state say of every memory a dream may think about."""

import pytest
from planning import DAY, HOUR, NOW, Bedroom

from muninn_cli.core.terms import Kind, Tier
from muninn_cli.dream.snapshot import Reach, Remembered, take_snapshot
from muninn_cli.store.index.connection import open_reader
from muninn_cli.store.seen import Seen, SeenRecord


@pytest.fixture
def bedroom(tmp_path) -> Bedroom:
    return Bedroom(tmp_path)


def test_legal_memories_are_counted_and_nothing_more(bedroom: Bedroom) -> None:
    bedroom.put(bedroom.vault("law", Kind.LEGAL), "secret", "The settlement.")
    ref = bedroom.put(bedroom.vault(), "open", "The bread.")
    snapshot = bedroom.snapshot()
    assert set(snapshot.facts) == {ref}
    assert set(snapshot.vaults) == {"id-notes"}
    assert set(snapshot.associations) == {"id-notes"}
    assert snapshot.legal == 1


def test_facts_hold_the_file_s_words_and_what_usage_makes_of_them(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    stated = {"tier": "T3", "type": "episodic", "title": "VPN", "valid_from": "2026-01-01"}
    ref = bedroom.put(vault, "used", "The VPN password.", **stated)
    for day in range(5, 0, -1):
        bedroom.recall(vault, "used", at=NOW - day * DAY)
    facts = bedroom.snapshot().facts[ref]
    assert (facts.title, facts.type, facts.path) == ("VPN", "episodic", "used.md")
    assert (facts.written_tier, facts.tier, facts.tier_since) == (Tier.T3, Tier.T2, NOW - DAY)
    assert facts.usage.recalls == 5
    assert facts.said_at == facts.valid_from
    assert facts.since == NOW
    assert 0.9 < facts.retrievability < 1
    assert 0.5 < facts.relevance < 1


def test_reach_says_what_a_dream_may_do(bedroom: Bedroom) -> None:
    managed, docs = bedroom.vault(), bedroom.vault("docs", managed=False)
    refs = {
        bedroom.put(managed, "free", "Free."): Reach.FREE,
        bedroom.put(managed, "pinned", "Pinned.", pinned="true"): Reach.SUGGEST,
        bedroom.put(managed, "base", "Base.", tier="T0"): Reach.SUGGEST,
        bedroom.put(managed, "alone", "Alone.", consolidate="false"): Reach.SUGGEST,
        bedroom.put(docs, "doc", "Doc."): Reach.SUGGEST,
        bedroom.put(managed, "marked", "<<<<<<< a\nOne.\n=======\nTwo.\n>>>>>>> b"): Reach.NONE,
    }
    facts = bedroom.snapshot().facts
    assert {ref: facts[ref].reach for ref in refs} == refs


def test_what_is_superseded_or_expired_is_not_live(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    old = bedroom.put(vault, "old", "Old.", tier="T3", created="2025-01-01")
    bedroom.sync(NOW - 100 * DAY)
    gone = bedroom.put(vault, "gone", "Gone.", superseded_by="here")
    here = bedroom.put(vault, "here", "Here.")
    facts = bedroom.snapshot().facts
    assert {ref.id: facts[ref].live for ref in (old, gone, here)} == {
        "old": False,
        "gone": False,
        "here": True,
    }


def test_a_memory_is_changed_until_a_dream_has_seen_its_text(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    ref = bedroom.put(vault, "note", "The bread.", title="Bread")
    facts = bedroom.snapshot().facts[ref]
    assert facts.changed
    seen = SeenRecord("note", bytes.fromhex(facts.hash), NOW, NOW - HOUR, text=facts.text)
    Seen(bedroom.indexed.home.seen(vault.id)).append([seen])
    bedroom.dreamed(vault, at=NOW - HOUR)
    assert bedroom.snapshot().changed == []
    bedroom.put(vault, "note", "The bread.", title="Bread", tags="[food]")
    assert bedroom.snapshot().changed == []
    bedroom.put(vault, "note", "The bread and the oven.", title="Bread")
    assert [each.ref for each in bedroom.snapshot().changed] == [ref]
    bedroom.put(vault, "note", "The bread.", title="Bread and butter")
    assert [each.ref for each in bedroom.snapshot().changed] == [ref]


def test_the_name_of_a_text_covers_all_of_a_long_memory(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    parts = [f"# Part {n}\n\n" + f"Sentence {n} of the story. " * 80 for n in range(4)]
    ref = bedroom.put(vault, "long", "\n\n".join(parts), title="Long")
    before = bedroom.snapshot().facts[ref].text
    bedroom.put(vault, "long", "\n\n".join([*parts[:3], parts[3] + "The end."]), title="Long")
    assert bedroom.indexed.rows("SELECT max(position) FROM chunk")[0] >= 3
    assert bedroom.snapshot().facts[ref].text != before


def test_what_another_process_writes_meanwhile_is_not_half_seen(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    first = bedroom.put(vault, "first", "The bread.")
    bedroom.indexed.sync()
    with open_reader(bedroom.indexed.home.index_db) as reader:

        def write_before_the_memories_are_read(_cursor, statement, _bindings) -> bool:
            if "FROM memory m" in statement and reader.exec_trace:
                reader.exec_trace = None
                bedroom.put(vault, "second", "The oven.")
                bedroom.indexed.sync()
            return True

        reader.exec_trace = write_before_the_memories_are_read
        snapshot = take_snapshot(reader, bedroom.indexed.vaults, Remembered(), NOW)
    assert set(snapshot.facts) == {first}
    assert len(bedroom.snapshot().facts) == 2

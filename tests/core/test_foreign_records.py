"""Memories of other tools."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.foreign_records import read_foreign
from muninn_cli.core.ids import valid_id
from muninn_cli.core.terms import MemoryType, Tier


@pytest.mark.parametrize("key", ["text", "content", "memory", "body"])
def test_the_text_stands_under_one_of_a_few_keys(key):
    assert read_foreign({key: " said \n"}).text == " said \n"


def test_the_usual_keys_are_understood_at_the_top_and_in_metadata():
    record = read_foreign(
        {
            "id": "3f2b-1",
            "memory": "Ana likes tea",
            "categories": ["food", "#tea", "food"],
            "created_at": "2024-05-01T10:00:00.123456-07:00",
            "score": 0.5,
            "hash": None,
            "metadata": {"type": "procedural", "title": "Tea\n time", "user": "ana"},
        }
    )
    assert (record.id, record.title, record.tags) == ("3f2b-1", "Tea time", ("food", "tea"))
    assert record.type is MemoryType.PROCEDURAL
    assert record.created is not None
    assert record.created.shown == "2024-05-01T17:00:00Z"
    assert record.unused == ("score", "user")


def test_a_category_decides_the_tier_so_it_counts_at_the_top_alone():
    assert read_foreign({"text": "a", "category": "architecture"}).category == "architecture"
    record = read_foreign({"text": "a", "metadata": {"category": "food"}})
    assert (record.category, record.unused) == ("", ("category",))


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (1714557600, "2024-05-01T10:00:00Z"),
        (1714557600000, "2024-05-01T10:00:00Z"),
        (1714557600.5, "2024-05-01T10:00:00Z"),
        ("2024-05-01", "2024-05-01"),
    ],
)
def test_times_are_text_or_seconds_or_milliseconds(written, shown):
    record = read_foreign({"text": "a", "timestamp": written})
    assert record.created is not None
    assert record.created.shown == shown


@pytest.mark.parametrize(
    "odd",
    [
        {"tier": "T9", "importance": 11, "type": "fact", "tags": {"a": 1}, "id": "a/b"},
        {"tier": ["T1"], "importance": True, "type": {}, "tags": 7, "id": False},
        {"created": float("nan"), "updated": float("inf"), "title": 3, "category": []},
    ],
)
def test_what_cannot_be_meant_is_left_out(odd):
    record = read_foreign({"text": "a", **odd})
    plain = read_foreign({"text": "a"})
    assert record.tier is plain.tier is None
    assert (record.importance, record.type, record.tags) == (None, MemoryType.SEMANTIC, ())
    assert (record.id, record.title, record.created) == ("", "", None)


@pytest.mark.parametrize(
    "found", [{}, {"text": ""}, {"text": "  "}, {"text": 7}, {"text": None}, {"text": "\ud800"}]
)
def test_without_a_text_there_is_no_memory(found):
    with pytest.raises(ValueError, match="no text"):
        read_foreign(found)


def test_a_tier_is_taken_as_it_is():
    assert read_foreign({"text": "a", "tier": "T1"}).tier is Tier.T1


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(["id", "tags", "created", "metadata", "type", "tier", "importance", "title"])


@given(st.dictionaries(KEYS | st.text(), json_values, max_size=6))
def test_any_object_with_a_text_is_a_memory_and_known_again(found) -> None:
    found = {**found, "text": "said"}
    record = read_foreign(found)
    assert valid_id(record.key)
    assert record.key == read_foreign(json.loads(json.dumps(found))).key

"""Records of an export: to JSON and back."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.associations import Association
from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import read
from muninn_cli.core.memory_usage import MemoryUsage
from muninn_cli.core.records import Carried, Record, Shelved, from_json, is_record, to_json

AT = datetime(2026, 3, 28, 6, tzinfo=UTC)
USED = MemoryUsage(3, (AT,), (AT,), 16.8, AT)
FULL = Record(
    "A",
    "work",
    "deep/a.md",
    b"\xfftext",
    Carried(USED, (("B", Association(0.5, AT, True)),)),
    Shelved(AT, "version", "replaced text", "B"),
)


def there_and_back(record: Record, *, usage: bool = True) -> Record:
    memory = read(record.data, record.path, record.vault)
    assert isinstance(memory, Memory)
    return from_json(json.loads(json.dumps(to_json(record, memory, "live", usage=usage))))


def test_nothing_is_lost_on_the_way():
    assert there_and_back(FULL) == FULL


def test_usage_stays_behind_unless_it_is_asked_for():
    assert there_and_back(FULL, usage=False) == FULL.__class__(
        FULL.id, FULL.vault, FULL.path, FULL.data, shelved=FULL.shelved
    )


@given(st.binary(max_size=80))
def test_any_bytes_that_are_a_memory_come_back_the_same(data: bytes) -> None:
    memory = read(data, "a.md", "work")
    if isinstance(memory, Memory):
        assert there_and_back(Record("A", "work", "a.md", data)).data == data


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"v": 2}, "version 2"),
        ({"id": "a/b"}, "valid id"),
        ({"id": 7}, "valid id"),
        ({"path": ""}, "without path"),
        ({"vault": None}, "without vault"),
        ({"raw": None, "raw_base64": "***"}, "damaged"),
        ({"raw": "\ud800"}, "damaged"),
        ({"usage": {"recalls": "many"}}, "usage"),
        ({"usage": [1]}, "usage"),
        ({"usage": {"associations": [{"id": "B"}]}}, "usage"),
        ({"archived": {"at": "yesterday"}}, "archive"),
    ],
)
def test_what_is_wrong_with_a_record_is_said(change, complaint):
    record = {"v": 1, "id": "A", "vault": "work", "path": "a.md", "raw": "text"} | change
    assert is_record(record)
    with pytest.raises(ValueError, match=complaint):
        from_json(record)

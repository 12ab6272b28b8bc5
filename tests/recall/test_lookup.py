"""Memories by their handles, what goes together, and what was shown."""

import json
from datetime import timedelta

import pytest
from indexed import NOW
from library import Library

from muninn_cli.core.ids import short_id
from muninn_cli.core.times import epoch
from muninn_cli.errors import ConflictError, NotFoundError, UsageError
from muninn_cli.recall.hits import hit_json
from muninn_cli.recall.lookup import recalled_together
from muninn_cli.recall.shown import recall_events
from muninn_cli.store.index.filters import State

EVERY_STATE = frozenset(State)


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path)


def test_what_was_shown_becomes_one_recall_a_vault_without_the_archived(library):
    library.put("a", "docker")
    library.put(".muninn/archive/gone~gone", "docker", id='"gone"')
    other = library.indexed.vault("other")
    (other.root / "b.md").write_text('---\nid: "b"\n---\ndocker')
    library.open()
    answer = library.search("docker", only={"states": EVERY_STATE})
    events = recall_events(answer.hits, NOW, "search")
    assert {vault: [name for name, _ in event.hits] for vault, event in events.items()} == {
        "id-notes": ["a"],
        "id-other": ["b"],
    }
    assert all(event.at == NOW and event.via == "search" for event in events.values())


def test_a_hit_in_json_has_the_one_shape(library):
    library.put("a", "docker network")
    library.open()
    hit = library.search("docker network").hits[0]
    plain = hit_json(hit)
    keys = "id vault path title tier type tags score cosine snippet created expires state"
    assert list(plain) == keys.split()
    assert plain["created"] is None
    assert plain["tier"] == "T2"
    assert "parts" in hit_json(hit, explain=True)
    json.dumps(hit_json(hit, explain=True), allow_nan=False)


def test_a_handle_means_one_memory(library):
    library.put("01JQXW9Z6N8F4T2M5R7K3C1B0A", "x", title="DNS")
    library.put("01JQXW9Z6N8F4T2M5R7K3C1B0B", "x", title="DNS again")
    library.open()
    first, second = "01JQXW9Z6N8F4T2M5R7K3C1B0A", "01JQXW9Z6N8F4T2M5R7K3C1B0B"
    assert library.resolve(short_id(first)).id == first
    assert library.resolve(f"notes/{second}.md").id == second
    with pytest.raises(ConflictError) as caught:
        library.resolve("01JQX")
    assert short_id(first) in caught.value.hint
    assert short_id(second) in caught.value.hint


@pytest.mark.parametrize("handle", ["dsn timeouts", "\0", "\udcff", "../../etc/passwd", "x" * 5000])
def test_an_unknown_handle_is_told_with_what_is_near(library, handle):
    library.put("a", "x", title="DNS timeouts")
    library.open()
    with pytest.raises(NotFoundError) as caught:
        library.resolve(handle)
    assert caught.value.hint
    if handle.isascii() and "dsn" in handle:
        assert "dns timeouts" in caught.value.hint


def test_an_empty_handle_is_wrong_usage(library):
    library.open()
    with pytest.raises(UsageError):
        library.resolve(" ")


def test_what_is_recalled_together_is_told_strongest_first(library):
    for name in "abc":
        library.put(name, "x")
    library.open()
    with library.writing() as writer:
        then = epoch(NOW - timedelta(days=60))
        for a, b, weight in (("a", "b", 0.2), ("a", "c", 0.8), ("b", "c", 0.9)):
            query = "INSERT INTO association VALUES((SELECT num FROM vault), ?, ?, ?, ?, 0)"
            writer.execute(query, (a, b, weight, then))
    together = recalled_together(library.resolve("a"), library.tools)
    assert [pair.hit.id for pair in together] == ["c", "b"]
    assert together[0].weight == pytest.approx(0.4)

"""The two legs of a search on the index, and the filters that act inside them."""

from datetime import timedelta

import pytest
from indexed import NOW
from library import Library

from muninn_cli.store.index.filters import State
from muninn_cli.store.index.rows import expired_count, newest_rows, vault_numbers
from muninn_cli.store.index.search import chunk_count, cosines, holding

EVERYTHING = frozenset(State)


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path)


def test_a_word_in_the_title_counts_more_than_in_tags_and_there_more_than_in_the_body(library):
    put = library.indexed.put
    put("body.md", "docker and some more", title="One two")
    put("tags.md", "and some more", title="One two", tags="[docker]")
    put("title.md", "and some more", title="Docker two")
    put("other.md", "nothing", title="Other")
    library.open()
    assert library.by_words("docker") == ["title.md", "tags.md", "body.md"]


def test_filters_act_before_the_cut(library):
    for number in range(8):
        library.indexed.put(f"{number}.md", "docker docker docker", type="episodic")
    library.indexed.put("wanted.md", "docker among many other words", type="procedural")
    library.open()
    assert library.by_words("docker", limit=1, types=("procedural",)) == ["wanted.md"]
    assert library.by_meaning("docker", limit=1, types=("procedural",)) == ["wanted.md"]


def test_a_vault_that_is_not_asked_is_not_searched(library):
    library.indexed.put("here.md", "docker")
    other = library.indexed.vault("other")
    (other.root / "there.md").write_text("docker")
    library.open()
    numbers = vault_numbers(library.connection, [other.id, "id-unknown"])
    assert len(numbers) == 1
    assert library.by_words("docker", vaults=numbers) == ["there.md"]
    assert library.by_meaning("docker", vaults=numbers) == ["there.md"]
    assert sorted(library.by_meaning("docker")) == ["here.md", "there.md"]


def put_every_state(indexed):
    """A live, an expired, a superseded and an archived memory about docker."""
    body = "docker"
    indexed.put("expired.md", body, id='"EXPIRED1"', tier="T3", created="2026-03-01T00:00:00Z")
    indexed.put("old.md", body, id='"OLD1"', superseded_by='"LIVE1"')
    indexed.put(".muninn/archive/gone~ARCHIVED.md", body, id='"ARCHIVED"')
    indexed.sync()
    indexed.now = NOW + timedelta(days=45)
    indexed.put("live.md", body, id='"LIVE1"', created="2026-05-01T00:00:00Z")


@pytest.mark.parametrize(
    ("state", "path"),
    [
        (State.LIVE, "live.md"),
        (State.EXPIRED, "expired.md"),
        (State.SUPERSEDED, "old.md"),
        (State.ARCHIVED, ".muninn/archive/gone~ARCHIVED.md"),
    ],
)
def test_only_the_states_asked_for_are_found(library, state, path):
    put_every_state(library.indexed)
    library.open()
    states = frozenset({state})
    assert library.by_words("docker", states=states) == [path]
    assert library.by_meaning("docker", states=states) == [path]
    [row] = newest_rows(library.connection, library.filters(states=states), now=library.now)
    assert (row.path, row.state) == (path, state)


def test_all_states_together_and_the_number_of_expired(library):
    put_every_state(library.indexed)
    library.open()
    assert len(library.by_words("docker", states=EVERYTHING)) == 4
    assert len(library.by_meaning("docker", states=EVERYTHING)) == 4
    assert expired_count(library.connection, library.filters(), now=library.now) == 1
    assert expired_count(library.connection, library.filters(vaults=()), now=library.now) == 0


@pytest.mark.parametrize(
    ("chosen", "path"),
    [
        ({"tiers": ("T1",)}, "a.md"),
        ({"types": ("episodic",)}, "b.md"),
        ({"sources": ("agent",)}, "a.md"),
        ({"tags": ("red", "docker")}, "b.md"),
        ({"since": 1_772_323_200.0}, "b.md"),
        ({"until": 1_772_323_200.0}, "a.md"),
    ],
)
def test_each_filter_lets_one_of_two_pass(library, chosen, path):
    put = library.indexed.put
    put("a.md", "docker", tier="T1", source="agent", tags="[docker]", created="2026-02-28")
    put("b.md", "docker", type="episodic", tags="[Docker, red]", created="2026-03-01")
    library.open()
    assert library.by_words("docker", **chosen) == [path]
    assert library.by_meaning("docker", **chosen) == [path]
    assert library.listed(**chosen) == [path]


def test_cosines_of_what_has_no_vector_are_left_out(library):
    library.indexed.put("a.md", "docker", title="docker")
    library.indexed.put("b.md", "🌙", title="🌙")
    connection = library.open()
    [vector] = library.embedder.encode(["docker"])
    chunks = [library.chunk("a.md"), library.chunk("b.md")]
    assert cosines(connection, chunks, vector) == {chunks[0]: pytest.approx(1.0, abs=1e-5)}
    assert library.by_meaning("docker") == ["a.md"]


def test_how_many_texts_hold_a_stem(library):
    library.indexed.put("a.md", "timeouts and more timeouts")
    library.indexed.put("b.md", "a timeout")
    connection = library.open()
    assert chunk_count(connection) == 2
    assert holding(connection, ["timeout", "zebra"]) == {"timeout": 2}

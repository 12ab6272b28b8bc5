"""What an answer leaves out, and how it says so."""

from datetime import timedelta

import pytest
from library import Library, bilingual_library

from muninn_cli.errors import NotFoundError
from muninn_cli.recall import legs
from muninn_cli.recall.query import Mode, Query
from muninn_cli.recall.search import HIDDEN, search
from muninn_cli.store.index.filters import State

EVERY_STATE = frozenset(State)


@pytest.fixture(scope="module")
def bilingual(tmp_path_factory):
    return bilingual_library(tmp_path_factory.mktemp("bilingual"))


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path)


def test_an_answer_says_which_leg_found_nothing(bilingual):
    assert legs.BY_MEANING in bilingual.search("zebra").notices
    assert legs.NO_KNOWN_WORD in bilingual.search("zebra", Mode.FULLTEXT).notices
    assert legs.NO_MEANING in bilingual.search("部署").notices
    assert bilingual.search("docker").notices == ()
    assert bilingual.search("zebra", Mode.SEMANTIC).notices == ()


def test_an_embedder_that_cannot_be_opened_leaves_full_text(bilingual):
    def broken():
        raise NotFoundError("the model is gone")

    filters = bilingual.filters()
    answer = search(Query("docker", filters), bilingual.tools._replace(embedder=broken))
    assert [hit.id for hit in answer.hits] == ["network"]
    assert "the model is gone" in answer.notices[0]


def test_vectors_of_another_embedder_are_not_compared(bilingual):
    class Other:
        id = "other"

    tools = bilingual.tools._replace(embedder=Other)
    filters = bilingual.filters()
    answer = search(Query("docker", filters), tools)
    assert [hit.id for hit in answer.hits] == ["network"]
    assert answer.notices == (legs.OTHER_EMBEDDER,)


def test_texts_without_a_vector_yet_are_counted(library):
    library.put("a", "docker")
    library.open()
    with library.writing() as writer:
        writer.execute("UPDATE chunk SET stage = 0")
    assert legs.SOME_WAIT.format(count=1) in library.search("docker").notices


def test_full_text_alone_asks_for_no_vector(bilingual):
    def never():
        raise AssertionError

    filters = bilingual.filters()
    query = Query("docker", filters, Mode.FULLTEXT)
    [hit] = search(query, bilingual.tools._replace(embedder=never)).hits
    assert hit.cosine is None


def test_states_are_hidden_until_they_are_asked_for(library):
    library.put("expired", "docker", tier="T3", created="2026-03-01T00:00:00Z")
    library.put("old", "docker", superseded_by='"new"')
    library.put(".muninn/archive/gone~gone", "docker", id='"gone"')
    library.open()
    library.indexed.now += timedelta(days=45)
    library.put("new", "docker", created="2026-05-01T00:00:00Z")
    library.open()
    for mode in Mode:
        answer = library.search("docker", mode)
        assert [hit.id for hit in answer.hits] == ["new"]
        assert HIDDEN.format(count=1) in answer.notices
        states = {
            hit.id: hit.state
            for hit in library.search("docker", mode, only={"states": EVERY_STATE}).hits
        }
        assert states == {
            "new": State.LIVE,
            "expired": State.EXPIRED,
            "old": State.SUPERSEDED,
            "gone": State.ARCHIVED,
        }
        assert library.search("docker", mode, only={"states": EVERY_STATE}).notices == ()

"""In which order memories answer, and what a score is made of."""

from datetime import timedelta

import pytest
from indexed import NOW
from library import Library, bilingual_library

from muninn_cli.recall.query import Mode


@pytest.fixture(scope="module")
def bilingual(tmp_path_factory):
    return bilingual_library(tmp_path_factory.mktemp("bilingual"))


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path)


def test_min_cosine_leaves_out_what_is_less_alike_in_every_mode(bilingual):
    for mode in Mode:
        hits = bilingual.search("docker network timeout", mode, min_cosine=0.3).hits
        assert [hit.id for hit in hits] == ["network"]
        assert hits[0].cosine >= 0.3
    assert bilingual.ids("docker", min_cosine=0.99) == []


def test_limit_is_the_number_of_hits_at_most(bilingual):
    assert len(bilingual.ids("server", limit=3)) == 3


def test_rank_fusion_alone_cannot_put_words_before_meaning_the_rerank_can(bilingual):
    plain = bilingual.search("docker", rerank=False).hits
    assert plain[0].parts.keys() >= {"fusion"}
    assert plain[0].score <= 1
    reranked = bilingual.search("docker").hits
    assert reranked[0].parts.keys() >= {"fusion", "cosine", "words", "lent", "date", "weight"}


def test_weights_of_a_person_hold_in_the_rerank(bilingual):
    words = bilingual.search("docker network", weights=(0.0, 1.0)).hits[0]
    meaning = bilingual.search("docker network", weights=(3.0, 1.0)).hits[0]
    assert words.parts["weight"] == 0.0
    assert meaning.parts["weight"] == 0.75


def test_a_memory_shows_the_sentence_that_answers(library):
    filler = "\n\n".join(f"Paragraph {n} is about gardens and weather. " * 20 for n in range(9))
    library.put("long", f"{filler}\n\nThe port of the proxy is 8123.\n\n{filler}", title="Notes")
    library.open()
    [hit] = library.search("which port has the proxy").hits
    assert "The port of the proxy is 8123." in hit.snippet
    assert len(hit.snippet) <= 200


def test_one_long_memory_does_not_crowd_out_the_others(library):
    parts = "\n\n".join(f"# Part {n}\n\n{'docker network ' * 80}" for n in range(80))
    library.put("long", parts)
    for number in range(4):
        library.put(f"short{number}", f"docker is mentioned here, among other words ({number})")
    library.open()
    for mode in Mode:
        assert len(library.ids("docker network", mode, limit=5)) == 5


def test_foundational_memories_get_a_bonus(library):
    library.put("plain", "The docker network has no name server.")
    library.put("law", "The docker network has no name servers.", tier="T0")
    library.open()
    first, second = library.search("docker network").hits
    assert first.id == "law"
    assert first.score - second.score > 0.09


def test_strength_decides_between_equals_and_not_against_content(library):
    created = "2026-01-01"
    library.put("a", "The docker network has no name server.", created=created)
    library.put("b", "The docker network has no name server.", created=created)
    library.put("other", "A docker image of the network drive.", created=created)
    library.open()
    assert library.ids("docker name server") == ["a", "b", "other"]
    recent = tuple(NOW - timedelta(hours=hours) for hours in range(5))
    library.use("b", recalls=50, newest=recent, stability=300.0)
    library.use("other", recalls=50, newest=recent, stability=300.0)
    assert library.ids("docker name server") == ["b", "a", "other"]


def test_of_equals_the_newest_comes_first(library):
    for day in (1, 3, 2):
        library.put(f"day{day}", "docker", title="x", created=f"2027-01-0{day}")
    library.open()
    hits = library.search("docker").hits
    assert len({hit.score for hit in hits}) == 1, "not yet begun, all are as strong"
    assert [hit.id for hit in hits] == ["day3", "day2", "day1"]


def test_a_neighbour_about_something_else_lends_nothing(library):
    library.put("docker", "The docker network of the proxy.", session="s", created="2026-03-01")
    library.put("cake", "Grandmother bakes apple pie.", session="s", created="2026-03-02")
    library.put("proxy", "A docker proxy needs a network.", session="s", created="2026-03-03")
    library.open()
    hits = {hit.id: hit for hit in library.search("docker network port").hits}
    assert hits["cake"].parts["lent"] == 0


def test_a_reply_is_found_by_the_words_of_its_question(library):
    library.put("ask", "Which port does the proxy use?", session="s", created="2026-03-01")
    library.put("reply", "8123, as always.", session="s", created="2026-03-02")
    library.put("later", "Thanks!", session="s", created="2026-03-03")
    library.put("apart", "8123, as ever.", created="2026-03-04")
    library.open()
    hits = {hit.id: hit for hit in library.search("port of the proxy").hits}
    assert hits["reply"].parts["lent"] > 0.7
    assert hits["reply"].score > hits["apart"].score
    assert hits["apart"].parts["lent"] == 0


def test_a_neighbour_is_found_though_no_leg_found_it(library):
    for number in range(80):
        library.put(f"near{number}", f"The proxy and the port, note {number}.", title="x")
    library.put("ask", "Which port does the proxy use?", session="s", created="2026-03-01")
    library.put("reply", "🌙🌙", session="s", title="🌙", created="2026-03-02")
    library.open()
    found = library.search("which port does the proxy use", limit=20).hits
    assert "reply" in [hit.id for hit in found]
    filtered = library.ids("which port does the proxy use", only={"types": ("procedural",)})
    assert filtered == []


def test_neighbours_pass_the_filters_too(library):
    library.put("ask", "Which port does the proxy use?", session="s", created="2026-03-01")
    library.put("reply", "🌙", session="s", title="🌙", created="2026-03-02", type="procedural")
    library.open()
    assert library.ids("port of the proxy", only={"types": ("semantic",)}) == ["ask"]


def test_a_date_in_the_question_prefers_memories_of_that_time(library):
    for month in ("01", "05", "09"):
        library.put(f"m{month}", "We met the supplier.", created=f"2023-{month}-07")
    library.open()
    hits = library.search("meeting with the supplier in May 2023").hits
    assert hits[0].id == "m05"
    assert [hit.parts["date"] for hit in hits] == [0.5, 0.0, 0.0]
    assert library.search("meeting with the supplier on 7 May").hits[0].parts["date"] == 1.0

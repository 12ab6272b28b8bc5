"""What the rerank asks the index: sources, words, and who is like whom."""

import pytest
from library import STEMS, Library

from muninn_cli.core.question import Word
from muninn_cli.embedding import word_vectors
from muninn_cli.store.index import exact_scan
from muninn_cli.store.index.passages import alike, sources, texts, word_matches


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path)


def test_a_scan_without_the_extension_answers_as_the_extension_does(library):
    for number, body in enumerate(("docker network", "the harbour at night", "redes", "🌙")):
        library.indexed.put(f"{number}.md", body, session="s", created=f"2026-03-0{number + 1}")
    connection = library.open()
    found = [chunk for row in sources(connection, range(9)) for chunk, _ in row]
    words = [Word("docker", ("docker",))]

    def answers():
        pairs = {(one, other) for one in found for other in found if one < other}
        numbers = {number for text in texts(connection, found).values() for number in text.words}
        matches = word_matches(connection, numbers, words, word_vectors(["docker"]))
        return (
            library.by_meaning("docker network"),
            library.by_meaning("docker network", types=("semantic",)),
            alike(connection, pairs, 0.2),
            {number: pytest.approx(found[0], abs=1e-6) for number, found in matches.items()},
        )

    with_extension = answers()
    exact_scan.install(connection)
    connection.exact_scan = True
    assert answers() == with_extension


def test_a_session_is_one_source_in_order_of_creation(library):
    put = library.indexed.put
    put("third.md", "c", session="s", created="2026-03-03")
    put("first.md", "a", session="s", created="2026-03-01")
    put("second.md", "b", session="s", created="2026-03-02")
    put("other.md", "d", session="other", created="2026-03-02")
    put("alone.md", "e", created="2026-03-02")
    connection = library.open()
    [session] = sources(connection, [library.row("second.md").num])
    assert library.paths(session) == ["first.md", "second.md", "third.md"]


def test_sessions_of_two_vaults_never_mix(library):
    library.indexed.put("a.md", "a", session="s", created="2026-03-01")
    other = library.indexed.vault("other")
    (other.root / "b.md").write_text("---\nsession: s\ncreated: 2026-03-02\n---\nb")
    connection = library.open()
    assert sorted(map(len, sources(connection, range(9)))) == [1, 1]


def test_the_chunks_of_a_memory_are_a_source_in_their_order(library):
    library.indexed.put("long.md", "\n\n".join(f"# Part {n}\n\n{'word ' * 150}" for n in range(4)))
    connection = library.open()
    [source] = sources(connection, [library.row("long.md").num])
    query = "SELECT position FROM chunk WHERE num = ?"
    positions = [connection.execute(query, (place.chunk,)).get for place in source]
    assert positions == list(range(len(source)))
    assert len(positions) > 1


def test_neighbours_are_alike_from_the_cosine_on(library):
    put = library.indexed.put
    put("a.md", "the docker container lost its network")
    put("b.md", "containers in docker have network trouble")
    put("c.md", "grandmother bakes apple cake")
    connection = library.open()
    a, b, c = (library.chunk(path) for path in ("a.md", "b.md", "c.md"))
    assert alike(connection, {(a, b), (a, c)}, 0.2) == {(a, b)}
    assert alike(connection, {(a, b), (a, c)}, -1.0) == {(a, b), (a, c)}


def test_words_match_by_stem_or_by_meaning(library):
    library.indexed.put("a.md", "timeouts coche zzqqxx", title="x")
    connection = library.open()
    texts_of = texts(connection, [library.chunk("a.md")])
    numbers = next(iter(texts_of.values())).words
    question = [Word("timeout", STEMS.stems("timeout")), Word("car", STEMS.stems("car"))]
    matches = word_matches(connection, numbers, question, word_vectors(["timeout", "car"]))
    words = dict(library.indexed.rows("SELECT word, num FROM word"))
    assert matches[words["timeouts"]][0] == 1.0
    assert 0.3 < matches[words["coche"]][1] < 1.0
    assert all(0 <= match <= 1 for found in matches.values() for match in found)


def test_a_word_without_a_vector_still_matches_by_its_stem(library):
    library.indexed.put("a.md", "部署方案")
    connection = library.open()
    text = texts(connection, [library.chunk("a.md")])[library.chunk("a.md")]
    matches = word_matches(connection, text.words, [Word("部署", ("部署",))], [None])
    assert max(matches.values()) == (1.0,)


def test_words_of_the_title_are_not_words_of_the_body(library):
    library.indexed.put("a.md", "What now?", title="Docker")
    connection = library.open()
    text = texts(connection, [library.chunk("a.md")])[library.chunk("a.md")]
    assert text.asks
    assert set(text.body) < set(text.words)

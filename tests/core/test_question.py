"""The words of a question: content, rarity, and which of them are looked up."""

import math

from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.question import (
    MOST_MATCHED,
    Rarity,
    Word,
    rarest,
    read_question,
    searched,
)
from muninn_cli.core.words import Stems, stop_words

LANGUAGES = ("en", "es")
STEMS = Stems(LANGUAGES)
STOP_WORDS = stop_words(LANGUAGES)


def read(text):
    return read_question(text, STEMS, STOP_WORDS)


def texts(words):
    return [word.text for word in words]


def test_stop_words_of_both_languages_carry_no_content():
    question = read("What is the timeout of the network, y por qué?")
    assert texts(question.content) == ["timeout", "network"]
    assert "the" in texts(question.words)


def test_stop_words_count_where_nothing_else_is_left():
    assert texts(read("to be or not to be").content) == ["to", "be", "or", "not"]


def test_each_word_counts_once_whatever_its_case_and_accents():
    assert texts(read("Conexión CONEXION conexión").words) == ["conexion"]


def test_a_word_has_the_stem_of_each_language():
    assert read("conexiones").content[0].stems == STEMS.stems("conexiones")
    assert "conexion" in read("conexiones").content[0].stems


def test_operators_of_full_text_are_words():
    assert "near" in texts(read('NEAR("gate", 3) AND title:x*').words)


def test_chinese_and_japanese_are_read_as_pairs_of_characters():
    assert texts(read("部署方案").content) == ["部署", "署方", "方案"]


def test_idf_is_that_of_bm25_and_above_zero_for_a_word_in_every_text():
    rarity = Rarity(100, {"docker": 3, "note": 100})
    docker, note, unknown = Word("docker", ("docker",)), Word("note", ("note",)), Word("x", ("x",))
    assert rarity.idf(docker) == math.log(1 + 97.5 / 3.5)
    assert 0 < rarity.idf(note) < rarity.idf(docker) < rarity.idf(unknown)


def test_a_word_is_looked_up_by_the_stem_that_most_texts_hold():
    rarity = Rarity(10, {"a": 2, "b": 7, "c": 7})
    word = Word("w", ("a", "b", "c"))
    assert rarity.stem(word) == "b"
    assert rarity.frequency(word) == 7


def test_the_rarest_words_stay_in_their_order():
    words = [Word(str(number), (str(number),)) for number in range(30)]
    rarity = Rarity(1000, {str(number): 30 - number for number in range(30)})
    assert texts(rarest(words, rarity, 3)) == ["27", "28", "29"]
    assert len(rarest(words, rarity, MOST_MATCHED)) == 10
    assert rarest(words[:2], rarity, MOST_MATCHED) == tuple(words[:2])


def test_full_text_looks_up_only_words_that_some_text_holds():
    rarity = Rarity(10, {"docker": 1})
    assert texts(searched(read("docker cosmonaut"), rarity)) == ["docker"]
    assert searched(read("cosmonaut"), rarity) == ()


def test_from_fifty_texts_a_word_in_more_than_a_fifth_is_dropped_beside_a_rarer_one():
    question = read("docker incident")
    assert texts(searched(question, Rarity(50, {"docker": 11, "incid": 2, "incident": 2}))) == [
        "incident"
    ]
    assert len(searched(question, Rarity(49, {"docker": 11, "incid": 2, "incident": 2}))) == 2
    assert len(searched(question, Rarity(50, {"docker": 10, "incid": 2, "incident": 2}))) == 2


def test_a_common_word_stays_where_no_other_known_word_is_left():
    assert texts(searched(read("docker cosmonaut"), Rarity(50, {"docker": 40}))) == ["docker"]


def test_of_a_very_long_question_full_text_looks_up_the_rarest_words():
    many = read(" ".join(f"termino{number}" for number in range(5000)))
    counts = {stem: 2 for word in many.content for stem in word.stems}
    counts |= dict.fromkeys(many.content[4321].stems, 1)
    found = searched(many, Rarity(10_000, counts))
    assert len(found) == 64
    assert many.content[4321] in found


def test_of_words_that_a_large_vault_is_full_of_full_text_looks_up_as_many_as_it_can_soon():
    question = read("docker server backup")
    holding = {"docker": 60_000, "server": 120_000, "backup": 40_000}
    assert texts(searched(question, Rarity(150_000, holding))) == ["docker", "backup"]
    assert texts(searched(question, Rarity(150_000, holding | {"backup": 40_001}))) == ["backup"]
    holding = {"docker": 150_000, "server": 120_000}
    assert texts(searched(question, Rarity(200_000, holding))) == ["server"]


@given(st.text(st.characters()))
def test_any_string_is_a_question(text):
    question = read(text)
    assert set(question.content) <= set(question.words)
    assert bool(question.content) == bool(question.words)
    for word in question.words:
        assert word.stems
        assert '"' not in "".join(word.stems)
        assert "\0" not in "".join(word.stems)

"""How a text falls into words, stop words and stems."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.stop_words import STOP_WORDS
from muninn_cli.core.words import (
    LANGUAGES,
    Stems,
    check_languages,
    fold,
    raw_words,
    stop_words,
    words,
)
from muninn_cli.errors import UsageError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("multi-agent POL-358, C:\\temp", ["multi", "agent", "pol", "358", "c", "temp"]),
        ("snake_case and don't", ["snake", "case", "and", "don", "t"]),
        ("La CONEXIÓN caducó mañana", ["la", "conexion", "caduco", "manana"]),
        ("cafe\u0301s man\u0303ana", ["cafes", "manana"]),
        ("Straße ΟΔΟΣ İstanbul", ["strasse", "οδοσ", "istanbul"]),
        ("日本語text第2章", ["日本", "本語", "text", "第", "2", "章"]),
        ("カタカナ ガ 데이터", ["カタ", "タカ", "カナ", "ガ", "데이", "이터"]),
        ("हिन्दी", ["हिन्दी"]),
        ("cru\u00adcial \ufeffmark", ["crucial", "mark"]),
        ("zona\u200bcero aviso\u202egnp", ["zona", "cero", "aviso", "gnp"]),
        ("1\ufe0f\u20e3 ok\ufe0f ❤️ 👍", ["1", "ok"]),
        ("a\x00b \ud800 c", ["a", "b", "c"]),
        ("\u0301 \u0903 §§§ ...", []),
        ("", []),
    ],
)
def test_words_of_a_text(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_raw_words_keep_their_accents() -> None:
    assert raw_words("La CONEXIÓN man\u0303ana") == ["la", "conexión", "mañana"]


def test_a_voiced_kana_is_another_letter() -> None:
    assert fold("ガ") == "ガ" != fold("カ")


@given(st.text())
def test_words_are_the_raw_words_folded(text: str) -> None:
    assert words(text) == [fold(word) for word in raw_words(text)]


@given(st.text())
def test_a_word_is_its_own_only_word(text: str) -> None:
    for word in words(text):
        assert words(word) == [word]
        word.encode()


@given(st.text(st.characters(categories=["L", "N", "Po", "Zs"])), st.text())
def test_words_of_two_texts_are_the_words_of_both(a: str, b: str) -> None:
    assert words(f"{a}\n{b}") == words(a) + words(b)


@given(st.text(alphabet="aábñçü XÉ.-1"))
def test_case_and_accents_do_not_count(text: str) -> None:
    assert words(text.upper()) == words(text) == words(fold(text))


def test_a_stem_joins_the_forms_of_a_word() -> None:
    stems = Stems(("en", "es"))
    assert set(stems.stems("conexión")) & set(stems.stems("conexiones"))
    assert set(stems.stems("timeouts")) & set(stems.stems("timeout"))
    assert set(stems.stems("años")) & set(stems.stems("año"))


def test_stems_are_taken_before_accents_are_folded() -> None:
    assert Stems(("es",)).stems("corrió") == ("corr",)
    assert Stems(("es",)).stems("corrio") == ("corri",)


def test_a_word_has_each_stem_once_in_the_order_of_the_languages() -> None:
    assert Stems(("en", "es")).stems("running") == ("run", "running")
    assert Stems(("es", "en")).stems("running") == ("running", "run")
    assert Stems(("en", "es")).stems("red") == ("red",)


def test_without_a_language_a_word_is_its_own_stem() -> None:
    assert Stems(()).stems("conexión") == ("conexion",)


@given(st.text())
def test_no_word_is_without_a_stem(text: str) -> None:
    stems = Stems(("en", "es", "de"))
    for word in raw_words(text):
        assert all(stems.stems(word))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_on_the_list_has_a_stemmer(language: str) -> None:
    assert Stems((language,)).stems("data")


def test_an_unknown_language_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(UsageError, match="'xx'") as raised:
        check_languages(["en", "xx"])
    assert "es" in raised.value.hint


def test_stop_words_are_folded_words() -> None:
    for language, stop in STOP_WORDS.items():
        assert all(words(word) == [word] for word in stop), language


def test_stop_words_are_those_of_the_languages_asked_for() -> None:
    assert "the" in stop_words(("en",))
    assert "the" not in stop_words(("es",))
    assert "que" in stop_words(("en", "es"))
    assert stop_words(("de",)) == frozenset()


def test_a_word_with_content_in_one_of_the_languages_is_no_stop_word() -> None:
    assert "son" in stop_words(("es",))
    assert "son" not in stop_words(("en", "es"))
    assert "son" not in stop_words(("es", "en"))

"""What a sentence claims, of what, and what labels its values."""

from __future__ import annotations

import pytest

from muninn_cli.core.likeness.reading import read
from muninn_cli.core.likeness.sentences import differs_in_subject, is_claim, is_talk, place
from muninn_cli.core.likeness.tokens import Kind


def sentence(text: str):
    return read(text).statements[0]


@pytest.mark.parametrize("text", ["The proxy is slow.", "timeout: 30", "La API escucha en 80."])
def test_a_verb_or_a_colon_makes_a_claim(text: str) -> None:
    assert is_claim(sentence(text))


@pytest.mark.parametrize("text", ["two dogs playing in a park", "a red door"])
def test_a_picture_in_words_claims_nothing(text: str) -> None:
    assert not is_claim(sentence(text))


@pytest.mark.parametrize("text", ["Is it slow?", "Thanks for the key.", "¡Gracias por todo!"])
def test_a_question_and_a_greeting_are_talk(text: str) -> None:
    assert is_talk(sentence(text))
    assert not is_talk(sentence("The key is there."))


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("It listens on port 80.", {"port"}, set()),
        ("Port of the proxy: 80", {"port", "proxy"}, set()),
        ("It has 8 cores.", set(), {"cores"}),
    ],
)
def test_a_value_is_labelled_by_its_neighbours_or_its_key(text, before, after) -> None:
    stated = sentence(text)
    value = next(token for token in stated if token.kind is Kind.NUMBER)
    assert place(stated, value) == (before, after)


def test_what_stands_before_the_verb_is_the_subject() -> None:
    stated = sentence("The billing team uses Jenkins.")
    differing = [token for token in stated if token.text in ("billing", "jenkins")]
    assert [token.text for token in differs_in_subject(stated, differing)] == ["billing"]

"""Whether a text still states a sentence."""

from __future__ import annotations

import pytest

from muninn_cli.core.likeness import keeps_facts, lost_facts


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("The API uses port 8080. Ana owns it.", "The API uses port 8080."),
        ("The API, owned by Ana, listens on port 8080.", "The API listens on port 8080."),
        (
            "The API is Ana's. It listens on port 8080.",
            "Ana has the API, which listens on port 8080.",
        ),
        ("The backups run nightly at 2:00 to S3.", "The backup runs nightly at 2:00."),
        ("Run lint, and use tabs.", "Use tabs, and run lint."),
        ("Set dns in daemon.json. Seen on 3 hosts.", "Set dns in `daemon.json`."),
        ("We never deploy on Fridays. Use tabs.", "We never deploy on Fridays."),
        ("El puerto es 8080. Ya no se usa el 9090.", "El puerto es 8080."),
        ("Las conexiones duran 30 segundos.", "La conexión dura 30 s."),
        ("anything", ""),
    ],
)
def test_a_sentence_that_is_still_stated(answer: str, sentence: str) -> None:
    assert lost_facts(answer, sentence) == ()


@pytest.mark.parametrize(
    ("answer", "sentence", "lost"),
    [
        ("The API uses port 9090.", "The API uses port 8080.", ("8080",)),
        ("The API no longer uses port 8080.", "The API uses port 8080.", ("no",)),
        ("We deploy on Fridays. Never use tabs.", "We never deploy on Fridays.", ("never",)),
        ("Ana reports to Luis.", "Ana reports to Bob.", ("Bob",)),
        ("Reviewers may approve.", "Reviewers must approve.", ("must",)),
        ("El servidor usa Redis.", "El servidor no usa Redis.", ("no",)),
        ("", "The port is 80.", ("port", "is", "80")),
        ("The API uses Redis. Ports: 80.", "The API uses Redis. It has 3 nodes.", ("3", "nodes")),
    ],
)
def test_a_sentence_that_is_lost(answer: str, sentence: str, lost: tuple[str, ...]) -> None:
    assert lost_facts(answer, sentence) == lost
    assert not keeps_facts(answer, sentence)


def test_the_same_words_in_other_roles_are_a_loss() -> None:
    assert not keeps_facts("It rains. Luis reports to Ana.", "Ana reports to Luis.")


def test_facts_spread_over_a_long_text_are_no_statement() -> None:
    answer = "The API is fast. It rains. It snows. It pours. The other port is 8080."
    assert not keeps_facts(answer, "The API port is 8080.")

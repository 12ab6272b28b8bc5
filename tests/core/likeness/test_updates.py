"""The plain words of an update, and what is left of a sentence without them."""

from __future__ import annotations

import pytest

from muninn_cli.core.likeness import Text, contradicts, says_it_replaces

UPDATES = [
    (
        "The app talks to version 1 of the API.",
        "The app now talks to version 2 of the API instead of version 1.",
    ),
    ("La app usa la versión 1.", "La app usa ahora la versión 2 en lugar de la versión 1."),
    (
        "The search service listens on port 10101 from now on.",
        "Update: the search service listens on port 10103.",
    ),
    ("Update: billing listens on port 10001.", "Update: billing listens on port 10002."),
    ("La copia empieza a las 03:00.", "Actualización: la copia empieza a las 04:30."),
]


@pytest.mark.parametrize(("old", "new"), UPDATES)
def test_an_update_contradicts_what_it_replaces_and_says_so(old: str, new: str) -> None:
    assert contradicts(Text("", old), Text("", new))
    assert says_it_replaces(new)


@pytest.mark.parametrize("text", ["An update of the port is planned.", "Coffee is served."])
def test_a_word_alone_replaces_nothing(text: str) -> None:
    assert not says_it_replaces(text)


def test_another_subject_is_no_update() -> None:
    assert not contradicts(
        Text("", "Tea is served hot."), Text("", "Update: coffee is served cold.")
    )

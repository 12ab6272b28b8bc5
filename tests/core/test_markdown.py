"""What is read from Markdown itself: sentences."""

import pytest

from muninn_cli.core.markdown import sentences


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        (" \n\n ", []),
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        (
            "- first item\n- second item.\n\n  Indented",
            ["- first item", "- second item.", "Indented"],
        ),
        ("Version 3.12 of example.org", ["Version 3.12 of example.org"]),
    ],
)
def test_a_sentence_ends_with_a_mark_before_white_space_or_with_its_line(text, found):
    assert sentences(text) == found

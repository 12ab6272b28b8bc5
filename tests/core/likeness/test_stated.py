"""What a memory states: which titles say something that the text does not."""

import pytest

from muninn_cli.core.likeness import Text, contradicts, stated

CYAN = "Ana's favourite colour is cyan"
LONG = "Backups of the accounts database are kept on the second machine for ninety days from today."


@pytest.mark.parametrize(
    ("title", "body"),
    [
        (CYAN, CYAN),
        (CYAN, f"**{CYAN}**.\n"),
        ("ana's favourite colour is CYAN", f"{CYAN}. She said so in March."),
        ("Backups of the accounts database are kept on the second machine…", LONG),
    ],
)
def test_a_title_that_repeats_the_first_sentence_says_nothing(title: str, body: str) -> None:
    assert stated(title, body) == Text("", body)


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Colours", CYAN),
        ("Staging", "# Staging\n\nThe port is 5433."),
        ("Staging", "Staging\n\nThe port is 5433."),
        ("Ana's favourite colour is c", CYAN),
    ],
)
def test_a_title_that_names_what_the_text_is_about_stays(title: str, body: str) -> None:
    assert stated(title, body) == Text(title, body)


def test_memories_with_titles_of_their_own_words_contradict_as_their_texts_do() -> None:
    purple = CYAN.replace("cyan", "purple")
    assert contradicts(stated(CYAN, CYAN), stated(purple, purple))
